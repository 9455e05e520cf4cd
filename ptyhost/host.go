package ptyhost

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/freeze"
	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
)

// Config is what a host needs to know. Zero fields take the defaults.
type Config struct {
	Home       persistence.Home
	Build      string
	Log        *slog.Logger
	Scrollback int           // rows kept above a screen; 20 000
	RingBytes  int           // raw output kept per session; 512 KiB
	IdleExit   time.Duration // without a live session; 60 s
	Login      []string      // the login environment; the process's own
	Defaults   vt.Defaults   // colours until a client tells its own
	// Flood, if set, is told when much begins to be printed, also at the start,
	// and when it is over. It must not block.
	Flood func(bool)

	limits freeze.Limits      // of freezes; freeze.DefaultLimits
	budget int                // of rings thawed at the start; freeze.ThawBudget
	fault  func(point string) // called between the steps of a change; see freeze.Open
}

const (
	defaultScrollback = 20_000
	defaultRing       = 512 << 10
	defaultIdleExit   = time.Minute
	// maxSessions bounds what one host holds.
	maxSessions = 1000
)

// ErrRunning is what Run ends with when another host serves the home.
var ErrRunning = errors.New("a PTY host runs already")

type host struct {
	cfg     Config
	log     *slog.Logger
	started time.Time
	stop    context.CancelFunc
	poke    chan struct{} // one slot: the number of live sessions changed
	lock    *persistence.Lock

	freezer *freezer
	load    load
	wg      sync.WaitGroup // sessions' goroutines

	mu        sync.Mutex
	store     *freeze.Store // nil until it could be opened
	sessions  map[string]*session
	deferred  map[string]deferred // frozen and not thawed yet
	listening bool
	thawed    wire.Thaw
	nextID    uint64 // begins with the clock: no session of another host has had the same
	defaults  vt.Defaults

	// Sessions publish under their own lock, and the host looks at sessions
	// under mu: the subscribers have a lock of theirs, below both.
	subMu       sync.Mutex
	subscribers map[*wire.Conn]bool
	warned      string
}

// Run serves the home's PTYs until ctx ends, a client asks the idle host to
// stop, or no session has lived for IdleExit. It blocks. When ctx ends, the
// sessions are ended too. ErrRunning means that another host holds the home.
func Run(ctx context.Context, cfg Config) error {
	if cfg.Scrollback == 0 {
		cfg.Scrollback = defaultScrollback
	}
	if cfg.RingBytes == 0 {
		cfg.RingBytes = defaultRing
	}
	if cfg.IdleExit == 0 {
		cfg.IdleExit = defaultIdleExit
	}
	if cfg.Login == nil {
		cfg.Login = os.Environ()
	}
	if cfg.Defaults == (vt.Defaults{}) {
		cfg.Defaults = vt.DarkDefaults()
	}
	if cfg.limits == (freeze.Limits{}) {
		cfg.limits = freeze.DefaultLimits
	}
	if cfg.budget == 0 {
		cfg.budget = freeze.ThawBudget
	}
	if cfg.fault == nil {
		cfg.fault = func(string) {}
	}
	path, err := cfg.Home.SocketPath("ptyhost")
	if err != nil {
		return fmt.Errorf("ptyhost: %w", err)
	}
	lock, err := persistence.TryLock(path + ".lock")
	if errors.Is(err, persistence.ErrLocked) {
		return fmt.Errorf("%w (pid %d)", ErrRunning, persistence.LockHolder(path+".lock"))
	}
	if err != nil {
		return fmt.Errorf("ptyhost: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	h := &host{
		cfg: cfg, log: cfg.Log, started: time.Now(), stop: cancel, lock: lock,
		poke:        make(chan struct{}, 1),
		sessions:    make(map[string]*session),
		deferred:    make(map[string]deferred),
		subscribers: make(map[*wire.Conn]bool),
		defaults:    cfg.Defaults,
		nextID:      uint64(time.Now().UnixMicro()),
	}
	defer func() { h.lock.Release() }()
	h.load.tell = cfg.Flood
	h.load.begin()
	defer h.load.stop()
	h.freezer = &freezer{
		open: h.openStore, limits: cfg.limits, log: h.log, sessions: h.all, warn: h.warn,
		wake: make(chan struct{}, 1),
	}
	defer h.freezer.close()
	h.freezer.start(time.Now())
	ln, err := wire.Listen(path)
	if errors.Is(err, wire.ErrInUse) {
		return fmt.Errorf("%w: %w", ErrRunning, err)
	}
	if err != nil {
		return fmt.Errorf("ptyhost: %w", err)
	}
	h.mu.Lock()
	h.listening = true
	h.mu.Unlock()
	h.log.Info("listening", "socket", path, "build", cfg.Build, "pid", os.Getpid())
	var wg sync.WaitGroup
	wg.Go(func() { h.listen(ctx, ln, path) })
	wg.Go(func() { h.watchIdle(ctx) })
	wg.Go(func() { h.freezer.run(ctx) })
	<-ctx.Done()
	wg.Wait()
	cfg.fault("stop: begin")
	h.freezer.step(time.Now(), true)
	cfg.fault("stop: frozen")
	h.endAll()
	h.log.Info("stopped")
	return nil
}

func (h *host) version() string { return "moorage(" + h.cfg.Build + ")" }

// warn tells every subscriber what is wrong, "" that nothing is any more.
func (h *host) warn(text string) {
	h.subMu.Lock()
	defer h.subMu.Unlock()
	if h.warned == text {
		return
	}
	h.warned = text
	for c := range h.subscribers {
		_ = c.Notify(wire.EventWarning, wire.Warning{Text: text}) // a closed one leaves by itself
	}
}

func (h *host) warning() string {
	h.subMu.Lock()
	defer h.subMu.Unlock()
	return h.warned
}

// listen accepts connections until ctx ends. A socket file that somebody has
// removed is made again, for programs live here; the host gives its place up
// only to another one, and when its home is gone.
func (h *host) listen(ctx context.Context, ln *net.UnixListener, path string) {
	home, _ := os.Stat(h.cfg.Home.Dir()) // it was opened just now
	for {
		var wg sync.WaitGroup
		accepting, stop := context.WithCancel(ctx)
		wg.Go(func() { h.accept(ctx, ln) })
		wire.WatchSocket(accepting, path, func() {})
		stop()
		wire.CloseListener(ln, path)
		if ctx.Err() != nil {
			wg.Wait()
			return
		}
		h.wg.Go(wg.Wait) // the connections that there are go on
		var err error
		var now os.FileInfo
		if now, err = os.Stat(h.cfg.Home.Dir()); err == nil && !os.SameFile(home, now) {
			err = errors.New("the home is another one")
		}
		if err == nil {
			ln, err = wire.Listen(path)
			h.lockAgain(path + ".lock")
		}
		if err != nil {
			h.log.Error("the socket is gone: stopping", "err", err)
			h.stop()
			return
		}
		h.log.Warn("the socket file was removed: listening anew", "socket", path)
	}
}

// lockAgain makes the lock file anew where it was removed with the socket: the
// lock on the old one keeps nobody out any more.
func (h *host) lockAgain(path string) {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	lock, err := persistence.TryLock(path)
	if err != nil {
		h.log.Error("the lock file was removed, and cannot be made again", "err", err)
		return
	}
	h.lock.Release()
	h.lock = lock
}

// accept takes connections until the listener closes, and waits for them.
func (h *host) accept(ctx context.Context, ln net.Listener) {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		nc, err := wire.Accept(ln)
		if err != nil {
			return
		}
		wg.Go(func() { h.serve(ctx, nc) })
	}
}

