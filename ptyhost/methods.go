package ptyhost

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"moorage/ptyhost/proc"
	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
)

// peer is one connection's side of the host: what it watches.
type peer struct {
	host *host

	mu       sync.Mutex
	watching map[uint32]*session
}

// method answers one request.
type method func(p *peer, c *wire.Conn, params json.RawMessage) (any, error)

// with decodes a method's parameters before it runs.
func with[P any](f func(p *peer, c *wire.Conn, params P) (any, error)) method {
	return func(p *peer, c *wire.Conn, raw json.RawMessage) (any, error) {
		params, err := wire.Param[P](raw)
		if err != nil {
			return nil, err
		}
		return f(p, c, params)
	}
}

var methods = map[string]method{
	wire.MethodList:       with((*peer).list),
	wire.MethodSubscribe:  with((*peer).subscribe),
	wire.MethodOpen:       with((*peer).open),
	wire.MethodReset:      with((*peer).reset),
	wire.MethodKill:       with((*peer).kill),
	wire.MethodWatch:      with((*peer).watch),
	wire.MethodUnwatch:    with((*peer).unwatch),
	wire.MethodColors:     with((*peer).colors),
	wire.MethodPeek:       with((*peer).peek),
	wire.MethodReadScreen: with((*peer).readScreen),
	wire.MethodReadRows:   with((*peer).readRows),
	wire.MethodSearch:     with((*peer).search),
	wire.MethodReadOutput: with((*peer).readOutput),
	wire.MethodSendInput:  with((*peer).sendInput),
	wire.MethodStatus:     with((*peer).status),
	wire.MethodStop:       with((*peer).stop),
	wire.MethodRename:     with((*peer).rename),
	wire.MethodPolicy:     with((*peer).policy),
}

// Call answers a request; see wire's Method constants.
func (p *peer) Call(_ context.Context, c *wire.Conn, name string, params json.RawMessage) (any, error) {
	m, ok := methods[name]
	if !ok {
		return nil, &wire.Error{Code: wire.CodeUnknownMethod, Message: fmt.Sprintf("the PTY host (build %s) knows no method %q", p.host.cfg.Build, name), Next: "it runs another build: `moorage status` shows which"}
	}
	return m(p, c, params)
}

// Event is not part of the host's protocol.
func (p *peer) Event(*wire.Conn, string, json.RawMessage) {}

// Binary takes input, acknowledgements and sizes, in their order.
func (p *peer) Binary(c *wire.Conn, kind wire.Kind, payload []byte) {
	handle, rest, ok := wire.SplitHandle(payload)
	if !ok {
		return
	}
	p.mu.Lock()
	s := p.watching[handle]
	p.mu.Unlock()
	switch {
	case s == nil:
	case kind == wire.KindInput:
		if typing(rest) {
			s.typed.Store(time.Now().UnixMilli())
		}
		if !s.takeInput(rest) {
			_ = c.Notify(wire.EventInputRefused, wire.InputRefused{Key: s.info().Key, Bytes: len(rest), Reason: s.refusal()})
		}
	case kind == wire.KindAck && len(rest) == 8:
		s.ack(c, handle, binary.BigEndian.Uint64(rest))
	case kind == wire.KindResize && len(rest) == 4:
		s.setSize(clampSize(int(binary.BigEndian.Uint16(rest)), int(binary.BigEndian.Uint16(rest[2:]))))
	}
}

// typing reports whether input is somebody's: that a client's window has got or
// lost the focus (xterm ctlseqs, FocusIn and FocusOut) is not.
func typing(p []byte) bool { return string(p) != "\x1b[I" && string(p) != "\x1b[O" }

// takeInput queues input; false when the session takes none.
func (s *session) takeInput(p []byte) bool {
	if s.input == nil {
		return false
	}
	if s.keysCoded.Load() {
		p = cook(p, s.proc.Special)
	}
	return s.input.push(p)
}

func (s *session) refusal() string {
	if !s.alive() {
		return "its program has ended"
	}
	return "its program does not read: 8 MiB wait already"
}

// leave forgets everything of a connection that is gone.
func (p *peer) leave(c *wire.Conn) {
	p.host.subMu.Lock()
	delete(p.host.subscribers, c)
	p.host.subMu.Unlock()
	p.mu.Lock()
	watching := p.watching
	p.watching = nil
	p.mu.Unlock()
	for handle, s := range watching {
		s.unwatch(c, handle)
	}
}

func (p *peer) list(*wire.Conn, struct{}) (any, error) {
	return p.host.snapshot(), nil
}

// maxListTails bounds the tails of exits in one list, which must fit into a
// message with a thousand sessions too. peek tells the others.
const maxListTails = 4 << 20

