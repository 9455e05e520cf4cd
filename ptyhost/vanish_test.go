//go:build unix

package ptyhost

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"moorage/ptyhost/freeze"
	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/wire"
)

// logBuffer is a log that can be read while it is written.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestTheLogNamesEverySignal(t *testing.T) {
	var log logBuffer
	c, _ := serve(t, func(cfg *Config) { cfg.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	const key = "t/tab-1/pane-1"
	open(t, c, key, "trap '' HUP TERM; echo deaf; while :; do sleep 1; done")
	shows(t, c, key, "deaf")
	if err := c.Kill(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	for _, sig := range []string{"SIGHUP", "SIGTERM", "SIGCONT", "SIGKILL"} {
		if !strings.Contains(log.String(), "msg=signal session="+key) || !strings.Contains(log.String(), "signal="+sig+" pids=") {
			t.Errorf("no %s in\n%s", sig, log.String())
		}
	}
}

// ended waits for a host that is to end by itself.
func ended(t *testing.T, done <-chan error) {
	t.Helper()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the host goes on")
	}
}

func TestAHostWhoseHomeWasDeletedEndsWithItsPrograms(t *testing.T) {
	for name, again := range map[string]bool{"deleted": false, "deleted and made again": true} {
		t.Run(name, func(t *testing.T) {
			home := newHome(t)
			done := make(chan error, 1)
			go func() {
				done <- Run(t.Context(), Config{Home: home, Build: "test", Log: slog.New(slog.DiscardHandler), Login: os.Environ()})
			}()
			c, err := hostclient.Ensure(t.Context(), home, "test", "tester", func(context.Context) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			pid := open(t, c, "t/tab-1/pane-1", "exec sleep 1000").PID
			if err := os.RemoveAll(home.Dir()); err != nil {
				t.Fatal(err)
			}
			if again {
				if err := os.MkdirAll(home.Path("run"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			ended(t, done)
			if !gone(pid) {
				t.Error("its program goes on")
			}
			if again {
				if left, _ := os.ReadDir(home.Path("run")); len(left) > 0 {
					t.Errorf("it left %v in another home", left)
				}
			}
		})
	}
}

func TestAStoreThatWasRemovedIsWrittenAnew(t *testing.T) {
	home := newHome(t)
	fill(t, home, 2, 8<<10, nil)
	h := hosted(t, home, childCeil+"=100ms")
	const live, exited = "t/live/pane-1", "t/exited/pane-1"
	open(t, h.Client, live, "echo before; read x; echo after; exec sleep 100")
	open(t, h.Client, exited, "echo ended; exit 3")
	h.exited(exited)
	h.kept(exited, func(r freeze.Record, _ string) bool { return r.Exit != nil })
	age := h.session(fillKey(1)).Frozen
	if err := os.Remove(home.Path("freeze.db")); err != nil {
		t.Fatal(err)
	}
	if err := h.SendInput(t.Context(), live, []byte("\r")); err != nil {
		t.Fatal(err)
	}
	h.kept(live, func(_ freeze.Record, output string) bool {
		return strings.Contains(output, "before") && strings.Contains(output, "after")
	})
	h.kill()
	h.start()
	for key, text := range map[string]string{live: "after", exited: "ended", fillKey(0): "of what a program prints", fillKey(1): "of what a program prints"} {
		if s := h.session(key); s.State != wire.SessionThawed || !strings.Contains(screen(t, h.Client, key), text) {
			t.Errorf("%s came back as %+v", key, s)
		}
	}
	if s := h.session(fillKey(1)); !s.Frozen.Equal(age) {
		t.Errorf("it is of %v, was of %v", s.Frozen, age)
	}
}
