package workspace

import (
	"cmp"
	"slices"

	"moorage/ptyhost/wire"
)

// Key names a session: <task>/<tab>/<pane>.
type Key struct {
	Task, Tab, Pane string
}

func (k Key) String() string { return k.Task + "/" + k.Tab + "/" + k.Pane }

// ParseKey takes a session key apart.
func ParseKey(text string) (Key, error) {
	task, tab, pane, ok := wire.SplitKey(text)
	if !ok {
		return Key{}, Fail(CodeInvalid, "a session's key is <task>/<tab>/<pane>; `moorage api pty-list` shows them",
			"%q is no session key", text)
	}
	return Key{task, tab, pane}, nil
}

// SessionSpec is what the host needs to start the session of a pane: command, directory, environment and policy. Size is the
// caller's to add.
func (t Task) SessionSpec(tab, pane string) (wire.OpenRequest, error) {
	tb, ok := t.Tab(tab)
	if !ok {
		return wire.OpenRequest{}, NoTab(t.ID, tab)
	}
	p, ok := tb.Pane(pane)
	if !ok {
		return wire.OpenRequest{}, NoPane(t.ID, tab, pane)
	}
	policy := tb.Policy
	if policy == "" {
		policy = PolicyIfLost
	}
	argv := p.Command
	if len(argv) > 0 {
		argv = slices.Concat(p.Launcher, argv)
	}
	return wire.OpenRequest{
		Key:    Key{t.ID, tab, pane}.String(),
		Argv:   argv,
		Dir:    cmp.Or(p.Dir, t.RootDir()),
		Env:    append(slices.Clone(t.Env), "MOORAGE_TASK_ID="+t.ID, "MOORAGE_TAB_ID="+tab, "MOORAGE_PANE_ID="+pane),
		Policy: string(policy),
	}, nil
}

// NoTask, NoTab and NoPane say that there is none of that name.
func NoTask(task string) error {
	return Fail(CodeNotFound, "`moorage api list` shows the tasks", "there is no task %s", task)
}

// NoTab is described at NoTask.
func NoTab(task, tab string) error {
	return Fail(CodeNotFound, "`moorage api list` shows each task's tabs", "task %s has no tab %s", task, tab)
}

// NoPane is described at NoTask.
func NoPane(task, tab, pane string) error {
	return Fail(CodeNotFound, "`moorage api pty-list` shows the panes", "%s of task %s has no pane %s", tab, task, pane)
}
