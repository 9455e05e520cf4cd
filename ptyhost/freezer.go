package ptyhost

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"moorage/ptyhost/freeze"
)

// retryFreeze is how long a store that could not be written is left alone.
const retryFreeze = 5 * time.Second

// freezer writes sessions to the store when they are due. Sessions only note
// that they have something new; nothing of theirs waits for the disk. A store
// that cannot be written costs what it would have kept, and is tried again.
type freezer struct {
	store    *freeze.Store
	limits   freeze.Limits
	log      *slog.Logger
	sessions func() []*session
	warn     func(string) // the sentence to be shown; "" when all is well again
	wake     chan struct{}

	// mu is held over each write and each removal: what was removed is not
	// written again by a freeze that had begun before.
	mu      sync.Mutex
	failing bool
}

func newFreezer(store *freeze.Store, limits freeze.Limits, log *slog.Logger, sessions func() []*session, warn func(string)) *freezer {
	return &freezer{store: store, limits: limits, log: log, sessions: sessions, warn: warn, wake: make(chan struct{}, 1)}
}

// poke says that a session has something new. It never blocks.
func (f *freezer) poke() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// run freezes what is due until ctx ends.
func (f *freezer) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.wake:
		case <-timer.C:
		}
		if next, ok := f.step(time.Now(), false); ok {
			timer.Reset(time.Until(next))
		}
	}
}

// step freezes what is due at now, or with all everything that has something
// new, and returns when the next one is. It blocks on the disk.
func (f *freezer) step(now time.Time, all bool) (next time.Time, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var updates []freeze.Update
	var frozen []*session
	for _, s := range f.sessions() {
		at, due := s.freezeDue(f.limits)
		switch {
		case !due && !all:
		case at.After(now) && !all:
			if !ok || at.Before(next) {
				next, ok = at, true
			}
		default:
			if u, fresh := s.freeze(now); fresh {
				updates, frozen = append(updates, u), append(frozen, s)
			}
		}
	}
	if err := f.store.Write(updates); err != nil {
		f.log.Error("freeze", "sessions", len(updates), "err", err)
		f.failing = true
		f.warn("screens cannot be kept on disk: " + err.Error())
		return now.Add(retryFreeze), true
	}
	for i, s := range frozen {
		s.froze(updates[i], now)
	}
	if f.failing && len(updates) > 0 {
		f.failing = false
		f.warn("")
	}
	return next, ok
}

// forget drops a session's record. Nothing can bring it back.
func (f *freezer) forget(key string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.store.Delete(key)
}

// kept is what of a session is on disk.
type kept struct {
	gate  freeze.Gate
	any   bool   // there is a record of this very session
	start uint64 // of the ring, as the record has it
	poked int    // what the freezer has been told of: 1 something, 2 enough
}

// noteFresh tells the freezer of output. s.mu is held.
func (s *session) noteFresh() {
	if s.fresh == nil {
		return
	}
	level := 1
	if s.ring.End()-s.kept.gate.Bytes >= freeze.DefaultLimits.Enough {
		level = 2
	}
	if s.kept.gate.Force {
		level = 3
	}
	if level > s.kept.poked {
		s.kept.poked = level
		s.fresh()
	}
}

func (s *session) freezeDue(l freeze.Limits) (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.removed || s.proc == nil {
		return time.Time{}, false
	}
	return s.kept.gate.Due(l, s.ring.End())
}

// freeze returns what the store lacks of the session. It only copies.
func (s *session) freeze(now time.Time) (u freeze.Update, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.removed || s.proc == nil {
		return u, false
	}
	cols, rows := s.term.Size()
	chunks := s.ring.Chunks()
	u.Record = freeze.Record{
		Key: s.key, Argv: s.spec.Argv, Dir: s.spec.Dir, CWD: s.dir(), Env: s.env, Cols: cols, Rows: rows,
		Scrollback: s.options.Scrollback, Title: s.term.Title(), Policy: s.policy, Exit: s.exit,
		Created: s.created, Frozen: now, Start: s.ring.Start(), End: s.ring.End(),
	}
	u.Fresh = !s.kept.any
	if u.Fresh || s.kept.start != u.Record.Start {
		u.State = chunks[0].State
	}
	from := uint64(0)
	if !u.Fresh {
		from = s.kept.gate.Bytes
	}
	for _, c := range chunks {
		if c.End() <= from {
			continue
		}
		p := freeze.Piece{Offset: max(c.Offset, from)}
		p.Data = append(p.Data, c.Data[p.Offset-c.Offset:]...)
		for _, m := range c.Marks {
			if m.Offset >= p.Offset && m.Offset < c.End() {
				p.Marks = append(p.Marks, m)
			}
		}
		u.Pieces = append(u.Pieces, p)
	}
	return u, true
}

// froze notes that the store has it.
func (s *session) froze(u freeze.Update, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	forced := s.kept.gate.Force && (s.exit == nil) == (u.Record.Exit == nil)
	s.kept.gate = freeze.Gate{Last: now, Bytes: u.Record.End, Force: s.kept.gate.Force && !forced}
	s.kept.any, s.kept.start, s.kept.poked = true, u.Record.Start, 0
	s.noteFreshIfAny()
}

// noteFreshIfAny tells of what came while the disk was busy. s.mu is held.
func (s *session) noteFreshIfAny() {
	if s.ring.End() > s.kept.gate.Bytes || s.kept.gate.Force {
		s.noteFresh()
	}
}
