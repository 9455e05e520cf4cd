package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"moorage/ptyhost/wire"
)

// fakeHost is a PTY host without PTYs. It outlives its links, as the real one outlives daemons.
type fakeHost struct {
	mu       sync.Mutex
	running  bool
	starts   int
	nextID   uint64
	sessions map[string]wire.Session
	links    map[*fakeLink]struct{}
	killed   []string
	deaf     bool              // kills fail
	stuck    chan struct{}     // if set, a kill tells it and does not return
	mortal   bool              // every session that opens exits at once
	wedged   bool              // it accepts nothing and answers nothing
	refuse   map[string]string // why a key's session does not start

	screens map[string][]string
	left    map[string][]string // of lives that were lost
	paste   bool
	typedAt time.Time
	group   int               // that has the terminal
	front   string            // what that is, "" for a shell at its prompt
	meddles bool              // a person types whenever a paste is typed
	input   map[string]string // what was typed
}

func newFakeHost() *fakeHost {
	return &fakeHost{sessions: make(map[string]wire.Session), links: make(map[*fakeLink]struct{}), input: make(map[string]string), screens: make(map[string][]string), left: make(map[string][]string)}
}

// fakeLink is one connection to it.
type fakeLink struct {
	host *fakeHost
	done chan struct{}
	once sync.Once
	f    func(wire.SessionEvent) // guarded by host.mu
}

func (h *fakeHost) start(context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.running = true
	h.starts++
	return nil
}

func (h *fakeHost) dial(context.Context) (Host, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.running {
		return nil, fmt.Errorf("dial: %w", fs.ErrNotExist)
	}
	if h.wedged {
		return nil, errors.New("dial: i/o timeout")
	}
	l := &fakeLink{host: h, done: make(chan struct{})}
	h.links[l] = struct{}{}
	return l, nil
}

// stop drops every link; with the sessions, as a host that dies, or without, as a connection that is lost.
func (h *fakeHost) stop(dies bool) {
	h.mu.Lock()
	links := h.links
	h.links = make(map[*fakeLink]struct{})
	h.running = !dies
	if dies {
		clear(h.sessions)
	}
	h.mu.Unlock()
	for l := range links {
		l.Close()
	}
}

// put changes a session and tells everybody.
func (h *fakeHost) put(kind wire.SessionEventKind, s wire.Session) {
	if kind == wire.SessionRemoved {
		delete(h.sessions, s.Key)
	} else {
		h.sessions[s.Key] = s
	}
	for l := range h.links {
		if l.f != nil {
			l.f(wire.SessionEvent{Kind: kind, Session: s})
		}
	}
}

// open runs under the mutex.
func (h *fakeHost) open(req wire.OpenRequest) wire.Session {
	h.nextID++
	s := wire.Session{
		Key: req.Key, ID: h.nextID, PID: 1000 + int(h.nextID), State: wire.SessionLive,
		Policy: req.Policy,
		Argv:   req.Argv, Dir: req.Dir, CWD: req.Dir, Created: time.Now(), Cols: 80, Rows: 24,
	}
	h.put(wire.SessionCreated, s)
	if h.mortal {
		h.end(s, 1, 0)
	}
	return s
}

func (h *fakeHost) end(s wire.Session, code int, age time.Duration) {
	s.State = wire.SessionExited
	s.Exit = &wire.Exit{Code: code, Time: s.Created.Add(age)}
	h.put(wire.SessionEnded, s)
}

func (h *fakeHost) set(flag *bool, to bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	*flag = to
}

// exit lets the program of a session end, an hour old.
func (h *fakeHost) exit(key string, code int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.end(h.sessions[key], code, time.Hour)
}

// change alters a session and reports it.
func (h *fakeHost) change(key string, f func(*wire.Session)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.sessions[key]
	s.Key = key
	f(&s)
	h.put(wire.SessionChanged, s)
}

