package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Kind says where a task's directory comes from and what goes with the task.
type Kind string

// The kinds of tasks.
const (
	KindManaged   Kind = "managed"   // a git worktree and branch of its own
	KindMain      Kind = "main"      // a saved project's checkout
	KindDirectory Kind = "directory" // any directory; at most one task for each
	KindScratch   Kind = "scratch"   // a shell in the user's home; lives as long as its last tab
)

// Status is the user's label of a task. It has no side effects.
type Status string

// The labels.
const (
	StatusBacklog    Status = "backlog"
	StatusInProgress Status = "in_progress"
	StatusInReview   Status = "in_review"
	StatusDone       Status = "done"
	StatusCanceled   Status = "canceled"
	StatusError      Status = "error"
)

// Task is one tracked unit of work: a directory and its tabs.
type Task struct {
	ID        string    `json:"id"` // a ULID
	Title     string    `json:"title"`
	Kind      Kind      `json:"kind"`
	Dir       string    `json:"dir"`               // absolute; of a managed one its worktree, of a main one the checkout
	Root      string    `json:"root,omitempty"`    // a directory in Dir that was made the root instead
	Project   string    `json:"project,omitempty"` // the id of its project; of a managed and a main one
	Branch    string    `json:"branch,omitempty"`
	Base      string    `json:"base,omitempty"`
	Status    Status    `json:"status,omitempty"`
	Pinned    bool      `json:"pinned,omitempty"`
	Resume    bool      `json:"resume_after_limit,omitempty"` // its engines are told to go on when a rate limit has ended
	Made      bool      `json:"made,omitempty"`               // of a managed one: its worktree has been made
	Begun     bool      `json:"begun,omitempty"`              // somebody began to make it and has not come to an end, good or bad
	Position  int       `json:"position"`                     // order in the sidebar, ascending
	Env       []string  `json:"env,omitempty"`                // what the repository's init script exported, for the task's sessions
	Command   []string  `json:"command,omitempty"`            // of a fresh tab; empty is the login shell
	Created   time.Time `json:"created"`
	Updated   time.Time `json:"updated"`
	Tabs      []Tab     `json:"tabs"`       // in the strip's order; may be empty
	ActiveTab string    `json:"active_tab"` // what a client without a view of its own is shown first
	NextTab   int       `json:"next_tab"`   // the number of the next tab-N
}

// Clone copies the task so deeply that edits of the copy leave t alone.
func (t Task) Clone() Task {
	t.Command, t.Env = slices.Clone(t.Command), slices.Clone(t.Env)
	t.Tabs = slices.Clone(t.Tabs)
	for i := range t.Tabs {
		t.Tabs[i].Panes = slices.Clone(t.Tabs[i].Panes)
	}
	return t
}

// RootDir is the directory that Files, git and new tabs are about. A shell's cd never moves it.
func (t *Task) RootDir() string { return cmp.Or(t.Root, t.Dir) }

// Tab returns the tab with that id. The pointer is into t, for edits of a Clone.
func (t *Task) Tab(id string) (*Tab, bool) {
	i := t.tabIndex(id)
	if i < 0 {
		return nil, false
	}
	return &t.Tabs[i], true
}

// Pane returns a pane of a tab, likewise into t.
func (t *Task) Pane(tab, pane string) (*Pane, bool) {
	if tb, ok := t.Tab(tab); ok {
		return tb.Pane(pane)
	}
	return nil, false
}

// Keys lists the keys of the sessions that the task's panes show.
func (t *Task) Keys() []string {
	var keys []string
	for i := range t.Tabs {
		keys = append(keys, t.Tabs[i].Keys(t.ID)...)
	}
	return keys
}

// Check holds the task against what every edit keeps true: ids once and already given out, panes that are exactly the leaves of
// their tab, an active tab among the tabs. A record that fails it was not written by moorage.
func (t *Task) Check() error {
	if t.ID == "" {
		return errors.New("a task without an id")
	}
	tabs := make(map[string]bool)
	for i := range t.Tabs {
		tab := &t.Tabs[i]
		if tabs[tab.ID] || number(tab.ID, "tab") == 0 || number(tab.ID, "tab") >= t.NextTab {
			return fmt.Errorf("%s is there twice or was never given out", tab.ID)
		}
		tabs[tab.ID] = true
		if err := tab.check(); err != nil {
			return fmt.Errorf("%s: %w", tab.ID, err)
		}
	}
	if t.ActiveTab == "" && len(t.Tabs) > 0 || t.ActiveTab != "" && !tabs[t.ActiveTab] {
		return fmt.Errorf("the active tab %q of %d is none of them", t.ActiveTab, len(t.Tabs))
	}
	return nil
}

func (t *Task) tabIndex(id string) int {
	return slices.IndexFunc(t.Tabs, func(tab Tab) bool { return tab.ID == id })
}
