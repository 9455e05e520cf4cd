package ui

import tea "charm.land/bubbletea/v2"

// Quick is a filter for Bubble Tea's loop (tea.WithFilter) that takes the
// messages that come with each key and each frame. The loop hands what Update
// returns to another goroutine, also when that is nothing; for these messages
// that waking up would be a good part of their cost.
func Quick(model tea.Model, msg tea.Msg) tea.Msg {
	m, ok := model.(*Model)
	if !ok {
		return msg
	}
	switch msg.(type) {
	case InputMsg, ScreenMsg, ReadyMsg:
		_, cmd := m.Update(msg)
		m.draw()
		if cmd != nil {
			return tea.BatchMsg{cmd}
		}
		return nil
	}
	return msg
}
