package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/nowait"
	"moorage/ptyhost/wire"
	"moorage/sshd/screens"
	"moorage/ui/keymap"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
	"moorage/workspace/settings"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"
)

// Config is what the SSH front needs. Port 0 takes a free one.
type Config struct {
	Home  persistence.Home
	Build string
	Port  int
	// PortOptional lets the front go on with its socket alone when somebody
	// else has the port.
	PortOptional bool
	Settings     settings.Settings
	// Mistakes are those of the settings, one line each: every client is told.
	Mistakes []string
	Log      *slog.Logger

	// RunCLI runs a command line of moorage's, as `ssh host -- api list` asks
	// for one, and returns its exit status.
	RunCLI func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int
	// StartDaemon and StartHost start the other two processes, detached.
	StartDaemon func(context.Context) error
	StartHost   func(context.Context) error
	// Listening, if set, is told the addresses once the server accepts, and the
	// port that was taken, 0 when none was.
	Listening func(addrs []net.Addr, taken int)
	// Crowd, if set, is told how many sessions there are whenever that changes.
	// It must not block.
	Crowd func(sessions int)
}

const (
	maxConnections  = 64 // with a session; each further one is told so
	maxHandshaking  = 32 // beyond those: before they are known, or being told
	maxSessions     = 16 // on one connection
	handshakeLimit  = 15 * time.Second
	maxAuthTries    = 20
	shutdownLimit   = 2 * time.Second
	connectionsRate = 100 // a second, in bursts of twice that
	// sendBuffer has room for maxInFlight as the system counts it, small
	// segments and all: what a stalled client has not taken must not make a
	// write of ours stuck, which would end its connection.
	sendBuffer = 256 << 10
)

// ErrRunning is what Run ends with when another SSH front serves the home.
var ErrRunning = errors.New("an SSH front runs already")

type server struct {
	cfg     Config
	log     *slog.Logger
	keys    authorized
	screens *screens.Screens
	world   *world
	keymap  *keymap.Map
	limiter *rate.Limiter
	taken   int          // the port that somebody else has, 0 when it is ours
	clients atomic.Int32 // terminals attached
	floor   floor
	tally   *tally
	notify  workspace.Notify // how clients are told, unless they say otherwise

	stopping context.Context // ends when Run's context does

	mu       sync.Mutex
	raw      int // TCP and unix connections open
	sessions map[gossh.Conn]int
	count    int            // of sessions
	wg       sync.WaitGroup // sessions' goroutines
}

