package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
	"moorage/workspace/engine"
	"moorage/workspace/split"
)

// machine is a process table that a test writes.
type machine struct {
	mu    sync.Mutex
	table Processes
	blind bool // nobody can look
}

func (m *machine) look() (Processes, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.blind {
		return nil, errors.New("the table cannot be read")
	}
	return maps.Clone(m.table), nil
}

func (m *machine) run(pid, parent int, argv ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.table[pid] = Process{PID: pid, Parent: parent, Argv: argv, Began: time.Now()}
}

// rename gives a process another command line, as a process may do itself.
func (m *machine) rename(pid int, argv ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.table[pid]
	p.Argv = argv
	m.table[pid] = p
}

func (m *machine) end(pid int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.table, pid)
}

// engineRig is a rig with the known engines and a machine of its own.
type engineRig struct {
	*rig
	machine *machine
}

func newEngineRig(t *testing.T) *engineRig {
	t.Helper()
	m := &machine{table: make(Processes)}
	return &engineRig{machine: m, rig: newRig(t, func(cfg *Config) {
		cfg.Engines, cfg.Processes = engine.New(), m.look
	})}
}

// pid is the leader of a session.
func (r *rig) pid(key string) int {
	r.host.mu.Lock()
	defer r.host.mu.Unlock()
	return r.host.sessions[key].PID
}

// engine adds a directory's task whose only pane runs an engine, in a process of its own below the session's leader.
func (r *engineRig) engine(c *daemonclient.Client, command ...string) (ref workspace.PaneRef, pid int) {
	r.t.Helper()
	a := must(c.AddTask(r.t.Context(), workspace.TaskAdd{Dir: r.t.TempDir(), Command: command}))(r.t)
	ref = workspace.PaneRef{Task: a.Task.ID, Tab: a.Tab, Pane: a.Pane}
	return ref, r.runs(ref, command...)
}

// runs has an engine run below a session's leader.
func (r *engineRig) runs(ref workspace.PaneRef, command ...string) (pid int) {
	leader := r.pid(ref.Key().String())
	r.machine.run(leader, 1, "sh")
	r.machine.run(leader+10000, leader, command...)
	return leader + 10000
}

// tells is a hook call of an engine's, from a process below pid; of names the tab that it says it is of.
func (r *engineRig) tells(c *daemonclient.Client, of workspace.PaneRef, pid int, name string, payload map[string]any) workspace.HookResult {
	r.t.Helper()
	data := must(json.Marshal(payload))(r.t)
	r.machine.run(pid+1, pid, "moorage", "hook")
	defer r.machine.end(pid + 1)
	return must(c.Hook(r.t.Context(), workspace.Hook{Engine: name, Payload: data, Task: of.Task, Tab: of.Tab, PID: pid + 1}))(r.t)
}

// view is what is shown of a pane's engine.
func (r *rig) view(ref workspace.PaneRef, what string, wanted func(workspace.EngineView) bool) workspace.EngineView {
	r.t.Helper()
	var last workspace.EngineView
	r.until(what, func(s workspace.Snapshot) bool {
		for _, task := range s.Tasks {
			if e := task.PaneView(ref.Tab, ref.Pane).Engine; task.ID == ref.Task && e != nil {
				last = *e
				return wanted(last)
			}
		}
		return false
	})
	return last
}

func is(a workspace.Activity) func(workspace.EngineView) bool {
	return func(e workspace.EngineView) bool { return e.Activity == a }
}

