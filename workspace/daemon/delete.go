package daemon

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/worktree"
)

// maxNamed bounds the files that a loss names of each sort.
const maxNamed = 20

// taskLoss says what a delete would take. It asks git.
func (d *daemon) taskLoss(ctx context.Context, p workspace.TaskRef) (any, error) {
	var task workspace.Task
	live := 0
	err := d.do(ctx, func(s *state) error {
		var ok bool
		if task, ok = s.tasks[p.Task]; !ok {
			return workspace.NoTask(p.Task)
		}
		for _, key := range task.Keys() {
			if s.sessions[key].Alive() {
				live++
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	loss := workspace.Loss{Live: live, Branch: task.Branch}
	if task.Kind == workspace.KindManaged && task.Made {
		d.lossOf(ctx, &loss, task.Dir, task.Project, task.Base)
	}
	return loss, nil
}

// lossOf looks what is in a worktree of a project.
func (d *daemon) lossOf(ctx context.Context, loss *workspace.Loss, dir, project, base string) {
	loss.Worktree = worktree.Display(dir)
	st := worktree.Look(ctx, dir, base)
	if st.Gone == worktree.Yes {
		d.lossOfGone(ctx, loss, dir, project)
		return
	}
	loss.Changed = named(either(st.Staged, st.Unstaged, st.Conflicted))
	loss.Untracked, loss.Ignored = named(st.Untracked), named(st.Ignored)
	if st.Unpushed == worktree.Yes {
		loss.Unpushed = st.Commits
	}
	if err := st.Refusal(false); err != nil {
		loss.Refused = workspace.AsError(err).Message
	}
	if err := st.Refusal(true); err != nil {
		loss.Forced = withNext(err)
	}
}

// withNext is an error with what to do about it: nothing else is offered then.
func withNext(err error) string {
	e := workspace.AsError(err)
	if e.Next == "" {
		return e.Message
	}
	return e.Message + "; " + e.Next
}

// lossOfGone looks what git still has of a worktree whose directory is gone.
func (d *daemon) lossOfGone(ctx context.Context, loss *workspace.Loss, dir, project string) {
	loss.Gone = true
	_, repo, err := d.repository(ctx, project)
	var left worktree.Left
	if err == nil {
		left, err = repo.Left(ctx, dir)
	}
	if err != nil {
		loss.Refused, loss.Forced = workspace.AsError(err).Message, withNext(err)
		return
	}
	loss.Changed, loss.Adrift = named(left.Staged), left.Commits
	if err := left.Refusal(); err != nil {
		loss.Refused = workspace.AsError(err).Message
	}
}

// either are the paths that are in any of the sorts, each once. Of more than are named there, it may count some twice.
func either(sorts ...worktree.Paths) (all worktree.Paths) {
	for _, p := range sorts {
		all.Count += p.Count - len(p.Names)
		for _, name := range p.Names {
			if !slices.Contains(all.Names, name) {
				all.Names = append(all.Names, name)
				all.Count++
			}
		}
	}
	return all
}

func named(p worktree.Paths) []string {
	var names []string
	for i, name := range p.Names {
		if i == maxNamed {
			names = append(names, fmt.Sprintf("and %d more", p.Count-maxNamed))
			break
		}
		names = append(names, worktree.Display(name))
	}
	return names
}

// deleting is what a task's row says meanwhile.
const deleting = "deleting"

// notDeleted shows why a task is still there.
func (d *daemon) notDeleted(ctx context.Context, id string, why error) {
	_ = d.do(ctx, func(s *state) error { // it fails only when the daemon stops
		if _, ok := s.tasks[id]; ok {
			s.setWork(id, workspace.Work{What: deleting, Failed: workspace.AsError(why).Message})
		}
		return nil
	})
}

// taskDelete deletes a task. That of a managed one goes on when its caller leaves; its row shows it, and stays when it fails.
func (d *daemon) taskDelete(ctx context.Context, p workspace.TaskDelete) (any, error) {
	var task workspace.Task
	err := d.do(ctx, func(s *state) error {
		var ok bool
		if task, ok = s.tasks[p.Task]; !ok {
			return workspace.NoTask(p.Task)
		}
		if w := s.work[p.Task]; w != nil && w.Failed == "" {
			return workspace.Fail(workspace.CodeBusy, "wait until it is done", "%s: %s", task.Title, w.What)
		}
		if task.Kind != workspace.KindManaged || !task.Made {
			return s.commit(change{drop: []string{p.Task}, doom: keysOf(task)})
		}
		s.setWork(p.Task, workspace.Work{What: deleting})
		return nil
	})
	if err != nil {
		return nil, err
	}
	if task.Kind != workspace.KindManaged || !task.Made {
		d.reap(d.base)
		if task.Begun {
			d.background(func(ctx context.Context) { d.clearHalf(ctx, task) })
		}
		return done{}, nil
	}
	result := make(chan error, 1)
	d.background(func(ctx context.Context) {
		err := d.deleteManaged(ctx, task, p)
		if err != nil && ctx.Err() == nil {
			d.notDeleted(ctx, task.ID, err)
		}
		result <- err
	})
	select {
	case err := <-result:
		if err != nil {
			return nil, workspace.AsError(err)
		}
		return done{}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// clearHalf takes away what a daemon that fell has left of a task's worktree.
func (d *daemon) clearHalf(ctx context.Context, task workspace.Task) {
	_, repo, err := d.repository(ctx, task.Project)
	if err == nil {
		err = d.gitEnds(ctx, "worktree", task.Dir, func(string) {})
	}
	if err == nil {
		_, _, err = repo.Recover(ctx, worktree.Plan{Dir: task.Dir, Branch: task.Branch})
	}
	if err != nil {
		d.log.Warn("a half-made worktree stays", "task", task.ID, "dir", task.Dir, "err", err)
	}
}

// deleteManaged removes a task's worktree and then the task. The gate is asked before any session ends, and once more by the removal.
func (d *daemon) deleteManaged(ctx context.Context, task workspace.Task, p workspace.TaskDelete) error {
	if p.DeleteBranch != "" && p.DeleteBranch != task.Branch {
		return workspace.Fail(workspace.CodeInvalid, "name the task's own branch", "branch %s is not this task's; nothing was deleted", p.DeleteBranch)
	}
	_, repo, err := d.repository(ctx, task.Project)
	if err != nil {
		return err
	}
	if err := refusal(ctx, repo, task, p.Force); err != nil {
		return err
	}
	if err := d.do(ctx, func(s *state) error { return s.noteCutOff(task.ID) }); err != nil {
		return err
	}
	if err := d.endSessions(ctx, task.Keys()); err != nil {
		return err
	}
	removal, err := repo.Remove(ctx, task.Dir, task.Base, p.Force)
	if err != nil {
		return err
	}
	d.log.Info("a worktree was removed", "task", task.ID, "dir", task.Dir, "branch", task.Branch, "salvage", removal.Salvage)
	var stays error
	if p.DeleteBranch != "" {
		_, stays = repo.DeleteBranch(ctx, task.Branch, task.Base, p.Force)
	}
	err = d.do(ctx, func(s *state) error {
		delete(s.work, task.ID)
		now, ok := s.tasks[task.ID]
		if !ok {
			return nil
		}
		return s.commit(change{drop: []string{task.ID}, doom: keysOf(now)})
	})
	d.reap(ctx)
	if err == nil && stays != nil {
		why := workspace.AsError(stays)
		return workspace.Fail(workspace.CodeOf(stays), cmp.Or(why.Next, "`git branch -D` deletes it"), "the task was deleted, its branch %s stays: %s", worktree.Display(task.Branch), why.Message)
	}
	return err
}

// noteCutOff stores what is to be said of a task that a daemon was deleting when it ended: how far it came is not known, and a second delete
// does the rest.
func (s *state) noteCutOff(id string) error {
	return s.index.write(change{failed: map[string]workspace.Work{
		id: {What: deleting, Failed: "the daemon ended while it was being deleted: delete it again", Since: s.now()},
	}})
}

// refusal is why a task's worktree must not be removed, nil if it may.
func refusal(ctx context.Context, repo worktree.Repo, task workspace.Task, force bool) error {
	st := worktree.Look(ctx, task.Dir, task.Base)
	if st.Gone != worktree.Yes {
		return st.Refusal(force)
	}
	left, err := repo.Left(ctx, task.Dir)
	if err != nil || force {
		return err
	}
	return left.Refusal()
}

// endSessions ends sessions whose panes stay, for now: their end is not taken for an exit.
func (d *daemon) endSessions(ctx context.Context, keys []string) error {
	count := func(by int) {
		_ = d.do(context.WithoutCancel(ctx), func(s *state) error { // it fails only when the daemon stops
			for _, key := range keys {
				if s.resets[key] += by; s.resets[key] == 0 {
					delete(s.resets, key)
				}
			}
			return nil
		})
	}
	host := d.link.current()
	if host == nil || len(keys) == 0 {
		return nil // nothing runs there that could be ended
	}
	count(+1)
	defer count(-1)
	var group errgroup.Group
	group.SetLimit(maxEnds)
	for _, key := range keys {
		group.Go(func() error {
			err := d.link.call(ctx, host, func(ctx context.Context) error { return host.Kill(ctx, key) })
			if wire.CodeOf(err) == wire.CodeNotFound {
				return nil
			}
			return err
		})
	}
	return group.Wait()
}
