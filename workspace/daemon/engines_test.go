package daemon

import (
	"encoding/json"
	"errors"
	"maps"
	"sync"
	"testing"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
	"moorage/workspace/engine"
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
