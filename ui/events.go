package ui

import (
	"moorage/ui/paint"
	"moorage/workspace"
)

// takeEvents takes what happened in sessions and is this client's alone. What
// wants the user comes by way of the inbox.
func (m *Model) takeEvents() {
	for _, ev := range m.cfg.Screens.Events() {
		switch ev.Kind {
		case EventClipboard:
			key, err := workspace.ParseKey(ev.Key)
			// Only the client that is using the pane gets its clipboard set.
			if err == nil && m.shown == (tabRef{key.Task, key.Tab}) && m.terminal.focused && m.region == inPanes && m.focusedPane() == key.Pane {
				m.extra = paint.AppendClipboard(m.extra, ev.Data)
			}
		case EventRefused:
			m.note("not sent: "+ev.Text, true)
		}
	}
}
