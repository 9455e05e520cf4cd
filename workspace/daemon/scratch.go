package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/worktree"
)

// taskRename gives a task another title. A scratch task that is given one has become work: it is kept, see settle.
func (d *daemon) taskRename(ctx context.Context, p workspace.TaskRename) (any, error) {
	title := workspace.Clean(p.Title, workspace.MaxTitle)
	if title == "" {
		return nil, workspace.Fail(workspace.CodeInvalid, "give a title with visible text", "rename task %s: empty title", p.Task)
	}
	scratch := false
	err := d.do(ctx, func(s *state) error {
		task, err := s.edit(p.Task, func(t *workspace.Task) ([]workspace.Key, error) {
			if err := renamed(p.Was, t.Title, title); err != nil {
				return nil, err
			}
			t.Title = title
			return nil, nil
		})
		scratch = task.Kind == workspace.KindScratch
		return err
	})
	if err == nil && scratch {
		err = d.settle(ctx, p.Task)
	}
	return done{}, err
}

// renamed refuses a name that was given by somebody who saw another one than there is now: of two the first wins, and the second is told.
func renamed(was *string, now, wanted string) error {
	if was == nil || *was == now {
		return nil
	}
	return workspace.Fail(workspace.CodeConflict, "rename it once more if yours is better", "somebody has called it %q meanwhile; yours was %q", now, wanted)
}

// settle makes a scratch task a lasting one: the task of the directory that its shell is in, which stands with the project whose repository
// that is. Where another task has that directory already, its tabs go there, programs and all. A directory that cannot be seen, or is the
// home, leaves it as it is.
func (d *daemon) settle(ctx context.Context, id string) error {
	var task workspace.Task
	if err := d.do(ctx, func(s *state) error {
		var ok bool
		if task, ok = s.tasks[id]; !ok {
			return workspace.NoTask(id)
		}
		return nil
	}); err != nil {
		return err
	}
	for _, key := range task.Keys() {
		if dir := d.whereIs(ctx, keyOf(key)); dir != "" {
			_, err := d.settleIn(ctx, id, dir, "")
			return err
		}
	}
	return nil
}

// settleEngine settles a scratch task because an engine has started in one of its panes, if that is in a git repository. The task gets the
// directory's name: nobody has given it one.
func (d *daemon) settleEngine(ctx context.Context, key workspace.Key) {
	dir := d.whereIs(ctx, key)
	if dir == "" {
		return
	}
	if _, err := worktree.Open(ctx, dir); err != nil {
		return // in none, or nobody could look
	}
	settled, err := d.settleIn(ctx, key.Task, dir, workspace.Clean(filepath.Base(dir), workspace.MaxTitle))
	if err != nil {
		d.log.Warn("a scratch task with an engine stays one", "task", key.Task, "dir", dir, "err", err)
	} else if settled {
		d.log.Info("a scratch task with an engine became a lasting one", "task", key.Task, "dir", dir)
	}
}

// settleIn settles a scratch task in a directory, under another title unless that is "".
func (d *daemon) settleIn(ctx context.Context, id, dir, title string) (settled bool, err error) {
	dir, err = filepath.EvalSymlinks(dir)
	if info, statErr := os.Stat(dir); err != nil || statErr != nil || !info.IsDir() {
		return false, nil //nolint:nilerr // it stays what it is
	}
	home, err := os.UserHomeDir()
	if err == nil {
		home, err = filepath.EvalSymlinks(home)
	}
	if err != nil || wire.SamePath(dir, home) {
		return false, nil //nolint:nilerr // likewise
	}
	common := ""
	if repo, err := worktree.Open(ctx, dir); err == nil {
		common = repo.Common
	}
	into := ""
	err = d.do(ctx, func(s *state) error {
		if task, ok := s.tasks[id]; !ok || task.Kind != workspace.KindScratch {
			return nil
		}
		settled = true
		if have, ok := s.taskOf(workspace.Task{Kind: workspace.KindDirectory, Dir: dir}); ok {
			into = have.ID
			return nil
		}
		_, err := s.edit(id, func(t *workspace.Task) ([]workspace.Key, error) {
			t.Kind, t.Dir, t.Title = workspace.KindDirectory, dir, orDefault(title, t.Title)
			for _, p := range s.projects {
				if common != "" && wire.SamePath(p.Common, common) {
					t.Project = p.ID
				}
			}
			return nil, nil
		})
		return err
	})
	if err != nil || into == "" {
		return settled, err
	}
	return settled, d.fold(ctx, id, into)
}

// fold moves all tabs of a task to the end of another one's strip, and ends the emptied task. Programs do not notice. The sessions get their
// keys first, see paneMove.
func (d *daemon) fold(ctx context.Context, from, into string) error {
	host, err := d.link.ensure(ctx)
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	var planned []workspace.KeyMove
	if err := d.do(ctx, func(s *state) error {
		old, target := s.tasks[from], s.tasks[into].Clone()
		if old.ID == "" || target.ID == "" {
			return workspace.NoTask(from)
		}
		planned = target.Take(old)
		for _, m := range planned {
			s.coming[m.To.String()] = true
		}
		return nil
	}); err != nil {
		return err
	}
	var renamed []workspace.KeyMove
	var failed error
	for _, m := range planned {
		if failed = d.rename(ctx, host, m.From, m.To); failed != nil {
			break
		}
		renamed = append(renamed, m)
	}
	err = d.do(ctx, func(s *state) error {
		for _, m := range planned {
			delete(s.coming, m.To.String())
		}
		if failed != nil {
			return failed
		}
		target, ok := s.tasks[into]
		if _, there := s.tasks[from]; !ok || !there {
			return workspace.NoTask(into)
		}
		target = target.Clone()
		if !slices.Equal(target.Take(s.tasks[from]), planned) {
			return workspace.Fail(workspace.CodeConflict, "try again", "the tasks were changed meanwhile")
		}
		target.Updated = s.now()
		c := change{put: []workspace.Task{target}, drop: []string{from}}
		if with := s.notes[from].Notes; len(with) > 0 { // more than MaxNotes may come together so
			c.notes = map[string]taskNotes{into: {s.now(), slices.Concat(s.notes[into].Notes, with)}}
		}
		return s.moved(c, planned...)
	})
	if err == nil {
		return nil
	}
	for _, m := range renamed { // back to where they were
		err = errors.Join(err, d.rename(ctx, host, m.To, m.From))
	}
	return err
}
