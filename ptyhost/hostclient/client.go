package hostclient

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/wire"
)

// Client is a connection to the PTY host. Its methods may be used by any
// goroutine. Callbacks run on the connection's reading goroutine, in the
// order of the wire, and must not block.
type Client struct {
	conn   *wire.Conn
	served chan struct{}
	heard  atomic.Uint64

	mu         sync.Mutex
	nextHandle uint32
	screens    map[uint32]func(update []byte)
	events     func(wire.SessionEvent)
	refused    func(wire.InputRefused)
	warned     func(string)
}

// Dial connects to the home's host. wire.IsAbsent tells an absent host from
// one that does not answer. role names the caller in the host's log.
func Dial(ctx context.Context, home persistence.Home, build, role string) (*Client, error) {
	path, err := home.SocketPath("ptyhost")
	if err != nil {
		return nil, fmt.Errorf("PTY host: %w", err)
	}
	conn, err := wire.Dial(ctx, path, wire.Hello{Build: build, Home: home.Dir(), Role: role, PID: os.Getpid()})
	if err != nil {
		return nil, fmt.Errorf("PTY host: %w", err)
	}
	c := &Client{conn: conn, served: make(chan struct{}), screens: make(map[uint32]func([]byte))}
	go func() {
		defer close(c.served)
		_ = conn.Serve(context.Background(), handler{c}) // Done and Err tell the caller
	}()
	return c, nil
}

// Ensure is Dial, starting the host first when it is absent. start returns
// once the host has been started, not when it listens; it is called again now
// and then, for the one before may have met a host that was just ending.
func Ensure(ctx context.Context, home persistence.Home, build, role string, start func(context.Context) error) (*Client, error) {
	c, err := Dial(ctx, home, build, role)
	if err == nil || !wire.IsAbsent(err) {
		return c, err
	}
	return waitFor(ctx, start, func() (*Client, error) { return Dial(ctx, home, build, role) })
}

// startLimit bounds how long a host may take from its start to its socket.
const (
	startLimit = 15 * time.Second
	startAgain = time.Second
)

// waitFor starts the host and dials until it is there.
func waitFor(ctx context.Context, start func(context.Context) error, dial func() (*Client, error)) (*Client, error) {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	var started time.Time
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
		if time.Since(started) >= startAgain {
			if err := start(ctx); err != nil {
				return nil, fmt.Errorf("start the PTY host: %w", err)
			}
			started = time.Now()
		}
		c, err := dial()
		if err == nil || !wire.IsAbsent(err) {
			return c, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("the PTY host does not come up: %w", errors.Join(err, ctx.Err()))
		case <-time.After(wait):
		}
	}
}

// Remote is the host's hello: its build and pid.
func (c *Client) Remote() wire.Hello { return c.conn.Remote }

// Heard counts screens and events received: while it grows the host is well.
func (c *Client) Heard() uint64 { return c.heard.Load() }

// Done is closed when the connection is.
func (c *Client) Done() <-chan struct{} { return c.conn.Done() }

// Close ends the connection and waits for the last callback.
func (c *Client) Close() error {
	c.conn.Close()
	<-c.served
	return nil
}

// List returns the host's sessions, sorted by key.
func (c *Client) List(ctx context.Context) ([]wire.Session, error) {
	var r wire.ListResult
	err := c.conn.Call(ctx, wire.MethodList, nil, &r)
	return r.Sessions, err
}

// Subscribe returns the host's sessions and calls f for each event from then
// on. An event may repeat what the list shows; none is missed. One
// subscription a client.
func (c *Client) Subscribe(ctx context.Context, f func(wire.SessionEvent)) ([]wire.Session, error) {
	c.mu.Lock()
	c.events = f
	c.mu.Unlock()
	var r wire.ListResult
	err := c.conn.Call(ctx, wire.MethodSubscribe, nil, &r)
	return r.Sessions, err
}

// OnRefused sets who hears of input that the host did not take.
func (c *Client) OnRefused(f func(wire.InputRefused)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused = f
}

