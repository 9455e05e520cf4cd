package workspace

import (
	"time"

	"moorage/workspace/split"
)

// The daemon's methods over the wire, with what they take and give. A failure carries a Code.
const (
	MethodSubscribe  = "subscribe"   // -> Snapshot; then Next gives what changes after it
	MethodNext       = "next"        // -> Delta, once something changed; one at a time for a connection
	MethodTaskAdd    = "task.add"    // TaskAdd -> Added
	MethodTaskRename = "task.rename" // TaskRename
	MethodTaskMove   = "task.move"   // TaskMove
	MethodTaskDelete = "task.delete" // TaskDelete: ends its sessions, drops the record; of a managed one the worktree goes too, behind a gate
	MethodTaskLoss   = "task.loss"   // TaskRef -> Loss: what a delete would take
	MethodTaskMake   = "task.make"   // TaskRef: makes a managed task's worktree, unless it is made; returns when it is
	MethodTaskSet    = "task.set"    // TaskSet: its label, its pin, its switch
	MethodTaskLand   = "task.land"   // TaskLand -> Landed
	MethodTaskRoot   = "task.root"   // RootSet -> Rooted: what Files, git and new tabs are about, for every client
	MethodTaskOpen   = "task.open"   // TaskOpen: a file, by what the desktop of the daemon's machine has for it
	MethodTaskClear  = "task.clear"  // TaskRef: takes away what its Work says has failed

	MethodProjectAdd    = "project.add"    // ProjectAdd -> Project, with its main task; the one that is there already
	MethodProjectClone  = "project.clone"  // ProjectClone -> Project
	MethodCloneDrop     = "clone.drop"     // CloneRef: takes away one that failed
	MethodProjectRemove = "project.remove" // ProjectRef: forgets it and its main task; refused while it has managed tasks
	MethodProjectBases  = "project.bases"  // ProjectRef -> []BaseRef, the most recent first
	MethodFiles         = "files"          // FilesQuery -> FilesView
	MethodDiff          = "diff"           // DiffQuery -> DiffView
	MethodNotes         = "notes"          // TaskRef -> []Note, the oldest first
	MethodNotePut       = "note.put"       // NotePut -> Note
	MethodNoteDrop      = "note.drop"      // NoteRef
	MethodNotesSend     = "notes.send"     // NotesSend -> NotesSent
	MethodWorktrees     = "worktrees"      // -> []WorktreeRow of every project
	MethodWorktreeAdopt = "worktree.adopt" // WorktreeAdopt -> []AdoptResult: tasks for worktrees that have none
	MethodWorktreeLoss  = "worktree.loss"  // WorktreeRef -> Loss
	MethodWorktreeDrop  = "worktree.drop"  // WorktreeDrop: removes a worktree that no task has
	MethodTabAdd        = "tab.add"        // TabAdd -> Added
	MethodTabClose      = "tab.close"      // TabRef: ends its sessions
	MethodTabRename     = "tab.rename"     // TabRename
	MethodTabMove       = "tab.move"       // TabMove
	MethodTabSelect     = "tab.select"     // TabSelect: the stored active tab, and where that client is
	MethodPlace         = "place"          // PlaceOf -> Place: what is remembered of a client
	MethodNotify        = "notify"         // NotifySet: how a client wants to be told, from now on
	MethodPaneSplit     = "pane.split"     // PaneSplit -> Added
	MethodPaneOpen      = "pane.open"      // PaneOpen -> wire.Session: a live one wins
	MethodPaneClose     = "pane.close"     // PaneRef: ends its session
	MethodPaneReset     = "pane.reset"     // PaneOpen -> wire.Session: ends it, drops screen and history, starts afresh
	MethodSplitRatio    = "split.ratio"    // SplitRatio
	MethodPaneSwap      = "pane.swap"      // PaneSwap: two panes of a tab change places
	MethodPaneMove      = "pane.move"      // PaneMove -> Added: into another tab, its session with it
	MethodTabArrange    = "tab.arrange"    // TabArrange: the panes anew
	MethodTabPolicy     = "tab.policy"     // TabPolicy
	MethodRestore       = "restore"        // Restore -> Report, which goes on: see MethodReport. One runs at a time; who asks meanwhile gets that one
	MethodReport        = "report"         // ReportRef -> Report
	MethodReports       = "reports"        // -> []Report, the newest first
	MethodExits         = "exits"          // -> []ExitRecord, the newest first
	MethodHook          = "hook"           // Hook -> HookResult: what an engine's hook tells; never long
	MethodLaunch        = "launch"         // Launch -> Launched: how the engine of a pane is to be started now
	MethodSeen          = "seen"           // TabRef: a client has opened the tab
	MethodInbox         = "inbox"          // -> Inbox
	MethodTold          = "inbox.told"     // Told: who was told of an item
	MethodHooks         = "hooks"          // Hooks -> Hooks: whether hooks may be given to engines
	MethodTaskState     = "task.state"     // TaskRef -> TaskState
	MethodSend          = "send"           // Send -> Sent: a prompt for an engine, delivered whole once or refused
	MethodStatus        = "status"         // -> DaemonStatus
	MethodStop          = "stop"           // the daemon ends; sessions live on

	MethodConversations = "conversations"        // TaskRef -> Conversations of the task's directory, also those without a tab
	MethodTakeUp        = "conversation.take-up" // ConversationOpen -> Added
)

