package screens

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// State is how a screen stands to its session.
type State uint8

// The states. In all but Attached the mirror shows the last that was seen.
const (
	Connecting State = iota // the host is being asked
	Attached                // updates come
	Ended                   // the program has ended
	Away                    // the host cannot be reached, see Problem
	Failed                  // the session could not be started, see Problem
	Thawed                  // restored from disk; its program is to be started again
)

// Screen is the mirror of one session, shared by all who show it.
type Screen struct {
	key string
	all *Screens

	mu       sync.Mutex
	mirror   *vt.Mirror
	next     *vt.Mirror // takes mirror's place with its first update
	id       uint64     // which life of the session the mirror shows
	request  wire.OpenRequest
	client   *hostclient.Client
	handle   uint32
	state    State
	problem  string
	session  wire.Session
	ackDue   bool
	viewers  map[*Viewer]int
	wantCols int
	wantRows int
	attempt  int     // counts attachments; an older one's answer is void
	opening  bool    // an attachment is under way
	early    []byte  // typed while it was
	typist   *Viewer // who was the last to type
	typed    int     // bytes of theirs of which the host has not shown that it took them
	typedAt  uint64  // what had been heard of it then
	respawn  bool    // of a dead one: it is not to be started (again) by itself
}

// maxEarly bounds what may be typed ahead of a session's opening.
const maxEarly = 64 << 10

// shown reports whether any viewer shows the screen.
func (sc *Screen) shown() bool {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return len(sc.viewers) > 0
}

// opens reports whether a client shows the screen that may have its session
// opened. sc.mu is held.
func (sc *Screen) opens() bool {
	for v := range sc.viewers {
		if !v.looks {
			return true
		}
	}
	return false
}

// stale reports whether the mirror shows another life than id.
func (sc *Screen) stale(id uint64) bool {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return sc.id != id
}

// attach opens the session at the host and watches it, on a goroutine of its
// own. A mirror of the same life is brought up to date by what it lacks.
func (sc *Screen) attach(c *hostclient.Client) {
	sc.mu.Lock()
	sc.attempt++
	attempt := sc.attempt
	if sc.client == c && sc.handle != 0 {
		old := sc.handle
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), callLimit)
			defer cancel()
			_ = c.Unwatch(ctx, old) // the host forgets it with the connection at the latest
		}()
	}
	sc.client, sc.handle, sc.ackDue, sc.opening = c, 0, false, true
	if sc.state != Ended {
		sc.state, sc.problem = Connecting, ""
	}
	session := func(ctx context.Context) (wire.Session, error) {
		r, err := c.Peek(ctx, sc.key)
		return r.Session, err
	}
	if sc.opens() {
		req := sc.request
		if sc.wantCols > 0 {
			req.Cols, req.Rows = sc.wantCols, sc.wantRows
		}
		session = func(ctx context.Context) (wire.Session, error) { return c.Open(ctx, req) }
	}
	sc.mu.Unlock()
	go func() {
		if err := sc.open(c, attempt, session); err != nil {
			sc.failed(attempt, err)
		}
	}()
}

// open watches the session that session finds or makes.
func (sc *Screen) open(c *hostclient.Client, attempt int, session func(context.Context) (wire.Session, error)) error {
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	s, err := session(ctx)
	if err != nil {
		return err
	}
	sc.mu.Lock()
	if sc.attempt != attempt {
		sc.mu.Unlock()
		return nil
	}
	if sc.id != s.ID {
		if sc.id != 0 {
			sc.refuseEarly("its program has ended")
		}
		sc.id, sc.next = s.ID, &vt.Mirror{}
	}
	since := sc.mirror.Rev()
	if sc.next != nil {
		since = 0 // the old life is shown until the new one's first screen is there
	}
	sc.mu.Unlock()
	found := !s.Alive() // dead: one that dies from here on dies while it is looked at
	handle, s, err := c.Watch(ctx, sc.key, since, func(update []byte) { sc.update(c, attempt, update) })
	if err != nil {
		return err
	}
	sc.mu.Lock()
	if sc.attempt != attempt {
		sc.mu.Unlock()
		return c.Unwatch(ctx, handle)
	}
	sc.handle, sc.session = handle, s
	sc.state, sc.problem = Attached, ""
	switch {
	case s.State == wire.SessionThawed:
		sc.state, sc.respawn = Thawed, false
	case !s.Alive():
		sc.state, sc.respawn = Ended, !found
	}
	if sc.opens() && sc.wantCols > 0 && (sc.wantCols != s.Cols || sc.wantRows != s.Rows) {
		_ = c.Resize(handle, sc.wantCols, sc.wantRows) // a lost connection is noticed elsewhere
	}
	if len(sc.early) > 0 && sc.state == Attached {
		_ = c.Input(handle, sc.early)
	}
	sc.early, sc.opening = nil, false
	if len(sc.viewers) == 0 { // hidden meanwhile
		sc.attempt++
		sc.handle, sc.ackDue = 0, false
		sc.mu.Unlock()
		return c.Unwatch(ctx, handle)
	}
	sc.wakeLocked()
	sc.mu.Unlock()
	return nil
}

