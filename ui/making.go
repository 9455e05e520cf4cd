package ui

import (
	"context"
	"time"

	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// longLimit bounds a request that takes as long as git does.
const longLimit = 30 * time.Minute

// askLong is ask for what takes as long as git does. What it is shows in the
// status line until it is answered.
func (m *Model) askLong(what string, f func(context.Context) (outcome, error)) tea.Cmd {
	m.longSeq++
	seq := m.longSeq
	m.long[seq] = what
	m.touch()
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), longLimit)
		defer cancel()
		o, err := f(ctx)
		return longMsg{seq, doneMsg{what, o, err}}
	}
}

// longMsg is the answer to askLong.
type longMsg struct {
	seq  int
	done doneMsg
}

func (m *Model) takeLong(msg longMsg) tea.Cmd {
	delete(m.long, msg.seq)
	m.touch()
	cmd := m.takeDone(msg.done)
	if v, ok := m.dialog.(*worktreesView); ok {
		return tea.Batch(cmd, v.ask()) // it may show what was changed
	}
	return cmd
}

// underWay is the latest of what takes long and is not answered.
func (m *Model) underWay() string {
	latest := 0
	for seq := range m.long {
		latest = max(latest, seq)
	}
	return m.long[latest]
}

// unmade reports whether a task's worktree is still to be made: before that
// nothing of it can run.
func unmade(t *workspace.Task) bool { return t.Kind == workspace.KindManaged && !t.Made }

// makeTask makes a task's worktree, and a first tab in it when it has none.
func (m *Model) makeTask(id string, empty bool) tea.Cmd {
	if m.making[id] {
		return nil
	}
	m.making[id] = true
	size := m.paneSize()
	return m.askLong("make the worktree", func(ctx context.Context) (outcome, error) {
		o := outcome{made: id}
		if err := m.cfg.Daemon.MakeTask(ctx, id); err != nil || !empty {
			return o, err
		}
		added, err := m.cfg.Daemon.AddTab(ctx, workspace.TabAdd{Task: id, Size: size})
		o.wanted = wanted{tabRef: tabRef{id, added.Tab}, pane: added.Pane}
		return o, err
	})
}

// makeShown makes the shown task's worktree if that is still to be done. A
// failed attempt is repeated only when the user says so.
func (m *Model) makeShown(again bool) tea.Cmd {
	t, ok := m.world.Task(m.shown.task)
	if !ok || m.cfg.View || !unmade(&t.Task) || t.Work != nil && (t.Work.Failed == "" || !again) {
		return nil
	}
	return m.makeTask(t.ID, len(t.Tabs) == 0)
}
