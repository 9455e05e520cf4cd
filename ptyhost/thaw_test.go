//go:build unix

package ptyhost

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/wire"
)

// childHost is a host in a process of its own, so that it can be killed: this
// test binary, run again.
type childHost struct {
	t    *testing.T
	home persistence.Home
	cmd  *exec.Cmd
	*hostclient.Client
}

func init() {
	dir := os.Getenv("MOORAGE_TEST_HOST")
	if dir == "" {
		return
	}
	home, err := persistence.OpenHome(dir)
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		err = Run(ctx, Config{Home: home, Build: "test", Log: slog.New(slog.NewTextHandler(os.Stderr, nil)), Login: os.Environ()})
	}
	if err != nil {
		println(err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

func newChildHost(t *testing.T) *childHost {
	t.Helper()
	dir, err := os.MkdirTemp("", "host")
	if err != nil {
		t.Fatal(err)
	}
	home, err := persistence.OpenHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	h := &childHost{t: t, home: home}
	t.Cleanup(func() {
		h.kill()
		os.RemoveAll(dir)
	})
	h.start()
	return h
}

func (h *childHost) start() {
	h.t.Helper()
	h.cmd = exec.Command(os.Args[0])
	h.cmd.Env = append(os.Environ(), "MOORAGE_TEST_HOST="+h.home.Dir(), "SHELL=/bin/sh", "PS1=$ ", "ENV=")
	if err := h.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	c, err := hostclient.Ensure(h.t.Context(), h.home, "test", "tester", func(context.Context) error { return nil })
	if err != nil {
		h.t.Fatal(err)
	}
	h.Client = c
}

// kill is kill -9.
func (h *childHost) kill() {
	if h.cmd.ProcessState == nil {
		_ = h.cmd.Process.Kill()
		_ = h.cmd.Wait()
		h.Client.Close()
	}
}

// stop ends the host as a shutdown does.
func (h *childHost) stop() {
	h.t.Helper()
	if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		h.t.Fatal(err)
	}
	if err := h.cmd.Wait(); err != nil {
		h.t.Fatal(err)
	}
	h.Client.Close()
}

// exited waits until a session's program has ended.
func (h *childHost) exited(key string) {
	h.t.Helper()
	eventually(h.t, key+" has ended", func() bool {
		list, err := h.List(h.t.Context())
		if err != nil {
			h.t.Fatal(err)
		}
		for _, s := range list {
			if s.Key == key {
				return s.State == wire.SessionExited
			}
		}
		return false
	})
}

func TestAScreenComesBackAfterTheHostWasKilled(t *testing.T) {
	h := newChildHost(t)
	const key = "t/tab-1/pane-1"
	open(t, h.Client, key, `printf 'one\ntwo \033[31mred\033[m 日本 e\314\201\n\033[5;3Hhere'; exit 3`)
	h.exited(key)
	want := screen(t, h.Client, key)
	// The freeze of an exit is at once; the store shows it when a later one,
	// which waits behind it, is there.
	h.settled()
	h.kill()
	h.start()
	s := h.session(key)
	if s.State != wire.SessionThawed || s.Exit == nil || s.Exit.Code != 3 || s.Frozen.IsZero() {
		t.Fatalf("after the kill: %+v", s)
	}
	if got := screen(t, h.Client, key); got != want {
		t.Errorf("screen\n%s\nwas\n%s", got, want)
	}
}

// settled waits until the freezer has caught up with all that has ended.
func (h *childHost) settled() {
	h.t.Helper()
	const key = "settle/tab-1/pane-1"
	_ = h.Kill(h.t.Context(), key) // there may be none
	open(h.t, h.Client, key, "exit 0")
	h.exited(key)
	before := ""
	eventually(h.t, "the store rests", func() bool {
		info, err := os.Stat(h.home.Path("freeze.db"))
		if err != nil {
			return false
		}
		now := info.ModTime().String()
		still := now == before && time.Since(info.ModTime()) > 300*time.Millisecond
		before = now
		return still
	})
}

func (h *childHost) session(key string) wire.Session {
	h.t.Helper()
	list, err := h.List(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	for _, s := range list {
		if s.Key == key {
			return s
		}
	}
	h.t.Fatalf("no session %s among %+v", key, list)
	return wire.Session{}
}

func TestACleanStopFreezesEverythingAndARespawnGoesOnBelow(t *testing.T) {
	h := newChildHost(t)
	const key = "t/tab-1/pane-1"
	if _, err := h.Open(t.Context(), wire.OpenRequest{Key: key, Dir: "/", Cols: 80, Rows: 24, Policy: "if-lost"}); err != nil {
		t.Fatal(err)
	}
	if err := h.SendInput(t.Context(), key, []byte("cd /tmp; echo before $((6*7)); printf '\\033[?1000h\\033[?2004h'\r")); err != nil {
		t.Fatal(err)
	}
	shows(t, h.Client, key, "before 42")
	h.stop()
	h.start()
	if s := h.session(key); s.State != wire.SessionThawed || s.Exit != nil {
		t.Fatalf("%+v", s)
	}
	// Two who ask at once get one program.
	pids := make(chan int, 4)
	for range 4 {
		go func() {
			s, err := h.Open(t.Context(), wire.OpenRequest{Key: key, Respawn: true})
			if err != nil {
				t.Error(err)
			}
			pids <- s.PID
		}()
	}
	first := <-pids
	for range 3 {
		if pid := <-pids; pid != first || pid == 0 {
			t.Errorf("pids %d and %d", first, pid)
		}
	}
	if err := h.SendInput(t.Context(), key, []byte("pwd\r")); err != nil {
		t.Fatal(err)
	}
	shows(t, h.Client, key, "/tmp")
	shows(t, h.Client, key, "before 42")
	if s := h.session(key); s.State != wire.SessionLive {
		t.Errorf("%+v", s)
	}
}

func TestASecondShutdownShowsTheSecondLife(t *testing.T) {
	h := newChildHost(t)
	const key = "t/tab-1/pane-1"
	if _, err := h.Open(t.Context(), wire.OpenRequest{Key: key, Dir: "/", Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	for life := range 3 {
		// The first program dies on the alternate screen, as an editor would.
		line := fmt.Sprintf("echo life $((%d+1)); printf '\\033[?1049h\\033[?1049l\\033[?1049h'; echo done $((%d+1))\r", life, life)
		if err := h.SendInput(t.Context(), key, []byte(line)); err != nil {
			t.Fatal(err)
		}
		shows(t, h.Client, key, fmt.Sprintf("done %d", life+1))
		h.stop()
		h.start()
		if got := screen(t, h.Client, key); !strings.Contains(got, fmt.Sprintf("done %d", life+1)) {
			t.Fatalf("after shutdown %d:\n%s", life+1, got)
		}
		if _, err := h.Open(t.Context(), wire.OpenRequest{Key: key, Respawn: true}); err != nil {
			t.Fatal(err)
		}
		shows(t, h.Client, key, fmt.Sprintf("life %d", life+1))
	}
}

func TestAKilledSessionIsNeverResurrected(t *testing.T) {
	h := newChildHost(t)
	const key = "t/tab-1/pane-1"
	open(t, h.Client, key, "echo gone; exit 1")
	h.exited(key)
	h.settled()
	if err := h.Kill(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	h.kill()
	h.start()
	list, err := h.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if strings.HasPrefix(s.Key, "t/") {
			t.Errorf("it is back: %+v", s)
		}
	}
}
