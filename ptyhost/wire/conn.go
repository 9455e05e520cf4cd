package wire

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"moorage/ptyhost/nowait"
)

const (
	// maxQueued bounds the bytes that wait for a peer to read them: about two
	// of the largest screens.
	maxQueued = 2 * MaxMessage
	// writeTimeout ends a connection whose peer has stopped taking bytes.
	writeTimeout = 30 * time.Second
	// maxInFlight bounds the requests that one peer may have running.
	maxInFlight = 64
	readBuffer  = 64 << 10
	// maxSpare is the largest buffer kept for the next messages.
	maxSpare = 1 << 20
)

// Handler answers what the other end of a Conn sends.
type Handler interface {
	// Call answers a request. It runs on a goroutine of its own; ctx ends with
	// the connection.
	Call(ctx context.Context, c *Conn, method string, params json.RawMessage) (any, error)
	// Binary takes a message of any kind from 16 up, in order, on the reading
	// goroutine: it must not block. payload is valid only during the call.
	Binary(c *Conn, kind Kind, payload []byte)
	// Event takes a JSON event, in order, on the reading goroutine.
	Event(c *Conn, name string, payload json.RawMessage)
}

// Conn is one connection after its hello. Send, Notify and Call may be used
// by any goroutine; Serve by one.
type Conn struct {
	Remote Hello

	nc   net.Conn
	now  *nowait.Writer // used by who has set writing
	r    *bufio.Reader
	done chan struct{}
	wake chan struct{} // one slot: something is queued

	mu      sync.Mutex
	queue   []byte
	spare   []byte // to be the next queue
	writing bool   // somebody is at the socket
	err     error
	closed  bool
	nextID  uint64
	calls   map[uint64]chan response
}

type request struct {
	ID     uint64          `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
	// Until is when the caller gives up. What could not be begun by then, by a
	// process that was stopped, say, is not begun any more.
	Until time.Time `json:"until,omitzero"`
}

type response struct {
	ID     uint64          `json:"id"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
}

