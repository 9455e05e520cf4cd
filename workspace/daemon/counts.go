package daemon

import (
	"context"
	"time"

	"moorage/workspace"
	"moorage/workspace/worktree"
)

const (
	// lookAfter is how long a task's files may change before they are counted, lookEvery how often at most.
	lookAfter = 300 * time.Millisecond
	lookEvery = 3 * time.Second
)

// countable reports whether a task has a worktree to count, and nobody is about to.
func (s *state) countable(id string) bool {
	task := s.tasks[id]
	return (task.Kind == workspace.KindMain || task.Kind == workspace.KindManaged && task.Made) && !s.looking[id]
}

// look counts what a task's worktree has beside its base, soon, and not more often than makes sense. Nobody waits for it. It is asked for when
// something may have changed: a client shows the task, a program of it shows another title or directory, a branch landed.
func (d *daemon) look(id string) {
	d.background(func(ctx context.Context) {
		var task workspace.Task
		var wait time.Duration
		if d.do(ctx, func(s *state) error {
			if !s.countable(id) {
				return nil
			}
			task = s.tasks[id]
			s.looking[id] = true
			wait = max(lookAfter, lookEvery-s.now().Sub(s.lookedAt[id]))
			return nil
		}) != nil || task.ID == "" {
			return
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		st := worktree.Look(ctx, task.Dir, task.Base)
		counts := &workspace.Counts{
			Known: st.Changed.Known || st.FromBase.Known, Added: st.Changed.Added, Removed: st.Changed.Removed,
			Ahead: st.FromBase.Ahead, Behind: st.FromBase.Behind,
			Dirty: st.Dirty() == worktree.Yes || st.Untracked.Any == worktree.Yes,
		}
		_ = d.do(ctx, func(s *state) error { // it fails only when the daemon stops
			delete(s.looking, id)
			s.lookedAt[id] = s.now()
			if _, ok := s.tasks[id]; !ok {
				delete(s.lookedAt, id)
				delete(s.counts, id)
				return nil
			}
			if had := s.counts[id]; had == nil || *had != *counts {
				s.counts[id] = counts
				s.show(id)
			}
			return nil
		})
	})
}
