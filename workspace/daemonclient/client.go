package daemonclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// startLimit is how long a daemon that was started may take to answer.
const startLimit = 15 * time.Second

// Config says whose daemon, who asks, and how to start it.
type Config struct {
	Home  persistence.Home
	Build string
	Role  string // the caller's, for the daemon's log: "sshd", "cli"
	// Start starts the daemon, detached. It returns when it has been started, not when it listens. nil: never start it.
	Start func(context.Context) error
}

// Client is one connection to the daemon.
type Client struct {
	conn   *wire.Conn
	served chan struct{}
}

// Dial connects to the daemon that runs. wire.IsAbsent tells that there is none from one that does not answer.
func Dial(ctx context.Context, cfg Config) (*Client, error) {
	path, err := cfg.Home.SocketPath("daemon")
	if err != nil {
		return nil, fmt.Errorf("daemon: %w", err)
	}
	conn, err := wire.Dial(ctx, path, wire.Hello{Build: cfg.Build, Home: cfg.Home.Dir(), Role: cfg.Role, PID: os.Getpid()})
	if err != nil {
		return nil, fmt.Errorf("daemon: %w", err)
	}
	c := &Client{conn: conn, served: make(chan struct{})}
	go func() {
		defer close(c.served)
		_ = conn.Serve(context.Background(), deaf{}) // Done tells the caller
	}()
	return c, nil
}

// Ensure is Dial that starts the daemon when positively none is there, and waits until it answers. Of two that start it at
// once one wins, and both get its daemon.
func Ensure(ctx context.Context, cfg Config) (*Client, error) {
	c, err := Dial(ctx, cfg)
	if err == nil || !wire.IsAbsent(err) || cfg.Start == nil {
		return c, err
	}
	if err := cfg.Start(ctx); err != nil {
		return nil, workspace.Fail(workspace.CodeAway, "see daemon.log in the home's log folder", "start the daemon: %v", err)
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		c, err := Dial(ctx, cfg)
		if err == nil || !wire.IsAbsent(err) {
			return c, err
		}
		select {
		case <-ctx.Done():
			return nil, workspace.Fail(workspace.CodeAway, "see daemon.log in the home's log folder",
				"the daemon does not come up: %v", errors.Join(err, ctx.Err()))
		case <-time.After(pause):
		}
	}
}

// Remote is the daemon's hello: its build and pid.
func (c *Client) Remote() wire.Hello { return c.conn.Remote }

// Done is closed when the connection is.
func (c *Client) Done() <-chan struct{} { return c.conn.Done() }

// Close ends the connection and waits for its goroutine.
func (c *Client) Close() error {
	err := c.conn.Close()
	<-c.served
	return err
}

// call sends params and returns the answer as an R.
func call[R any](ctx context.Context, c *Client, method string, params any) (R, error) {
	var result R
	err := c.conn.Call(ctx, method, params, &result)
	return result, err
}

// tell is call for a method without an answer.
func (c *Client) tell(ctx context.Context, method string, params any) error {
	return c.conn.Call(ctx, method, params, nil)
}

// Subscribe returns the workspace as it is. From then on Next returns what changed since.
func (c *Client) Subscribe(ctx context.Context) (workspace.Snapshot, error) {
	return call[workspace.Snapshot](ctx, c, workspace.MethodSubscribe, nil)
}

// Next waits for a change after Subscribe or the last Next, and returns the latest of everything that changed. One at a time.
func (c *Client) Next(ctx context.Context) (workspace.Delta, error) {
	return call[workspace.Delta](ctx, c, workspace.MethodNext, nil)
}

// AddTask returns the task of a directory, made if there is none, or a new scratch task.
func (c *Client) AddTask(ctx context.Context, p workspace.TaskAdd) (workspace.Added, error) {
	return call[workspace.Added](ctx, c, workspace.MethodTaskAdd, p)
}

// RenameTask gives a task another title.
func (c *Client) RenameTask(ctx context.Context, p workspace.TaskRename) error {
	return c.tell(ctx, workspace.MethodTaskRename, p)
}

// MoveTask puts a task at an index of the sidebar.
func (c *Client) MoveTask(ctx context.Context, task string, to int) error {
	return c.tell(ctx, workspace.MethodTaskMove, workspace.TaskMove{Task: task, To: to})
}

// DeleteTask ends a task's sessions and drops its record. A managed task's worktree goes with it if nothing would be lost, or by force.
func (c *Client) DeleteTask(ctx context.Context, p workspace.TaskDelete) error {
	return c.tell(ctx, workspace.MethodTaskDelete, p)
}