func TestAnEngineStaysWhatItIsWhenItsPaneMoves(t *testing.T) {
	r := newEngineRig(t)
	c := r.client()
	ref, pid := r.engine(c, "claude")
	must(c.SplitPane(t.Context(), workspace.PaneSplit{PaneRef: ref, Direction: split.Right}))(t)
	r.tells(c, ref, pid, "claude", map[string]any{"hook_event_name": "PermissionRequest", "session_id": "c1", "tool_name": "Bash"})
	before := r.view(ref, "it asks", is(workspace.ActivityNeedsInput))

	moved := must(c.MovePane(t.Context(), workspace.PaneMove{PaneRef: ref}))(t)
	to := workspace.PaneRef{Task: ref.Task, Tab: moved.Tab, Pane: moved.Pane}
	after := r.view(to, "it asks there", is(workspace.ActivityNeedsInput))
	if after.Since != before.Since || after.Reason != before.Reason || after.Conversation != "c1" {
		t.Errorf("it was %+v and is %+v", before, after)
	}
	if in := must(c.Inbox(t.Context()))(t); len(in.Pending) != 1 || in.Pending[0].Tab != to.Tab || len(in.Recent) != 0 {
		t.Errorf("the inbox is %+v", in)
	}
	// Its process still says that it is in the tab that it was started in; from another session that is a lie.
	if got := r.tells(c, ref, pid, "claude", map[string]any{"hook_event_name": "Stop", "session_id": "c1"}); got.Key != to.Key().String() {
		t.Errorf("its hook went to %+v", got)
	}
	r.view(to, "it has finished", is(workspace.ActivityFinished))
	liar, its := r.engine(c, "claude")
	if got := r.tells(c, ref, its, "claude", map[string]any{"hook_event_name": "Stop", "session_id": "c2"}); got.Key != "" {
		t.Errorf("the hook of %v that names %v went to %+v", liar, ref, got)
	}
	// The next daemon knows it too.
	r.halt()
	r.run()
	c = r.client()
	if got := r.tells(c, ref, pid, "claude", map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": "c1"}); got.Key != to.Key().String() {
		t.Errorf("its hook went to %+v", got)
	}
	r.view(to, "it works", is(workspace.ActivityWorking))
}

