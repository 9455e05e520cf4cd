package daemon

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/oklog/ulid/v2"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/worktree"
)

// done is the answer of a method that has nothing to tell.
type done struct{}

// taskAdd gives the task of a directory, made if there is none, or a new scratch task; with a first tab that runs.
func (d *daemon) taskAdd(ctx context.Context, p workspace.TaskAdd) (any, error) {
	if err := checkPolicy(p.Policy); p.Policy != "" && err != nil {
		return nil, err
	}
	fresh, err := newTask(p)
	if err == nil && p.Project != "" {
		err = d.nameManaged(ctx, &fresh, p)
	}
	if err != nil {
		return nil, err
	}
	var added workspace.Added
	err = d.do(ctx, func(s *state) error {
		have, ok := s.taskOf(fresh)
		if p.First && !ok {
			have, ok = s.firstTask()
		}
		if ok {
			added = workspace.Added{Task: have, Tab: have.ActiveTab, Existing: true}
			if tab, ok := have.Tab(have.ActiveTab); ok && !tab.Layout.Empty() {
				added.Pane = tab.Layout.Panes()[0]
			}
			return nil
		}
		fresh.Position = s.nextPosition()
		fresh.Created, fresh.Updated = s.now(), s.now()
		if fresh.Kind == workspace.KindManaged { // it gets its first tab when it is opened
			added = workspace.Added{Task: fresh}
			return s.commit(change{put: []workspace.Task{fresh}})
		}
		tab := fresh.AddTab(workspace.Tab{Command: p.Command, Policy: p.Policy}, "")
		s.equip(&fresh)
		added = workspace.Added{Task: fresh, Tab: tab.ID, Pane: tab.Panes[0].ID}
		return s.commit(change{put: []workspace.Task{fresh}})
	})
	if err != nil || added.Existing || added.Tab == "" {
		return added, err
	}
	return d.begun(ctx, added, p.Size)
}

// begun starts the session of what was added. It stays added when that fails.
func (d *daemon) begun(ctx context.Context, added workspace.Added, size workspace.Size) (any, error) {
	key := workspace.Key{Task: added.Task.ID, Tab: added.Tab, Pane: added.Pane}
	if _, err := d.open(ctx, key, size, false); err != nil {
		return nil, workspace.AsError(fmt.Errorf("%s of %q was added: %w", key.Tab, added.Task.Title, err))
	}
	return added, nil
}

// newTask makes the record that was asked for. It looks at the directory, so it is not for the owner.
func newTask(p workspace.TaskAdd) (workspace.Task, error) {
	task := workspace.Task{
		ID:      ulid.Make().String(),
		Title:   workspace.Clean(p.Title, workspace.MaxTitle),
		Kind:    workspace.KindDirectory,
		Command: slices.Clone(p.Command),
	}
	if p.Scratch {
		home, err := os.UserHomeDir()
		if err != nil {
			return task, workspace.Fail(workspace.CodeInvalid, "set HOME", "add scratch task: %v", err)
		}
		task.Kind, task.Dir = workspace.KindScratch, home
		if task.Title == "" {
			task.Title = "scratch"
		}
		return task, nil
	}
	if p.Project != "" {
		return task, nil // named by git
	}
	if !filepath.IsAbs(p.Dir) {
		return task, workspace.Fail(workspace.CodeInvalid, "give an absolute path", "add task: directory %q is not absolute", p.Dir)
	}
	if err := checkText(p.Dir); err != nil {
		return task, err
	}
	dir, err := filepath.EvalSymlinks(p.Dir)
	if err != nil {
		return task, workspace.Fail(workspace.CodeNotFound, "make the directory first", "add task: %v", err)
	}
	if err := checkText(dir); err != nil { // a link went there
		return task, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return task, workspace.Fail(workspace.CodeInvalid, "name a directory", "add task: %s is no directory", dir)
	}
	task.Dir = dir
	if task.Title == "" {
		task.Title = workspace.Clean(filepath.Base(dir), workspace.MaxTitle)
	}
	return task, nil
}

// checkDir refuses a directory that no task can be about: a relative one, or one that cannot be kept.
func checkDir(dir string) error {
	if err := checkAbs(dir); err != nil {
		return err
	}
	return checkText(dir)
}

// checkText refuses a directory whose path is not UTF-8: JSON, which records and messages are in, would make another one of it. By then it
// may have done so already, with U+FFFD for what it did not know.
func checkText(dir string) error {
	if !utf8.ValidString(dir) || strings.ContainsRune(dir, utf8.RuneError) {
		return workspace.Fail(workspace.CodeInvalid, "give the directory another name", "the path %s is not UTF-8: it cannot be kept", worktree.Display(dir))
	}
	return nil
}

// checkAbs refuses a relative path: the daemon's own directory means nothing to anybody.
func checkAbs(dir string) error {
	if dir != "" && !filepath.IsAbs(dir) {
		return workspace.Fail(workspace.CodeInvalid, "give an absolute path", "directory %q is not absolute", dir)
	}
	return nil
}

// taskOf is the task that fresh's directory has already.
func (s *state) taskOf(fresh workspace.Task) (workspace.Task, bool) {
	if fresh.Kind != workspace.KindDirectory {
		return workspace.Task{}, false
	}
	for _, task := range s.tasks {
		if task.Kind != workspace.KindScratch && wire.SamePath(task.Dir, fresh.Dir) {
			return task, true
		}
	}
	return workspace.Task{}, false
}

// firstTask is the one at the top of the sidebar.
func (s *state) firstTask() (first workspace.Task, ok bool) {
	for _, task := range s.tasks {
		if !ok || task.Position < first.Position || task.Position == first.Position && task.ID < first.ID {
			first, ok = task, true
		}
	}
	return first, ok
}

// taskMove numbers the tasks anew with p.Task at index p.To.
func (d *daemon) taskMove(ctx context.Context, p workspace.TaskMove) (any, error) {
	return done{}, d.do(ctx, func(s *state) error {
		tasks := s.ordered()
		at := slices.IndexFunc(tasks, func(t workspace.Task) bool { return t.ID == p.Task })
		if at < 0 {
			return workspace.NoTask(p.Task)
		}
		moved := tasks[at]
		tasks = slices.Delete(tasks, at, at+1)
		tasks = slices.Insert(tasks, min(max(p.To, 0), len(tasks)), moved)
		var c change
		for i, task := range tasks {
			if task.Position != i {
				task.Position = i
				c.put = append(c.put, task)
			}
		}
		return s.commit(c)
	})
}

// edited answers a method that changes one task and no session.
func (d *daemon) edited(ctx context.Context, task string, f func(*workspace.Task) error) (any, error) {
	return done{}, d.do(ctx, func(s *state) error {
		_, err := s.edit(task, func(t *workspace.Task) ([]workspace.Key, error) { return nil, f(t) })
		return err
	})
}

// closed answers a method that takes something out of a task and ends its sessions. It returns when they have ended, or when the
// host cannot be asked.
func (d *daemon) closed(ctx context.Context, task string, f func(*workspace.Task) ([]workspace.Key, error)) (any, error) {
	err := d.do(ctx, func(s *state) error {
		_, err := s.edit(task, f)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.reap(d.base)
	return done{}, nil
}
