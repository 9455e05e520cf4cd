package ui

import (
	"context"

	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

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