// TaskLoss says what a delete would take.
func (c *Client) TaskLoss(ctx context.Context, task string) (workspace.Loss, error) {
	return call[workspace.Loss](ctx, c, workspace.MethodTaskLoss, workspace.TaskRef{Task: task})
}

// MakeTask makes a managed task's worktree, unless it is made. It blocks until it is.
func (c *Client) MakeTask(ctx context.Context, task string) error {
	return c.tell(ctx, workspace.MethodTaskMake, workspace.TaskRef{Task: task})
}

// SetTask changes a task's label, pin or switch.
func (c *Client) SetTask(ctx context.Context, p workspace.TaskSet) error {
	return c.tell(ctx, workspace.MethodTaskSet, p)
}

// LandTask merges or squashes a managed task's branch.
func (c *Client) LandTask(ctx context.Context, p workspace.TaskLand) (workspace.Landed, error) {
	return call[workspace.Landed](ctx, c, workspace.MethodTaskLand, p)
}

// SetRoot makes a directory its task's root, and returns it.
func (c *Client) SetRoot(ctx context.Context, p workspace.RootSet) (workspace.Rooted, error) {
	return call[workspace.Rooted](ctx, c, workspace.MethodTaskRoot, p)
}

// OpenFile opens a file by the desktop of the daemon's machine.
func (c *Client) OpenFile(ctx context.Context, p workspace.TaskOpen) error {
	return c.tell(ctx, workspace.MethodTaskOpen, p)
}

// ClearWork takes away what is shown of something that failed.
func (c *Client) ClearWork(ctx context.Context, task string) error {
	return c.tell(ctx, workspace.MethodTaskClear, workspace.TaskRef{Task: task})
}

// AddProject saves the repository of a directory.
func (c *Client) AddProject(ctx context.Context, dir string) (workspace.Project, error) {
	return call[workspace.Project](ctx, c, workspace.MethodProjectAdd, workspace.ProjectAdd{Dir: dir})
}

// CloneProject clones a repository and saves it. It blocks as long as git takes.
func (c *Client) CloneProject(ctx context.Context, p workspace.ProjectClone) (workspace.Project, error) {
	return call[workspace.Project](ctx, c, workspace.MethodProjectClone, p)
}

// DropClone takes away a clone that failed.
func (c *Client) DropClone(ctx context.Context, p workspace.CloneRef) error {
	return c.tell(ctx, workspace.MethodCloneDrop, p)
}

// RemoveProject forgets a project. Nothing of the repository changes.
func (c *Client) RemoveProject(ctx context.Context, project string) error {
	return c.tell(ctx, workspace.MethodProjectRemove, workspace.ProjectRef{Project: project})
}

// Bases lists the refs that work can begin at, the most recent first.
func (c *Client) Bases(ctx context.Context, project string) ([]workspace.BaseRef, error) {
	return call[[]workspace.BaseRef](ctx, c, workspace.MethodProjectBases, workspace.ProjectRef{Project: project})
}

// Files lists a task's files, or what differs, once there is something new; see FilesQuery.
func (c *Client) Files(ctx context.Context, p workspace.FilesQuery) (workspace.FilesView, error) {
	return call[workspace.FilesView](ctx, c, workspace.MethodFiles, p)
}

// Diff gives what differs in a task's directory, once there is something new; see DiffQuery.
func (c *Client) Diff(ctx context.Context, p workspace.DiffQuery) (workspace.DiffView, error) {
	return call[workspace.DiffView](ctx, c, workspace.MethodDiff, p)
}

// Notes lists a task's notes, the oldest first.
func (c *Client) Notes(ctx context.Context, task string) ([]workspace.Note, error) {
	return call[[]workspace.Note](ctx, c, workspace.MethodNotes, workspace.TaskRef{Task: task})
}

// PutNote writes a note, a new one or another text of one that is there.
func (c *Client) PutNote(ctx context.Context, p workspace.NotePut) (workspace.Note, error) {
	return call[workspace.Note](ctx, c, workspace.MethodNotePut, p)
}

// DropNote deletes a note.
func (c *Client) DropNote(ctx context.Context, p workspace.NoteRef) error {
	return c.tell(ctx, workspace.MethodNoteDrop, p)
}

// SendNotes gives a task's unsent notes to its engine as one prompt. It blocks as Send does.
func (c *Client) SendNotes(ctx context.Context, p workspace.NotesSend) (workspace.NotesSent, error) {
	return call[workspace.NotesSent](ctx, c, workspace.MethodNotesSend, p)
}

// Worktrees lists those of every project. It blocks as long as git takes.
func (c *Client) Worktrees(ctx context.Context) ([]workspace.WorktreeRow, error) {
	return call[[]workspace.WorktreeRow](ctx, c, workspace.MethodWorktrees, nil)
}

