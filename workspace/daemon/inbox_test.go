package daemon

import (
	"testing"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// calls lets a session's program call, or ring when text is "". Who listens hears it at once.
func (h *fakeHost) calls(key, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ev := h.sessions[key], wire.SessionEvent{Kind: wire.SessionNotify, Text: text}
	if s.Called = &(wire.Call{Text: text, Time: time.Now()}); text == "" {
		s.Called, s.Rang, ev.Kind = h.sessions[key].Called, time.Now(), wire.SessionBell
	}
	h.sessions[key], ev.Session = s, s
	for l := range h.links {
		if l.f != nil {
			l.f(ev)
		}
	}
}

func TestWhatIsCalledWhileNoDaemonRunsIsInTheInboxOfTheNext(t *testing.T) {
	r := newRig(t)
	c := r.client()
	var refs []workspace.PaneRef
	for range 3 {
		a := directory(t, c)
		refs = append(refs, workspace.PaneRef{Task: a.Task.ID, Tab: a.Tab, Pane: a.Pane})
	}
	calls := func(i int, text string) { r.host.calls(refs[i].Key().String(), text) }
	pending := func() map[string]workspace.Item {
		all := make(map[string]workspace.Item)
		for _, i := range must(c.Inbox(t.Context()))(t).Pending {
			all[i.Task] = i
		}
		return all
	}
	calls(0, "heard and seen")
	calls(1, "heard")
	r.eventually("both are heard", func() bool { return len(pending()) == 2 })
	ok(t, c.Seen(t.Context(), workspace.TabRef{Task: refs[0].Task, Tab: refs[0].Tab}))

	r.halt()
	began := time.Now()
	calls(1, "missed")
	calls(1, "")
	calls(2, "")
	ended := time.Now()
	r.run()
	c = r.client()
	r.eventually("the others are there", func() bool { return len(pending()) == 2 })
	for i, want := range map[int]workspace.Item{1: {Kind: workspace.ItemCalled, Text: "missed"}, 2: {Kind: workspace.ItemBell, Text: "bell"}} {
		got := pending()[refs[i].Task]
		if got.Kind != want.Kind || got.Text != want.Text || !got.Late || got.Time.Before(began) || got.Time.After(ended) {
			t.Errorf("pending of %d: %+v", i, got)
		}
	}
	// What is heard at once is not late, and nothing is told twice.
	ok(t, c.Seen(t.Context(), workspace.TabRef{Task: refs[1].Task, Tab: refs[1].Tab}))
	calls(0, "again")
	r.eventually("it is heard", func() bool { return pending()[refs[0].Task].Text == "again" })
	r.host.stop(false)
	r.until("the host is back", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostUp })
	if p := pending(); len(p) != 2 || p[refs[0].Task].Late || p[refs[2].Task].Kind != workspace.ItemBell {
		t.Errorf("pending: %+v", p)
	}
}