// Size is a terminal's size; zero leaves it to the host.
type Size struct {
	Cols int `json:"cols,omitempty"`
	Rows int `json:"rows,omitempty"`
}

// TaskAdd asks for the task of a directory, or for a scratch task. A directory that has a task already gives that one.
type TaskAdd struct {
	Dir     string `json:"dir,omitempty"`
	Scratch bool   `json:"scratch,omitempty"`
	// First asks for a scratch task only if there is no task at all; else it gives the first one.
	First bool `json:"first,omitempty"`
	// Project asks for a managed task: a branch of its own from Base, "" for the project's default branch, in a worktree that is made when
	// the task is first opened. Prefix is set before the branch's name, "" follows the repository's habit.
	Project string   `json:"project,omitempty"`
	Base    string   `json:"base,omitempty"`
	Prefix  string   `json:"prefix,omitempty"`
	Title   string   `json:"title,omitempty"`
	Command []string `json:"command,omitempty"`
	Policy  Policy   `json:"policy,omitempty"` // of its first tab
	Size
}

// Added is a task after something was added to it: the tab and pane that are new, or that an existing task shows first.
type Added struct {
	Task     Task   `json:"task"`
	Tab      string `json:"tab,omitempty"`
	Pane     string `json:"pane,omitempty"`
	Existing bool   `json:"existing,omitempty"`
}

// TaskRef names a task.
type TaskRef struct {
	Task string `json:"task"`
}

// TaskRename gives a task another title. Was, unless nil, is the title that who renames it saw: when it is another by now, it is CodeConflict.
type TaskRename struct {
	Task  string  `json:"task"`
	Title string  `json:"title"`
	Was   *string `json:"was,omitempty"`
}

// TaskDelete deletes a task. Force also takes what its Loss says is refused; uncommitted work is then kept under refs/moorage/salvage. The
// branch stays unless DeleteBranch names it.
type TaskDelete struct {
	Task         string `json:"task"`
	Force        bool   `json:"force,omitempty"`
	DeleteBranch string `json:"delete_branch,omitempty"`
}

// TaskSet changes a task's label, pin or switch; nil leaves it.
type TaskSet struct {
	Task   string  `json:"task"`
	Status *Status `json:"status,omitempty"`
	Pinned *bool   `json:"pinned,omitempty"`
	// Resume switches whether the task's engines are told to go on when a rate limit has ended.
	Resume *bool `json:"resume_after_limit,omitempty"`
}

// TaskLand merges or squashes a managed task's branch into the branch that its project's checkout is on.
type TaskLand struct {
	Task    string `json:"task"`
	Squash  bool   `json:"squash,omitempty"`
	Message string `json:"message,omitempty"`
	DryRun  bool   `json:"dry_run,omitempty"`
}

// RootSet makes a directory the root of a task: Dir, which is absolute, or without it the one that the pane's program is in.
type RootSet struct {
	PaneRef
	Dir string `json:"dir,omitempty"`
}

// Rooted says which directory a task's root is now.
type Rooted struct {
	Dir string `json:"dir"`
}

// TaskOpen names a file of a task, absolute, as bytes.
type TaskOpen struct {
	Task string `json:"task"`
	Path []byte `json:"path"`
}

// Landed says what a landing did, or would do.
type Landed struct {
	Branch    string   `json:"branch"`
	Into      string   `json:"into"`
	Before    string   `json:"before"`
	After     string   `json:"after,omitempty"` // "" of a dry run: there is none
	Commits   int      `json:"commits"`
	Conflicts []string `json:"conflicts,omitempty"` // files, shown safely; then nothing was changed
	DryRun    bool     `json:"dry_run,omitempty"`
}

// TaskMove puts a task at an index of the sidebar.
type TaskMove struct {
	Task string `json:"task"`
	To   int    `json:"to"`
}

