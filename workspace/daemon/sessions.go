package daemon

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// maxEnds bounds how many sessions are being ended at once: each may take half a second.
const maxEnds = 16

// open makes sure that the pane of key has a session, starting the host if it has to. A live session wins; one that ended is
// returned as it is unless restart. It waits for the host, for its start and its answer.
func (d *daemon) open(ctx context.Context, key workspace.Key, size workspace.Size, restart bool) (wire.Session, error) {
	return d.begin(ctx, key, size, func(ctx context.Context, host Host, req wire.OpenRequest) (wire.Session, error) {
		req.Recycle = restart
		return host.Open(ctx, req)
	})
}

// respawn starts a pane's program where it does not run: below the screen that is left of it, if there is one.
func (d *daemon) respawn(ctx context.Context, key workspace.Key) (wire.Session, error) {
	return d.begin(ctx, key, workspace.Size{}, func(ctx context.Context, host Host, req wire.OpenRequest) (wire.Session, error) {
		req.Respawn = true
		return host.Open(ctx, req)
	})
}

// reset ends the pane's session with its screen and history, and starts a fresh one. The old one's end is not taken for an exit.
func (d *daemon) reset(ctx context.Context, key workspace.Key, size workspace.Size) (wire.Session, error) {
	count := func(by int) error {
		return d.do(context.WithoutCancel(ctx), func(s *state) error {
			s.resets[key.String()] += by
			if s.resets[key.String()] == 0 {
				delete(s.resets, key.String())
			}
			return nil
		})
	}
	if err := count(+1); err != nil {
		return wire.Session{}, err
	}
	defer count(-1) //nolint:errcheck // it fails only when the daemon stops
	return d.begin(ctx, key, size, func(ctx context.Context, host Host, req wire.OpenRequest) (wire.Session, error) {
		return host.Reset(ctx, req)
	})
}

// begin asks the host for a session by call and brings the outcome into the state. If the pane was closed meanwhile, the session
// is ended again.
func (d *daemon) begin(ctx context.Context, key workspace.Key, size workspace.Size, call func(context.Context, Host, wire.OpenRequest) (wire.Session, error)) (wire.Session, error) {
	var req wire.OpenRequest
	err := d.do(ctx, func(s *state) (err error) {
		if _, err := s.pane(key); err != nil {
			return err
		}
		task := s.tasks[key.Task]
		if req, err = task.SessionSpec(key.Tab, key.Pane); err == nil {
			s.asking[key.String()]++
		}
		return err
	})
	if err != nil {
		return wire.Session{}, err
	}
	req.Cols, req.Rows = size.Cols, size.Rows
	session, err := d.call(ctx, req, call)
	closed := false
	// The outcome counts also when the caller has left meanwhile.
	if stateErr := d.do(context.WithoutCancel(ctx), func(s *state) error {
		if s.answered(key.String(), session, err) {
			return nil
		}
		if _, gone := s.pane(key); gone != nil {
			closed = true
			return s.commit(change{doom: []workspace.Key{key}})
		}
		s.started(key, session, err)
		return nil
	}); stateErr != nil {
		return wire.Session{}, errors.Join(err, stateErr)
	}
	if closed {
		d.reap(d.base)
		return wire.Session{}, workspace.NoPane(key.Task, key.Tab, key.Pane)
	}
	if err != nil {
		return wire.Session{}, workspace.AsError(err)
	}
	return session, nil
}

// answered takes note that the host has answered about a session. It reports whether that one has ended by itself meanwhile: its end has been
// applied, and whoever asked has got what was asked for.
func (s *state) answered(key string, session wire.Session, err error) (over bool) {
	over = err == nil && s.brief[key] == session.ID
	if s.asking[key]--; s.asking[key] <= 0 {
		delete(s.asking, key)
		delete(s.brief, key)
	}
	return over
}

func (d *daemon) call(ctx context.Context, req wire.OpenRequest, call func(context.Context, Host, wire.OpenRequest) (wire.Session, error)) (wire.Session, error) {
	host, err := d.link.ensure(ctx)
	if err != nil {
		return wire.Session{}, err
	}
	var session wire.Session
	err = d.link.call(ctx, host, func(ctx context.Context) (err error) {
		session, err = call(ctx, host, req)
		return err
	})
	return session, err
}

// started records the outcome of asking for a session. The host's events may have told a later one already.
func (s *state) started(key workspace.Key, session wire.Session, err error) {
	name := key.String()
	if err != nil {
		s.failures[name] = workspace.Clean(err.Error(), 1000)
		s.show(key.Task)
		return
	}
	delete(s.failures, name)
	had, known := s.sessions[name]
	stale := known && (had.ID > session.ID || had.ID == session.ID && !had.Alive())
	if !stale {
		s.sessions[name] = session
	}
	s.show(key.Task)
}

// reap ends every doomed session that the host can be asked to end now; the rest waits for the next sweep. It returns when
// nothing of the ended ones runs any more. It never starts the host. ctx is the daemon's, not a caller's: what is doomed ends also
// when who doomed it has left.
func (d *daemon) reap(ctx context.Context) {
	host := d.link.current()
	if host == nil {
		return
	}
	var keys []string
	if err := d.do(ctx, func(s *state) error {
		for key := range s.doomed {
			if !s.ending[key] {
				s.ending[key] = true
				keys = append(keys, key)
			}
		}
		return nil
	}); err != nil || len(keys) == 0 {
		return
	}
	slices.Sort(keys)
	gone := make([]bool, len(keys))
	var group errgroup.Group
	group.SetLimit(maxEnds)
	for i, key := range keys {
		group.Go(func() error {
			err := d.link.call(ctx, host, func(ctx context.Context) error { return host.Kill(ctx, key) })
			if gone[i] = err == nil || wire.CodeOf(err) == wire.CodeNotFound; !gone[i] {
				d.log.Warn("a session was not ended", "key", key, "err", err)
			}
			return nil
		})
	}
	_ = group.Wait() // no member fails
	err := d.do(ctx, func(s *state) error {
		var c change
		for i, key := range keys {
			delete(s.ending, key)
			if gone[i] {
				c.spared = append(c.spared, key)
				delete(s.sessions, key)
			}
		}
		return s.commit(c)
	})
	if err != nil && ctx.Err() == nil {
		d.log.Warn("ended sessions stay marked", "err", err)
	}
}