// AdoptWorktrees makes tasks for worktrees that have none.
func (c *Client) AdoptWorktrees(ctx context.Context, p workspace.WorktreeAdopt) ([]workspace.AdoptResult, error) {
	return call[[]workspace.AdoptResult](ctx, c, workspace.MethodWorktreeAdopt, p)
}

// WorktreeLoss says what removing a worktree would take.
func (c *Client) WorktreeLoss(ctx context.Context, p workspace.WorktreeRef) (workspace.Loss, error) {
	return call[workspace.Loss](ctx, c, workspace.MethodWorktreeLoss, p)
}

// DropWorktree removes a worktree that no task has.
func (c *Client) DropWorktree(ctx context.Context, p workspace.WorktreeDrop) error {
	return c.tell(ctx, workspace.MethodWorktreeDrop, p)
}

// AddTab appends a tab and starts its session.
func (c *Client) AddTab(ctx context.Context, p workspace.TabAdd) (workspace.Added, error) {
	return call[workspace.Added](ctx, c, workspace.MethodTabAdd, p)
}

// CloseTab ends a tab's sessions and takes it out of the strip.
func (c *Client) CloseTab(ctx context.Context, tab workspace.TabRef) error {
	return c.tell(ctx, workspace.MethodTabClose, tab)
}

// RenameTab gives a tab a name; an empty one goes back to its title.
func (c *Client) RenameTab(ctx context.Context, p workspace.TabRename) error {
	return c.tell(ctx, workspace.MethodTabRename, p)
}

// MoveTab puts a tab at an index of the strip.
func (c *Client) MoveTab(ctx context.Context, tab workspace.TabRef, to int) error {
	return c.tell(ctx, workspace.MethodTabMove, workspace.TabMove{Task: tab.Task, Tab: tab.Tab, To: to})
}

// SelectTab stores which tab of the task is shown first, and where the client is. It moves no client.
func (c *Client) SelectTab(ctx context.Context, p workspace.TabSelect) error {
	return c.tell(ctx, workspace.MethodTabSelect, p)
}

// Place is what is remembered of a client.
func (c *Client) Place(ctx context.Context, client string) (workspace.Place, error) {
	return call[workspace.Place](ctx, c, workspace.MethodPlace, workspace.PlaceOf{Client: client})
}

// SetNotify remembers how a client wants to be told.
func (c *Client) SetNotify(ctx context.Context, p workspace.NotifySet) error {
	return c.tell(ctx, workspace.MethodNotify, p)
}

// SplitPane divides a pane and starts the new one's session.
func (c *Client) SplitPane(ctx context.Context, p workspace.PaneSplit) (workspace.Added, error) {
	return call[workspace.Added](ctx, c, workspace.MethodPaneSplit, p)
}

// OpenPane makes sure that a pane has a session. A live one wins; one that ended is replaced only with Restart.
func (c *Client) OpenPane(ctx context.Context, p workspace.PaneOpen) (wire.Session, error) {
	return call[wire.Session](ctx, c, workspace.MethodPaneOpen, p)
}

// ResetPane ends a pane's session with its screen and history and starts a fresh one.
func (c *Client) ResetPane(ctx context.Context, p workspace.PaneOpen) (wire.Session, error) {
	return call[wire.Session](ctx, c, workspace.MethodPaneReset, p)
}

// ClosePane ends a pane's session and takes it out of its tree.
func (c *Client) ClosePane(ctx context.Context, pane workspace.PaneRef) error {
	return c.tell(ctx, workspace.MethodPaneClose, pane)
}

// SetRatio moves a border.
func (c *Client) SetRatio(ctx context.Context, p workspace.SplitRatio) error {
	return c.tell(ctx, workspace.MethodSplitRatio, p)
}

// SwapPanes exchanges the places of two panes of a tab.
func (c *Client) SwapPanes(ctx context.Context, p workspace.PaneSwap) error {
	return c.tell(ctx, workspace.MethodPaneSwap, p)
}

// MovePane puts a pane into another tab, or into one of its own, and returns where it is now.
func (c *Client) MovePane(ctx context.Context, p workspace.PaneMove) (workspace.Added, error) {
	return call[workspace.Added](ctx, c, workspace.MethodPaneMove, p)
}

// ArrangeTab lays a tab's panes out anew.
func (c *Client) ArrangeTab(ctx context.Context, p workspace.TabArrange) error {
	return c.tell(ctx, workspace.MethodTabArrange, p)
}

