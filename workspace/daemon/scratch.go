package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"moorage/ptyhost/wire"
	"moorage/workspace"
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

// settle makes a scratch task a lasting one: the task of the directory that its shell is in. Where another task has that directory already,
// its tabs go there, programs and all. A directory that cannot be seen, or is the home, leaves it as it is.
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
	host := d.link.current()
	if task.Kind != workspace.KindScratch || host == nil {
		return nil
	}
	var sessions []wire.Session // asked anew: a directory may change without a word
	if err := d.link.call(ctx, host, func(ctx context.Context) (err error) {
		sessions, err = host.List(ctx)
		return err
	}); err != nil {
		return err
	}
	dir := ""
	for _, key := range task.Keys() {
		for _, session := range sessions {
			if dir == "" && session.Key == key && session.Alive() {
				dir = session.CWD
			}
		}
	}
	dir, err := filepath.EvalSymlinks(dir)
	if info, statErr := os.Stat(dir); err != nil || statErr != nil || !info.IsDir() || wire.SamePath(dir, task.Dir) {
		return nil //nolint:nilerr // it stays what it is
	}
	into := ""
	err = d.do(ctx, func(s *state) error {
		for _, t := range s.tasks {
			if t.ID != id && t.Kind != workspace.KindScratch && wire.SamePath(t.Dir, dir) {
				into = t.ID
				return nil
			}
		}
		_, err := s.edit(id, func(t *workspace.Task) ([]workspace.Key, error) {
			t.Kind, t.Dir = workspace.KindDirectory, dir
			return nil, nil
		})
		return err
	})
	if err != nil || into == "" {
		return err
	}
	return d.fold(ctx, id, into)
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
		return s.commit(change{put: []workspace.Task{target}, drop: []string{from}})
	})
	if err == nil {
		return nil
	}
	for _, m := range renamed { // back to where they were
		err = errors.Join(err, d.rename(ctx, host, m.To, m.From))
	}
	return err
}
