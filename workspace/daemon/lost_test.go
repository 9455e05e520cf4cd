package daemon

import (
	"slices"
	"testing"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// screen is what a session's screen has from now on.
func (h *fakeHost) screen(key string, lines ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.screens[key] = lines
}

func TestAnEngineThatIsLostWithTheHostIsDeadAndItsOldScreenIsKept(t *testing.T) {
	r := newEngineRig(t)
	c := r.client()
	typed, pid := r.engine(c, "sh") // in which somebody types
	r.machine.run(pid+1, pid, "claude")
	r.tells(c, typed, pid+1, "claude", map[string]any{"hook_event_name": "SessionStart", "session_id": "c1"})
	r.tells(c, typed, pid+1, "claude", map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": "c1"})
	r.tells(c, typed, pid+1, "claude", map[string]any{"hook_event_name": "Stop", "session_id": "c1"})
	launched, its := r.engine(c, "claude")
	r.tells(c, launched, its, "claude", map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": "c2"})
	r.tells(c, launched, its, "claude", map[string]any{"hook_event_name": "Stop", "session_id": "c2"})
	works, third := r.engine(c, "claude")
	r.tells(c, works, third, "claude", map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": "c3"})
	r.view(typed, "it has finished", is(workspace.ActivityFinished))
	r.host.screen(typed.Key().String(), "the last of it", "")

	r.halt()
	r.losing(nil)
	// Somebody shows it before any daemon looks: a shell comes, below the old screen.
	front := &fakeLink{host: r.host}
	must(front.Open(t.Context(), wire.OpenRequest{Key: typed.Key().String(), Respawn: true}))(t)
	r.run()
	c = r.client()
	if dead := r.view(typed, "it is dead", is(workspace.ActivityDead)); dead.Reason != "ended with the PTY host" || dead.Alive != workspace.AnswerNo {
		t.Errorf("%+v", dead)
	}
	if v := r.view(launched, "it will be back", is(workspace.ActivityFinished)); v.Alive != workspace.AnswerNo {
		t.Errorf("%+v", v)
	}
	r.view(works, "its turn is lost", is(workspace.ActivityDead))
	var exits []workspace.ExitRecord
	r.eventually("each end is recorded", func() bool {
		exits = must(c.Exits(t.Context()))(t)
		return len(exits) == 3
	})
	at := slices.IndexFunc(exits, func(e workspace.ExitRecord) bool { return e.Key == typed.Key().String() })
	if e := exits[at]; !e.Lost || e.ParentAlive || e.Engine != "claude" || e.How() != "ended with the PTY host" || !slices.Equal(e.Tail, []string{"the last of it"}) {
		t.Errorf("recorded %+v", e)
	}

	// Neither the next daemon nor a connection that was lost tells it again.
	r.halt()
	r.run()
	c = r.client()
	r.host.stop(false)
	r.until("the host is back", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostUp })
	r.view(typed, "it is dead still", is(workspace.ActivityDead))
	if exits := must(c.Exits(t.Context()))(t); len(exits) != 3 {
		t.Errorf("recorded %+v", exits)
	}
	if in := must(c.Inbox(t.Context()))(t); len(in.Pending) != 3 {
		t.Errorf("the inbox is %+v", in)
	}
	// What is launched comes back in its conversation.
	if l := must(c.Launch(t.Context(), workspace.Launch{PaneRef: works, Command: []string{"claude"}}))(t); l.Engine != "claude" || !slices.Contains(l.Argv, "c3") {
		t.Errorf("%+v", l)
	}
}

func TestAnEngineWhoseSessionWasBegunAnewIsNoExit(t *testing.T) {
	r := newEngineRig(t)
	c := r.client()
	ref, pid := r.engine(c, "sh")
	r.machine.run(pid+1, pid, "claude")
	r.tells(c, ref, pid+1, "claude", map[string]any{"hook_event_name": "SessionStart", "session_id": "c1"})
	r.view(ref, "it runs", is(workspace.ActivityIdle))
	must(c.ResetPane(t.Context(), workspace.PaneOpen{PaneRef: ref}))(t)
	key := ref.Key().String()
	r.machine.run(r.pid(key), 1, "sh")
	r.host.change(key, func(s *wire.Session) { s.Title = "$" }) // the processes are looked at
	r.view(ref, "it is gone", func(e workspace.EngineView) bool {
		return e.Alive == workspace.AnswerNo && e.Source == workspace.SourceExit
	})
	if exits := must(c.Exits(t.Context()))(t); len(exits) != 0 {
		t.Errorf("recorded %+v", exits)
	}
}
