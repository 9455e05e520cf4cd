package daemon

import (
	"testing"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

func TestAPromptIsTypedOnlyWhereItIsTakenForOne(t *testing.T) {
	r := newEngineRig(t)
	c := r.client()
	ref, pid := r.engine(c, "claude")
	key := ref.Key().String()
	r.host.set(&r.host.paste, true)
	typed := func() string {
		r.host.mu.Lock()
		defer r.host.mu.Unlock()
		return r.host.input[key]
	}
	send := func(want workspace.Code) {
		t.Helper()
		before := typed()
		_, err := c.Send(t.Context(), workspace.Send{Task: ref.Task, Tab: ref.Tab, Prompt: "go on\nplease"})
		if got := workspace.CodeOf(err); got != want {
			t.Errorf("sent: %v, want %q", err, want)
		}
		if after := typed(); want == "" && after != before+"\x1b[200~go on\nplease\x1b[201~\r" || want != "" && after != before {
			t.Errorf("typed %q, before it was %q", after, before)
		}
	}
	send("")
	// What it asks for would be answered by the Enter.
	r.tells(c, ref, pid, "claude", map[string]any{"hook_event_name": "PermissionRequest", "session_id": "c1", "tool_name": "Bash"})
	send(workspace.CodeRefused)
	r.tells(c, ref, pid, "claude", map[string]any{"hook_event_name": "Stop", "session_id": "c1"})
	send("")
	r.host.mu.Lock()
	r.host.typedAt = time.Now()
	r.host.mu.Unlock()
	send(workspace.CodeBusy)
	r.host.mu.Lock()
	r.host.typedAt = time.Time{}
	r.host.mu.Unlock()
	// A shell at its prompt is in front of an engine that is suspended, or another program is.
	front := func(group int, name string) {
		r.host.mu.Lock()
		defer r.host.mu.Unlock()
		r.host.group, r.host.front = group, name
	}
	front(r.pid(key), "")
	send(workspace.CodeRefused)
	front(pid+5, "vim")
	send(workspace.CodeRefused)
	front(pid, "claude")
	send("")
	front(r.pid(key), "claude") // a wrapper without job control has it run in its own group
	send("")
	// What a person types behind a paste is not submitted with it.
	r.host.set(&r.host.meddles, true)
	before := typed()
	_, err := c.Send(t.Context(), workspace.Send{Task: ref.Task, Tab: ref.Tab, Prompt: "go on"})
	if got := workspace.CodeOf(err); got != workspace.CodeBusy || typed() != before+"\x1b[200~go on\x1b[201~" {
		t.Errorf("sent: %v, typed %q", err, typed())
	}
	r.host.mu.Lock()
	r.host.meddles, r.host.typedAt = false, time.Time{}
	r.host.mu.Unlock()
	r.machine.end(pid)
	r.host.change(key, func(s *wire.Session) { s.Title = "$" })
	r.view(ref, "it is gone", func(e workspace.EngineView) bool { return e.Alive == workspace.AnswerNo })
	send(workspace.CodeEngineNotRunning)
}
