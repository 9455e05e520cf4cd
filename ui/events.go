package ui

import (
	"moorage/ui/paint"
	"moorage/workspace"
)

// takeEvents takes what happened in sessions: what another tab rings or says
// reaches this client's own terminal, once, between two frames. A tab that the
// client is looking at says it on the screen already.
func (m *Model) takeEvents() {
	for _, ev := range m.cfg.Screens.Events() {
		key, err := workspace.ParseKey(ev.Key)
		if err != nil {
			continue
		}
		tab := tabRef{key.Task, key.Tab}
		looking := m.looksAt(tab)
		switch ev.Kind {
		case EventBell:
			if !looking {
				m.extra = append(m.extra, '\a')
				m.attend(tab)
			}
		case EventNotify:
			if !looking {
				m.extra = paint.AppendNotify(m.extra, paint.NotifyOSC9, ev.Title, ev.Text)
				m.attend(tab)
			}
		case EventClipboard:
			// Only the client that is using the pane gets its clipboard set.
			if tab == m.shown && m.terminal.focused && m.region == inPanes && m.focusedPane() == key.Pane {
				m.extra = paint.AppendClipboard(m.extra, ev.Data)
			}
		case EventRefused:
			m.note("not sent: "+ev.Text, true)
		}
	}
}

// attend marks a tab as having called while nobody looked.
func (m *Model) attend(tab tabRef) {
	if tab != m.shown || !m.terminal.focused {
		m.attention[tab] = true
	}
	m.touch()
}
