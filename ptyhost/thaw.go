package ptyhost

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"moorage/ptyhost/freeze"
	"moorage/ptyhost/proc"
	"moorage/ptyhost/ring"
	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
)

// deferred is a frozen session that is on disk only.
type deferred struct {
	id     uint64
	record freeze.Record
}

func (d deferred) info() wire.Session {
	r := d.record
	return wire.Session{
		Key: r.Key, ID: d.id, State: wire.SessionThawed, Deferred: true, Exit: r.Exit,
		Title: r.Title, CWD: r.CWD, Cols: r.Cols, Rows: r.Rows, Argv: r.Argv, Dir: r.Dir,
		Policy: r.Policy, Created: r.Created, Output: r.End, Frozen: r.Frozen, Lost: lossOf(r),
	}
}

// lossOf is when a recorded life was lost: when it was last known to be, zero
// for one that had ended.
func lossOf(r freeze.Record) time.Time {
	if r.Exit != nil {
		return time.Time{}
	}
	return r.Frozen
}

// openStore opens the store of frozen sessions and takes over what the last
// host left in it. Before the host listens the newest are restored within the
// budget. A store that can only be opened later belongs to a host that holds
// sessions already: they win, and the rest waits on disk until it is asked for.
func (h *host) openStore() (*freeze.Store, error) {
	path := h.cfg.Home.Path("freeze.db")
	info, missing := os.Stat(path)
	store, err := freeze.Open(path, h.cfg.fault)
	if err != nil {
		if errors.Is(missing, fs.ErrNotExist) || missing == nil && info.Size() == 0 {
			_ = os.Remove(path) // a full disk leaves the beginning of one, which would pass for a broken one
		}
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.store = store
	if name, cause := store.SetAside(); name != "" {
		h.log.Error("freeze store set aside", "file", name, "cause", cause)
		h.thawed.SetAside = append(h.thawed.SetAside, filepath.Base(name))
	}
	records, bad, err := store.Records()
	if err != nil {
		h.log.Error("thaw", "err", err)
		return store, nil
	}
	budget := h.cfg.budget
	if h.listening {
		budget = -1
	}
	owed := h.freezer.owed.all()
	records = slices.DeleteFunc(records, func(r freeze.Record) bool { return owed[r.Key].drop || h.sessions[r.Key] != nil })
	plan := freeze.MakePlan(records, time.Now(), budget, freeze.Keep)
	for _, b := range bad {
		h.setAside(b.Key, b.Cause)
	}
	h.cfg.fault("thaw: planned")
	h.thawAll(plan.Thaw)
	for _, r := range plan.Defer {
		h.nextID++
		h.deferred[r.Key] = deferred{h.nextID, r}
		h.thawed.Deferred++
		if h.listening {
			h.publish(wire.SessionEvent{Kind: wire.SessionCreated, Session: h.deferred[r.Key].info()})
		}
	}
	for _, r := range plan.Old {
		h.freezer.owed.drop(r.Key)
		h.thawed.Expired++
	}
	t := h.thawed
	h.log.Info("thawed", "restored", t.Restored, "deferred", t.Deferred, "expired", t.Expired, "unreadable", t.Unreadable)
	return store, nil
}

// thawAll restores sessions, side by side. h.mu is held.
func (h *host) thawAll(records []freeze.Record) {
	type result struct {
		s   *session
		err error
	}
	results := make([]result, len(records))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(records)) {
		wg.Go(func() {
			for i := range next {
				s, err := h.restore(records[i].Key)
				results[i] = result{s, err}
			}
		})
	}
	for i := range records {
		next <- i
	}
	close(next)
	wg.Wait()
	for i, r := range results {
		if r.err != nil {
			h.setAside(records[i].Key, r.err)
			continue
		}
		h.nextID++
		r.s.id = h.nextID
		h.sessions[r.s.key] = r.s
		h.thawed.Restored++
		h.cfg.fault("thaw: one restored")
	}
}

// setAside takes a record that cannot be read out of the way. h.mu is held.
func (h *host) setAside(key string, cause error) {
	h.thawed.Unreadable++
	name, err := h.store.Quarantine(key, time.Now())
	if err != nil {
		h.log.Error("thaw", "session", key, "cause", cause, "err", err)
		return
	}
	h.thawed.SetAside = append(h.thawed.SetAside, name)
	h.log.Error("frozen session set aside", "session", key, "file", name, "cause", cause)
}

// thawDeferred restores a session that is on disk only; nil when there is none,
// or none that can be read. h.mu is held.
func (h *host) thawDeferred(key string) *session {
	d, ok := h.deferred[key]
	if !ok {
		return nil
	}
	delete(h.deferred, key)
	s, err := h.restore(key)
	if err != nil {
		h.setAside(key, err)
		h.publish(wire.SessionEvent{Kind: wire.SessionRemoved, Session: d.info()})
		return nil
	}
	s.id, s.policy = d.id, d.record.Policy // which the disk may not know yet
	h.sessions[key] = s
	return s
}

// errPanic means that the emulator could not bear a record.
var errPanic = errors.New("emulator panic")

// restore reads a session from the store as a dead one; its screen is made when
// somebody looks at it first. It touches nothing of the host that changes but
// the default colours, for which h.mu is held.
func (h *host) restore(key string) (s *session, err error) {
	defer func() {
		if r := recover(); r != nil {
			h.log.Error("thaw", "session", key, "panic", r, "stack", string(debug.Stack()))
			err = fmt.Errorf("thaw %s: %w: %v", key, errPanic, r)
		}
	}()
	r, chunks, err := h.store.Load(key)
	if err != nil {
		return nil, err
	}
	o := vt.Options{Cols: r.Cols, Rows: r.Rows, Scrollback: r.Scrollback, Defaults: h.defaults, Version: h.version()}
	term, err := vt.Restore(chunks[0].State, o)
	if err != nil {
		return nil, fmt.Errorf("thaw %s: state: %w", key, err)
	}
	term.SetQuiet(true)
	s = &session{
		key: key, policy: r.Policy, created: r.Created, env: r.Env,
		spec: proc.Spec{Argv: r.Argv, Dir: r.Dir, Cols: r.Cols, Rows: r.Rows},
		log:  h.log.With("session", key), emit: h.publish, ended: make(chan struct{}),
		options: o, term: term, ring: ring.From(h.cfg.RingBytes, chunks), unplayed: &r,
		state: wire.SessionThawed, exit: r.Exit, cwd: r.CWD, frozen: r.Frozen, lostAt: lossOf(r),
		notices: make(map[wire.SessionEventKind]*notice),
		kept:    kept{any: true, start: r.Start, gate: freeze.Gate{Last: r.Frozen, Bytes: r.End}},
	}
	close(s.ended)
	return s, nil
}

// play makes the screen of a thawed session from its ring, unless that has been
// done. Whoever looks at s.term calls it first. s.mu is held.
func (s *session) play() {
	if s.unplayed == nil {
		return
	}
	r := s.unplayed
	s.unplayed = nil
	defer s.contain(nil)
	ring.Replay(s.ring.Chunks(), s.term)
	s.term.Resize(r.Cols, r.Rows)
	if s.term.SyncPending() {
		s.term.EndSync()
	}
	s.term.SetQuiet(false)
}

// shape is the session's size and title, of which a thawed one needs no screen.
// s.mu is held.
func (s *session) shape() (cols, rows int, title string) {
	if r := s.unplayed; r != nil {
		return r.Cols, r.Rows, r.Title
	}
	cols, rows = s.term.Size()
	return cols, rows, s.term.Title()
}
