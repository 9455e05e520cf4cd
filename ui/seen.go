package ui

import (
	"context"

	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// looksAt reports whether the client is looking at a tab: it is shown, and the client's terminal has the focus.
func (m *Model) looksAt(tab tabRef) bool {
	return tab == m.shown && m.terminal.focused && (m.region == inPanes || !m.layout.narrow)
}

// see tells the daemon that the client has opened the shown tab, if something of it is new to the user. Once for each.
func (m *Model) see() tea.Cmd {
	if m.cfg.View || m.shown.tab == "" || !m.looksAt(m.shown) || !m.world.Up {
		return nil
	}
	news := ""
	for i := range m.world.Inbox.Pending {
		if item := &m.world.Inbox.Pending[i]; item.Task == m.shown.task && (item.Tab == m.shown.tab || item.Tab == "") {
			news += item.ID
		}
	}
	if task, ok := m.world.Task(m.shown.task); ok {
		if e := task.TabEngine(m.shown.tab); e != nil && e.Activity.Sticky() && !e.Seen {
			news += e.Since.String()
		}
	}
	if news == "" || news == m.seen {
		return nil
	}
	m.seen = news
	ref := workspace.TabRef{Task: m.shown.task, Tab: m.shown.tab}
	return m.ask("see the tab", func(ctx context.Context) (outcome, error) { return outcome{}, m.cfg.Daemon.Seen(ctx, ref) })
}
