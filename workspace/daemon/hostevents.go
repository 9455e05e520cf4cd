package daemon

import (
	"context"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// recycleLimit is how long a fresh pane of an only tab has to live to get another life. One that dies sooner would only be
// made anew for ever; it is left dead.
const recycleLimit = time.Second

// hostUp takes over the host's list of sessions: badges from what it says, then the sweep.
func (d *daemon) hostUp(ctx context.Context, hello wire.Hello, sessions []wire.Session) {
	var ended map[string]lost
	err := d.do(ctx, func(s *state) error {
		s.host = workspace.HostView{State: workspace.HostUp, Since: s.now(), Build: hello.Build, PID: hello.PID}
		s.sessions = make(map[string]wire.Session, len(sessions))
		clear(s.failures)
		for _, session := range sessions {
			s.sessions[session.Key] = session
			s.noteExit(session)
		}
		ended = s.missEngines()
		err := s.carryOut(s.sweep(sessions))
		for _, session := range sessions {
			s.engineTold(wire.Session{}, session)
			s.missCalls(session)
		}
		s.lookAt(s.now())
		s.showAll()
		return err
	})
	if err != nil && ctx.Err() == nil {
		d.log.Error("the host's sessions were not swept", "err", err)
	}
	d.lookup.Do(func() { close(d.looked) })
	d.background(d.reap)
	d.background(d.tellPolicies)
	d.background(func(ctx context.Context) { d.recordLost(ctx, ended) })
}

// hostDown records that the host is not to be had.
func (d *daemon) hostDown(ctx context.Context, to workspace.HostState, cause error) {
	_ = d.do(ctx, func(s *state) error { // it fails only when the daemon stops
		if s.host.State == to && (cause == nil || s.host.Error == cause.Error() || to == workspace.HostOff) {
			return nil
		}
		s.host = workspace.HostView{State: to, Since: s.now()}
		if cause != nil && to != workspace.HostOff {
			s.host.Error = cause.Error()
		}
		if to == workspace.HostOff {
			clear(s.sessions)
		}
		s.log.Info("the PTY host is not connected", "state", to, "cause", cause)
		s.showAll()
		return nil
	})
	d.lookup.Do(func() { close(d.looked) })
}

// hostEvents applies what happened to sessions, and starts what the rules of BEHAVIOUR call for.
func (d *daemon) hostEvents(ctx context.Context, events []wire.SessionEvent) {
	var fresh []workspace.Key
	counted := make(map[string]bool)
	doomed := false
	_ = d.do(ctx, func(s *state) error {
		for _, ev := range events {
			if key, ok := s.apply(ev); ok {
				fresh = append(fresh, key)
			}
			if task := keyOf(ev.Session.Key).Task; s.countable(task) {
				counted[task] = true
			}
		}
		doomed = len(s.doomed) > 0
		return nil
	}) // it fails only when the daemon stops
	if doomed {
		d.background(d.reap)
	}
	for task := range counted {
		d.look(task)
	}
	for _, key := range fresh {
		d.background(func(ctx context.Context) {
			if _, err := d.respawn(ctx, key); err != nil {
				d.log.Warn("a pane has no session", "key", key.String(), "err", err)
			}
		})
	}
}

// apply brings one event into the state. It returns the key of a pane that needs a session: a new one, or one whose program is
// started again.
func (s *state) apply(ev wire.SessionEvent) (fresh workspace.Key, ok bool) {
	key, err := workspace.ParseKey(ev.Session.Key)
	if err != nil {
		return fresh, false
	}
	if ev.Kind == wire.SessionBell || ev.Kind == wire.SessionNotify {
		s.noteCall(key, ev) // what it says of the session may be older than what is known
		return fresh, false
	}
	had, known := s.sessions[ev.Session.Key]
	if known && ev.Session.ID < had.ID {
		return fresh, false // of a session that this one has replaced
	}
	if ev.Kind == wire.SessionRemoved {
		delete(s.sessions, ev.Session.Key)
		s.show(key.Task)
		return fresh, false
	}
	s.sessions[ev.Session.Key] = ev.Session
	delete(s.failures, ev.Session.Key)
	if s.unwanted(key, ev.Session) {
		_ = s.commit(change{doom: []workspace.Key{key}}) // it is logged, and the next sweep would see it again
		return fresh, false
	}
	s.noteTitle(key, ev.Session.Title)
	s.engineTold(had, ev.Session)
	ended := ev.Session.State == wire.SessionExited
	wasEnded := known && had.ID == ev.Session.ID && had.State != wire.SessionLive
	if ended && !wasEnded && s.resets[ev.Session.Key] == 0 {
		s.noteExit(ev.Session)
		if s.asking[ev.Session.Key] > 0 {
			s.brief[ev.Session.Key] = ev.Session.ID
		}
		if s.restoring != nil && ev.Session.Exit != nil {
			s.restoring.ended[ev.Session.Key] = *ev.Session.Exit
		}
		fresh, ok = s.exited(key, ev.Session)
	}
	s.show(key.Task)
	return fresh, ok
}

// unwanted reports whether a session was started for a pane that is closed already, by somebody who had not heard of it yet. A
// key is in the layout before anybody is told it, and is never used twice, so one that is missing now was closed. In a sweep
// it may have been lost instead; that is another rule.
func (s *state) unwanted(key workspace.Key, session wire.Session) bool {
	if _, err := s.pane(key); err == nil {
		return false
	}
	return session.Alive() && !s.coming[key.String()] && !s.doomed[key.String()] && !s.recovering && s.unreadable[key.Task] == nil
}

// againLimit is how long a program whose policy is always has to live to be started again at once when it ends with an error. One that
// ends sooner would only do so for ever; it waits for a client to show it, or for the user.
const againLimit = 5 * time.Second

// exited applies the end of a pane's program to the layout. It returns the key of a pane whose program is to be started.
func (s *state) exited(key workspace.Key, session wire.Session) (fresh workspace.Key, ok bool) {
	if _, err := s.pane(key); err != nil {
		return fresh, false // closed already
	}
	task := s.tasks[key.Task]
	if tab, _ := task.Tab(key.Tab); tab.Policy == workspace.PolicyAlways && workspace.Unclean(session.Exit) {
		again := session.Exit.Time.Sub(session.Created) >= againLimit
		s.log.Info("a program that is always started again ended", "key", key.String(), "code", session.Exit.Code, "again", again)
		return key, again
	}
	if s.revives(key.String(), session) {
		s.log.Info("an engine ended with its session and is started again", "key", key.String())
		return key, true
	}
	if s.recycled[key.String()] && session.Exit != nil && session.Exit.Time.Sub(session.Created) < recycleLimit {
		s.log.Warn("a fresh shell died at once and is left dead", "key", key.String(), "code", session.Exit.Code)
		return fresh, false
	}
	var made *workspace.Pane
	_, err := s.edit(key.Task, func(t *workspace.Task) ([]workspace.Key, error) {
		made, _ = t.PaneExited(key.Tab, key.Pane)
		return []workspace.Key{key}, nil
	})
	if err != nil || made == nil {
		return fresh, false
	}
	fresh = workspace.Key{Task: key.Task, Tab: key.Tab, Pane: made.ID}
	s.recycled[fresh.String()] = true
	return fresh, true
}