func TestAnEngineStaysWhatItIsWhenItsTaskIsFolded(t *testing.T) {
	r := newEngineRig(t)
	c := r.client()
	target := directory(t, c)
	a := must(c.AddTask(t.Context(), workspace.TaskAdd{Scratch: true, Command: []string{"claude"}}))(t)
	ref := workspace.PaneRef{Task: a.Task.ID, Tab: a.Tab, Pane: a.Pane}
	pid := r.runs(ref, "claude")
	r.tells(c, ref, pid, "claude", map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": "c1"})
	r.tells(c, ref, pid, "claude", map[string]any{"hook_event_name": "Stop", "session_id": "c1"})
	r.view(ref, "it has finished", is(workspace.ActivityFinished))
	r.host.change(ref.Key().String(), func(s *wire.Session) { s.CWD = target.Task.Dir })
	ok(t, c.RenameTask(t.Context(), workspace.TaskRename{Task: ref.Task, Title: "work"}))
	to := workspace.PaneRef{Task: target.Task.ID, Tab: "tab-2", Pane: "pane-1"}
	if got := r.view(to, "it has finished there", is(workspace.ActivityFinished)); got.Conversation != "c1" {
		t.Errorf("%+v", got)
	}
	if in := must(c.Inbox(t.Context()))(t); len(in.Pending) != 1 || in.Pending[0].Task != to.Task || in.Pending[0].Tab != to.Tab {
		t.Errorf("the inbox is %+v", in)
	}
	if got := r.tells(c, ref, pid, "claude", map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": "c1"}); got.Key != to.Key().String() {
		t.Errorf("its hook went to %+v", got)
	}
}

func TestAnEngineThatGivesItselfAnotherNameIsStillThere(t *testing.T) {
	r := newEngineRig(t)
	c := r.client()
	ref, pid := r.engine(c, "node", "/usr/lib/node_modules/.bin/gemini")
	sees := func() { // the next title has the processes looked at
		r.host.change(ref.Key().String(), func(s *wire.Session) { s.Title += "." })
	}
	sees()
	r.view(ref, "it runs", func(e workspace.EngineView) bool { return e.Alive == workspace.AnswerYes })
	r.machine.rename(pid, "its own name")
	other, its := r.engine(c, "claude")
	r.host.change(other.Key().String(), func(s *wire.Session) { s.Title = "new" })
	r.view(other, "the processes were looked at again", func(e workspace.EngineView) bool { return e.Alive == workspace.AnswerYes })
	if e := r.view(ref, "it runs", func(workspace.EngineView) bool { return true }); e.Alive != workspace.AnswerYes || e.Name != "gemini" {
		t.Errorf("%+v, beside %d", e, its)
	}
	r.machine.end(pid)
	sees()
	r.view(ref, "it is gone", func(e workspace.EngineView) bool { return e.Alive == workspace.AnswerNo })
}

func TestAHookIsTheTasksWhenNobodyCouldLookWhereItComesFrom(t *testing.T) {
	r := newEngineRig(t)
	c := r.client()
	ref, pid := r.engine(c, "claude")
	r.tells(c, ref, pid, "claude", map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": "c1"})
	r.view(ref, "it works", is(workspace.ActivityWorking))
	r.machine.mu.Lock()
	r.machine.blind = true
	r.machine.mu.Unlock()
	dir := must(c.TaskState(t.Context(), ref.Task))(t).Dir
	got := r.tells(c, ref, pid, "claude", map[string]any{"hook_event_name": "StopFailure", "session_id": "c1", "error": "server_error", "cwd": dir})
	if got.Key != "" || got.Task != ref.Task {
		t.Errorf("it went to %+v", got)
	}
	if e := r.view(ref, "it is shown", func(workspace.EngineView) bool { return true }); e.Activity != workspace.ActivityWorking {
		t.Errorf("%+v", e)
	}
	if in := must(c.Inbox(t.Context()))(t); len(in.Pending) != 1 || in.Pending[0].Tab != "" || in.Pending[0].Kind != workspace.ItemFailed {
		t.Errorf("the inbox is %+v", in)
	}
}

func TestAnEnginesEndIsToldOnce(t *testing.T) {
	r := newEngineRig(t)
	c := r.client()
	ref, pid := r.engine(c, "claude")
	key := ref.Key().String()
	r.tells(c, ref, pid, "claude", map[string]any{"hook_event_name": "SessionStart", "session_id": "c1"})
	r.host.mu.Lock()
	r.host.screens[key] = []string{"the last of it", "Engine exited (code 3). To start it otherwise", "$ "}
	r.host.mu.Unlock()
	leader, code := r.pid(key), 3
	r.machine.end(pid)
	r.machine.run(leader+20000, leader, "moorage", "hook")
	must(c.Hook(t.Context(), workspace.Hook{Engine: "claude", Exit: &code, Task: ref.Task, Tab: ref.Tab, PID: leader + 20000}))(t)
	dead := r.view(ref, "it is dead", is(workspace.ActivityDead))
	if dead.Alive != workspace.AnswerNo {
		t.Errorf("%+v", dead)
	}
	for _, title := range []string{"$", "$ $"} { // looks at the processes find nothing new
		r.host.change(key, func(s *wire.Session) { s.Title = title })
	}
	r.halt()
	r.run()
	c = r.client()
	r.view(ref, "it is dead still", is(workspace.ActivityDead))
	exits := must(c.Exits(t.Context()))(t)
	if len(exits) != 1 || exits[0].Code != 3 || exits[0].Layer != workspace.LayerEngine || exits[0].Tail[0] != "the last of it" {
		t.Errorf("recorded: %+v", exits)
	}
	if in := must(c.Inbox(t.Context()))(t); len(in.Pending) != 1 || in.Pending[0].Kind != workspace.ItemDied {
		t.Errorf("the inbox is %+v", in)
	}
}

func TestATurnThatOnlyTheTranscriptTellsOfIsFoundByTheConversationsId(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	r := newEngineRig(t)
	c := r.client()
	ref, pid := r.engine(c, "copilot")
	r.machine.run(pid+1, pid, "moorage", "hook")
	must(c.Hook(t.Context(), workspace.Hook{
		Engine: "copilot", Event: "userPromptSubmitted", Payload: []byte(`{"sessionId":"c1"}`), Task: ref.Task, Tab: ref.Tab, PID: pid + 1,
	}))(t)
	r.view(ref, "it works", is(workspace.ActivityWorking))
	for id, reason := range map[string]string{"c1": "user_initiated", "c2": "another's"} {
		path := filepath.Join(home, ".copilot", "session-state", id, "events.jsonl")
		ok(t, os.MkdirAll(filepath.Dir(path), 0o700))
		row := fmt.Sprintf(`{"type":"abort","timestamp":%q,"data":{"reason":%q}}`, time.Now().Add(time.Second).Format(time.RFC3339Nano), reason)
		ok(t, os.WriteFile(path, []byte(row+"\n"), 0o600))
	}
	r.halt() // the next daemon looks at once
	r.run()
	if e := r.view(ref, "it was interrupted", is(workspace.ActivityIdle)); e.Source != workspace.SourceTranscript {
		t.Errorf("%+v", e)
	}
}
