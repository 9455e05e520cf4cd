package daemon

import (
	"context"
	"time"

	"moorage/workspace"
	"moorage/workspace/inbox"

	"github.com/oklog/ulid/v2"
)

const (
	// resumeAfter is how long after a limit's end its engine is told to go on: clocks differ.
	resumeAfter = 5 * time.Second
	// goOn is what it is told.
	goOn = "continue"
)

// resumesAt is when an engine that met a rate limit is to be told to go on; zero for never. Only the user's switch at its task makes that
// happen, once for a limit whose end is known, and only while the engine is known to run.
func (s *state) resumesAt(key string, h *hosted) time.Time {
	v := h.state
	if v.Activity != workspace.ActivityRateLimited || v.Resets.IsZero() || v.Alive != workspace.AnswerYes || s.host.State != workspace.HostUp {
		return time.Time{}
	}
	at := keyOf(key)
	task, ok := s.tasks[at.Task]
	if !ok || !task.Resume {
		return time.Time{}
	}
	if pane, ok := task.Pane(at.Tab, at.Pane); !ok || pane.Resumed.Equal(v.Since) {
		return time.Time{}
	}
	return v.Resets.Add(resumeAfter)
}

// resumeLimited has an engine told to go on. That it is, is stored first: whatever becomes of it, it is told once.
func (s *state) resumeLimited(key string, h *hosted) {
	at := keyOf(key)
	_, err := s.edit(at.Task, func(t *workspace.Task) ([]workspace.Key, error) {
		pane, ok := t.Pane(at.Tab, at.Pane)
		if !ok {
			return nil, workspace.NoPane(at.Task, at.Tab, at.Pane)
		}
		pane.Resumed = h.state.Since
		return nil, nil
	})
	if err != nil {
		s.log.Warn("an engine is not told to go on after its rate limit", "key", key, "err", err)
		return
	}
	s.effects.goOn(key)
}

// goingOn tells an engine to go on, as any prompt is sent, and puts a refusal into the inbox.
func (d *daemon) goingOn(key string) func(context.Context) {
	return func(ctx context.Context) {
		at := keyOf(key)
		_, err := d.send(ctx, workspace.Send{Task: at.Task, Tab: at.Tab, Prompt: goOn})
		if err == nil {
			d.log.Info("an engine was told to go on after its rate limit", "key", key)
			return
		}
		d.log.Warn("an engine was not told to go on after its rate limit", "key", key, "err", err)
		_ = d.do(ctx, func(s *state) error { // it fails only when the daemon stops
			h, ok := s.engines[key]
			if _, err := s.pane(at); err != nil || !ok {
				return nil
			}
			item := workspace.Item{
				ID: ulid.Make().String(), Task: at.Task, Tab: at.Tab, Kind: workspace.ItemRateLimited, Engine: h.engine.Name,
				Title: s.itemTitle(at), Text: "the limit is over, and it was not told to go on: " + workspace.AsError(err).Message, Time: s.now(),
			}
			next := inbox.Raise(s.inbox, item)
			return s.commit(change{inbox: &next})
		})
	}
}
