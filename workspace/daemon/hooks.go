package daemon

import (
	"context"
	"path/filepath"
	"time"

	"moorage/workspace"
	"moorage/workspace/activity"
	"moorage/workspace/bus"
)

// hook takes what an engine's hook tells. Who calls is looked up in the process table: what it says of itself only has to agree. It answers
// quickly, for the engine waits.
func (d *daemon) hook(ctx context.Context, p workspace.Hook) (any, error) {
	if len(p.Payload) > workspace.MaxPayload {
		return nil, workspace.Fail(workspace.CodeInvalid, "", "a hook's payload of %d bytes is too long", len(p.Payload))
	}
	e, ok := d.cfg.Engines.Named(p.Engine)
	if !ok {
		return workspace.HookResult{Dropped: "no engine of that name"}, nil
	}
	caller := activity.Caller{Task: p.Task, Tab: p.Tab, Dir: p.Dir}
	if table, err := d.cfg.Processes(); err == nil {
		caller.Line = table.line(p.PID)
	}
	now := time.Now()
	ev, dir, telling := activity.Event{}, "", false
	if p.Exit == nil {
		if ev, dir, telling = e.Read(p.Event, p.Payload, now); !telling {
			return workspace.HookResult{Dropped: "it says nothing about a tab"}, nil
		}
		if dir != "" && filepath.IsAbs(dir) {
			caller.Dir = dir
		}
	}
	var out workspace.HookResult
	err := d.do(ctx, func(s *state) error {
		places, roots := s.hosting()
		out.Key, out.Task = activity.Route(caller, places, roots)
		switch {
		case out.Key != "" && p.Exit != nil:
			h, known := s.engines[out.Key]
			if !known || h.engine.Name != e.Name {
				out = workspace.HookResult{Dropped: "no such engine ran there"}
				return nil
			}
			s.effects.ended(out.Key, gone{engine: e, pid: h.pid, code: p.Exit})
		case out.Key != "":
			if h, known := s.engines[out.Key]; known && h.engine.Name != e.Name && h.state.Alive == workspace.AnswerYes {
				out = workspace.HookResult{Dropped: "another engine runs there"} // one that the first has started
				return nil
			}
			h := s.engineOf(out.Key, e)
			if h.state.Alive == workspace.AnswerNo {
				s.lookSoon()
			}
			s.tell(out.Key, ev)
		case out.Task != "" && p.Exit == nil:
			s.tellTask(out.Task, p.Engine, ev)
		default:
			out = workspace.HookResult{Dropped: "it comes from no session or task"}
		}
		return nil
	})
	return out, err
}

// hosting are the sessions that run, and the directories of all tasks.
func (s *state) hosting() ([]activity.Place, []activity.Root) {
	var places []activity.Place
	for text, session := range s.sessions {
		if key := keyOf(text); session.Alive() {
			pane, _ := s.pane(key) // one that is gone was nowhere before
			places = append(places, activity.Place{Key: text, Task: key.Task, Tab: key.Tab, PID: session.PID, Former: pane.Former})
		}
	}
	var roots []activity.Root
	for _, task := range s.ordered() {
		if task.Kind != workspace.KindScratch {
			roots = append(roots, activity.Root{Task: task.ID, Dir: task.Dir})
		}
	}
	return places, roots
}

// tellTask takes in what is known of a task only. Several engines may tell there: the last one's word is shown, as its own.
func (s *state) tellTask(task, name string, ev activity.Event) {
	e, _ := s.registry.Named(name)
	h, ok := s.loose[task]
	if !ok || h.engine.Name != name {
		h = &hosted{engine: e, state: begins(e, "")}
		s.loose[task] = h
	}
	if ev.Kind == activity.SessionEnded && ev.Conversation != h.state.Conversation {
		return
	}
	if ev.Conversation != h.state.Conversation { // of several, none is the current one
		h.state = begins(e, ev.Conversation)
	}
	before := h.state
	h.state, _ = activity.Step(h.state, ev)
	var c change
	s.mark(&c, workspace.Key{Task: task}, name, before, h.state)
	if c.inbox != nil {
		_ = s.commit(c) // it is logged
	}
	s.show(task)
}

// ask makes a question the one that is open, and the zero one ends it.
func (s *state) ask(q workspace.HooksQuestion) {
	if s.question.ID == "" && q.ID == "" {
		return
	}
	s.question = q
	s.bus.Publish(bus.Change[string, fact]{Key: questionFact, Value: fact{question: q}})
}

// hooks tells the user's word about hooks, and takes a new one.
func (d *daemon) hooks(ctx context.Context, p workspace.Hooks) (any, error) {
	switch p.Consent {
	case "", workspace.ConsentUnasked, workspace.ConsentAllowed, workspace.ConsentDenied:
	default:
		return nil, workspace.Fail(workspace.CodeInvalid, "say allowed, denied or unasked", "%q is no answer", p.Consent)
	}
	err := d.do(ctx, func(s *state) error {
		switch p.Consent {
		case workspace.ConsentUnasked:
			s.ask(workspace.HooksQuestion{})
		case workspace.ConsentAllowed, workspace.ConsentDenied:
			if err := s.commit(change{consent: p.Consent}); err != nil {
				return err
			}
		}
		p.Consent = s.consent
		return nil
	})
	return p, err
}
