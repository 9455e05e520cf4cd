package daemon

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	"moorage/persistence"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

// patience bounds how long a test waits for what must come.
const patience = 10 * time.Second

// rig is a daemon over a real socket and a fake host.
type rig struct {
	t    *testing.T
	home persistence.Home
	host *fakeHost
	cfg  Config

	stop context.CancelFunc
	gone chan error
}

func newRig(t *testing.T, set ...func(*Config)) *rig {
	t.Helper()
	dir, err := os.MkdirTemp("", "moor")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	home, err := persistence.OpenHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	host := newFakeHost()
	r := &rig{t: t, home: home, host: host, cfg: Config{
		Home: home, Build: "test", Log: slog.New(slog.DiscardHandler), StartHost: host.start, DialHost: host.dial,
	}}
	for _, f := range set {
		f(&r.cfg)
	}
	r.run()
	return r
}

// run starts the daemon; again after halt it is the next one of the same home.
func (r *rig) run() {
	ctx, cancel := context.WithCancel(context.Background())
	gone := make(chan error, 1)
	go func() { gone <- Run(ctx, r.cfg) }()
	r.stop, r.gone = cancel, gone
	r.t.Cleanup(func() {
		cancel()
		r.halt()
	})
}

// halt ends the daemon and waits for its end. A second halt does nothing.
func (r *rig) halt() {
	r.t.Helper()
	r.stop()
	select {
	case err, open := <-r.gone:
		if open && err != nil {
			r.t.Errorf("daemon ended: %v", err)
		}
		if open {
			close(r.gone)
		}
	case <-time.After(patience):
		r.t.Fatal("the daemon does not end")
	}
}

func (r *rig) client() *daemonclient.Client {
	r.t.Helper()
	cfg := daemonclient.Config{Home: r.home, Build: "test", Role: "test", Start: func(context.Context) error { return nil }}
	c, err := daemonclient.Ensure(r.t.Context(), cfg)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	return c
}

// until follows the workspace from a subscription of its own until it is as wanted, and fails with the last one otherwise.
func (r *rig) until(what string, wanted func(workspace.Snapshot) bool) workspace.Snapshot {
	r.t.Helper()
	c := r.client()
	defer c.Close()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	s, err := c.Subscribe(ctx)
	for err == nil && !wanted(s) {
		var delta workspace.Delta
		if delta, err = c.Next(ctx); err == nil {
			s = s.Apply(delta)
		}
	}
	if err != nil {
		r.t.Fatalf("never came: %s: %v; last: %+v", what, err, s)
	}
	return s
}

// eventually polls a fact that no subscription tells.
func (r *rig) eventually(what string, holds func() bool) {
	r.t.Helper()
	deadline := time.Now().Add(patience)
	for !holds() {
		if time.Now().After(deadline) {
			r.t.Fatalf("never came: %s; the host has %v", what, r.host.keys())
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func must[V any](v V, err error) func(*testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
