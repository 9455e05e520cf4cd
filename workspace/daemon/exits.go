package daemon

import (
	"context"
	"slices"

	"github.com/oklog/ulid/v2"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// noteExit records an end with an error or by a signal, once. Ends that were asked for are never told as ends: the host has removed
// the session then.
func (s *state) noteExit(session wire.Session) {
	if session.Alive() || !workspace.Unclean(session.Exit) || s.knowsExit(session) {
		return
	}
	exit := session.Exit
	r := workspace.ExitRecord{
		Key: session.Key, Layer: workspace.LayerPTY, Code: exit.Code, Signal: exit.Signal, Time: exit.Time, PID: session.PID,
	}
	for _, line := range exit.Tail {
		r.Tail = append(r.Tail, workspace.Clean(line, 1000))
	}
	r.Task, r.Tab = s.names(session.Key)
	s.addExit(r)
}

// addExit stores a record and forgets the oldest.
func (s *state) addExit(r workspace.ExitRecord) {
	if err := s.index.keep(exitsBucket, ulid.Make().String(), r, s.limit); err != nil {
		s.log.Warn("an exit was not recorded", "key", r.Key, "err", err)
	}
	s.exits = append(s.exits, r)
	s.exits = s.exits[max(len(s.exits)-s.limit, 0):]
}

// knowsExit reports whether the end of a session was recorded already, or is older than all that are kept: a host and its frozen
// sessions tell the same end to each new daemon.
func (s *state) knowsExit(session wire.Session) bool {
	if len(s.exits) >= s.limit && session.Exit.Time.Before(s.exits[0].Time) {
		return true
	}
	return slices.ContainsFunc(s.exits, func(r workspace.ExitRecord) bool {
		return r.Layer == workspace.LayerPTY && r.Key == session.Key && r.Time.Equal(session.Exit.Time)
	})
}

// names are the title of a key's task and the label of its tab, as far as they are known.
func (s *state) names(text string) (task, tab string) {
	key, err := workspace.ParseKey(text)
	if err != nil {
		return "", ""
	}
	t, ok := s.tasks[key.Task]
	if !ok {
		return "", key.Tab
	}
	if tb, ok := t.Tab(key.Tab); ok {
		return t.Title, tb.Label(workspace.Clean(s.sessions[text].Title, workspace.MaxTitle))
	}
	return t.Title, key.Tab
}

func (d *daemon) exits(ctx context.Context, _ struct{}) (any, error) {
	all := []workspace.ExitRecord{}
	err := d.do(ctx, func(s *state) error {
		all = append(all, s.exits...)
		return nil
	})
	slices.Reverse(all)
	return all, err
}