type event struct {
	Name    string          `json:"event"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// NewConn exchanges hellos over nc and returns the connection. On an error nc
// is closed; a *Error with CodeOtherHome or CodeOtherProtocol says that the
// other end is not one to talk to. The caller must run Serve and Close.
func NewConn(nc net.Conn, mine Hello) (*Conn, error) {
	remote, err := exchange(nc, mine)
	if err != nil {
		nc.Close()
		return nil, err
	}
	now := nowait.New(nc)
	nc = nowait.Conn(nc)
	c := &Conn{
		Remote: remote,
		nc:     nc,
		now:    now,
		r:      newReader(nc),
		done:   make(chan struct{}),
		wake:   make(chan struct{}, 1),
		calls:  make(map[uint64]chan response),
	}
	return c, nil
}

func newReader(nc net.Conn) *bufio.Reader { return bufio.NewReaderSize(nc, readBuffer) }

// Done is closed when the connection is.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err says why the connection closed; nil while it is open or when the other
// end simply left.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close ends the connection. It is safe to call more than once.
func (c *Conn) Close() error {
	c.fail(nil)
	return nil
}

func (c *Conn) fail(err error) {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return
	}
	c.closed = true
	c.err = err
	c.queue = nil
	calls := c.calls
	c.calls = nil
	c.mu.Unlock()
	close(c.done)
	c.nc.Close()
	for _, ch := range calls {
		close(ch)
	}
}

// Send sends one message, or queues what of it the socket does not take at
// once. It never blocks: past the bound of the queue the connection is closed
// with ErrBacklog.
func (c *Conn) Send(k Kind, parts ...[]byte) error {
	out, err := c.enqueue(k, parts, c.now != nil)
	if len(out) > 0 && c.end(out, c.now.Write(out)) {
		c.signal()
	}
	return err
}

// Post is Send for what comes after all that the caller is at: it leaves the
// writing to another goroutine.
func (c *Conn) Post(k Kind, parts ...[]byte) error {
	_, err := c.enqueue(k, parts, false)
	return err
}

// enqueue queues a message, and takes the queue to be written if that can be
// now: else another goroutine does it.
func (c *Conn) enqueue(k Kind, parts [][]byte, now bool) (out []byte, err error) {
	defer func() {
		if errors.Is(err, ErrBacklog) {
			c.fail(err)
		}
	}()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrClosed
	}
	if len(c.queue) > maxQueued {
		return nil, ErrBacklog
	}
	now = now && len(c.queue) == 0 && !c.writing
	if c.queue, err = appendMessage(c.queue, k, parts...); err != nil {
		return nil, err
	}
	if now {
		return c.begin(), nil
	}
	c.signal()
	return nil, nil
}

func (c *Conn) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// begin takes the queue to be written. c.mu is held.
func (c *Conn) begin() []byte {
	out := c.queue
	c.queue, c.spare, c.writing = c.spare[:0], nil, true
	return out
}

// end notes that the first n bytes of out are written, and reports whether
// anything waits.
func (c *Conn) end(out []byte, n int) (more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writing = false
	if c.closed {
		return false
	}
	if n < len(out) {
		out = append(out[n:], c.queue...)
		c.queue, c.spare = out, c.queue[:0]
		return true
	}
	if cap(out) <= maxSpare {
		c.spare = out[:0]
	}
	return len(c.queue) > 0
}

// write is the goroutine that writes what is queued.
func (c *Conn) write() {
	for {
		select {
		case <-c.done:
			return
		case <-c.wake:
		}
		for c.writeQueue() {
		}
	}
}

// writeQueue writes what is queued, waiting for a slow peer. It reports
// whether there is more.
func (c *Conn) writeQueue() (more bool) {
	c.mu.Lock()
	if c.writing || len(c.queue) == 0 {
		c.mu.Unlock()
		return false // who is writing will wake us if need be
	}
	out := c.begin()
	c.mu.Unlock()
	if n := c.now.Write(out); n > 0 {
		return c.end(out, n)
	}
	if err := c.nc.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		c.fail(err)
		return false
	}
	if _, err := c.nc.Write(out); err != nil {
		c.fail(fmt.Errorf("write to %s: %w", c.Remote.Role, err))
		return false
	}
	if err := c.nc.SetWriteDeadline(time.Time{}); err != nil {
		c.fail(err)
		return false
	}
	return c.end(out, len(out))
}

// Serve reads until the connection ends, handing requests, events and binary
// messages to h. It returns nil when the other end left or Close was called,
// after every handler call has returned.
func (c *Conn) Serve(ctx context.Context, h Handler) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(c.write)
	stop := context.AfterFunc(ctx, func() { c.fail(nil) })
	defer func() {
		stop()
		cancel()
		c.fail(nil)
		wg.Wait()
	}()
	slots := make(chan struct{}, maxInFlight)
	var buf []byte
	for {
		kind, payload, err := readMessage(c.r, buf)
		if err != nil {
			if errors.Is(err, io.EOF) || c.isClosed() {
				return c.Err()
			}
			c.fail(err)
			return fmt.Errorf("read from %s: %w", c.Remote.Role, err)
		}
		buf = payload
		if cap(buf) > 1<<20 {
			buf = nil
		}
		switch {
		case kind >= 16:
			h.Binary(c, kind, payload)
		case kind == KindRequest:
			var req request
			if err := json.Unmarshal(payload, &req); err != nil {
				c.fail(err)
				return fmt.Errorf("read request: %w", err)
			}
			select {
			case slots <- struct{}{}:
			default:
				c.reply(req.ID, nil, &Error{Code: CodeBusy, Message: "too many requests at once on one connection", Next: "wait for answers before sending more"})
				continue
			}
			wg.Go(func() {
				defer func() { <-slots }()
				if !req.Until.IsZero() && time.Now().After(req.Until) {
					c.reply(req.ID, nil, errLate)
					return
				}
				result, err := safeCall(ctx, c, h, req)
				c.reply(req.ID, result, err)
			})
		case kind == KindResponse:
			var resp response
			if err := json.Unmarshal(payload, &resp); err != nil {
				c.fail(err)
				return fmt.Errorf("read response: %w", err)
			}
			c.mu.Lock()
			ch := c.calls[resp.ID]
			delete(c.calls, resp.ID)
			c.mu.Unlock()
			if ch != nil {
				ch <- resp
			}
		case kind == KindEvent:
			var ev event
			if err := json.Unmarshal(payload, &ev); err != nil {
				c.fail(err)
				return fmt.Errorf("read event: %w", err)
			}
			h.Event(c, ev.Name, ev.Payload)
		}
	}
}

// errLate is the answer to a request that nobody waits for any more.
var errLate = &Error{Code: CodeBusy, Message: "the request was read too late: nothing was done"}

// safeCall keeps a handler's panic from ending the process: the request fails.
func safeCall(ctx context.Context, c *Conn, h Handler, req request) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &Error{Code: CodeInternal, Message: fmt.Sprintf("%s: panic: %v", req.Method, r)}
		}
	}()
	return h.Call(ctx, c, req.Method, req.Params)
}

func (c *Conn) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

func (c *Conn) reply(id uint64, result any, err error) {
	resp := response{ID: id}
	if err == nil && result != nil {
		resp.Result, err = json.Marshal(result)
	}
	if err != nil {
		resp.Error = asError(err)
	}
	b, err := json.Marshal(resp)
	if err != nil {
		c.fail(err)
		return
	}
	// A reply that cannot be sent has no one left to tell.
	if err := c.Send(KindResponse, b); errors.Is(err, errTooLong) {
		c.reply(id, nil, &Error{Code: CodeInvalid, Message: "the answer is too long", Next: "ask for less at a time"})
	}
}

// Notify sends an event without waiting.
func (c *Conn) Notify(name string, payload any) error {
	p, err := json.Marshal(payload)
	if err != nil {
		return fmt.Errorf("event %s: %w", name, err)
	}
	b, err := json.Marshal(event{Name: name, Payload: p})
	if err != nil {
		return fmt.Errorf("event %s: %w", name, err)
	}
	return c.Send(KindEvent, b)
}

// Call sends a request and waits for its answer, ctx, or the connection's end
// (ErrClosed). A request that the other end reads only after ctx's deadline is
// not carried out. result may be nil. Serve must be running.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	req := request{Method: method}
	req.Until, _ = ctx.Deadline()
	if params != nil {
		p, err := json.Marshal(params)
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		req.Params = p
	}
	ch := make(chan response, 1)
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return ErrClosed
	}
	c.nextID++
	req.ID = c.nextID
	c.calls[req.ID] = ch
	c.mu.Unlock()
	b, err := json.Marshal(req)
	if err == nil {
		err = c.Send(KindRequest, b)
	}
	if err != nil {
		c.forget(req.ID)
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case <-ctx.Done():
		c.forget(req.ID)
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case resp, ok := <-ch:
		if !ok {
			return ErrClosed
		}
		if resp.Error != nil {
			return resp.Error
		}
		if result == nil || resp.Result == nil {
			return nil
		}
		if err := json.Unmarshal(resp.Result, result); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		return nil
	}
}

func (c *Conn) forget(id uint64) {
	c.mu.Lock()
	delete(c.calls, id)
	c.mu.Unlock()
}

// Param decodes a request's parameters; bad ones are CodeInvalid.
func Param[T any](params json.RawMessage) (T, error) {
	var v T
	if len(params) == 0 {
		return v, nil
	}
	if err := json.Unmarshal(params, &v); err != nil {
		return v, &Error{Code: CodeInvalid, Message: "parameters: " + err.Error()}
	}
	return v, nil
}
