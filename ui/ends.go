package ui

import (
	"context"
	"fmt"

	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// askClose closes the focused pane, or in the sidebar the row's tab. It asks
// first only when something runs there.
func (m *Model) askClose() tea.Cmd {
	r := m.target()
	task, ok := m.world.Task(r.task)
	if !ok {
		return nil
	}
	tab, ok := task.Tab(r.tab)
	if !ok {
		return m.say("no tab to close here", false)
	}
	if m.region == inPanes && len(tab.Panes) > 1 {
		ref := workspace.PaneRef{Task: r.task, Tab: r.tab, Pane: m.focusedPane()}
		close := m.ask("close pane", func(ctx context.Context) (outcome, error) {
			return outcome{}, m.cfg.Daemon.ClosePane(ctx, ref)
		})
		return m.confirmIfBusy([]workspace.PaneRef{ref}, "Close this pane?", close)
	}
	var refs []workspace.PaneRef
	for _, p := range tab.Panes {
		refs = append(refs, workspace.PaneRef{Task: r.task, Tab: r.tab, Pane: p.ID})
	}
	question := fmt.Sprintf("Close tab %s?", quoted(task.TabLabel(r.tab, "")))
	if task.Kind == workspace.KindScratch && len(task.Tabs) == 1 {
		question = fmt.Sprintf("Close the last tab of %s? The scratch task goes with it.", quoted(task.Title))
	}
	close := m.ask("close tab", func(ctx context.Context) (outcome, error) {
		return outcome{}, m.cfg.Daemon.CloseTab(ctx, workspace.TabRef{Task: r.task, Tab: r.tab})
	})
	return m.confirmIfBusy(refs, question, close)
}

// busyMsg says what runs in the panes that are to be closed.
type busyMsg struct {
	what     string // "" when nothing does
	question string
	then     tea.Cmd
}

// confirmIfBusy runs then at once when only shells wait at their prompts, and
// asks otherwise; also when nobody could look.
func (m *Model) confirmIfBusy(refs []workspace.PaneRef, question string, then tea.Cmd) tea.Cmd {
	screens := m.cfg.Screens
	return within(askLimit, func(ctx context.Context) tea.Msg {
		for _, ref := range refs {
			what, err := screens.Busy(ctx, ref.Key().String())
			if err != nil {
				what = "something may be running: " + err.Error()
			}
			if what != "" {
				return busyMsg{what, question, then}
			}
		}
		return busyMsg{then: then}
	})
}

func (m *Model) takeBusy(b busyMsg) tea.Cmd {
	if b.what == "" {
		return b.then
	}
	m.dialog = newConfirm(b.question, "Running: "+b.what, b.then)
	m.touch()
	return nil
}

// askReset replaces the focused pane's program by a fresh one.
func (m *Model) askReset() tea.Cmd {
	p := m.current()
	if p == nil || m.region != inPanes {
		return nil
	}
	m.dialog = newConfirm("Reset this pane?", "Its program ends, its screen and history go, a fresh one starts.", m.restart(p))
	m.touch()
	return nil
}

// askRename renames the shown tab, or what the sidebar's cursor is on.
func (m *Model) askRename() tea.Cmd {
	r := m.target()
	task, ok := m.world.Task(r.task)
	if !ok {
		return nil
	}
	if r.tab == "" {
		d := newPrompt("Rename task", task.Title, func(title string) tea.Cmd {
			return m.ask("rename task", func(ctx context.Context) (outcome, error) {
				return outcome{}, m.cfg.Daemon.RenameTask(ctx, workspace.TaskRename{Task: r.task, Title: title, Was: &task.Title})
			})
		})
		d.of = r
		m.dialog = d
	} else {
		name := ""
		if tab, ok := task.Tab(r.tab); ok {
			name = tab.Name
		}
		d := newPrompt("Rename tab (empty: its title)", name, func(wanted string) tea.Cmd {
			return m.ask("rename tab", func(ctx context.Context) (outcome, error) {
				return outcome{}, m.cfg.Daemon.RenameTab(ctx, workspace.TabRename{Task: r.task, Tab: r.tab, Name: wanted, Was: &name})
			})
		})
		d.of = r
		m.dialog = d
	}
	m.touch()
	return nil
}
