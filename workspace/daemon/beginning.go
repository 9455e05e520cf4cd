package daemon

import (
	"context"
	"time"

	"moorage/workspace"
	"moorage/workspace/engine"
)

// beginning is how an engine is started, and in which conversation it is then.
type beginning struct {
	argv []string
	engine.Conversation
	resumes bool // by the engine's own verb
	found   bool // it is not known to be the pane's own
}

// beginnings says how the engine of a pane begins: with what it was opened for, once; else in its conversation. It looks into the store.
func (d *daemon) beginnings(ctx context.Context, p workspace.Launch, e engine.Engine, at engine.Place, pane workspace.Pane) (b beginning, err error) {
	opening := workspace.Opening{}
	if pane.Opening != nil && pane.Engine == e.Name {
		opening = *pane.Opening
	}
	b.argv = p.Command
	switch {
	case opening.Fork != "" && e.Forks():
		b.ID = newUUID()
		b.argv = e.Fork(p.Command, opening.Fork, b.ID)
		if !e.Pins() {
			b.ID = ""
		}
	case e.Chooses(p.Command) || pane.Engine != "" && pane.Engine != e.Name:
	default:
		if b.Conversation, b.found, err = d.conversation(ctx, e, at, p.Key(), pane); err != nil {
			return b, err
		}
		b.argv, b.resumes = e.Start(p.Command, b.Conversation), e.Resumes(p.Command, b.Conversation)
	}
	if opening.Prompt != "" && e.TakesPrompt() {
		b.argv = e.Prompted(b.argv, opening.Prompt)
	}
	return b, nil
}

// conversation is the one that a pane's engine is started with. Where it makes its ids itself, and the pane's is not known or is gone, it is one
// that is found.
func (d *daemon) conversation(ctx context.Context, e engine.Engine, at engine.Place, key workspace.Key, pane workspace.Pane) (c engine.Conversation, found bool, err error) {
	c.ID = pane.Conversation
	since := pane.Started
	if c.ID != "" {
		switch e.Exists(at, c.ID) {
		case workspace.AnswerYes:
			c.Exists = true
			return c, false, nil
		case workspace.AnswerUnknown:
			c.Exists = e.Mints || pane.Transcript != "" // it was told of once
			return c, false, nil
		}
		since = time.Time{} // there was one: another may be older
	}
	switch {
	case e.Pins() && c.ID == "":
		c.ID = newUUID()
	case e.Mints && e.Lists() && !pane.Started.IsZero():
		id, err := d.discover(ctx, e, at, key, since)
		if err != nil || id == "" {
			return c, false, err
		}
		return engine.Conversation{ID: id, Exists: true}, true, nil
	}
	return c, false, nil
}
