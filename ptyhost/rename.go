package ptyhost

import (
	"fmt"
	"time"

	"moorage/ptyhost/wire"
)

// rename gives a session another key: its program, screen, history and record
// stay. Watchers go on. Nothing of the old key is left.
func (p *peer) rename(_ *wire.Conn, req wire.RenameRequest) (any, error) {
	return p.host.rename(req.Key, req.To)
}

func (h *host) rename(from, to string) (wire.Session, error) {
	if _, _, _, ok := wire.SplitKey(to); !ok {
		return wire.Session{}, &wire.Error{Code: wire.CodeInvalid, Message: fmt.Sprintf("%q is not a session key", to), Next: "keys are <task>/<tab>/<pane>"}
	}
	s, err := h.find(from)
	if err != nil {
		return wire.Session{}, err
	}
	h.mu.Lock()
	if h.sessions[from] != s {
		h.mu.Unlock()
		return wire.Session{}, notFound(from)
	}
	if _, deferred := h.deferred[to]; deferred || h.sessions[to] != nil {
		h.mu.Unlock()
		return wire.Session{}, &wire.Error{Code: wire.CodeRefused, Message: "there is a session " + to + " already", Next: "name another key"}
	}
	gone := s.info()
	s.mu.Lock()
	s.key = to
	s.kept.any, s.kept.gate.Force = false, true // all of it is written under the new key
	s.noteFresh()
	info := s.infoLocked()
	s.mu.Unlock()
	delete(h.sessions, from)
	h.sessions[to] = s
	h.freezer.owed.drop(from)
	h.mu.Unlock()
	h.freezer.step(time.Now(), false) // one transaction drops the old record and writes the new one
	h.log.Info("session renamed", "session", from, "to", to)
	h.publish(wire.SessionEvent{Kind: wire.SessionRemoved, Session: gone})
	h.publish(wire.SessionEvent{Kind: wire.SessionCreated, Session: info})
	return info, nil
}