func (h *host) snapshot() wire.ListResult {
	r := wire.ListResult{Sessions: []wire.Session{}}
	h.mu.Lock()
	for _, d := range h.deferred {
		r.Sessions = append(r.Sessions, d.info())
	}
	h.mu.Unlock()
	for _, s := range h.all() {
		r.Sessions = append(r.Sessions, s.info())
	}
	slices.SortFunc(r.Sessions, func(a, b wire.Session) int { return strings.Compare(a.Key, b.Key) })
	tails := 0
	for i := range r.Sessions {
		e := r.Sessions[i].Exit
		if e == nil {
			continue
		}
		for _, line := range e.Tail {
			tails += len(line) + 8
		}
		if tails > maxListTails {
			short := *e
			short.Tail = nil
			r.Sessions[i].Exit = &short
		}
	}
	return r
}

// subscribe registers first and looks then: an event may repeat what the
// snapshot shows already, and none is missed.
func (p *peer) subscribe(c *wire.Conn, _ struct{}) (any, error) {
	p.host.subMu.Lock()
	p.host.subscribers[c] = true
	p.host.subMu.Unlock()
	if text := p.host.warning(); text != "" {
		_ = c.Notify(wire.EventWarning, wire.Warning{Text: text}) // a lost connection is noticed elsewhere
	}
	return p.host.snapshot(), nil
}

func (p *peer) open(_ *wire.Conn, req wire.OpenRequest) (any, error) {
	return p.host.open(req)
}

// open returns the session of the key, or starts it. An existing one wins,
// whatever its state, except that Recycle replaces one that has ended.
func (h *host) open(req wire.OpenRequest) (wire.Session, error) {
	if _, _, _, ok := wire.SplitKey(req.Key); !ok {
		return wire.Session{}, &wire.Error{Code: wire.CodeInvalid, Message: fmt.Sprintf("%q is not a session key", req.Key), Next: "keys are <task>/<tab>/<pane>"}
	}
	// The lock is held over the start, so that two who ask at the same moment
	// get one child. Starting is a fork: quick.
	h.mu.Lock()
	old := h.sessions[req.Key]
	if old == nil {
		old = h.thawDeferred(req.Key)
	}
	respawn := req.Respawn && old != nil && !old.alive()
	if old != nil && !respawn && (!req.Recycle || old.alive()) {
		h.mu.Unlock()
		return old.info(), nil
	}
	var s *session
	var err error
	if respawn {
		s, err = h.start(old.again(req), old)
	} else {
		s, err = h.start(req, nil)
	}
	h.mu.Unlock()
	if errors.Is(err, proc.ErrDirGone) {
		return wire.Session{}, &wire.Error{Code: wire.CodeDirGone, Message: err.Error(), Next: "make it again, or close the tab"}
	}
	if err != nil {
		return wire.Session{}, &wire.Error{Code: wire.CodeRefused, Message: err.Error(), Next: "check the tab's command and directory"}
	}
	if old != nil {
		h.wg.Go(old.kill) // what is left of it
	}
	info := s.info()
	h.publish(wire.SessionEvent{Kind: wire.SessionCreated, Session: info})
	h.pokeIdle()
	return info, nil
}

// start starts a child and enters it, below the screen of a dead session if
// there is one. h.mu is held.
func (h *host) start(req wire.OpenRequest, dead *session) (*session, error) {
	if len(h.sessions) >= maxSessions {
		return nil, fmt.Errorf("%d sessions already", maxSessions)
	}
	spec := proc.Spec{Argv: req.Argv, Dir: req.Dir, Env: proc.Environ(h.cfg.Login, append([]string{"MOORAGE_HOME=" + h.cfg.Home.Dir()}, req.Env...))}
	if spec.Dir == "" {
		dir, err := os.UserHomeDir()
		if err != nil {
			return nil, err
		}
		spec.Dir = dir
	}
	spec.Cols, spec.Rows = clampSize(req.Cols, req.Rows)
	o := vt.Options{
		Cols: spec.Cols, Rows: spec.Rows, Scrollback: req.Scrollback,
		Defaults: h.defaults, Version: h.version(),
	}
	if o.Scrollback == 0 {
		o.Scrollback = h.cfg.Scrollback
	}
	h.nextID++
	s, err := startSession(h.nextID, req, spec, o, h.cfg.RingBytes, h.log, h.publish)
	if err != nil {
		return nil, err
	}
	s.env = req.Env
	h.cfg.fault("respawn: started")
	if dead != nil {
		s.inherit(dead, h.cfg.RingBytes)
		h.cfg.fault("respawn: inherited")
	}
	s.fresh, s.kept.enough = h.freezer.poke, h.cfg.limits.Enough
	s.kept.gate.Force = true // one that never prints anything is to be known too
	h.sessions[req.Key] = s
	h.wg.Go(func() { s.run(h.load.drained) })
	h.freezer.poke()
	h.log.Info("session started", "session", req.Key, "pid", s.proc.PID, "argv", spec.Argv, "dir", spec.Dir)
	return s, nil
}

