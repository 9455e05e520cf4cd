package workspace

import (
	"cmp"
	"slices"
	"time"

	"moorage/ptyhost/wire"
)

// PaneState is the badge of a pane.
type PaneState string

// The badges. Unknown means that nobody could look; it is neither of the others.
const (
	PaneAlive   PaneState = "alive"
	PaneExited  PaneState = "exited"  // its program ended; the host still has its screen
	PaneThawed  PaneState = "thawed"  // restored from disk, its program long gone
	PaneNone    PaneState = "none"    // the host has no session for it: pane.open makes one
	PaneFailed  PaneState = "failed"  // its session could not be started; Reason says why
	PaneUnknown PaneState = "unknown" // the host is away
)

// PaneView is what is known of a pane's session now.
type PaneView struct {
	State  PaneState  `json:"state"`
	Exit   *wire.Exit `json:"exit,omitempty"`
	Title  string     `json:"title,omitempty"` // live, cleaned
	CWD    string     `json:"cwd,omitempty"`   // of the foreground program
	PID    int        `json:"pid,omitempty"`
	Reason string     `json:"reason,omitempty"`
	// Engine is the engine that belongs to the pane, nil for a shell or any other program.
	Engine *EngineView `json:"engine,omitempty"`
}

// TaskView is a task with what is known of its sessions. It must not be changed.
type TaskView struct {
	Task
	Panes map[string]PaneView `json:"panes"`          // by "<tab>/<pane>"
	Work  *Work               `json:"work,omitempty"` // what is being done to it, or failed
	// Counts is what its worktree has beside its base, nil while nobody has looked.
	Counts *Counts `json:"counts,omitempty"`
	// Notes says how many remarks on its changes there are.
	Notes NoteCount `json:"notes,omitzero"`
	// Loose is what engines told that work in the task's directory and belong to no tab that is known; nil for nothing.
	Loose *EngineView `json:"loose,omitempty"`
}

// PaneView returns the view of a pane, an unknown one if there is none.
func (v TaskView) PaneView(tab, pane string) PaneView {
	if p, ok := v.Panes[tab+"/"+pane]; ok {
		return p
	}
	return PaneView{State: PaneUnknown}
}

// TabState is the badge of a tab: alive when any pane is, else its first pane's.
func (v TaskView) TabState(id string) PaneState {
	tab, ok := v.Tab(id)
	if !ok || tab.Layout.Empty() {
		return PaneUnknown
	}
	panes := tab.Layout.Panes()
	for _, pane := range panes {
		if v.PaneView(id, pane).State == PaneAlive {
			return PaneAlive
		}
	}
	return v.PaneView(id, panes[0]).State
}

// TabLabel is Tab.Label with the live title of pane, or of the first pane that has one when pane is "".
func (v TaskView) TabLabel(id, pane string) string {
	tab, ok := v.Tab(id)
	if !ok {
		return ""
	}
	live := v.PaneView(id, pane).Title
	for _, p := range tab.Layout.Panes() {
		if live == "" && pane == "" {
			live = v.PaneView(id, p).Title
		}
	}
	return tab.Label(live)
}

// HostState says how the daemon stands with the PTY host.
type HostState string

// The states of the host. Off is a fact, nothing listens and no session lives; away is not knowing.
const (
	HostUp           HostState = "up"
	HostOff          HostState = "off" // not running; started when something needs a session
	HostAway         HostState = "away"
	HostUnresponsive HostState = "unresponsive" // it is there and does not answer
)

// HostView is the host as clients are shown it.
type HostView struct {
	State HostState `json:"state"`
	Since time.Time `json:"since"`
	Build string    `json:"build,omitempty"`
	PID   int       `json:"pid,omitempty"`
	Error string    `json:"error,omitempty"`
}

// Snapshot is everything that a subscriber is shown, at one moment.
type Snapshot struct {
	Build string     `json:"build"` // the daemon's
	Host  HostView   `json:"host"`
	Tasks []TaskView `json:"tasks"` // in the sidebar's order
	Inbox Inbox      `json:"inbox"`
	// Question is what is to be asked about hooks, if anything.
	Question HooksQuestion `json:"hooks_question,omitzero"`
	// Projects are the saved repositories, by title.
	Projects []Project `json:"projects"`
	// Clones are the repositories that are being cloned, the oldest first, with those that could not be.
	Clones []Clone `json:"clones,omitempty"`
}

// Delta is the latest of what changed since the snapshot or delta before it.
type Delta struct {
	Fresh   bool       `json:"fresh,omitempty"` // it lists every task: others are gone
	Host    *HostView  `json:"host,omitempty"`
	Tasks   []TaskView `json:"tasks,omitempty"`
	Removed []string   `json:"removed,omitempty"`
	Inbox   *Inbox     `json:"inbox,omitempty"` // the whole, when it changed
	// Question is what is to be asked now, when that changed.
	Question *HooksQuestion `json:"hooks_question,omitempty"`
	// Projects is the whole list, when it changed.
	Projects *[]Project `json:"projects,omitempty"`
	Clones   *[]Clone   `json:"clones,omitempty"` // likewise
}

// Apply returns the snapshot as it is after the delta. Neither is changed.
func (s Snapshot) Apply(d Delta) Snapshot {
	if d.Host != nil {
		s.Host = *d.Host
	}
	if d.Inbox != nil {
		s.Inbox = *d.Inbox
	}
	if d.Question != nil {
		s.Question = *d.Question
	}
	if d.Projects != nil {
		s.Projects = *d.Projects
	}
	if d.Clones != nil {
		s.Clones = *d.Clones
	}
	changed := make(map[string]bool, len(d.Tasks)+len(d.Removed))
	for _, t := range d.Tasks {
		changed[t.ID] = true
	}
	for _, id := range d.Removed {
		changed[id] = true
	}
	tasks := make([]TaskView, 0, len(s.Tasks)+len(d.Tasks))
	for _, t := range s.Tasks {
		if !d.Fresh && !changed[t.ID] {
			tasks = append(tasks, t)
		}
	}
	s.Tasks = append(tasks, d.Tasks...)
	SortTasks(s.Tasks)
	return s
}

// Task returns the task with that id.
func (s Snapshot) Task(id string) (TaskView, bool) {
	for _, t := range s.Tasks {
		if t.ID == id {
			return t, true
		}
	}
	return TaskView{}, false
}

// SortTasks puts tasks into the sidebar's order.
func SortTasks(tasks []TaskView) {
	slices.SortFunc(tasks, func(a, b TaskView) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ID, b.ID))
	})
}
