package ptyhost

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"moorage/ptyhost/freeze"
)

const (
	// retryFreeze is how long a store that could not be written is left alone.
	retryFreeze = 5 * time.Second
	// retryOpen bounds how long one that could not be opened is.
	retryOpen = time.Minute
)

// freezer writes sessions to the store when they are due. Sessions only note
// that they have something new; nothing of theirs waits for the disk. A store
// that cannot be opened or written costs what it would have kept, and is tried
// again.
type freezer struct {
	open     func() (*freeze.Store, error)
	limits   freeze.Limits
	log      *slog.Logger
	sessions func() []*session
	warn     func(string) // the sentence to be shown; "" when all is well again
	wake     chan struct{}
	owed     debts

	// mu is held over each write, so that what was dropped is not written
	// again by a freeze that had begun before.
	mu      sync.Mutex
	store   *freeze.Store // nil until it could be opened
	again   time.Time     // not to be opened before
	waiting time.Duration // between the last two tries to open it
	failing bool
}

// poke says that there is something new. It never blocks.
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

// opened opens the store if it is not open, at most now and then. f.mu is held.
func (f *freezer) opened(now time.Time) bool {
	if f.store != nil && f.store.Vanished() {
		f.log.Error("the freeze store was removed: writing a new one")
		_ = f.store.Close() // nobody would find it
		f.store = nil
		for _, s := range f.sessions() {
			s.lost()
		}
	}
	if f.store != nil {
		return true
	}
	if now.Before(f.again) {
		return false
	}
	store, err := f.open()
	if err != nil {
		f.waiting = min(max(2*f.waiting, retryFreeze), retryOpen)
		f.again = now.Add(f.waiting)
		f.log.Error("freeze store", "err", err)
		f.warn("screens are not kept on disk: " + err.Error())
		return false
	}
	f.store = store
	f.warn("")
	return true
}

// start opens the store for the first time. It blocks on the disk.
func (f *freezer) start(now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opened(now)
}

// close closes the store.
func (f *freezer) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.store != nil {
		_ = f.store.Close() // every transaction is on the disk
		f.store = nil
	}
}

// step freezes what is due at now, or with all everything that has something
// new, and returns when the next one is. It blocks on the disk.
func (f *freezer) step(now time.Time, all bool) (next time.Time, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.opened(now) {
		return f.again, true
	}
	owed := f.owed.all()
	batch := owed.batch()
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
				batch.Updates, frozen = append(batch.Updates, u), append(frozen, s)
			}
		}
	}
	if err := f.store.Write(batch); err != nil {
		f.log.Error("freeze", "sessions", len(batch.Updates), "err", err)
		f.failing = true
		f.warn("screens cannot be kept on disk: " + err.Error())
		return now.Add(retryFreeze), true
	}
	f.owed.paid(owed)
	for i, s := range frozen {
		s.froze(batch.Updates[i], now)
	}
	if f.failing && !batch.Empty() {
		f.failing = false
		f.log.Info("the freeze store can be written again")
		f.warn("")
	}
	return next, ok
}

// pay brings what is owed to the store at once. It blocks on the disk; what
// cannot be written now is tried again later.
func (f *freezer) pay(now time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.store == nil {
		return nil // whoever opens it begins with what is owed
	}
	owed := f.owed.all()
	err := f.store.Write(owed.batch())
	if err == nil {
		f.owed.paid(owed)
		return nil
	}
	f.failing = true
	f.warn("screens cannot be kept on disk: " + err.Error())
	f.poke()
	return err
}

// kept is what of a session is on disk.
type kept struct {
	gate   freeze.Gate
	any    bool   // there is a record of this very session
	enough uint64 // the freezer's limit
	start  uint64 // of the ring, as the record has it
	poked  int    // what the freezer has been told of: 1 something, 2 enough, 3 now
}

// noteFresh tells the freezer of output. s.mu is held.
func (s *session) noteFresh() {
	if s.fresh == nil {
		return
	}
	level := 1
	if s.ring.End()-s.kept.gate.Bytes >= s.kept.enough || s.kept.gate.Soon {
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

// onDisk reports whether nothing of the session can be new: it was thawed, and
// its record is where it was. s.mu is held.
func (s *session) onDisk() bool { return s.proc == nil && s.kept.any }

// lost notes that the record is gone: all of it is to be written again.
func (s *session) lost() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.any, s.kept.gate.Force = false, true
}

func (s *session) freezeDue(l freeze.Limits) (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.removed || s.onDisk() {
		return time.Time{}, false
	}
	return s.kept.gate.Due(l, s.ring.End())
}

// freeze returns what the store lacks of the session. It only copies.
func (s *session) freeze(now time.Time) (u freeze.Update, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.removed || s.onDisk() {
		return u, false
	}
	if s.proc == nil {
		now = s.frozen // it is no younger for being written anew
	}
	cols, rows, title := s.shape()
	chunks := s.ring.Chunks()
	u.Record = freeze.Record{
		Key: s.key, Argv: s.spec.Argv, Dir: s.spec.Dir, CWD: s.dir(), Env: s.env, Cols: cols, Rows: rows,
		Scrollback: s.options.Scrollback, Title: title, Policy: s.policy, Exit: s.exit,
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
	if u.Record.Key != s.key {
		return // it has got another key meanwhile, and no record of that
	}
	wrote := (s.exit == nil) == (u.Record.Exit == nil) && s.policy == u.Record.Policy
	last := now
	if u.Record.End == 0 {
		last = time.Time{} // only that it is there: its first screen comes at once too
	}
	s.kept.gate = freeze.Gate{
		Last: last, Bytes: u.Record.End, Force: s.kept.gate.Force && !wrote, Soon: s.kept.gate.Soon && s.dir() != u.Record.CWD,
	}
	s.kept.any, s.kept.start, s.kept.poked = true, u.Record.Start, 0
	s.noteFreshIfAny()
}

// noteFreshIfAny tells of what came while the disk was busy. s.mu is held.
func (s *session) noteFreshIfAny() {
	if s.ring.End() > s.kept.gate.Bytes || s.kept.gate.Force || s.kept.gate.Soon {
		s.noteFresh()
	}
}