// clampSize bounds a size before anything is allocated for it.
func clampSize(cols, rows int) (int, int) {
	if cols <= 0 || rows <= 0 {
		return 80, 24
	}
	return min(cols, 1000), min(rows, 500)
}

func (p *peer) kill(_ *wire.Conn, req wire.KeyRequest) (any, error) {
	return nil, p.host.kill(req.Key)
}

// kill ends a session and forgets it. Nobody can resurrect it: its record goes
// before its programs do. It blocks until both are gone; a disk that cannot be
// written is tried again later and does not fail it.
func (h *host) kill(key string) error {
	info, s, err := h.take(key)
	if err != nil {
		return err
	}
	h.cfg.fault("kill: taken")
	var wg sync.WaitGroup
	if s != nil {
		wg.Go(s.kill)
	}
	if err := h.freezer.pay(time.Now()); err != nil {
		h.log.Error("kill: the record stays until the disk takes its end", "session", key, "err", err)
	}
	h.cfg.fault("kill: forgotten")
	wg.Wait()
	h.cfg.fault("kill: ended")
	h.publish(wire.SessionEvent{Kind: wire.SessionRemoved, Session: info})
	h.pokeIdle()
	return nil
}

// take takes a session out of the host and owes the store its end, in one step:
// what is opened under the key from now on is another one, and its record is
// written after that end. s is nil of one that was on disk only.
func (h *host) take(key string) (info wire.Session, s *session, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if d, ok := h.deferred[key]; ok {
		info = d.info()
	} else if s = h.sessions[key]; s != nil {
		info = s.remove()
	} else {
		return info, nil, notFound(key)
	}
	delete(h.deferred, key)
	delete(h.sessions, key)
	h.freezer.owed.drop(key)
	return info, s, nil
}

func (p *peer) reset(_ *wire.Conn, req wire.OpenRequest) (any, error) {
	if err := p.host.kill(req.Key); err != nil && wire.CodeOf(err) != wire.CodeNotFound {
		return nil, err
	}
	p.host.cfg.fault("reset: ended")
	return p.host.open(req)
}

func (p *peer) watch(c *wire.Conn, req wire.WatchRequest) (any, error) {
	s, err := p.host.find(req.Key)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	if p.watching == nil {
		p.mu.Unlock()
		return nil, wire.ErrClosed
	}
	old := p.watching[req.Handle]
	p.watching[req.Handle] = s
	p.mu.Unlock()
	if old != nil && old != s {
		old.unwatch(c, req.Handle)
	}
	s.watch(c, req.Handle, req.Since)
	return wire.WatchResult{Session: s.info()}, nil
}

// unwatch ends what watch began; only the handle counts.
func (p *peer) unwatch(c *wire.Conn, req wire.WatchRequest) (any, error) {
	p.mu.Lock()
	s := p.watching[req.Handle]
	delete(p.watching, req.Handle)
	p.mu.Unlock()
	if s != nil {
		s.unwatch(c, req.Handle)
	}
	return nil, nil
}

func (p *peer) sendInput(_ *wire.Conn, req wire.InputRequest) (any, error) {
	s, err := p.host.find(req.Key)
	if err != nil {
		return nil, err
	}
	if !s.takeInput(req.Data) {
		return nil, &wire.Error{Code: wire.CodeRefused, Message: fmt.Sprintf("input to %s refused: %s", req.Key, s.refusal()), Next: "nothing of it was sent; try again when the program reads"}
	}
	return nil, nil
}

func (p *peer) status(*wire.Conn, struct{}) (any, error) {
	live, total := p.host.count()
	h := p.host
	h.mu.Lock()
	thaw := h.thawed
	thaw.SetAside = slices.Clone(thaw.SetAside)
	total += len(h.deferred)
	h.mu.Unlock()
	return wire.HostStatus{Build: h.cfg.Build, PID: os.Getpid(), Started: h.started, Live: live, Total: total, Warning: h.warning(), Thaw: thaw}, nil
}

func (p *peer) stop(*wire.Conn, struct{}) (any, error) {
	if live, _ := p.host.count(); live > 0 {
		return nil, &wire.Error{Code: wire.CodeRefused, Message: fmt.Sprintf("%d sessions live in the PTY host", live), Next: "close them first"}
	}
	p.host.stop()
	return nil, nil
}
