//go:build unix

package ptyhost

import (
	"strings"
	"testing"

	"moorage/ptyhost/freeze"
	"moorage/ptyhost/wire"
)

func TestASessionWithAnotherKeyIsTheSameOne(t *testing.T) {
	h := newChildHost(t)
	const from, to = "t/tab-1/pane-2", "t/tab-2/pane-1"
	first := open(t, h.Client, from, "echo before; cat")
	shows(t, h.Client, from, "before")
	h.kept(from, func(freeze.Record, string) bool { return true })
	got, err := h.Rename(t.Context(), from, to)
	if err != nil || got.Key != to || got.PID != first.PID || got.ID != first.ID {
		t.Fatalf("renamed: %+v, %v", got, err)
	}
	if err := h.SendInput(t.Context(), to, []byte("after\n")); err != nil {
		t.Fatal(err)
	}
	shows(t, h.Client, to, "after")
	if _, err := h.Peek(t.Context(), from); wire.CodeOf(err) != wire.CodeNotFound {
		t.Errorf("the old key: %v", err)
	}
	h.kill()
	h.start()
	list, err := h.List(t.Context())
	if err != nil || len(list) != 1 || list[0].Key != to {
		t.Fatalf("after the kill: %+v, %v", list, err)
	}
	if got := screen(t, h.Client, to); !strings.Contains(got, "before") {
		t.Errorf("screen %q", got)
	}
	// One without a program is renamed too, and the disk has that at once.
	if _, err := h.Rename(t.Context(), to, from); err != nil {
		t.Fatal(err)
	}
	h.kill()
	h.start()
	if list, err := h.List(t.Context()); err != nil || len(list) != 1 || list[0].Key != from {
		t.Fatalf("after the second kill: %+v, %v", list, err)
	}
}

func TestAKeyThatIsTakenIsNotGivenAway(t *testing.T) {
	c, _ := serve(t, nil)
	a, b := "t/tab-1/pane-1", "t/tab-2/pane-1"
	open(t, c, a, "cat")
	open(t, c, b, "cat")
	for to, code := range map[string]string{b: wire.CodeRefused, "nonsense": wire.CodeInvalid} {
		if _, err := c.Rename(t.Context(), a, to); wire.CodeOf(err) != code {
			t.Errorf("to %q: %v", to, err)
		}
	}
	if _, err := c.Rename(t.Context(), "t/tab-9/pane-1", "t/tab-8/pane-1"); wire.CodeOf(err) != wire.CodeNotFound {
		t.Errorf("of a session that is not there: %v", err)
	}
}
