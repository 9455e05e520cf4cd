package sshd

import (
	"context"
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
	"moorage/sshd/screens"
	"moorage/ui"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

// world keeps the newest of what the daemon says and hands it to each client's
// mailbox. It is connected to the daemon while there are clients: a daemon
// that nobody looks at may end.
type world struct {
	cfg   daemonclient.Config
	first chan struct{} // one slot: somebody has come

	mu          sync.Mutex
	now         ui.World
	client      *daemonclient.Client // nil while the daemon is away
	changed     chan struct{}        // closed, and made anew, when client is another one
	subscribers map[int]func(ui.World)
	next        int
	empty       func() // called when the last one leaves
	probing     bool
}

func newWorld(cfg daemonclient.Config) *world {
	return &world{cfg: cfg, first: make(chan struct{}, 1), changed: make(chan struct{}), subscribers: make(map[int]func(ui.World)), empty: func() {}}
}

// run follows the daemon whenever there are clients, until ctx ends.
func (w *world) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.first:
		}
		watching, stop := context.WithCancel(ctx)
		w.mu.Lock()
		w.empty = stop
		if len(w.subscribers) == 0 {
			stop()
		}
		w.mu.Unlock()
		_ = daemonclient.Watch(watching, w.cfg, w.show) // it ends with its context only
		stop()
		w.mu.Lock()
		w.client, w.empty = nil, func() {}
		w.now.Up, w.now.Problem = false, ""
		w.mu.Unlock()
	}
}

// show takes what the daemon says now. It never blocks.
func (w *world) show(p daemonclient.Picture) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.client != p.Client {
		w.client = p.Client
		close(w.changed)
		w.changed = make(chan struct{})
	}
	w.now = ui.World{Snapshot: p.Snapshot, Up: p.Client != nil}
	if p.Cause != nil {
		w.now.Problem = p.Cause.Error()
	}
	w.tell()
}

// tell gives the clients the world as it is. w.mu is held.
func (w *world) tell() {
	for _, f := range w.subscribers {
		f(w.now)
	}
}

// again gives the clients the world as it is: something else has changed of
// which it depends what they make of it.
func (w *world) again() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tell()
}

// subscribe calls f with the world as it is and with each newer one. f must
// not block. The returned function ends it.
func (w *world) subscribe(f func(ui.World)) (leave func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := w.next
	w.next++
	w.subscribers[id] = f
	f(w.now)
	signal(w.first)
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.subscribers, id)
		if len(w.subscribers) == 0 {
			w.empty()
		}
	}
}

// reachFor is how long a request waits for a daemon that is away: one that
// fell is there again sooner.
const reachFor = 5 * time.Second

// reach returns the connection to the daemon, or why there is none. It blocks
// while the daemon is away, for reachFor.
func (w *world) reach(ctx context.Context) (*daemonclient.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, reachFor)
	defer cancel()
	for {
		w.mu.Lock()
		client, changed := w.client, w.changed
		w.mu.Unlock()
		if client != nil {
			select {
			case <-client.Done(): // it has fallen, and that is not told yet
			default:
				w.probe(client)
				return client, nil
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, workspace.Fail(workspace.CodeAway, "it is being called: try again in a moment", "the daemon is away")
		}
	}
}

// answerFor is how long the daemon may take for the smallest question.
const answerFor = 3 * time.Second

// probe finds out, beside a request, whether the daemon answers at all, and
// tells the clients when it does not, and when it does again. One probe at a
// time; it blocks nobody.
func (w *world) probe(c *daemonclient.Client) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.probing {
		return
	}
	w.probing = true
	go func() {
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			_, _ = c.Place(context.Background(), "") // any answer will do, or the connection's end
		}()
		select {
		case <-answered:
		case <-time.After(answerFor):
			w.doubt(c, fmt.Sprintf("the daemon (pid %d) does not answer: panes go on, all else waits", c.Remote().PID))
			<-answered
			w.doubt(c, "")
		}
		w.mu.Lock()
		w.probing = false
		w.mu.Unlock()
	}()
}

// doubt tells the clients what is wrong with the daemon that they have; "" for
// nothing.
func (w *world) doubt(c *daemonclient.Client, problem string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.client != c {
		return
	}
	w.now.Problem = problem
	w.tell()
}

// screensOf is a viewer as package ui knows it.
type screensOf struct{ v *screens.Viewer }

func (s screensOf) Show(task workspace.Task, tab, pane string, size ui.Size) (ui.Screen, error) {
	req, err := task.SessionSpec(tab, pane)
	if err != nil {
		return nil, err
	}
	req.Cols, req.Rows = size.Cols, size.Rows
	return screenOf{s.v.Show(req), s.v}, nil
}

func (s screensOf) Hide(key string)  { s.v.Hide(key) }
func (s screensOf) Retry(key string) { s.v.Retry(key) }
func (s screensOf) Act()             { s.v.Act() }

func (s screensOf) Look(tab string, sizes map[string]ui.Size) { s.v.Look(tab, sizesOf(sizes)) }
func (s screensOf) Lay(sizes map[string]ui.Size)              { s.v.Lay(sizesOf(sizes)) }

func sizesOf(m map[string]ui.Size) map[string]screens.Size {
	out := make(map[string]screens.Size, len(m))
	for k, v := range m {
		out[k] = screens.Size(v)
	}
	return out
}

func (s screensOf) Warning() string { return s.v.Warning() }

func (s screensOf) Busy(ctx context.Context, key string) (string, error) { return s.v.Busy(ctx, key) }

func (s screensOf) Events() []ui.Event {
	events, refused := s.v.Events()
	var out []ui.Event
	for _, ev := range events {
		out = append(out, ui.Event{Kind: ui.EventClipboard, Key: ev.Session.Key, Data: ev.Data})
	}
	for _, r := range refused {
		out = append(out, ui.Event{Kind: ui.EventRefused, Key: r.Key, Text: r.Reason})
	}
	return out
}

// colorsLimit bounds telling the host a client's colours.
const colorsLimit = 5 * time.Second

func (s screensOf) SetColors(fg, bg vt.Color) {
	c := wire.Colors{FG: hexOf(fg), BG: hexOf(bg)}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), colorsLimit)
		defer cancel()
		_ = s.v.SetColors(ctx, c) // the next client to act says them again
	}()
}

func hexOf(c vt.Color) string {
	r, g, b, ok := c.RGB()
	if !ok {
		return ""
	}
	return hex.EncodeToString([]byte{r, g, b})
}

// screenOf is a screen as package ui knows it: one client's.
type screenOf struct {
	s *screens.Screen
	v *screens.Viewer
}

func (s screenOf) Read(f func(*vt.Mirror)) { s.s.Read(f) }
func (s screenOf) Life() uint64            { return s.s.Life() }
func (s screenOf) Rev() uint64             { return s.s.Rev() }
func (s screenOf) Input(p []byte) bool     { return s.s.Input(s.v, p) }
func (s screenOf) Typist() bool            { return s.s.Typist(s.v) }

func (s screenOf) Status() (ui.Standing, string) {
	state, _, problem := s.s.Status()
	return [...]ui.Standing{
		screens.Connecting: ui.Connecting, screens.Attached: ui.Attached, screens.Ended: ui.Ended,
		screens.Away: ui.Away, screens.Failed: ui.Failed, screens.Thawed: ui.Thawed,
	}[state], problem
}

func (s screenOf) Rows(ctx context.Context, first uint64, count int) ([]byte, error) {
	r, err := s.s.Rows(ctx, first, count)
	return r.Packed, err
}