// OnWarning sets who hears what is wrong with the host; "" means nothing.
func (c *Client) OnWarning(f func(text string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.warned = f
}

// Open returns the session of req.Key, starting it if there is none.
func (c *Client) Open(ctx context.Context, req wire.OpenRequest) (wire.Session, error) {
	var s wire.Session
	err := c.conn.Call(ctx, wire.MethodOpen, req, &s)
	return s, err
}

// Reset ends the session of req.Key and starts a fresh one.
func (c *Client) Reset(ctx context.Context, req wire.OpenRequest) (wire.Session, error) {
	var s wire.Session
	err := c.conn.Call(ctx, wire.MethodReset, req, &s)
	return s, err
}

// Kill ends a session and drops its record. It returns when nothing of it
// runs any more.
func (c *Client) Kill(ctx context.Context, key string) error {
	return c.conn.Call(ctx, wire.MethodKill, wire.KeyRequest{Key: key}, nil)
}

// SetPolicy gives a session another relaunch policy: if-lost, reattach-only,
// always, or "" for the default. The disk has it soon after.
func (c *Client) SetPolicy(ctx context.Context, key, policy string) error {
	return c.conn.Call(ctx, wire.MethodPolicy, wire.PolicyRequest{Key: key, Policy: policy}, nil)
}

// Rename gives the session of a key another key, which must be free.
func (c *Client) Rename(ctx context.Context, key, to string) (wire.Session, error) {
	var s wire.Session
	err := c.conn.Call(ctx, wire.MethodRename, wire.RenameRequest{Key: key, To: to}, &s)
	return s, err
}

// Watch calls f with each update of the session's screen, beginning with what
// changed since the revision since (0: all). Each must be acknowledged with
// Ack before the next one comes. The returned handle ends the watch, and
// carries input.
func (c *Client) Watch(ctx context.Context, key string, since uint64, f func(update []byte)) (handle uint32, s wire.Session, err error) {
	c.mu.Lock()
	c.nextHandle++
	handle = c.nextHandle
	c.screens[handle] = f
	c.mu.Unlock()
	var r wire.WatchResult
	if err := c.conn.Call(ctx, wire.MethodWatch, wire.WatchRequest{Key: key, Handle: handle, Since: since}, &r); err != nil {
		c.forget(handle)
		return 0, wire.Session{}, err
	}
	return handle, r.Session, nil
}

// Unwatch ends a watch. No update comes once it has returned, but one may be
// under way before.
func (c *Client) Unwatch(ctx context.Context, handle uint32) error {
	c.forget(handle)
	return c.conn.Call(ctx, wire.MethodUnwatch, wire.WatchRequest{Handle: handle}, nil)
}

func (c *Client) forget(handle uint32) {
	c.mu.Lock()
	delete(c.screens, handle)
	c.mu.Unlock()
}

// Ack says that an update up to rev has been applied. It never blocks, and is
// sent behind what is being done with the update.
func (c *Client) Ack(handle uint32, rev uint64) error {
	var b [12]byte
	binary.BigEndian.PutUint32(b[:], handle)
	binary.BigEndian.PutUint64(b[4:], rev)
	return c.conn.Post(wire.KindAck, b[:])
}

// Input queues bytes for the watched session's program as one piece. It never
// blocks; a refusal by the host comes to OnRefused.
func (c *Client) Input(handle uint32, p []byte) error {
	return c.conn.Send(wire.KindInput, wire.Handle(handle), p)
}

// SendInput writes to a session without a watch and waits for the verdict.
func (c *Client) SendInput(ctx context.Context, key string, p []byte) error {
	return c.conn.Call(ctx, wire.MethodSendInput, wire.InputRequest{Key: key, Data: p}, nil)
}

// Resize sets the watched session's size. It never blocks.
func (c *Client) Resize(handle uint32, cols, rows int) error {
	var b [8]byte
	binary.BigEndian.PutUint32(b[:], handle)
	binary.BigEndian.PutUint16(b[4:], uint16(cols))
	binary.BigEndian.PutUint16(b[6:], uint16(rows))
	return c.conn.Send(wire.KindResize, b[:])
}

// SetColors tells the host the colours of the last active client.
func (c *Client) SetColors(ctx context.Context, colors wire.Colors) error {
	return c.conn.Call(ctx, wire.MethodColors, colors, nil)
}

// Peek returns a session and the last line on its screen.
func (c *Client) Peek(ctx context.Context, key string) (wire.PeekResult, error) {
	var r wire.PeekResult
	err := c.conn.Call(ctx, wire.MethodPeek, wire.KeyRequest{Key: key}, &r)
	return r, err
}

// ReadScreen returns a session's screen as text.
func (c *Client) ReadScreen(ctx context.Context, key string) (wire.ScreenResult, error) {
	var r wire.ScreenResult
	err := c.conn.Call(ctx, wire.MethodReadScreen, wire.KeyRequest{Key: key}, &r)
	return r, err
}

// ReadRows returns rows by absolute number, in vt's packed form.
func (c *Client) ReadRows(ctx context.Context, key string, first uint64, count int) (wire.RowsResult, error) {
	var r wire.RowsResult
	err := c.conn.Call(ctx, wire.MethodReadRows, wire.RowsRequest{Key: key, First: first, Count: count}, &r)
	return r, err
}

// Search looks for text in a session's scrollback and screen.
func (c *Client) Search(ctx context.Context, req wire.SearchRequest) ([]wire.Match, error) {
	var r wire.SearchResult
	err := c.conn.Call(ctx, wire.MethodSearch, req, &r)
	return r.Matches, err
}

// ReadOutput returns a session's ring as raw bytes.
func (c *Client) ReadOutput(ctx context.Context, key string) (wire.OutputResult, error) {
	var r wire.OutputResult
	err := c.conn.Call(ctx, wire.MethodReadOutput, wire.KeyRequest{Key: key}, &r)
	return r, err
}

// Status returns the host about itself.
func (c *Client) Status(ctx context.Context) (wire.HostStatus, error) {
	var r wire.HostStatus
	err := c.conn.Call(ctx, wire.MethodStatus, nil, &r)
	return r, err
}

// Stop ends the host; it refuses while a session lives. The connection ends
// with the host, sometimes before the answer.
func (c *Client) Stop(ctx context.Context) error {
	err := c.conn.Call(ctx, wire.MethodStop, nil, nil)
	if wire.CodeOf(err) == wire.CodeAway {
		return nil
	}
	return err
}

// handler receives what the host sends.
type handler struct{ c *Client }

func (h handler) Call(_ context.Context, _ *wire.Conn, name string, _ json.RawMessage) (any, error) {
	return nil, &wire.Error{Code: wire.CodeUnknownMethod, Message: fmt.Sprintf("a client answers no %q", name)}
}

func (h handler) Binary(_ *wire.Conn, kind wire.Kind, payload []byte) {
	h.c.heard.Add(1)
	handle, update, ok := wire.SplitHandle(payload)
	if !ok || kind != wire.KindScreen {
		return
	}
	h.c.mu.Lock()
	f := h.c.screens[handle]
	h.c.mu.Unlock()
	if f != nil {
		f(update)
	}
}

func (h handler) Event(_ *wire.Conn, name string, payload json.RawMessage) {
	h.c.heard.Add(1)
	h.c.mu.Lock()
	events, refused, warned := h.c.events, h.c.refused, h.c.warned
	h.c.mu.Unlock()
	switch {
	case name == wire.EventSession && events != nil:
		if ev, err := wire.Param[wire.SessionEvent](payload); err == nil {
			events(ev)
		}
	case name == wire.EventInputRefused && refused != nil:
		if ev, err := wire.Param[wire.InputRefused](payload); err == nil {
			refused(ev)
		}
	case name == wire.EventWarning && warned != nil:
		if ev, err := wire.Param[wire.Warning](payload); err == nil {
			warned(ev.Text)
		}
	}
}
