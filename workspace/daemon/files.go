package daemon

import (
	"context"
	"errors"
	"slices"
	"time"

	"moorage/workspace"
	"moorage/workspace/worktree"
)

// errTooMany means that a directory has more folders than are watched.
var errTooMany = errors.New("too many folders to watch")

const (
	// filesWait bounds how long an answer about files waits for a change.
	filesWait = 15 * time.Second
	// maxFiles bounds what one answer lists.
	maxFiles = 20_000
)

// seen is a task's directory at a moment.
type seen struct {
	task    workspace.Task
	version uint64
	still   bool // its changes are not noticed
	same    bool // it is as the caller knows it
}

// newer waits, for a while, until a task's directory is newer than known. Git is asked when something changed, and never in a loop.
func (d *daemon) newer(ctx context.Context, task string, known uint64) (at seen, err error) {
	if err := d.do(ctx, func(s *state) error {
		var ok bool
		if at.task, ok = s.tasks[task]; !ok {
			return workspace.NoTask(task)
		}
		return nil
	}); err != nil {
		return at, err
	}
	watch := d.watches.ask(d, at.task.RootDir())
	var changed chan struct{}
	at.version, changed, at.still = watch.now()
	if known != at.version {
		return at, nil
	}
	select {
	case <-changed:
		at.version, _, at.still = watch.now()
	case <-time.After(filesWait):
		at.same = true
	case <-ctx.Done():
		return at, ctx.Err()
	}
	return at, nil
}

// files lists a task's files, once there is something new of them.
func (d *daemon) files(ctx context.Context, p workspace.FilesQuery) (any, error) {
	at, err := d.newer(ctx, p.Task, p.Seen)
	if err != nil {
		return nil, err
	}
	task := at.task
	view := workspace.FilesView{Version: at.version, Root: task.RootDir(), Entries: []workspace.FileEntry{}, Still: at.still, Same: at.same}
	if at.same {
		return view, nil
	}
	if !p.Changes {
		list, err := worktree.Files(ctx, task.RootDir(), maxFiles)
		if err != nil {
			return nil, workspace.AsError(err)
		}
		for _, path := range list.Files {
			view.Entries = append(view.Entries, workspace.FileEntry{Path: []byte(path), Show: worktree.Display(path)})
		}
		view.Cut = list.Cut
		return view, nil
	}
	list, err := worktree.ListChanges(ctx, task.RootDir(), task.Base, worktree.Scope(p.Scope))
	if err != nil {
		return nil, workspace.AsError(err)
	}
	view.Root, view.Scope, view.Name, view.Commit = list.Root, string(list.Scope), list.Name, list.Commit
	for _, c := range list.List[:min(len(list.List), maxFiles)] {
		view.Entries = append(view.Entries, workspace.FileEntry{
			Path: []byte(c.Path), Show: c.Show(), Status: string(rune(c.Status)), Added: c.Lines.Added, Removed: c.Lines.Removed,
		})
	}
	view.Cut = len(list.List) > maxFiles
	return view, nil
}

// maxReviewed bounds the files whose differences one answer has.
const maxReviewed = 100

// diff gives what differs in a task's directory, once there is something new of it.
func (d *daemon) diff(ctx context.Context, p workspace.DiffQuery) (any, error) {
	at, err := d.newer(ctx, p.Task, p.Seen)
	if err != nil {
		return nil, err
	}
	view := workspace.DiffView{Version: at.version, Files: []workspace.FileDiff{}, Still: at.still, Same: at.same}
	if at.same {
		return view, nil
	}
	changes, err := worktree.ListChanges(ctx, at.task.RootDir(), at.task.Base, worktree.Scope(p.Scope))
	if err != nil {
		return nil, workspace.AsError(err)
	}
	view.Scope, view.Name = string(changes.Scope), changes.Name
	list := changes.List
	if len(p.Path) > 0 {
		list = slices.DeleteFunc(slices.Clone(list), func(c worktree.Change) bool { return c.Path != string(p.Path) })
	}
	if view.Cut = len(list) > maxReviewed; view.Cut {
		list = list[:maxReviewed]
	}
	if view.Files, err = worktree.Compare(ctx, changes, list); err != nil {
		return nil, workspace.AsError(err)
	}
	return view, nil
}
