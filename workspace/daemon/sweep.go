package daemon

import (
	"maps"
	"path/filepath"
	"slices"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// verdict is what a sweep decided about the host's sessions. A session in none of its lists is left as it is.
type verdict struct {
	end     []workspace.Key // of tasks that are positively gone, or ended before and not yet dead
	adopt   []wire.Session  // live, of a known task, in no layout
	recover []wire.Session  // live, of a task that an unreadable index may have held
	spared  []string        // doomed keys that the host has no session of
	foreign []string        // keys that are none of ours
}

// sweep judges every session that the host has. Nothing is ended without knowing: a task whose record could not be read, or an
// index that is a replacement for one, leaves its sessions alone.
func (s *state) sweep(sessions []wire.Session) verdict {
	var v verdict
	there := make(map[string]bool, len(sessions))
	for _, session := range sessions {
		there[session.Key] = true
		key, err := workspace.ParseKey(session.Key)
		if err != nil {
			v.foreign = append(v.foreign, session.Key)
			continue
		}
		task, known := s.tasks[key.Task]
		_, shown := task.Pane(key.Tab, key.Pane)
		switch {
		case s.doomed[session.Key]:
			v.end = append(v.end, key)
		case shown, s.unreadable[key.Task] != nil:
		case known && session.Alive():
			v.adopt = append(v.adopt, session)
		case s.recovering && session.Alive():
			v.recover = append(v.recover, session)
		case s.recovering:
		default:
			v.end = append(v.end, key)
		}
	}
	for key := range s.doomed {
		if !there[key] {
			v.spared = append(v.spared, key)
		}
	}
	return v
}

// carryOut makes the verdict part of the index. Ending what is doomed is the caller's.
func (s *state) carryOut(v verdict) error {
	edited := make(map[string]workspace.Task)
	for _, session := range slices.Concat(v.adopt, v.recover) {
		key, _ := workspace.ParseKey(session.Key)
		task, ok := edited[key.Task]
		if !ok {
			if have, known := s.tasks[key.Task]; known {
				task = have.Clone()
			} else {
				task = s.recovered(key.Task, session.Dir)
			}
		}
		if !task.Adopt(key, session.Argv, session.Dir) {
			s.log.Warn("a live session fits no layout", "key", session.Key)
			continue
		}
		s.log.Warn("a live session was missing from the layout and is adopted", "key", session.Key, "pid", session.PID)
		edited[key.Task] = task
	}
	for _, key := range v.foreign {
		s.log.Warn("a session has a key of another form; it is left alone", "key", key)
	}
	for _, key := range v.end {
		s.log.Info("ending the session of a task or pane that is gone", "key", key.String())
	}
	return s.commit(change{
		put:       slices.Collect(maps.Values(edited)),
		doom:      v.end,
		spared:    v.spared,
		recovered: s.recovering,
	})
}

// recovered is a task for the sessions of one whose record was lost.
func (s *state) recovered(id, dir string) workspace.Task {
	return workspace.Task{
		ID:       id,
		Title:    workspace.Clean(filepath.Base(dir), workspace.MaxTitle) + " (recovered)",
		Kind:     workspace.KindDirectory,
		Dir:      dir,
		Position: s.nextPosition(),
		Created:  s.now(),
		Updated:  s.now(),
	}
}