// TabAdd appends a tab. Empty fields mean the login shell, the task's directory and the default policy.
type TabAdd struct {
	Task    string   `json:"task"`
	Name    string   `json:"name,omitempty"`
	Command []string `json:"command,omitempty"`
	Dir     string   `json:"dir,omitempty"`
	Policy  Policy   `json:"policy,omitempty"`
	Size
}

// TabRef names a tab.
type TabRef struct {
	Task string `json:"task"`
	Tab  string `json:"tab"`
}

// TabSelect says that a tab is being shown, and by whom: the client's identity, "" for one that has none.
type TabSelect struct {
	TabRef
	Client string `json:"client,omitempty"`
}

// PlaceOf asks where a client was last, by its identity.
type PlaceOf struct {
	Client string `json:"client"`
}

// Place is what is remembered of a client: where it was last, empty when that is not known, and how it wants to be told.
type Place struct {
	TabRef
	Notify Notify `json:"notify,omitzero"`
}

// NotifySet remembers how a client wants to be told, by its identity.
type NotifySet struct {
	Client string `json:"client"`
	Notify
}

// TabRename gives a tab a name; an empty one goes back to its title. Was is as of a TaskRename.
type TabRename struct {
	Task string  `json:"task"`
	Tab  string  `json:"tab"`
	Name string  `json:"name"`
	Was  *string `json:"was,omitempty"`
}

// TabMove puts a tab at an index of the strip.
type TabMove struct {
	Task string `json:"task"`
	Tab  string `json:"tab"`
	To   int    `json:"to"`
}

// PaneRef names a pane.
type PaneRef struct {
	Task string `json:"task"`
	Tab  string `json:"tab"`
	Pane string `json:"pane"`
}

// Key is the key of the pane's session.
func (r PaneRef) Key() Key { return Key(r) }

// PaneSplit divides a pane. An empty Pane means the tab's first, an empty Dir the directory that the divided pane's program
// is in. Whether there is room (split.CanSplit) is for the caller to know, who has the size.
type PaneSplit struct {
	PaneRef
	Direction split.Direction `json:"direction"`
	Command   []string        `json:"command,omitempty"`
	Dir       string          `json:"dir,omitempty"`
	Size
}

// PaneOpen asks for a pane's session. A live one is given as it is; one that ended is given as it is too, unless Restart.
type PaneOpen struct {
	PaneRef
	Restart bool `json:"restart,omitempty"`
	Size
}

// SplitRatio moves the border at Path: the first child's share of the area.
type SplitRatio struct {
	Task  string     `json:"task"`
	Tab   string     `json:"tab"`
	Path  split.Path `json:"path"`
	Ratio float64    `json:"ratio"`
}

// PaneSwap exchanges the places of two panes of a tab.
type PaneSwap struct {
	PaneRef
	With string `json:"with"`
}

// PaneMove puts a pane into another tab of its task, beside that one's last pane; without To into a new tab behind its own. Its program does
// not notice.
type PaneMove struct {
	PaneRef
	To        string          `json:"to,omitempty"`
	Direction split.Direction `json:"direction,omitempty"` // of the new place from the last pane; right by default
}

// TabArrange lays a tab's panes out anew: by a preset, or by one of the words below.
type TabArrange struct {
	Task string       `json:"task"`
	Tab  string       `json:"tab"`
	How  split.Preset `json:"how"`
}

// What TabArrange takes beside the presets.
const (
	ArrangeEven       split.Preset = "even"        // equal shares, the same arrangement
	ArrangeRotate     split.Preset = "rotate"      // every pane to the place of the next
	ArrangeRotateBack split.Preset = "rotate-back" // and back
)

// TabPolicy gives a tab another relaunch policy.
type TabPolicy struct {
	Task   string `json:"task"`
	Tab    string `json:"tab"`
	Policy Policy `json:"policy"`
}

// Restore asks for everything to be started again that stayed behind.
type Restore struct {
	Task   string `json:"task,omitempty"`    // only this one's
	DryRun bool   `json:"dry_run,omitempty"` // only say what would be done
	All    bool   `json:"all,omitempty"`     // also what its policy leaves for the user
}

// ReportRef names a report; no ID means the latest. Seen is the Changes of the report that the caller has: the answer waits for more than
// that, or for the report's end. -1 waits for nothing.
type ReportRef struct {
	ID   string `json:"id,omitempty"`
	Seen int    `json:"seen"`
}

// DaemonStatus is the daemon about itself.
type DaemonStatus struct {
	Build   string    `json:"build"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	Clients int       `json:"clients"`
	Tasks   int       `json:"tasks"`
	Tabs    int       `json:"tabs"`
	Host    HostView  `json:"host"`
}