func (h *host) serve(ctx context.Context, nc net.Conn) {
	mine := wire.Hello{Build: h.cfg.Build, Home: h.cfg.Home.Dir(), Role: "ptyhost", PID: os.Getpid()}
	c, err := wire.NewConn(nc, mine)
	if err != nil {
		h.log.Warn("hello", "err", err)
		return
	}
	peer := &peer{host: h, watching: make(map[uint32]*session)}
	if err := c.Serve(ctx, peer); err != nil {
		h.log.Warn("connection lost", "peer", c.Remote.Role, "pid", c.Remote.PID, "err", err)
	}
	peer.leave(c)
}

// watchIdle stops the host once no session has lived for IdleExit.
func (h *host) watchIdle(ctx context.Context) {
	timer := time.NewTimer(h.cfg.IdleExit)
	defer timer.Stop()
	idle := true
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.poke:
			live, _ := h.count()
			switch {
			case live > 0:
				timer.Stop()
				idle = false
			case !idle:
				timer.Reset(h.cfg.IdleExit)
				idle = true
			}
		case <-timer.C:
			if live, _ := h.count(); live == 0 {
				h.log.Info("no live session: stopping")
				h.stop()
				return
			}
			idle = false
		}
	}
}

func (h *host) pokeIdle() {
	select {
	case h.poke <- struct{}{}:
	default:
	}
}

func (h *host) count() (live, total int) {
	for _, s := range h.all() {
		total++
		if s.alive() {
			live++
		}
	}
	return live, total
}

func (h *host) all() []*session {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]*session, 0, len(h.sessions))
	for _, s := range h.sessions {
		list = append(list, s)
	}
	return list
}

// find returns the session of the key; one that is on disk only is thawed, for
// which the disk is read.
func (h *host) find(key string) (*session, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.sessions[key]; s != nil {
		return s, nil
	}
	if s := h.thawDeferred(key); s != nil {
		return s, nil
	}
	return nil, notFound(key)
}

func notFound(key string) error {
	return &wire.Error{Code: wire.CodeNotFound, Message: fmt.Sprintf("no session %s", key), Next: "`moorage api pty-list` lists them"}
}

// endAll ends every session, side by side, when the host stops.
func (h *host) endAll() {
	var wg sync.WaitGroup
	for _, s := range h.all() {
		wg.Go(s.kill)
	}
	wg.Wait()
	h.wg.Wait()
}

// publish hands an event to every subscriber. It never blocks.
func (h *host) publish(ev wire.SessionEvent) {
	h.subMu.Lock()
	conns := make([]*wire.Conn, 0, len(h.subscribers))
	for c := range h.subscribers {
		conns = append(conns, c)
	}
	h.subMu.Unlock()
	for _, c := range conns {
		_ = c.Notify(wire.EventSession, ev) // a closed one leaves by itself
	}
	if ev.Kind == wire.SessionEnded {
		h.pokeIdle()
	}
}
