package daemon

import (
	"strings"
	"testing"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

func TestALaunchAsksForHooksUntilTheUserHasSpoken(t *testing.T) {
	r := newEngineRig(t)
	c := r.client()
	launch := func(command ...string) workspace.Launched {
		t.Helper()
		a := must(c.AddTask(t.Context(), workspace.TaskAdd{Dir: t.TempDir(), Command: command}))(t)
		p := workspace.Launch{PaneRef: pane(a), Command: command, Program: "/bin/moorage", Dir: a.Task.Dir}
		p.Env = []string{"HOME=" + t.TempDir(), `OPENCODE_CONFIG_CONTENT={"provider":{"key":"secret"}}`}
		return must(c.Launch(t.Context(), p))(t)
	}
	asked := func() workspace.HooksQuestion { return must(c.Subscribe(t.Context()))(t).Question }
	say := func(word workspace.Consent) {
		t.Helper()
		must(c.Hooks(t.Context(), workspace.Hooks{Consent: word}))(t)
	}
	launch("gemini") // which takes none at its launch
	if q := asked(); q.ID != "" {
		t.Errorf("asked for %+v", q)
	}
	for _, name := range []string{"claude", "codex", "copilot", "opencode"} {
		out := launch(name)
		q := asked()
		if q.Engine == "" || len(q.Adds) == 0 || q.Task == "" || q.Tab == "" {
			t.Errorf("%s: asked %+v", name, q)
		}
		if text := strings.Join(append(out.Argv, out.Env...), " "); strings.Contains(text, "hook") || strings.Contains(text, "moorage") {
			t.Errorf("%s has hooks already: %s", name, text)
		}
		if strings.Contains(strings.Join(q.Adds, " "), "secret") {
			t.Errorf("%s: what the user has set is told: %v", name, q.Adds)
		}
	}
	say(workspace.ConsentUnasked)
	if q := asked(); q.ID != "" {
		t.Errorf("later is not later: %+v", q)
	}
	launch("claude")
	if asked().ID == "" {
		t.Error("the next launch asks nothing")
	}
	say(workspace.ConsentDenied)
	launch("claude")
	if q := asked(); q.ID != "" {
		t.Errorf("asked after a word: %+v", q)
	}
	r.halt()
	r.run()
	c = r.client()
	launch("claude")
	if q := asked(); q.ID != "" {
		t.Errorf("asked after a word, by the next daemon: %+v", q)
	}
	if _, err := c.Hooks(t.Context(), workspace.Hooks{Consent: "perhaps"}); workspace.CodeOf(err) != workspace.CodeInvalid {
		t.Errorf("a word that is none: %v", err)
	}
}

func TestWhatAProgramCallsReachesTheInboxAlsoWithoutClients(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	key := pane(a).Key().String()
	call := func(kind wire.SessionEventKind, title, text string) {
		r.host.mu.Lock()
		defer r.host.mu.Unlock()
		for l := range r.host.links {
			if l.f != nil {
				l.f(wire.SessionEvent{Kind: kind, Session: r.host.sessions[key], Title: title, Text: text})
			}
		}
	}
	pending := func(want string) {
		t.Helper()
		r.until(want, func(s workspace.Snapshot) bool {
			return len(s.Inbox.Pending) == 1 && string(s.Inbox.Pending[0].Kind)+": "+s.Inbox.Pending[0].Text == want
		})
	}
	call(wire.SessionBell, "", "")
	pending("bell: bell")
	call(wire.SessionNotify, "build", "done\x1b[31m\u202e")
	pending("called: build: done[31m")
	call(wire.SessionBell, "", "")
	call(wire.SessionNotify, "", "\x01\u202e") // nothing is left of it
	call(wire.SessionNotify, "only a title", "")
	pending("called: only a title")
	for range 1000 {
		call(wire.SessionNotify, "", "flood")
	}
	call(wire.SessionNotify, "", "last")
	pending("called: last")
	ok(t, c.Seen(t.Context(), tab(a)))
	in := must(c.Inbox(t.Context()))(t)
	if len(in.Pending) != 0 || len(in.Recent) != 1 || in.Recent[0].Text != "last" {
		t.Errorf("after it was opened: %+v", in)
	}
}

func TestHowAClientWantsToBeToldIsRememberedBesideItsPlace(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	how := workspace.Notify{Form: workspace.NotifyBell, Tmux: true}
	ok(t, c.SelectTab(t.Context(), workspace.TabSelect{TabRef: tab(a), Client: "me"}))
	ok(t, c.SetNotify(t.Context(), workspace.NotifySet{Client: "me", Notify: how}))
	ok(t, c.SelectTab(t.Context(), workspace.TabSelect{TabRef: tab(a), Client: "me"}))
	if err := c.SetNotify(t.Context(), workspace.NotifySet{Client: "me", Notify: workspace.Notify{Form: "loud"}}); workspace.CodeOf(err) != workspace.CodeInvalid {
		t.Errorf("a form that is none: %v", err)
	}
	r.halt()
	r.run()
	c = r.client()
	if got := must(c.Place(t.Context(), "me"))(t); got.Notify != how || got.TabRef != tab(a) {
		t.Errorf("remembered %+v", got)
	}
	if got := must(c.Place(t.Context(), "you"))(t); got != (workspace.Place{}) {
		t.Errorf("of another client: %+v", got)
	}
}
