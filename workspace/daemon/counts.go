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
		task, since := d.toCount(ctx, id)
		if task.ID == "" {
			return
		}
		select {
		case <-time.After(max(lookAfter, lookEvery-since)):
		case <-ctx.Done():
			return
		}
		d.count(ctx, task)
	})
}

// lookAll counts for every task, one after the other. It is for the first client of a daemon, which knows of no change yet.
func (d *daemon) lookAll(ctx context.Context) {
	var ids []string
	if d.do(ctx, func(s *state) error {
		for _, task := range s.ordered() {
			ids = append(ids, task.ID)
		}
		return nil
	}) != nil {
		return // the daemon stops
	}
	for _, id := range ids {
		if task, _ := d.toCount(ctx, id); task.ID != "" {
			d.count(ctx, task)
		}
	}
}

// toCount takes a task for counting, and says how long it is since it was counted. The task is zero if there is nothing to count, or
// somebody does.
func (d *daemon) toCount(ctx context.Context, id string) (task workspace.Task, since time.Duration) {
	_ = d.do(ctx, func(s *state) error { // it fails only when the daemon stops
		if s.countable(id) {
			task, since = s.tasks[id], s.now().Sub(s.lookedAt[id])
			s.looking[id] = true
		}
		return nil
	})
	return task, since
}

// count asks git about a task that toCount has given.
func (d *daemon) count(ctx context.Context, task workspace.Task) {
	st := worktree.Look(ctx, task.Dir, task.Base)
	counts := &workspace.Counts{
		Known: st.Changed.Known || st.FromBase.Known, Added: st.Changed.Added, Removed: st.Changed.Removed,
		Ahead: st.FromBase.Ahead, Behind: st.FromBase.Behind,
		Dirty: st.Uncommitted() == worktree.Yes,
	}
	id := task.ID
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
}
