//go:build unix

package ptyhost

import (
	"fmt"
	"strings"
	"testing"

	"moorage/ptyhost/freeze"
	"moorage/ptyhost/wire"
)

func TestAScreenComesBackAfterTheHostWasKilled(t *testing.T) {
	h := newChildHost(t)
	const key = "t/tab-1/pane-1"
	open(t, h.Client, key, `printf 'one\ntwo \033[31mred\033[m 日本 e\314\201\n\033[5;3Hhere'; exit 3`)
	h.exited(key)
	want := screen(t, h.Client, key)
	h.kept(key, func(r freeze.Record, _ string) bool { return r.Exit != nil })
	h.kill()
	h.start()
	s := h.session(key)
	if got := strings.Join(s.Exit.Tail, "|"); got != "one|two red 日本 e\u0301|here" {
		t.Errorf("the tail of its exit: %q", got)
	}
	if s.State != wire.SessionThawed || s.Exit == nil || s.Exit.Code != 3 || s.Frozen.IsZero() {
		t.Fatalf("after the kill: %+v", s)
	}
	if got := screen(t, h.Client, key); got != want {
		t.Errorf("screen\n%s\nwas\n%s", got, want)
	}
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
	thawed := h.session(key)
	if thawed.State != wire.SessionThawed || thawed.Exit != nil || thawed.Lost.IsZero() {
		t.Fatalf("%+v", thawed)
	}
	left := func() string {
		r, err := h.Peek(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(r.Lost, "\n")
	}
	old := left()
	if !strings.Contains(old, "before 42") {
		t.Errorf("what was lost ended with\n%s", old)
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
	if s := h.session(key); s.State != wire.SessionLive || !s.Lost.Equal(thawed.Lost) {
		t.Errorf("%+v", s)
	}
	if now := left(); now != old {
		t.Errorf("what was lost ends with\n%s\nnow, and did with\n%s", now, old)
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
	h.kept(key, func(r freeze.Record, _ string) bool { return r.Exit != nil })
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
