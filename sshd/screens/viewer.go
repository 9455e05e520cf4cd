package screens

import (
	"context"
	"sync"

	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
)

// maxEvents bounds what waits for a viewer that does not read; the oldest goes.
const maxEvents = 64

// Viewer is one client's side of the screens.
type Viewer struct {
	all   *Screens
	wake  func() // never blocks
	looks bool   // it may look only: nothing is opened, typed or resized for it

	mu      sync.Mutex
	events  []wire.SessionEvent
	refused []wire.InputRefused
	shown   map[string]*Screen
	tab     string
}

// Viewer adds a client. wake is called whenever there is something new to
// read; it must not block and may be called by any goroutine.
func (s *Screens) Viewer(wake func()) *Viewer { return s.add(&Viewer{wake: wake}) }

// Onlooker adds a client that may look only. What it calls to change something
// does nothing, and sessions that are not there are not opened for it.
func (s *Screens) Onlooker(wake func()) *Viewer { return s.add(&Viewer{wake: wake, looks: true}) }

func (s *Screens) add(v *Viewer) *Viewer {
	v.all, v.shown = s, make(map[string]*Screen)
	s.mu.Lock()
	s.viewers[v] = true
	s.mu.Unlock()
	return v
}

// Close removes the client: its screens, its say in sizes.
func (v *Viewer) Close() {
	v.Look("", nil)
	v.mu.Lock()
	shown := v.shown
	v.shown = nil
	v.mu.Unlock()
	for _, sc := range shown {
		v.all.release(sc, v)
	}
	v.all.mu.Lock()
	delete(v.all.viewers, v)
	v.all.mu.Unlock()
}

// Show returns the screen of a session, which is opened with req if it does
// not exist. It stays shown until Hide.
func (v *Viewer) Show(req wire.OpenRequest) *Screen {
	v.mu.Lock()
	if sc := v.shown[req.Key]; sc != nil {
		v.mu.Unlock()
		return sc
	}
	v.mu.Unlock()
	sc := v.all.acquire(req, v)
	v.mu.Lock()
	v.shown[req.Key] = sc
	v.mu.Unlock()
	return sc
}

// Hide says that the client no longer shows a session.
func (v *Viewer) Hide(key string) {
	v.mu.Lock()
	sc := v.shown[key]
	delete(v.shown, key)
	v.mu.Unlock()
	if sc != nil {
		v.all.release(sc, v)
	}
}

// Retry attaches anew to a session whose start failed or whose program ended.
func (v *Viewer) Retry(key string) {
	v.mu.Lock()
	sc := v.shown[key]
	v.mu.Unlock()
	v.all.mu.Lock()
	c := v.all.client
	v.all.mu.Unlock()
	if sc != nil && c != nil && !v.looks {
		sc.retry(c)
	}
}

// Events returns and clears what happened since the last call: clipboard
// writes, and input that was refused.
func (v *Viewer) Events() ([]wire.SessionEvent, []wire.InputRefused) {
	v.mu.Lock()
	defer v.mu.Unlock()
	events, refused := v.events, v.refused
	v.events, v.refused = nil, nil
	return events, refused
}

func (v *Viewer) queue(ev wire.SessionEvent) {
	v.mu.Lock()
	if len(v.events) >= maxEvents {
		v.events = append(v.events[:0], v.events[1:]...)
	}
	v.events = append(v.events, ev)
	v.mu.Unlock()
	v.wake()
}

func (v *Viewer) queueRefused(r wire.InputRefused) {
	v.mu.Lock()
	if len(v.refused) < maxEvents {
		v.refused = append(v.refused, r)
	}
	v.mu.Unlock()
	v.wake()
}

// SetColors tells the host this client's own colours, as the last active one's.
func (v *Viewer) SetColors(ctx context.Context, colors wire.Colors) error {
	if v.looks {
		return nil
	}
	v.all.mu.Lock()
	c := v.all.client
	v.all.mu.Unlock()
	if c == nil {
		return wire.ErrClosed
	}
	return c.SetColors(ctx, colors)
}

// Warning is what is wrong with the host that the client should know; "" for
// nothing.
func (v *Viewer) Warning() string {
	v.all.mu.Lock()
	defer v.all.mu.Unlock()
	return v.all.warning
}

// Busy says what runs in a session beside its waiting shell; "" for nothing.
// It blocks.
func (v *Viewer) Busy(ctx context.Context, key string) (string, error) {
	v.all.mu.Lock()
	c := v.all.client
	v.all.mu.Unlock()
	if c == nil {
		return "", wire.ErrClosed
	}
	r, err := c.Peek(ctx, key)
	switch {
	case wire.CodeOf(err) == wire.CodeNotFound:
		return "", nil
	case err != nil:
		return "", err
	}
	return r.Foreground, nil
}

// maxHidden bounds the mirrors kept of sessions that nobody shows: who comes
// back gets the difference.
const maxHidden = 64

// acquire enters a viewer for a screen, made if need be, and attaches it.
func (s *Screens) acquire(req wire.OpenRequest, v *Viewer) *Screen {
	s.mu.Lock()
	sc := s.screens[req.Key]
	if sc == nil {
		s.dropHidden()
		sc = &Screen{key: req.Key, all: s, mirror: &vt.Mirror{}, viewers: make(map[*Viewer]int)}
		s.screens[req.Key] = sc
	}
	c, problem := s.client, s.problem
	s.mu.Unlock()
	sc.mu.Lock()
	attached := (len(sc.viewers) > 0 || sc.opening) && (v.looks || sc.opens())
	sc.viewers[v]++
	if !v.looks {
		sc.request = req
	}
	if c == nil {
		sc.state, sc.problem = Connecting, ""
		if problem != "" {
			sc.state, sc.problem = Away, problem
		}
	}
	sc.mu.Unlock()
	switch {
	case c == nil:
		select {
		case s.poke <- struct{}{}:
		default:
		}
	case !attached:
		sc.attach(c)
	default:
		s.probe(c) // what there is to see may be all that the host ever sends
	}
	return sc
}

// release removes a viewer. The last one's leaving ends the watch; the mirror
// stays.
func (s *Screens) release(sc *Screen, v *Viewer) {
	sc.mu.Lock()
	delete(sc.viewers, v)
	if len(sc.viewers) > 0 {
		// Whoever was to acknowledge may just have left.
		sc.wakeLocked()
		sc.mu.Unlock()
		return
	}
	if sc.opening {
		sc.mu.Unlock()
		return // it hands over what was typed ahead, and leaves then
	}
	c, handle := sc.client, sc.handle
	sc.handle, sc.ackDue, sc.early = 0, false, nil
	sc.attempt++
	sc.mu.Unlock()
	if c != nil && handle != 0 {
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), callLimit)
			defer cancel()
			_ = c.Unwatch(ctx, handle) // the host forgets it with the connection at the latest
		}()
	}
}

// dropHidden makes room among the mirrors that nobody shows. s.mu is held.
func (s *Screens) dropHidden() {
	if len(s.screens) < maxHidden {
		return
	}
	for key, sc := range s.screens {
		if !sc.shown() {
			delete(s.screens, key)
		}
	}
}
