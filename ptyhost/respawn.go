package ptyhost

import (
	"os"

	"moorage/ptyhost/freeze"
	"moorage/ptyhost/ring"
	"moorage/ptyhost/wire"
)

// again is the request by which a dead session's program is started anew: a
// shell where it was last, a command where it was started.
func (s *session) again(asked wire.OpenRequest) wire.OpenRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	req := wire.OpenRequest{
		Key: s.key, Argv: s.spec.Argv, Dir: s.spec.Dir, Env: s.env, Policy: s.policy,
		Cols: asked.Cols, Rows: asked.Rows, Scrollback: s.options.Scrollback,
	}
	if asked.Policy != "" {
		req.Policy = asked.Policy
	}
	if req.Cols <= 0 || req.Rows <= 0 {
		req.Cols, req.Rows, _ = s.shape()
	}
	if info, err := os.Stat(s.cwd); len(req.Argv) == 0 && err == nil && info.IsDir() {
		req.Dir = s.cwd
	}
	return req
}

// inherit gives a dead session's screen and ring to the one that takes its
// place: what a dead program left in the terminal's modes is taken off first.
func (s *session) inherit(old *session, ringSize int) {
	old.mu.Lock()
	defer old.mu.Unlock()
	old.removed = true
	old.watchers = nil // whoever shows it hears of the new one
	old.play()
	s.lostAt, s.lastSeen = old.lostAt, old.lostScreen()
	s.term = old.term
	s.term.SoftReset()
	s.term.Resize(s.spec.Cols, s.spec.Rows)
	if s.term.Cursor().X > 0 {
		_, _ = s.term.Write([]byte("\r\n")) // the new program begins on a row of its own
	}
	// The bytes of the life before lead to a screen that is no more. The new
	// record begins here, with what is above the screen in its state.
	s.ring = ring.At(ringSize, old.ring.End(), s.term.AppendSnapshot(nil, true))
	s.kept = kept{gate: freeze.Gate{Last: old.kept.gate.Last, Bytes: old.ring.End(), Force: true}}
}
