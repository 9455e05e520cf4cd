//go:build unix

package ptyhost

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/freeze"
	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/wire"
)

// childHost is a host in a process of its own, so that it can be killed: this
// test binary, run again.
type childHost struct {
	t    *testing.T
	home persistence.Home
	env  []string // of the process, beside the test's own
	cmd  *exec.Cmd
	*hostclient.Client
}

// What a child host is told by its environment: its home, how long a session
// that goes on printing is not frozen, the fault point at which it kills
// itself (see dieAt), and how many bytes of rings are restored at the start.
const (
	childHome  = "MOORAGE_TEST_HOST"
	childCeil  = "MOORAGE_TEST_CEIL"
	childFault = "MOORAGE_TEST_FAULT"
	childThaw  = "MOORAGE_TEST_THAW"
)

func init() {
	dir := os.Getenv(childHome)
	if dir == "" {
		return
	}
	home, err := persistence.OpenHome(dir)
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		cfg := Config{Home: home, Build: "test", Log: slog.New(slog.NewTextHandler(os.Stderr, nil)), Login: os.Environ()}
		if ceil, err := time.ParseDuration(os.Getenv(childCeil)); err == nil {
			cfg.limits = freeze.Limits{Floor: ceil / 10, Ceil: ceil, Enough: 1 << 10}
		}
		cfg.budget, _ = strconv.Atoi(os.Getenv(childThaw))
		cfg.fault = dieAt(os.Getenv(childFault))
		err = Run(ctx, cfg)
	}
	if err != nil {
		println(err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

// dieAt returns a fault that is kill -9 at a point. "a>b#n" is the nth time that
// it comes to b after it came to a.
func dieAt(where string) func(string) {
	if where == "" {
		return nil
	}
	var armed atomic.Bool
	var left atomic.Int64
	after, where, ok := strings.Cut(where, ">")
	if !ok {
		after, where = "", after
		armed.Store(true)
	}
	where, nth, _ := strings.Cut(where, "#")
	n, _ := strconv.Atoi(nth)
	left.Store(int64(max(n, 1)))
	return func(point string) {
		switch {
		case point == after:
			armed.Store(true)
		case point == where && armed.Load() && left.Add(-1) == 0:
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
}

func newChildHost(t *testing.T, env ...string) *childHost {
	t.Helper()
	dir, err := os.MkdirTemp("", "host")
	if err != nil {
		t.Fatal(err)
	}
	home, err := persistence.OpenHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	h := &childHost{t: t, home: home, env: env}
	t.Cleanup(func() {
		h.kill()
		os.RemoveAll(dir)
	})
	h.start()
	return h
}

// start starts the host and waits until it answers.
func (h *childHost) start() {
	h.t.Helper()
	h.launch()
	c, err := hostclient.Ensure(h.t.Context(), h.home, "test", "tester", func(context.Context) error { return nil })
	if err != nil {
		h.t.Fatal(err)
	}
	h.Client = c
}

// launch starts the host.
func (h *childHost) launch() {
	h.t.Helper()
	h.cmd = exec.Command(os.Args[0])
	h.cmd.Env = append(append(os.Environ(), childHome+"="+h.home.Dir(), "SHELL=/bin/sh", "PS1=$ ", "ENV="), h.env...)
	if err := h.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
}

// kill is kill -9.
func (h *childHost) kill() {
	if h.cmd == nil || h.cmd.ProcessState != nil {
		return
	}
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait()
	if h.Client != nil {
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

// frozen is a session's record as the disk has it, with its output: read from a
// copy, for the host has the store.
func (h *childHost) frozen(key string) (r freeze.Record, output string, ok bool) {
	h.t.Helper()
	b, err := os.ReadFile(h.home.Path("freeze.db"))
	if err != nil {
		return r, "", false
	}
	path := filepath.Join(h.t.TempDir(), "freeze.db")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		h.t.Fatal(err)
	}
	store, err := freeze.Open(path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	defer store.Close()
	r, chunks, err := store.Load(key)
	if err != nil { // none, or the copy was taken in the middle of a write
		return r, "", false
	}
	return r, string(chunks[0].Data), true
}

// kept waits until the disk has a record that is as wanted.
func (h *childHost) kept(key string, want func(r freeze.Record, output string) bool) {
	h.t.Helper()
	eventually(h.t, "the record of "+key, func() bool {
		r, output, ok := h.frozen(key)
		return ok && want(r, output)
	})
}
