package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/activity"
	"moorage/workspace/bus"
	"moorage/workspace/engine"
)

// The default times.
const (
	DefaultGrace       = 3 * time.Second
	DefaultFirstClient = 60 * time.Second
	DefaultAnswer      = 15 * time.Second
)

// Config is what a daemon needs to run.
type Config struct {
	Home  persistence.Home
	Build string
	Log   *slog.Logger
	// StartHost starts the PTY host, detached. It returns when it has been started, not when it listens.
	StartHost func(context.Context) error
	// ReplaceHost ends a host that has not answered for Answer, if it is known to hold no session. An error says why it stays. nil: it
	// always does.
	ReplaceHost func(context.Context) error
	// DialHost connects to the host; nil means the home's, by hostclient.
	DialHost func(context.Context) (Host, error)
	// Grace is how long the daemon stays after the last client, FirstClient how long it waits for one. Zero is the default.
	Grace, FirstClient time.Duration
	// Answer is how long the host may take to answer before it counts as unresponsive. Zero is the default.
	Answer time.Duration
	// Worktrees is where tasks' worktrees are made; "" is the home's folder of that name.
	Worktrees string
	// Exits is how many exit records are kept. Zero is the default.
	Exits int
	// Engines are those that there are; the zero value knows none.
	Engines engine.Registry
	// Launcher is put before the command line of an engine to start it in the login shell. Empty starts it as it is.
	Launcher []string
	// TrustCodex also tells Codex that the user has reviewed our hooks.
	TrustCodex bool
	// OpenFile opens a file by the desktop; nil where there is none. It does not wait for what it opens.
	OpenFile func(path string) error
	// Processes looks at the processes of this machine; nil means the system's own table. An error means that nobody could look.
	Processes func() (Processes, error)
}

type daemon struct {
	log       *slog.Logger
	build     string
	began     time.Time
	state     *state
	link      *hostLink
	cfg       Config
	sending   sync.Map // keys that a prompt is being sent to
	worktrees string   // where those of tasks are made
	watches   watches
	stopped   chan struct{} // the state's owner is gone
	looked    chan struct{} // closed when the host has been looked for once
	lookup    sync.Once
	counted   sync.Once // every task, for the first client
	landings  turns     // by repository
	quit      context.CancelFunc

	base context.Context // of the daemon's own work; it ends when the daemon does
	work sync.WaitGroup
}

// Run is the daemon: it takes the home's lock, listens, and serves until ctx ends, a client says stop, its lifetime is over, or
// its socket has been taken from it. It returns nil then, after everything it began has ended, and CodeRunning when another daemon has
// the home.
func Run(ctx context.Context, cfg Config) error {
	socket, err := cfg.Home.SocketPath("daemon")
	if err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	lock, err := persistence.TryLock(socket + ".lock")
	if errors.Is(err, persistence.ErrLocked) {
		return workspace.Fail(workspace.CodeRunning, "`moorage status` shows it, `moorage stop` ends it", "another daemon has this home: %v", err)
	}
	if err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	defer lock.Release()
	ix, err := openIndex(cfg.Home.Path("index.db"))
	if err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	defer ix.close()
	if ix.store.SetAside != "" {
		cfg.Log.Error("the index could not be read and was set aside", "kept", ix.store.SetAside, "cause", ix.store.SetAsideCause)
	}
	state, err := newState(cfg, ix)
	if err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	listener, err := wire.Listen(socket)
	if err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	defer wire.CloseListener(listener, socket)

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := newDaemon(ctx, cancel, cfg, state)
	cfg.Log.Info("daemon runs", "pid", os.Getpid(), "build", cfg.Build, "tasks", len(state.tasks))
	d.background(d.link.run)
	d.background(func(ctx context.Context) {
		wire.WatchSocket(ctx, socket, func() {
			cfg.Log.Warn("the socket was taken away; stopping", "socket", socket)
			cancel()
		})
	})
	d.background(func(ctx context.Context) { d.accept(ctx, listener, cfg.Home.Dir()) })
	state.run(ctx)
	close(d.stopped)
	cancel()
	wire.CloseListener(listener, socket)
	d.work.Wait()
	cfg.Log.Info("daemon stopped")
	return nil
}

