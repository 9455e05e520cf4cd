package ptyhost

import (
	"fmt"
	"os"
	"time"

	"moorage/ptyhost/freeze"
	"moorage/ptyhost/proc"
	"moorage/ptyhost/ring"
	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
)

// thawAll restores what the last host left, before this one listens: the
// newest within the budget; the rest stays on disk until it is asked for. A
// record that cannot be read is set aside and named.
func (h *host) thawAll() {
	records, bad, err := h.store.Records()
	if err != nil {
		h.log.Error("thaw", "err", err)
		return
	}
	now := time.Now()
	plan := freeze.MakePlan(records, now, freeze.ThawBudget, freeze.Keep)
	unreadable := 0
	for _, b := range bad {
		h.setAside(b.Key, b.Cause)
		unreadable++
	}
	for _, r := range plan.Thaw {
		if err := h.thaw(r.Key); err != nil {
			h.setAside(r.Key, err)
			unreadable++
		}
	}
	for _, r := range plan.Defer {
		h.deferred[r.Key] = true
	}
	for _, r := range plan.Old {
		if err := h.store.Delete(r.Key); err != nil {
			h.log.Error("thaw", "session", r.Key, "err", err)
		}
	}
	h.log.Info("thawed", "restored", len(h.sessions), "deferred", len(plan.Defer), "expired", len(plan.Old), "unreadable", unreadable)
}

func (h *host) setAside(key string, cause error) {
	name, err := h.store.Quarantine(key, time.Now())
	if err != nil {
		h.log.Error("thaw", "session", key, "cause", cause, "err", err)
		return
	}
	h.log.Error("frozen session set aside", "session", key, "file", name, "cause", cause)
}

// thaw restores one session as a dead one. h.mu is held, or nobody else knows
// the host yet.
func (h *host) thaw(key string) error {
	r, chunks, err := h.store.Load(key)
	if err != nil {
		return err
	}
	o := vt.Options{Cols: r.Cols, Rows: r.Rows, Scrollback: r.Scrollback, Defaults: h.defaults, Version: h.version()}
	term, err := vt.Restore(chunks[0].State, o)
	if err != nil {
		return fmt.Errorf("thaw %s: state: %w", key, err)
	}
	term.SetQuiet(true)
	ring.Replay(chunks, term)
	term.Resize(r.Cols, r.Rows)
	if term.SyncPending() {
		term.EndSync()
	}
	term.SetQuiet(false)
	h.nextID++
	s := &session{
		key: key, id: h.nextID, policy: r.Policy, created: r.Created, env: r.Env,
		spec: proc.Spec{Argv: r.Argv, Dir: r.Dir, Cols: r.Cols, Rows: r.Rows},
		log:  h.log.With("session", key), emit: h.publish, ended: make(chan struct{}),
		options: o, term: term, ring: ring.From(h.cfg.RingBytes, chunks),
		state: wire.SessionThawed, exit: r.Exit, cwd: r.CWD, frozen: r.Frozen,
		notices: make(map[wire.SessionEventKind]*notice),
		kept:    kept{any: true, start: r.Start, gate: freeze.Gate{Last: r.Frozen, Bytes: r.End}},
	}
	close(s.ended)
	h.sessions[key] = s
	delete(h.deferred, key)
	return nil
}

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
		req.Cols, req.Rows = s.term.Size()
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
