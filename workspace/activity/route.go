package activity

import (
	"slices"
	"strings"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// Caller is what is known of who makes a hook call.
type Caller struct {
	Task, Tab string // what it says of itself; believed only where its processes agree
	Dir       string
	// Line is its process and those above it; nil when nobody could look.
	Line []int
}

// Place is a session that a call may be of.
type Place struct {
	Key, Task, Tab string
	PID            int // of the session's leader
	// Former are the tabs that the session was in before: what it has told its processes stays as it was.
	Former []workspace.TabRef
}

// named reports whether a caller may call the place so.
func (p Place) named(task, tab string) bool {
	return task == p.Task && tab == p.Tab || slices.Contains(p.Former, workspace.TabRef{Task: task, Tab: tab})
}

// Root is a task's directory.
type Root struct {
	Task, Dir string
}

// Route says which session a call is of: the one whose processes it came from, if that is the one that it names. A call that names none, or
// of which nobody could look where it came from, is at most of a task: the one it names, if its directory lies there, else the one with
// the longest directory above its own. Both are empty for a call of none.
func Route(c Caller, places []Place, roots []Root) (key, task string) {
	for _, p := range places {
		if p.named(c.Task, c.Tab) && p.PID > 0 && slices.Contains(c.Line, p.PID) {
			return p.Key, p.Task
		}
	}
	best := -1
	for _, r := range roots {
		dir, root := wire.CleanPath(c.Dir), wire.CleanPath(r.Dir)
		if c.Dir == "" || r.Dir == "" || !within(dir, root) {
			continue
		}
		if len(root) > best {
			best, task = len(root), r.Task
		}
	}
	return "", task
}

func within(dir, root string) bool {
	return dir == root || strings.HasPrefix(dir, root+"/")
}
