package daemon

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"moorage/persistence"
	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/activity"
	"moorage/workspace/engine"
)

// launch says how the engine of a pane is to be started now: with which conversation, by which verb, with which hooks. A pane whose engine
// was left by its user is a shell. It looks into the engine's store, and writes the files that carry our hooks.
func (d *daemon) launch(ctx context.Context, p workspace.Launch) (any, error) {
	key := p.Key()
	var pane workspace.Pane
	var e engine.Engine
	var consent workspace.Consent
	err := d.do(ctx, func(s *state) (err error) {
		if pane, err = s.pane(key); err != nil {
			return err
		}
		consent = s.consent
		var ok bool
		if e, ok = s.registry.OfCommand(p.Command); !ok {
			return workspace.Fail(workspace.CodeInvalid, "`moorage engines` shows those that are known", "%q is no engine that is known", p.Command)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if pane.Ended != nil && !pane.Ended.Lost && pane.Engine == e.Name && (pane.Ended.Code == codeUnknown || e.Clean(pane.Ended.Code, "")) {
		return workspace.Launched{}, nil
	}
	at := engine.Place{Dir: p.Dir, Env: p.Env}
	for {
		out, err := d.launchAs(ctx, p, e, at, pane, consent)
		if !errors.Is(err, errTaken) {
			return out, err
		}
	}
}

// errTaken means that a conversation that was found for a pane has just become another one's.
var errTaken = errors.New("another pane was faster")

// launchAs is launch once it is known of which engine.
func (d *daemon) launchAs(ctx context.Context, p workspace.Launch, e engine.Engine, at engine.Place, pane workspace.Pane, consent workspace.Consent) (workspace.Launched, error) {
	key := p.Key()
	b, err := d.beginnings(ctx, p, e, at, pane)
	if err != nil {
		return workspace.Launched{}, err
	}
	out := workspace.Launched{Engine: e.Name, Argv: b.argv, Unset: engine.Unset}
	transcript, _ := e.Transcript(at, b.ID) // not being able to look is as good as none
	var question workspace.HooksQuestion
	switch consent {
	case workspace.ConsentAllowed:
		d.inject(&out, e, at, p)
	case workspace.ConsentUnasked:
		question = d.question(e, at, p)
	}
	err = d.do(ctx, func(s *state) error {
		if _, err := s.pane(key); err != nil {
			return err
		}
		if question.ID != "" && s.consent == workspace.ConsentUnasked {
			s.ask(question)
		}
		if s.claimed(e.Name, b.ID, key) {
			if b.found {
				return errTaken
			}
			return workspace.Fail(workspace.CodeConflict, "close the other tab first", "the conversation %s belongs to another tab", b.ID)
		}
		s.storeEnv = p.Env
		h := s.engineOf(key.String(), e)
		h.pid, h.going, h.banner = 0, false, true
		h.state.Alive = workspace.AnswerUnknown
		now := s.now()
		resumes := b.resumes && !b.found
		s.tell(key.String(), activity.Event{Kind: activity.EngineStarted, Time: now, Resumed: resumes})
		h.state.Conversation, h.state.Transcript = b.ID, transcript
		s.launches[key.String()] = launched{
			at: now, conversation: b.ID, resumed: resumes, found: b.found, confirms: e.Confirms && consent == workspace.ConsentAllowed,
		}
		var c change
		s.storeEngine(&c, key, h, activity.Event{})
		s.lookSoon()
		return s.commit(c)
	})
	return out, err
}

// injection is what a launch would be given, so that the engine has our hooks; ok is false where it can have none so.
func (d *daemon) injection(e engine.Engine, at engine.Place, p workspace.Launch) (in engine.Injection, ok bool) {
	if !filepath.IsAbs(p.Program) {
		return in, false
	}
	setup := engine.HookSetup{Program: p.Program, Folder: d.cfg.Home.Path("engines"), TrustCodex: d.cfg.TrustCodex}
	return e.Inject(setup, p.Command, at)
}

// question asks for leave to give hooks to the launches of engines like this one; the zero one where it can have none.
func (d *daemon) question(e engine.Engine, at engine.Place, p workspace.Launch) workspace.HooksQuestion {
	in, ok := d.injection(e, at, p)
	if !ok {
		return workspace.HooksQuestion{}
	}
	q := workspace.HooksQuestion{ID: ulid.Make().String(), Task: p.Task, Tab: p.Tab, Engine: e.Title}
	if len(in.Args) > 0 {
		q.Adds = append(q.Adds, strings.Join(in.Args, " "))
	}
	for _, kv := range in.Env { // the user's own settings may be in the value
		name, _, _ := strings.Cut(kv, "=")
		q.Adds = append(q.Adds, "the variable "+name)
	}
	for _, name := range slices.Sorted(maps.Keys(in.Files)) {
		q.Adds = append(q.Adds, "the file "+d.cfg.Home.Path("engines", filepath.FromSlash(name)))
	}
	return q
}

// inject adds our hooks to a launch. Without them the engine is started all the same.
func (d *daemon) inject(out *workspace.Launched, e engine.Engine, at engine.Place, p workspace.Launch) {
	in, ok := d.injection(e, at, p)
	if !ok {
		return
	}
	for name, text := range in.Files {
		if err := d.writeHookFile(name, text); err != nil {
			d.log.Warn("an engine is started without hooks", "engine", e.Name, "err", err)
			return
		}
	}
	out.Argv = in.With(out.Argv)
	out.Env = append(out.Env, in.Env...)
}

// writeHookFile writes a file in the home's folder for engines, unless it is there as it should be.
func (d *daemon) writeHookFile(name, text string) error {
	if _, err := d.cfg.Home.MakeDir("engines"); err != nil {
		return err
	}
	path := d.cfg.Home.Path("engines", filepath.FromSlash(name))
	if has, err := os.ReadFile(path); err == nil && string(has) == text {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return persistence.WriteFile(path, []byte(text))
}

// newUUID is a random UUID (RFC 9562, version 4).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// noteLaunchEnd remembers how a launch ended, for a restore that waits for it.
func (s *state) noteLaunchEnd(key string, ev activity.Event) {
	if l, ok := s.launches[key]; ok {
		l.ended = &ev
		s.launches[key] = l
	}
}

// confirm makes a resume that was asked for one that happened: the engine itself says that it has the conversation.
func (s *state) confirm(key string, now activity.State) {
	l, ok := s.launches[key]
	if !ok || !l.resumed || l.conversation != now.Conversation || now.Confirmed.Before(l.at) {
		return
	}
	if n := len(s.reports); s.restoring == nil && n > 0 {
		r := clone(s.reports[n-1])
		for i, line := range r.Lines {
			if line.Key == key && line.Outcome == workspace.OutcomeUnconfirmed && !l.at.Before(r.Started) {
				r.Lines[i].Outcome, r.Lines[i].Reason = workspace.OutcomeResumed, ""
				r.Changes++
				s.keepReport(r)
			}
		}
	}
}

// resumeOutcome is what became of an engine's pane that a restore has started again; done is false while that may still change.
func (s *state) resumeOutcome(key string, since time.Time) (outcome workspace.Outcome, reason string, done bool) {
	l, ok := s.launches[key]
	h := s.engines[key]
	switch {
	case !ok || l.at.Before(since) || h == nil:
		return workspace.OutcomeRelaunched, "", false
	case l.ended != nil && workspace.Unclean(exitOf(*l.ended)):
		return workspace.OutcomeFailed, "its engine ended again: " + exitOf(*l.ended).How(), true
	case l.found:
		return workspace.OutcomeRelaunched, "which conversation was its own is not known: it took up " + l.conversation + " of this directory", true
	case !l.resumed:
		return workspace.OutcomeRelaunched, "", true
	case h.state.Conversation == l.conversation && !h.state.Confirmed.Before(l.at):
		return workspace.OutcomeResumed, "", true
	}
	return workspace.OutcomeUnconfirmed, "", !l.confirms
}

func exitOf(ev activity.Event) *wire.Exit {
	return &wire.Exit{Code: max(ev.Code, 0), Signal: ev.Signal, Time: ev.Time}
}