// refuseEarly drops what was typed ahead, and says so. sc.mu is held.
func (sc *Screen) refuseEarly(reason string) {
	if len(sc.early) == 0 {
		return
	}
	sc.early = nil
	for v := range sc.viewers {
		v.queueRefused(wire.InputRefused{Key: sc.key, Reason: reason})
	}
}

func (sc *Screen) failed(attempt int, err error) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if sc.attempt != attempt {
		return
	}
	sc.opening = false
	sc.state, sc.problem = Away, explain(err)
	if e, ok := errors.AsType[*wire.Error](err); ok && e.Code != wire.CodeAway {
		sc.state, sc.problem = Failed, e.Message
	}
	sc.refuseEarly(sc.problem)
	sc.wakeLocked()
}

// detach notes that the host is out of reach.
func (sc *Screen) detach(problem string) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	sc.attempt++
	if c := sc.client; c != nil && sc.typed > 0 && sc.typedAt == c.Heard() {
		if _, here := sc.viewers[sc.typist]; here {
			sc.typist.queueRefused(wire.InputRefused{
				Key: sc.key, Bytes: sc.typed, Reason: fmt.Sprintf("perhaps the last %d bytes: %s", sc.typed, problem),
			})
		}
	}
	sc.client, sc.handle, sc.ackDue, sc.opening, sc.typed = nil, 0, false, false, 0
	sc.state, sc.problem = Away, problem
	sc.refuseEarly(problem)
}

// sent notes what was typed. sc.mu is held.
func (sc *Screen) sent(n int) {
	if heard := sc.client.Heard(); heard != sc.typedAt {
		sc.typed, sc.typedAt = 0, heard
	}
	sc.typed += n
}

// arrived notes that the host has taken all that was typed.
func (sc *Screen) arrived(c *hostclient.Client) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if sc.client == c {
		sc.typed = 0
	}
}

// update applies what the host sent. It runs on the connection's reading
// goroutine.
func (sc *Screen) update(c *hostclient.Client, attempt int, b []byte) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if sc.attempt != attempt {
		return
	}
	if sc.next != nil {
		sc.mirror, sc.next = sc.next, nil
	}
	if err := sc.mirror.Apply(b); err != nil {
		sc.all.cfg.Log.Error("screen update", "session", sc.key, "err", err)
		sc.mirror = &vt.Mirror{} // revision 0: the host sends all of it
	}
	sc.ackDue = true
	sc.wakeLocked()
}

// told takes an event about the session itself.
func (sc *Screen) told(ev wire.SessionEvent) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if ev.Session.ID != sc.id {
		return
	}
	sc.session = ev.Session
	if ev.Kind != wire.SessionChanged {
		// One that is found dead may come back by its policy. This one ends
		// while it is looked at: that is for the daemon to judge.
		sc.state, sc.respawn = Ended, true
	}
	sc.wakeLocked()
}

func (sc *Screen) wakeLocked() {
	for v := range sc.viewers {
		v.wake()
	}
}

func (sc *Screen) eachViewer(f func(*Viewer)) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	for v := range sc.viewers {
		f(v)
	}
}

// Read calls f with the mirror and acknowledges what it shows. f must be quick
// and keep nothing of the mirror.
func (sc *Screen) Read(f func(m *vt.Mirror)) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	f(sc.mirror)
	dead := sc.state == Thawed || sc.state == Ended
	if dead && !sc.respawn && sc.opens() && sc.mirror.Rev() > 0 && workspace.Policy(sc.request.Policy).ComesBack(sc.session.Exit) {
		sc.startAgain()
	}
	if sc.ackDue && sc.handle != 0 {
		sc.ackDue = false
		_ = sc.client.Ack(sc.handle, sc.mirror.Rev()) // a lost connection is noticed elsewhere
	}
}