// Run serves SSH on 127.0.0.1, ::1 and the home's unix socket until ctx ends;
// then it says goodbye to each client and returns. It blocks. ErrRunning means
// that another one holds the home; a port that is taken is an error that names
// it.
func Run(ctx context.Context, cfg Config) error {
	keys, err := EnsureKeys(cfg.Home)
	if err != nil {
		return fmt.Errorf("sshd: %w", err)
	}
	socket, err := cfg.Home.SocketPath("ssh")
	if err != nil {
		return fmt.Errorf("sshd: %w", err)
	}
	lock, err := persistence.TryLock(socket + ".lock")
	if errors.Is(err, persistence.ErrLocked) {
		return fmt.Errorf("%w (pid %d)", ErrRunning, persistence.LockHolder(socket+".lock"))
	}
	if err != nil {
		return fmt.Errorf("sshd: %w", err)
	}
	defer lock.Release()

	bindings, _ := keymap.New(cfg.Settings.Prefix, cfg.Settings.Keys) // what is wrong with them is among the mistakes
	var lc net.ListenConfig
	listeners, err := listen(cfg.Port, lc.Listen)
	taken := 0
	if cfg.PortOptional && addrInUse(err) {
		cfg.Log.Warn("the port is taken: serving by the socket only", "err", err)
		taken = cfg.Port
		listeners, err = nil, nil
	}
	if err != nil {
		return err
	}
	unix, err := wire.Listen(socket)
	if err != nil {
		for _, ln := range listeners {
			ln.Close()
		}
		return fmt.Errorf("sshd: %w", err)
	}
	listeners = append(listeners, unix)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{
		cfg: cfg, log: cfg.Log, stopping: ctx, taken: taken,
		keys:     authorized{clientKey: keys.ClientKey + ".pub", sshDir: userSSHDir()},
		limiter:  rate.NewLimiter(connectionsRate, 2*connectionsRate),
		sessions: make(map[gossh.Conn]int),
		keymap:   bindings,
		notify:   workspace.Notify{Form: workspace.NotifyForm(cfg.Settings.Notify.Form), Tmux: cfg.Settings.Notify.Tmux},
		world: newWorld(daemonclient.Config{
			Home: cfg.Home, Build: cfg.Build, Role: "sshd", Start: cfg.StartDaemon,
		}),
		screens: screens.New(screens.Config{
			Home: cfg.Home, Build: cfg.Build, Log: cfg.Log,
			StartHost: cfg.StartHost,
		}),
	}
	srv, err := s.newSSH(keys)
	if err != nil {
		return err
	}
	s.tally = newTally(func(ctx context.Context, t workspace.Told) error {
		return told(ctx, daemonOf{w: s.world}, (*daemonclient.Client).Told, t)
	})
	var wg sync.WaitGroup
	wg.Go(func() { s.tally.run(ctx) })
	wg.Go(func() { s.screens.Run(ctx) })
	wg.Go(func() { s.world.run(ctx) })
	var addrs []net.Addr
	for _, ln := range listeners {
		addrs = append(addrs, ln.Addr())
		wg.Go(func() {
			if err := srv.Serve(ln); err != nil && !errors.Is(err, ssh.ErrServerClosed) && ctx.Err() == nil {
				s.log.Error("serve", "addr", ln.Addr(), "err", err)
			}
		})
	}
	wg.Go(func() { wire.WatchSocket(ctx, socket, cancel) })
	s.log.Info("listening", "addrs", fmt.Sprint(addrs), "build", cfg.Build, "pid", os.Getpid())
	if cfg.Listening != nil {
		cfg.Listening(addrs, taken)
	}
	<-ctx.Done()
	// Stop accepting; the sessions see ctx and say goodbye; then the rest.
	for _, ln := range listeners {
		if ul, ok := ln.(*net.UnixListener); ok {
			wire.CloseListener(ul, socket)
			continue
		}
		ln.Close()
	}
	waitLimited(&s.wg, shutdownLimit)
	srv.Close()
	wg.Wait()
	s.wg.Wait()
	s.log.Info("stopped")
	return nil
}

// portTries is how often a free port is looked for that is free on both
// addresses.
const portTries = 10

// listen opens the two loopback addresses, on one port. A machine without IPv6
// does with the first. open is net.ListenConfig's Listen.
func listen(port int, open func(ctx context.Context, network, addr string) (net.Listener, error)) ([]net.Listener, error) {
	for try := 1; ; try++ {
		v4, err := open(context.Background(), "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			return nil, fmt.Errorf("sshd: %w: choose another port with --port or in settings.toml", err)
		}
		got := v4.Addr().(*net.TCPAddr).Port
		v6, err := open(context.Background(), "tcp6", net.JoinHostPort("::1", strconv.Itoa(got)))
		switch {
		case err == nil:
			return []net.Listener{v4, v6}, nil
		case !addrInUse(err):
			return []net.Listener{v4}, nil
		}
		v4.Close()
		if port != 0 || try == portTries {
			return nil, fmt.Errorf("sshd: %w: choose another port with --port or in settings.toml", err)
		}
	}
}

// goodbye is what clients are told when the server stops.
func (s *server) goodbye() string {
	if _, err := os.Stat(s.cfg.Home.Dir()); errors.Is(err, fs.ErrNotExist) {
		return "moorage's home " + s.cfg.Home.Dir() + " is gone, and all that ran of it ends"
	}
	return "moorage is stopping: your sessions go on"
}