func newState(cfg Config, ix *index) (*state, error) {
	in, err := ix.load()
	if err != nil {
		return nil, err
	}
	now := time.Now
	s := &state{
		log: cfg.Log, index: ix, now: now, bus: &bus.Bus[string, fact]{}, ops: make(chan func()),
		tasks: make(map[string]workspace.Task), unreadable: in.unreadable, doomed: in.doomed, recovering: in.recovering,
		host:     workspace.HostView{State: workspace.HostAway, Since: now()},
		sessions: make(map[string]wire.Session), failures: make(map[string]string), recycled: make(map[string]bool),
		resets: make(map[string]int), ending: make(map[string]bool), titles: make(map[string]bool),
		places: in.places, projects: in.projects, notes: in.notes, noting: make(map[string]bool),
		work: make(map[string]*workspace.Work), workShown: make(map[string]time.Time), making: make(map[string]*making),
		counts: make(map[string]*workspace.Counts), looking: make(map[string]bool), lookedAt: make(map[string]time.Time),
		coming: make(map[string]bool),
		asking: make(map[string]int), brief: make(map[string]uint64),
		reports: broken(in.reports), exits: in.exits, limit: orDefault(cfg.Exits, workspace.MaxExits),
		life: newLifetime(now(), orDefault(cfg.Grace, DefaultGrace), orDefault(cfg.FirstClient, DefaultFirstClient)),
	}
	for _, task := range in.tasks {
		s.tasks[task.ID] = task
	}
	s.cutOff(in)
	s.attention = attention{
		registry: cfg.Engines, launcher: cfg.Launcher, engines: make(map[string]*hosted), loose: make(map[string]*hosted),
		launches: make(map[string]launched), revived: make(map[string]bool), inbox: in.inbox, consent: orDefault(in.consent, workspace.ConsentUnasked),
	}
	s.restoreEngines()
	for id, err := range in.unreadable {
		cfg.Log.Error("a task's record could not be read; it stays in the index", "task", id, "err", err)
	}
	s.life.hold(now(), s.holds())
	s.showAll()
	s.showProjects()
	s.showClones()
	return s, nil
}

func newDaemon(ctx context.Context, quit context.CancelFunc, cfg Config, s *state) *daemon {
	d := &daemon{
		log: cfg.Log, build: cfg.Build, began: time.Now(), state: s, cfg: cfg,
		worktrees: orDefault(cfg.Worktrees, cfg.Home.Path("worktrees")),
		stopped:   make(chan struct{}), looked: make(chan struct{}), quit: quit, base: ctx,
	}
	if d.cfg.Processes == nil {
		d.cfg.Processes = readProcesses
	}
	s.effects = effects{
		walk:   func() { d.background(d.walk) },
		settle: func(key workspace.Key) { d.background(func(ctx context.Context) { d.settleEngine(ctx, key) }) },
		lookup: func(key string, e engine.Engine, l activity.Lookup) { d.background(d.looking(key, e, l)) },
		ended:  func(key string, g gone) { d.background(d.recording(key, g)) },
		goOn:   func(key string) { d.background(d.goingOn(key)) },
	}
	dial := cfg.DialHost
	if dial == nil {
		dial = func(ctx context.Context) (Host, error) {
			host, err := hostclient.Dial(ctx, cfg.Home, cfg.Build, "daemon")
			if err != nil {
				return nil, err
			}
			return host, nil
		}
	}
	d.link = &hostLink{
		dial: dial, start: cfg.StartHost, replace: cfg.ReplaceHost,
		up: d.hostUp, events: d.hostEvents, down: d.hostDown,
		answer: orDefault(cfg.Answer, DefaultAnswer), wants: make(chan want),
	}
	return d
}

// background runs work that ends with the daemon's context and that Run waits for.
func (d *daemon) background(work func(context.Context)) {
	d.work.Go(func() { work(d.base) })
}

// accept takes clients until the listener closes.
func (d *daemon) accept(ctx context.Context, listener net.Listener, home string) {
	hello := wire.Hello{Build: d.build, Home: home, Role: "daemon", PID: os.Getpid()}
	for {
		nc, err := wire.Accept(listener)
		if err != nil {
			if ctx.Err() == nil && !errors.Is(err, net.ErrClosed) {
				d.log.Error("no more clients can come", "err", err)
				d.quit()
			}
			return
		}
		d.background(func(ctx context.Context) {
			stop := context.AfterFunc(ctx, func() { nc.Close() }) // one that says nothing must not keep the daemon
			conn, err := wire.NewConn(nc, hello)
			stop()
			if err != nil {
				d.log.Warn("a client was not let in", "err", err)
				return
			}
			d.serve(ctx, conn)
		})
	}
}

func orDefault[V comparable](v, otherwise V) V {
	var none V
	if v == none {
		return otherwise
	}
	return v
}