// startAgain has the host start a dead session's program, once. sc.mu is held.
func (sc *Screen) startAgain() {
	sc.respawn = true
	c, req := sc.client, sc.request
	req.Respawn = true
	if sc.wantCols > 0 {
		req.Cols, req.Rows = sc.wantCols, sc.wantRows
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), callLimit)
		defer cancel()
		if _, err := c.Open(ctx, req); err != nil {
			sc.mu.Lock()
			if sc.state == Thawed || sc.state == Ended {
				sc.problem = "not started again: " + err.Error()
				sc.wakeLocked()
			}
			sc.mu.Unlock()
		}
	}()
}

// retry starts a dead session's program by hand, and attaches anew to any
// other.
func (sc *Screen) retry(c *hostclient.Client) {
	sc.mu.Lock()
	dead := (sc.state == Thawed || sc.state == Ended) && sc.client == c
	if dead {
		sc.problem = ""
		sc.startAgain()
	}
	sc.mu.Unlock()
	if !dead {
		sc.attach(c)
	}
}

// ago is how long it is since t, as people say it.
func ago(t time.Time) string {
	switch d := time.Since(t); {
	case d < time.Minute:
		return "moments ago"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	default:
		return fmt.Sprintf("%d days ago", int(d.Hours()/24))
	}
}

// Status returns how the screen stands, the session as last told, and, where
// something is wrong, a sentence about it.
func (sc *Screen) Status() (State, wire.Session, string) {
	mute := sc.all.isMute()
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if mute && sc.state == Attached {
		return Away, sc.session, "the PTY host does not answer"
	}
	if sc.state == Thawed {
		text := "as it was " + ago(sc.session.Frozen)
		if sc.problem != "" {
			text += ", " + sc.problem
		}
		return sc.state, sc.session, text
	}
	return sc.state, sc.session, sc.problem
}

// Rev is the mirror's revision. It acknowledges nothing.
func (sc *Screen) Rev() uint64 {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return sc.mirror.Rev()
}

// Life tells one session of a key from the next.
func (sc *Screen) Life() uint64 {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return sc.id
}

// Input queues a viewer's bytes for the program as one piece. It is false, and nothing is
// taken, while the session is not there to take them. What is typed while it
// is being attached waits for that, and never for another life of the session
// than the one that was seen. It never blocks.
func (sc *Screen) Input(v *Viewer, p []byte) bool {
	if v.looks || sc.all.isMute() {
		return false
	}
	sc.mu.Lock()
	sc.typist = v
	if sc.opening && sc.state != Ended || sc.state == Connecting && sc.id == 0 {
		defer sc.mu.Unlock()
		if len(sc.early)+len(p) > maxEarly {
			return false
		}
		sc.early = append(sc.early, p...)
		return true
	}
	c, handle := sc.client, sc.handle
	ok := sc.state == Attached && handle != 0 && c.Input(handle, p) == nil
	if ok {
		sc.sent(len(p))
	}
	sc.mu.Unlock()
	if ok {
		sc.all.probe(c)
	}
	return ok
}

// Typist reports whether a client was the last to type into the session.
func (sc *Screen) Typist(v *Viewer) bool {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return sc.typist == v
}

// Rows asks the host for rows of scrollback, by absolute number. It blocks.
func (sc *Screen) Rows(ctx context.Context, first uint64, count int) (wire.RowsResult, error) {
	sc.mu.Lock()
	c := sc.client
	sc.mu.Unlock()
	if c == nil {
		return wire.RowsResult{}, wire.ErrClosed
	}
	return c.ReadRows(ctx, sc.key, first, count)
}

// setSize makes the PTY the given size, now or when it is attached.
func (sc *Screen) setSize(cols, rows int) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if sc.wantCols == cols && sc.wantRows == rows {
		return
	}
	sc.wantCols, sc.wantRows = cols, rows
	if sc.handle != 0 {
		_ = sc.client.Resize(sc.handle, cols, rows) // a lost connection is noticed elsewhere
	}
}