// newSSH builds the SSH server: public keys or nothing, sessions or nothing.
func (s *server) newSSH(keys Keys) (*ssh.Server, error) {
	b, err := os.ReadFile(keys.HostKey)
	if err != nil {
		return nil, fmt.Errorf("sshd: host key: %w", err)
	}
	signer, err := gossh.ParsePrivateKey(b)
	if err != nil {
		return nil, fmt.Errorf("sshd: host key: %w", err)
	}
	return &ssh.Server{
		HostSigners:          []ssh.Signer{signer},
		HandshakeTimeout:     handshakeLimit,
		PublicKeyHandler:     func(_ ssh.Context, key ssh.PublicKey) bool { return s.keys.allows(key) },
		ServerConfigCallback: s.serverConfig,
		ConnCallback:         s.admit,
		ChannelHandlers:      map[string]ssh.ChannelHandler{"session": s.serveSession},
		RequestHandlers: map[string]ssh.RequestHandler{
			"keepalive@openssh.com": func(ssh.Context, *ssh.Server, *gossh.Request) (bool, []byte) { return true, nil },
		},
		SubsystemHandlers: map[string]ssh.SubsystemHandler{},
		ConnectionFailedCallback: func(nc net.Conn, err error) {
			level := slog.LevelInfo
			if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
				level = slog.LevelDebug // it only looked whether somebody is here
			}
			s.log.Log(context.Background(), level, "connection refused", "from", nc.RemoteAddr(), "err", err)
		},
	}, nil
}

// admit bounds connections before anything is computed for them.
func (s *server) admit(ctx ssh.Context, nc net.Conn) net.Conn {
	if _, ok := nc.(*net.UnixConn); ok {
		ctx.SetValue(bySocket{}, true)
	}
	if c, ok := nc.(interface{ SetWriteBuffer(int) error }); ok {
		_ = c.SetWriteBuffer(sendBuffer) // what the system gives will mostly do
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.raw >= maxConnections+maxHandshaking || !s.limiter.Allow() {
		s.log.Warn("too many connections", "open", s.raw)
		return nil
	}
	s.raw++
	return &countedConn{Conn: nowait.Conn(nc), closed: sync.OnceFunc(func() {
		s.mu.Lock()
		s.raw--
		s.mu.Unlock()
	})}
}

// countedConn tells when it is closed.
type countedConn struct {
	net.Conn
	closed func()
}

func (c *countedConn) Close() error {
	c.closed()
	return c.Conn.Close()
}

// errStopping, errConnections and errSessions are why a session is not let in.
var (
	errStopping    = errors.New("moorage is stopping")
	errConnections = fmt.Errorf("moorage serves %d connections already: close one first", maxConnections)
	errSessions    = fmt.Errorf("this connection has %d sessions already: open another connection", maxSessions)
)

// enter counts a session in, or says why not.
func (s *server) enter(conn gossh.Conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, known := s.sessions[conn]
	switch {
	case s.stopping.Err() != nil:
		return errStopping
	case !known && len(s.sessions) >= maxConnections:
		return errConnections
	case n >= maxSessions:
		return errSessions
	}
	s.sessions[conn] = n + 1
	s.crowd(1)
	s.wg.Add(1)
	return nil
}

func (s *server) leave(conn gossh.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sessions[conn]--; s.sessions[conn] <= 0 {
		delete(s.sessions, conn)
	}
	s.crowd(-1)
	s.wg.Done()
}

// crowd tells of more sessions, or fewer. s.mu is held.
func (s *server) crowd(more int) {
	s.count += more
	if s.cfg.Crowd != nil {
		s.cfg.Crowd(s.count)
	}
}

func waitLimited(wg *sync.WaitGroup, limit time.Duration) {
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(limit):
	}
}

func userSSHDir() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".ssh")
}
