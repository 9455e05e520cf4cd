package daemon

import (
	"context"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/activity"
)

// lost is an engine that ended with the PTY host.
type lost struct {
	gone
	at time.Time // when it was last known to be, at the earliest
}

// missEngines tells, of each engine that ran, what its session has come to while nobody told: it has ended, or is lost with the PTY host. It
// returns the lost ones by key, for recordLost. It comes before anything else is taken from what a host tells of its sessions.
func (s *state) missEngines() map[string]lost {
	all := make(map[string]lost)
	for key, h := range s.engines {
		pane, err := s.pane(keyOf(key))
		if err != nil || !h.state.Ran() {
			continue
		}
		session, known := s.sessions[key]
		switch {
		case !known, session.Alive() && (!replaced(pane, session) || session.Lost.IsZero()):
			// It may run; and a session that is not there, or was replaced without a loss, was reset.
		case session.Exit != nil:
			s.endWithSession(h, session)
		default:
			all[key] = s.loseEngine(key, h, session)
		}
	}
	return all
}

// replaced reports whether a session is another one than the pane's engine ran in.
func replaced(pane workspace.Pane, session wire.Session) bool {
	return pane.Session != 0 && session.ID != pane.Session
}

// returns reports whether a pane's engine is started again with its session.
func (s *state) returns(pane workspace.Pane, h *hosted) bool {
	launches, ok := s.registry.OfCommand(pane.Command)
	return ok && launches.Name == h.engine.Name
}

// over reports whether a pane had an engine that has ended, other than one whose session was lost and that is about to be launched again.
func (s *state) over(pane workspace.Pane, h *hosted) bool {
	if h == nil || h.state.Alive != workspace.AnswerNo {
		return false
	}
	return pane.Ended == nil || !pane.Ended.Lost || !s.returns(pane, h)
}

// loseEngine tells that an engine was lost with the host. That was at the earliest when its session was last known to be.
func (s *state) loseEngine(key string, h *hosted, session wire.Session) lost {
	pane, _ := s.pane(keyOf(key))
	at := session.Lost
	if at.IsZero() {
		at = s.now()
	}
	if at.Before(h.state.Since) {
		at = h.state.Since
	}
	l := lost{gone{engine: h.engine, pid: h.pid, approximate: true}, at}
	s.tell(key, activity.Event{
		Kind: activity.EngineEnded, Time: at, Code: codeUnknown, Lost: true, Resumed: s.returns(pane, h),
	})
	h.going, h.pid, h.banner = false, 0, false
	return l
}

// recordLost records engines that were lost, with the end of their old screens. One that is on disk only is not fetched for that.
func (d *daemon) recordLost(ctx context.Context, all map[string]lost) {
	for key, l := range all {
		onDisk := false
		if d.do(ctx, func(s *state) error {
			onDisk = s.sessions[key].Deferred
			return nil
		}) != nil {
			return // the daemon stops
		}
		var peek wire.PeekResult
		if host := d.link.current(); host != nil && !onDisk {
			_ = d.link.call(ctx, host, func(ctx context.Context) (err error) { // without it the record has no lines
				peek, err = host.Peek(ctx, key)
				return err
			})
		}
		_ = d.do(ctx, func(s *state) error { // it fails only when the daemon stops
			s.recordEngine(key, l.gone, workspace.ExitRecord{Code: codeUnknown, Time: l.at, Lost: true, Tail: cleanTail(peek.Lost)})
			return nil
		})
	}
}
