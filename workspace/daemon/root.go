package daemon

import (
	"context"
	"os"
	"path/filepath"

	"moorage/workspace"
	"moorage/workspace/worktree"
)

// whereIs is the directory that a pane's program works in, "" if nobody knows. The host is asked anew: a directory may change without a word.
func (d *daemon) whereIs(ctx context.Context, key workspace.Key) string {
	dir := ""
	if d.do(ctx, func(s *state) error {
		dir = s.sessions[key.String()].CWD
		return nil
	}) != nil {
		return ""
	}
	host := d.link.current()
	if host == nil {
		return dir
	}
	_ = d.link.call(ctx, host, func(ctx context.Context) error { // then the last that was told counts
		peek, err := host.Peek(ctx, key.String())
		if err == nil && peek.Session.CWD != "" {
			dir = peek.Session.CWD
		}
		return err
	})
	return dir
}

// rootOf is the task whose root is to be moved, and the directory that is meant, which is there.
func (d *daemon) rootOf(ctx context.Context, p workspace.RootSet) (task workspace.Task, dir string, err error) {
	if err = d.do(ctx, func(s *state) error {
		var ok bool
		if task, ok = s.tasks[p.Task]; !ok {
			return workspace.NoTask(p.Task)
		}
		if p.Dir != "" {
			return checkDir(p.Dir)
		}
		_, err := s.pane(p.Key())
		return err
	}); err != nil {
		return task, "", err
	}
	meant, what := p.Dir, "the directory "+worktree.Display(p.Dir)
	if meant == "" {
		meant, what = d.whereIs(ctx, p.Key()), "the directory of "+p.Key().String()
	}
	dir, err = filepath.EvalSymlinks(meant)
	if info, statErr := os.Stat(dir); err != nil || statErr != nil || !info.IsDir() {
		return task, "", workspace.Fail(workspace.CodeDirGone, "name one that is there", "%s cannot be seen", what)
	}
	return task, dir, checkText(dir)
}

// taskRoot moves a task's root. That of a task of a project stays within its checkout: the branch and the worktree are what the task is. Any other
// task becomes that of the directory, unless another one has it.
func (d *daemon) taskRoot(ctx context.Context, p workspace.RootSet) (any, error) {
	task, dir, err := d.rootOf(ctx, p)
	if err != nil {
		return nil, err
	}
	root := ""
	if task.Project != "" && task.Kind != workspace.KindDirectory {
		top, err := filepath.EvalSymlinks(task.Dir)
		if err != nil {
			return nil, workspace.Fail(workspace.CodeDirGone, "Enter makes it anew", "the worktree of %q cannot be seen: %v", task.Title, err)
		}
		below, err := filepath.Rel(top, dir)
		if err != nil || !filepath.IsLocal(below) {
			return nil, workspace.Fail(workspace.CodeRefused, "choose one in it, or open the directory as a task of its own",
				"%s is outside of %s, which %q is about", worktree.Display(dir), worktree.Display(task.Dir), task.Title)
		}
		if below != "." {
			root = filepath.Join(task.Dir, below)
		}
		dir = task.Dir
	}
	err = d.do(ctx, func(s *state) error {
		if other, ok := s.taskOf(workspace.Task{Kind: workspace.KindDirectory, Dir: dir}); ok && other.ID != p.Task && task.Kind != workspace.KindScratch {
			return workspace.Fail(workspace.CodeConflict, "open that one", "the task %q has %s already", other.Title, worktree.Display(dir))
		}
		task, err = s.edit(p.Task, func(t *workspace.Task) ([]workspace.Key, error) {
			t.Dir, t.Root = dir, root
			return nil, nil
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	d.look(p.Task)
	return workspace.Rooted{Dir: task.RootDir()}, nil
}

// taskOpen opens a file by the desktop of this machine.
func (d *daemon) taskOpen(ctx context.Context, p workspace.TaskOpen) (any, error) {
	if err := d.do(ctx, func(s *state) error {
		if _, ok := s.tasks[p.Task]; !ok {
			return workspace.NoTask(p.Task)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	path := string(p.Path)
	if err := checkAbs(path); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); err != nil {
		return nil, workspace.Fail(workspace.CodeNotFound, "r lists the files anew", "%s is not there", worktree.Display(path))
	}
	if d.cfg.OpenFile == nil {
		return nil, workspace.Fail(workspace.CodeRefused, "Enter opens it in a tab",
			"the machine that the daemon runs on has no desktop: neither DISPLAY nor WAYLAND_DISPLAY was set when it started")
	}
	if err := d.cfg.OpenFile(path); err != nil {
		return nil, workspace.AsError(err)
	}
	return done{}, nil
}

// taskClear takes away what is shown of something that failed.
func (d *daemon) taskClear(ctx context.Context, p workspace.TaskRef) (any, error) {
	return done{}, d.do(ctx, func(s *state) error {
		if _, ok := s.tasks[p.Task]; !ok {
			return workspace.NoTask(p.Task)
		}
		if w := s.work[p.Task]; w == nil || w.Failed == "" {
			return workspace.Fail(workspace.CodeInvalid, "", "nothing of it has failed")
		}
		s.setWork(p.Task, workspace.Work{})
		return nil
	})
}
