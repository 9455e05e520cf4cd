package daemon

import (
	"slices"

	"moorage/workspace"
	"moorage/workspace/inbox"
)

// maxFormer bounds the tabs that a pane is remembered to have been in.
const maxFormer = 8

// moved stores a change that gives panes other keys, and takes along what is known of them. Nothing has moved when it fails.
func (s *state) moved(c change, moves ...workspace.KeyMove) error {
	in := s.inbox
	for _, m := range moves {
		for i := range c.put {
			if pane, ok := c.put[i].Pane(m.To.Tab, m.To.Pane); ok && c.put[i].ID == m.To.Task {
				was := workspace.TabRef{Task: m.From.Task, Tab: m.From.Tab}
				pane.Former = append(slices.Clone(pane.Former[max(len(pane.Former)-maxFormer+1, 0):]), was)
			}
		}
		if h, ok := s.engines[m.From.String()]; ok {
			if next, ok := inbox.Move(in, m, h.state.Since); ok {
				in, c.inbox = next, &in
			}
		}
		s.rekey(m.From, m.To)
	}
	err := s.commit(c)
	if err != nil {
		for _, m := range slices.Backward(moves) {
			s.rekey(m.To, m.From)
		}
	}
	return err
}

// rekey brings all that is kept by a session's key under another one.
func (s *state) rekey(from, to workspace.Key) {
	a, b := from.String(), to.String()
	if session, ok := s.sessions[a]; ok { // the host's own word of it may come later
		session.Key = b
		delete(s.sessions, a)
		s.sessions[b] = session
	}
	take(s.engines, a, b)
	take(s.launches, a, b)
	take(s.revived, a, b)
	take(s.recycled, a, b)
	take(s.failures, a, b)
}

func take[V any](m map[string]V, from, to string) {
	if v, ok := m[from]; ok {
		delete(m, from)
		m[to] = v
	}
}