// SetPolicy gives a tab another relaunch policy.
func (c *Client) SetPolicy(ctx context.Context, p workspace.TabPolicy) error {
	return c.tell(ctx, workspace.MethodTabPolicy, p)
}

// Restore begins to start again what stayed behind, or joins the restore that runs, and returns its report so far. Report follows it.
func (c *Client) Restore(ctx context.Context, p workspace.Restore) (workspace.Report, error) {
	return call[workspace.Report](ctx, c, workspace.MethodRestore, p)
}

// Report returns a report, the latest for an empty ID, once it is another than the caller has; see ReportRef.
func (c *Client) Report(ctx context.Context, p workspace.ReportRef) (workspace.Report, error) {
	return call[workspace.Report](ctx, c, workspace.MethodReport, p)
}

// Reports returns the reports that are kept, the newest first.
func (c *Client) Reports(ctx context.Context) ([]workspace.Report, error) {
	return call[[]workspace.Report](ctx, c, workspace.MethodReports, nil)
}

// Exits returns the exit records, the newest first.
func (c *Client) Exits(ctx context.Context) ([]workspace.ExitRecord, error) {
	return call[[]workspace.ExitRecord](ctx, c, workspace.MethodExits, nil)
}

// Hook tells what an engine's hook tells, and where it went.
func (c *Client) Hook(ctx context.Context, p workspace.Hook) (workspace.HookResult, error) {
	return call[workspace.HookResult](ctx, c, workspace.MethodHook, p)
}

// Launch asks how the engine of a pane is to be started now, and claims its conversation for the pane.
func (c *Client) Launch(ctx context.Context, p workspace.Launch) (workspace.Launched, error) {
	return call[workspace.Launched](ctx, c, workspace.MethodLaunch, p)
}

// Seen tells that a client has opened a tab.
func (c *Client) Seen(ctx context.Context, tab workspace.TabRef) error {
	return c.tell(ctx, workspace.MethodSeen, tab)
}

// Inbox returns what wants attention.
func (c *Client) Inbox(ctx context.Context) (workspace.Inbox, error) {
	return call[workspace.Inbox](ctx, c, workspace.MethodInbox, nil)
}

// Told tells who was told of an inbox item.
func (c *Client) Told(ctx context.Context, p workspace.Told) error {
	return c.tell(ctx, workspace.MethodTold, p)
}

// Hooks returns the user's word about hooks, after taking a new one unless it is "".
func (c *Client) Hooks(ctx context.Context, p workspace.Hooks) (workspace.Hooks, error) {
	return call[workspace.Hooks](ctx, c, workspace.MethodHooks, p)
}

// TaskState returns a task as scripts steer by it.
func (c *Client) TaskState(ctx context.Context, task string) (workspace.TaskState, error) {
	return call[workspace.TaskState](ctx, c, workspace.MethodTaskState, workspace.TaskRef{Task: task})
}

// Send types a prompt into an engine and submits it; see workspace.Send. It blocks until that is done, half a minute at most.
func (c *Client) Send(ctx context.Context, p workspace.Send) (workspace.Sent, error) {
	return call[workspace.Sent](ctx, c, workspace.MethodSend, p)
}

// Conversations lists those of a task's directory.
func (c *Client) Conversations(ctx context.Context, task string) (workspace.Conversations, error) {
	return call[workspace.Conversations](ctx, c, workspace.MethodConversations, workspace.TaskRef{Task: task})
}

// TakeUp opens a tab for a conversation.
func (c *Client) TakeUp(ctx context.Context, p workspace.ConversationOpen) (workspace.Added, error) {
	return call[workspace.Added](ctx, c, workspace.MethodTakeUp, p)
}

// Status returns the daemon about itself.
func (c *Client) Status(ctx context.Context) (workspace.DaemonStatus, error) {
	return call[workspace.DaemonStatus](ctx, c, workspace.MethodStatus, nil)
}

// Stop ends the daemon and waits until the connection has gone with it. Sessions live on.
func (c *Client) Stop(ctx context.Context) error {
	if err := c.tell(ctx, workspace.MethodStop, nil); err != nil && workspace.CodeOf(err) != workspace.CodeAway {
		return err
	}
	select {
	case <-c.Done():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// deaf answers nothing: the daemon only answers.
type deaf struct{}

func (deaf) Call(context.Context, *wire.Conn, string, json.RawMessage) (any, error) {
	return nil, &wire.Error{Code: wire.CodeUnknownMethod, Message: "a client answers nothing"}
}
func (deaf) Binary(*wire.Conn, wire.Kind, []byte)      {}
func (deaf) Event(*wire.Conn, string, json.RawMessage) {}
