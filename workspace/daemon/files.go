package daemon

import (
	"context"
	"errors"
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

// files lists a task's files, once there is something new of them. Git is asked when something changed, and never in a loop.
func (d *daemon) files(ctx context.Context, p workspace.FilesQuery) (any, error) {
	var task workspace.Task
	if err := d.do(ctx, func(s *state) error {
		var ok bool
		if task, ok = s.tasks[p.Task]; !ok {
			return workspace.NoTask(p.Task)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	watch := d.watches.ask(d, task.Dir)
	version, changed, still := watch.now()
	if p.Seen == version {
		select {
		case <-changed:
			version, _, still = watch.now()
		case <-time.After(filesWait):
			return workspace.FilesView{Version: version, Entries: []workspace.FileEntry{}, Same: true}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	view := workspace.FilesView{Version: version, Root: task.Dir, Entries: []workspace.FileEntry{}, Still: still}
	if !p.Changes {
		list, err := worktree.Files(ctx, task.Dir, maxFiles)
		if err != nil {
			return nil, workspace.AsError(err)
		}
		for _, path := range list.Files {
			view.Entries = append(view.Entries, workspace.FileEntry{Path: []byte(path), Show: worktree.Display(path)})
		}
		view.Cut = list.Cut
		return view, nil
	}
	list, err := worktree.ListChanges(ctx, task.Dir, task.Base, worktree.Scope(p.Scope))
	if err != nil {
		return nil, workspace.AsError(err)
	}
	view.Scope, view.Name, view.Commit = string(list.Scope), list.Name, list.Commit
	for _, c := range list.List[:min(len(list.List), maxFiles)] {
		show := worktree.Display(c.Path)
		if c.From != "" {
			show = worktree.Display(c.From) + " → " + show
		}
		view.Entries = append(view.Entries, workspace.FileEntry{
			Path: []byte(c.Path), Show: show, Status: string(rune(c.Status)), Added: c.Lines.Added, Removed: c.Lines.Removed,
		})
	}
	view.Cut = len(list.List) > maxFiles
	return view, nil
}