func (h *fakeHost) keys() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	keys := []string{}
	for key := range h.sessions {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func (l *fakeLink) Remote() wire.Hello    { return wire.Hello{Build: "host-build", PID: 77} }
func (l *fakeLink) Done() <-chan struct{} { return l.done }

func (l *fakeLink) Close() error {
	l.once.Do(func() { close(l.done) })
	l.host.mu.Lock()
	defer l.host.mu.Unlock()
	delete(l.host.links, l)
	return nil
}

func (l *fakeLink) Subscribe(_ context.Context, f func(wire.SessionEvent)) ([]wire.Session, error) {
	h := l.host
	h.mu.Lock()
	defer h.mu.Unlock()
	l.f = f
	var all []wire.Session
	for _, s := range h.sessions {
		all = append(all, s)
	}
	return all, nil
}

func (l *fakeLink) List(context.Context) ([]wire.Session, error) {
	select {
	case <-l.done:
		return nil, wire.ErrClosed
	default:
	}
	l.host.mu.Lock()
	defer l.host.mu.Unlock()
	return slices.Collect(maps.Values(l.host.sessions)), nil
}

func (l *fakeLink) Open(ctx context.Context, req wire.OpenRequest) (wire.Session, error) {
	h := l.host
	h.mu.Lock()
	if h.wedged {
		h.mu.Unlock()
		<-ctx.Done()
		return wire.Session{}, fmt.Errorf("open: %w", ctx.Err())
	}
	defer h.mu.Unlock()
	if s, ok := h.sessions[req.Key]; ok && (s.Alive() || !req.Recycle && !req.Respawn) {
		return s, nil
	}
	if h.refuse[req.Key] != "" {
		return wire.Session{}, &wire.Error{Code: wire.CodeRefused, Message: h.refuse[req.Key]}
	}
	old, screen := h.sessions[req.Key], h.screens[req.Key]
	s := h.open(req)
	if !old.Lost.IsZero() { // it begins below what was there
		s.Lost = old.Lost
		h.sessions[req.Key], h.left[req.Key], h.screens[req.Key] = s, screen, append(slices.Clone(screen), "$ ")
	}
	return s, nil
}

func (l *fakeLink) Reset(_ context.Context, req wire.OpenRequest) (wire.Session, error) {
	h := l.host
	h.mu.Lock()
	defer h.mu.Unlock()
	if s, ok := h.sessions[req.Key]; ok {
		h.end(s, 0, time.Hour)
		h.put(wire.SessionRemoved, s)
	}
	return h.open(req), nil
}

func (l *fakeLink) Rename(_ context.Context, key, to string) (wire.Session, error) {
	h := l.host
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.sessions[key]
	if !ok {
		return s, &wire.Error{Code: wire.CodeNotFound, Message: "no session " + key}
	}
	h.put(wire.SessionRemoved, s)
	s.Key = to
	h.put(wire.SessionCreated, s)
	return s, nil
}

func (l *fakeLink) SetPolicy(_ context.Context, key, policy string) error {
	h := l.host
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.sessions[key]
	if !ok {
		return &wire.Error{Code: wire.CodeNotFound, Message: "no session " + key}
	}
	s.Policy = policy
	h.put(wire.SessionChanged, s)
	return nil
}

func (l *fakeLink) Kill(ctx context.Context, key string) error {
	h := l.host
	h.mu.Lock()
	defer h.mu.Unlock()
	if stuck := h.stuck; stuck != nil {
		h.mu.Unlock()
		select {
		case stuck <- struct{}{}:
		case <-ctx.Done():
		}
		<-ctx.Done()
		h.mu.Lock()
		return ctx.Err()
	}
	if h.deaf {
		return &wire.Error{Code: wire.CodeInternal, Message: "does not hear"}
	}
	h.killed = append(h.killed, key)
	s, ok := h.sessions[key]
	if !ok {
		return &wire.Error{Code: wire.CodeNotFound, Message: "no session " + key}
	}
	if s.Alive() {
		h.end(s, 0, time.Hour)
	}
	h.put(wire.SessionRemoved, s)
	return nil
}

func (l *fakeLink) ReadScreen(_ context.Context, key string) (wire.ScreenResult, error) {
	h := l.host
	h.mu.Lock()
	defer h.mu.Unlock()
	return wire.ScreenResult{Key: key, Lines: h.screens[key]}, nil
}

func (l *fakeLink) Peek(_ context.Context, key string) (wire.PeekResult, error) {
	h := l.host
	h.mu.Lock()
	defer h.mu.Unlock()
	left := h.left[key]
	if h.sessions[key].State == wire.SessionThawed {
		left = h.screens[key]
	}
	return wire.PeekResult{Session: h.sessions[key], Lost: left, Paste: h.paste, Typed: h.typedAt, Group: h.group, Foreground: h.front}, nil
}

func (l *fakeLink) SendInput(_ context.Context, key string, p []byte) error {
	h := l.host
	h.mu.Lock()
	defer h.mu.Unlock()
	h.input[key] += string(p)
	if h.meddles {
		h.typedAt = time.Now()
	}
	return nil
}
