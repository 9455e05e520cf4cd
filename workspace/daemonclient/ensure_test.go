package daemonclient_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"moorage/persistence"
	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/daemon"
	"moorage/workspace/daemonclient"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// config is that of a client whose daemons run in this process, until the test ends, and have no host.
func config(t *testing.T) (cfg daemonclient.Config, starts *atomic.Int32) {
	t.Helper()
	dir, err := os.MkdirTemp("", "moor")
	if err != nil {
		t.Fatal(err)
	}
	home, err := persistence.OpenHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var daemons sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		daemons.Wait()
		os.RemoveAll(dir)
	})
	starts = new(atomic.Int32)
	start := func(context.Context) error {
		starts.Add(1)
		daemons.Go(func() {
			err := daemon.Run(ctx, daemon.Config{
				Home: home, Build: "test", Log: slog.New(slog.DiscardHandler),
				DialHost:  func(context.Context) (daemon.Host, error) { return nil, fs.ErrNotExist },
				StartHost: func(context.Context) error { return errors.New("there is none") },
			})
			if err != nil && workspace.CodeOf(err) != workspace.CodeRunning {
				t.Errorf("daemon: %v", err)
			}
		})
		return nil
	}
	return daemonclient.Config{Home: home, Build: "test", Role: "test", Start: start}, starts
}

func TestOfManyThatStartTheDaemonAtOnceAllGetTheSame(t *testing.T) {
	cfg, starts := config(t)
	began := make(chan time.Time, 8)
	var clients sync.WaitGroup
	for range cap(began) {
		clients.Go(func() {
			c, err := daemonclient.Ensure(t.Context(), cfg)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			st, err := c.Status(t.Context())
			if err != nil {
				t.Error(err)
			}
			began <- st.Started
		})
	}
	clients.Wait()
	close(began)
	first, found := <-began
	for other := range began {
		if !other.Equal(first) {
			t.Errorf("two daemons, of %v and %v", first, other)
		}
	}
	if !found || starts.Load() == 0 {
		t.Error("nobody started it")
	}
}

func TestDialStartsNothing(t *testing.T) {
	cfg, starts := config(t)
	if _, err := daemonclient.Dial(t.Context(), cfg); !wire.IsAbsent(err) {
		t.Errorf("error %v", err)
	}
	if starts.Load() != 0 {
		t.Error("started")
	}
}

func TestADaemonOfAnotherHomeIsRefused(t *testing.T) {
	cfg, _ := config(t)
	other, _ := config(t)
	c, err := daemonclient.Ensure(t.Context(), other)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	from, err := other.Home.SocketPath("daemon")
	if err != nil {
		t.Fatal(err)
	}
	to, err := cfg.Home.SocketPath("daemon")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(from, to); err != nil {
		t.Skip(err)
	}
	if _, err := daemonclient.Ensure(t.Context(), cfg); wire.CodeOf(err) != wire.CodeOtherHome {
		t.Errorf("error %v", err)
	}
}

func TestADaemonThatAcceptsAndSaysNothingIsNotWaitedForForEver(t *testing.T) {
	t.Setenv("MOORAGE_CONNECT_TIMEOUT_MS", "50")
	cfg, starts := config(t)
	path, err := cfg.Home.SocketPath("daemon")
	if err != nil {
		t.Fatal(err)
	}
	mute, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	if _, err := daemonclient.Ensure(t.Context(), cfg); err == nil || wire.IsAbsent(err) {
		t.Errorf("error %v", err)
	}
	if starts.Load() != 0 {
		t.Error("a second one was started beside it")
	}
}

func TestASessionThatCannotStartIsTheCallersError(t *testing.T) {
	cfg, _ := config(t)
	c, err := daemonclient.Ensure(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.AddTask(t.Context(), workspace.TaskAdd{Dir: t.TempDir()})
	if workspace.CodeOf(err) != workspace.CodeHostAway {
		t.Errorf("error %v", err)
	}
	s, err := c.Subscribe(t.Context())
	if err != nil || len(s.Tasks) != 1 || s.Tasks[0].PaneView("tab-1", "pane-1").State != workspace.PaneFailed {
		t.Errorf("got %+v, %v", s, err)
	}
}
