//go:build unix

package ptyhost

import (
	"strings"
	"testing"

	"moorage/ptyhost/freeze"
	"moorage/ptyhost/wire"
)

func TestAPolicyOutlivesTheHostWhateverTheSessionsState(t *testing.T) {
	h := newChildHost(t)
	const live, exited, thawed = "t/live/pane-1", "t/exited/pane-1", "t/thawed/pane-1"
	open(t, h.Client, thawed, "echo thawed; exit 1")
	h.exited(thawed)
	h.kept(thawed, func(r freeze.Record, _ string) bool { return r.Exit != nil })
	h.kill()
	h.start()
	open(t, h.Client, live, "sleep 100")
	open(t, h.Client, exited, "echo exited; exit 1")
	h.exited(exited)
	before := h.session(thawed)
	changed := make(chan wire.Session, 64)
	if _, err := h.Subscribe(t.Context(), func(ev wire.SessionEvent) {
		if ev.Kind == wire.SessionChanged && ev.Session.Policy != "" {
			changed <- ev.Session
		}
	}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{live: "always", exited: "reattach-only", thawed: "always"}
	for key, policy := range want {
		if err := h.SetPolicy(t.Context(), key, policy); err != nil {
			t.Fatal(err)
		}
		if s := <-changed; s.Key != key || s.Policy != policy {
			t.Errorf("told of %s, policy %s; changed was %s", s.Key, s.Policy, key)
		}
		h.kept(key, func(r freeze.Record, _ string) bool { return r.Policy == policy })
	}
	if err := h.SetPolicy(t.Context(), live, "sometimes"); wire.CodeOf(err) != wire.CodeInvalid {
		t.Errorf("an unknown policy: %v", err)
	}
	if err := h.SetPolicy(t.Context(), "t/none/pane-1", "always"); wire.CodeOf(err) != wire.CodeNotFound {
		t.Errorf("no such session: %v", err)
	}
	h.kill()
	h.start()
	for key, policy := range want {
		if s := h.session(key); s.Policy != policy || s.State != wire.SessionThawed {
			t.Errorf("%s came back with policy %q, %s", key, s.Policy, s.State)
		}
	}
	if s := h.session(thawed); !s.Frozen.Equal(before.Frozen) {
		t.Errorf("a change of policy made it younger: %v, was %v", s.Frozen, before.Frozen)
	}
	// Back to the default, and the respawned one has it too.
	if err := h.SetPolicy(t.Context(), thawed, ""); err != nil {
		t.Fatal(err)
	}
	s, err := h.Open(t.Context(), wire.OpenRequest{Key: thawed, Respawn: true})
	if err != nil || s.Policy != "" {
		t.Errorf("respawned with policy %q, %v", s.Policy, err)
	}
}

func TestADeferredSessionIsToldWithoutBeingThawedAndServedWhenAsked(t *testing.T) {
	h := newChildHost(t, childThaw+"=524288")
	h.stop()
	fill(t, h.home, 28, 32<<10, nil)
	h.start()
	st, err := h.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if st.Thaw.Restored != 16 || st.Thaw.Deferred != 12 || st.Total != 28 {
		t.Fatalf("%+v", st)
	}
	list, err := h.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	late := 0
	for _, s := range list {
		if s.State != wire.SessionThawed {
			t.Errorf("%+v", s)
		}
		if s.Deferred {
			late++
			if s.Title != "title" || s.CWD != "/tmp" || s.Dir != "/" || s.Cols != 80 || s.Rows != 24 || s.Policy != "if-lost" ||
				s.Exit == nil || s.Exit.Code != 7 || s.Created.IsZero() || s.Frozen.IsZero() || s.Output != 32<<10 || s.ID == 0 {
				t.Errorf("a deferred one is told as %+v", s)
			}
		}
	}
	if late != 12 || len(list) != 28 {
		t.Errorf("%d of %d are deferred", late, len(list))
	}
	// Each way to ask for one thaws it.
	for i, ask := range []func(key string) error{
		func(key string) error { _, err := h.Peek(t.Context(), key); return err },
		func(key string) error { _, err := h.ReadScreen(t.Context(), key); return err },
		func(key string) error { _, err := h.ReadRows(t.Context(), key, 0, 10); return err },
		func(key string) error { _, err := h.ReadOutput(t.Context(), key); return err },
		func(key string) error {
			_, err := h.Search(t.Context(), wire.SearchRequest{Key: key, Pattern: "x"})
			return err
		},
		func(key string) error {
			_, _, err := h.Watch(t.Context(), key, 0, func([]byte) {})
			return err
		},
		func(key string) error { _, err := h.Open(t.Context(), wire.OpenRequest{Key: key}); return err },
	} {
		key := fillKey(27 - i)
		before := h.session(key)
		if err := ask(key); err != nil {
			t.Errorf("%d: %v", i, err)
		}
		if s := h.session(key); !before.Deferred || s.Deferred || s.ID != before.ID || s.State != wire.SessionThawed {
			t.Errorf("%d: %+v, was %+v", i, s, before)
		}
	}
	if got := screen(t, h.Client, fillKey(27)); !strings.Contains(got, "row ") {
		t.Errorf("screen\n%s", got)
	}
	// A policy reaches its record, and an end is for good.
	kept, gone := fillKey(18), fillKey(19)
	if err := h.SetPolicy(t.Context(), kept, "reattach-only"); err != nil {
		t.Fatal(err)
	}
	if s := h.session(kept); s.Policy != "reattach-only" || !s.Deferred {
		t.Errorf("%+v", s)
	}
	h.kept(kept, func(r freeze.Record, _ string) bool { return r.Policy == "reattach-only" })
	if err := h.Kill(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	h.kill()
	h.start()
	if s := h.session(kept); s.Policy != "reattach-only" {
		t.Errorf("%+v", s)
	}
	if _, err := h.Peek(t.Context(), gone); wire.CodeOf(err) != wire.CodeNotFound {
		t.Errorf("it is back: %v", err)
	}
	if list, _ := h.List(t.Context()); len(list) != 27 {
		t.Errorf("%d sessions", len(list))
	}
}
