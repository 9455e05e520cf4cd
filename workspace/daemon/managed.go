package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/worktree"
)

// nameManaged gives a managed task that is about to be added its branch and directory. It asks git.
func (d *daemon) nameManaged(ctx context.Context, task *workspace.Task, p workspace.TaskAdd) error {
	project, repo, err := d.repository(ctx, p.Project)
	if err != nil {
		return err
	}
	if task.Title == "" {
		return workspace.Fail(workspace.CodeInvalid, "give it a title", "add task in %s: no title", project.Title)
	}
	task.Kind, task.Project, task.Base = workspace.KindManaged, project.ID, cmp.Or(p.Base, repo.Default)
	// Names that other tasks wait to take are not known to git yet.
	wish := worktree.Wish{Title: task.Title, ID: task.ID, Prefix: p.Prefix, Root: d.worktrees}
	for n := 2; ; n++ {
		name, err := repo.Name(ctx, wish)
		if err != nil {
			return workspace.AsError(err)
		}
		taken := false
		if err := d.do(ctx, func(s *state) error {
			for _, t := range s.tasks {
				taken = taken || wire.SamePath(t.Dir, name.Dir) || t.Project == project.ID && t.Branch == name.Branch
			}
			return nil
		}); err != nil {
			return err
		}
		if task.Branch, task.Dir = name.Branch, name.Dir; !taken {
			return nil
		}
		wish.Title = fmt.Sprintf("%s %d", task.Title, n)
	}
}

// making is a worktree that is being made; those who ask meanwhile wait for it.
type making struct {
	done chan struct{} // closed when err is there
	err  error
}

// taskMake makes the worktree of a managed task, unless it is there. It goes on when its caller leaves; the task's row shows how far it is.
func (d *daemon) taskMake(ctx context.Context, p workspace.TaskRef) (any, error) {
	return done{}, d.make(ctx, p.Task)
}

func (d *daemon) make(ctx context.Context, id string) error {
	var task workspace.Task
	var m *making
	mine := false
	err := d.do(ctx, func(s *state) error {
		var ok bool
		if task, ok = s.tasks[id]; !ok {
			return workspace.NoTask(id)
		}
		if task.Kind != workspace.KindManaged {
			return nil
		}
		if m = s.making[id]; m == nil {
			if s.work[id] != nil && s.work[id].Failed == "" {
				return workspace.Fail(workspace.CodeBusy, "wait until it is done", "%s: %s", task.Title, s.work[id].What)
			}
			m, mine = &making{done: make(chan struct{})}, true
			s.making[id] = m
		}
		return nil
	})
	if err != nil || m == nil {
		return err
	}
	if mine {
		d.background(func(ctx context.Context) {
			m.err = d.makeNow(ctx, task)
			_ = d.do(ctx, func(s *state) error { // it fails only when the daemon stops
				delete(s.making, id)
				return nil
			})
			close(m.done)
		})
	}
	select {
	case <-m.done:
		return m.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// makingWorktree is what a task's row says meanwhile.
const makingWorktree = "making the worktree"

// makeNow does the making.
func (d *daemon) makeNow(ctx context.Context, task workspace.Task) error {
	if _, err := os.Stat(task.Dir); task.Made && !task.Begun && (err == nil || !errors.Is(err, fs.ErrNotExist)) {
		return nil
	}
	d.working(ctx, task.ID, workspace.Work{What: makingWorktree})
	if err := d.setBegun(ctx, task.ID, true); err != nil {
		return err
	}
	init, err := d.create(ctx, task, func(line string) { d.working(ctx, task.ID, workspace.Work{What: makingWorktree, Line: line}) })
	if err != nil {
		d.log.Warn("a worktree was not made", "task", task.ID, "branch", task.Branch, "err", err)
		if ctx.Err() != nil {
			return workspace.AsError(err) // it stays begun, for the next daemon to say so
		}
		d.working(ctx, task.ID, workspace.Work{What: makingWorktree, Failed: workspace.AsError(err).Message})
		return workspace.AsError(errors.Join(err, d.setBegun(ctx, task.ID, false)))
	}
	failed := workspace.Work{}
	if init.Failure != "" {
		failed = workspace.Work{What: worktree.InitScript, Failed: init.Failure, Line: lastLine(init.Output)}
	}
	return d.do(ctx, func(s *state) error {
		if _, ok := s.tasks[task.ID]; !ok {
			return workspace.NoTask(task.ID)
		}
		_, err := s.edit(task.ID, func(t *workspace.Task) ([]workspace.Key, error) {
			t.Made, t.Begun, t.Env, t.Root = true, false, init.Set, ""
			return nil, nil
		})
		s.setWork(task.ID, failed)
		return err
	})
}

// setBegun notes that a task's worktree is being made, for a daemon that comes after this one.
func (d *daemon) setBegun(ctx context.Context, id string, begun bool) error {
	return d.do(ctx, func(s *state) error {
		_, err := s.edit(id, func(t *workspace.Task) ([]workspace.Key, error) {
			t.Begun = begun
			return nil, nil
		})
		return err
	})
}

const (
	// endsWithin is how long a git that outlived the daemon that called it is waited for, endsEvery how often it is looked for.
	endsWithin = 10 * time.Minute
	endsEvery  = time.Second
)

// gitEnds waits until no git from before makes dir any more, by that verb. Where processes cannot be looked at, there is none.
func (d *daemon) gitEnds(ctx context.Context, verb, dir string, progress func(string)) error {
	ctx, cancel := context.WithTimeout(ctx, endsWithin)
	defer cancel()
	for {
		table, err := d.cfg.Processes()
		if err != nil || !table.makes(verb, dir) {
			return nil //nolint:nilerr // nobody could look
		}
		progress("git is still at it, from before")
		select {
		case <-time.After(endsEvery):
		case <-ctx.Done():
			return workspace.Fail(workspace.CodeBusy, "end it, and try again", "a git from before is still making %s", worktree.Display(dir))
		}
	}
}

// makes reports whether a git is there that makes dir.
func (t Processes) makes(verb, dir string) bool {
	for _, p := range t {
		if slices.Contains(p.Argv, verb) && slices.Contains(p.Argv, dir) {
			return true
		}
	}
	return false
}

func lastLine(text string) string {
	last := ""
	for line := range strings.Lines(text) {
		if clean := workspace.Clean(line, 200); clean != "" {
			last = clean
		}
	}
	return last
}

// create makes the worktree, and runs the repository's init script in it.
func (d *daemon) create(ctx context.Context, task workspace.Task, progress func(string)) (worktree.Init, error) {
	_, repo, err := d.repository(ctx, task.Project)
	if err != nil {
		return worktree.Init{}, err
	}
	plan := worktree.Plan{Dir: task.Dir, Branch: task.Branch, Base: task.Base}
	whole := false
	if task.Begun { // a daemon fell while it made it
		if err := d.gitEnds(ctx, "worktree", task.Dir, progress); err != nil {
			return worktree.Init{}, err
		}
		if plan, whole, err = repo.Recover(ctx, plan); err != nil {
			return worktree.Init{}, err
		}
	}
	if task.Made && !whole { // its directory is gone; the branch is there
		plan.Existing = true
		if _, err := repo.Remove(ctx, task.Dir, task.Base, false); err != nil {
			return worktree.Init{}, err
		}
	}
	if !whole {
		if err := repo.Create(ctx, plan, progress); err != nil {
			return worktree.Init{}, err
		}
	}
	env := append(os.Environ(), "MOORAGE=1", "MOORAGE_TASK_ID="+task.ID)
	init, err := worktree.RunInit(ctx, task.Dir, env, progress)
	if err != nil {
		init.Failure = err.Error()
	}
	return init, nil
}

// workEvery paces lines of progress.
const workEvery = 100 * time.Millisecond

// working shows what is being done to a task. Lines of progress come at most every workEvery.
func (d *daemon) working(ctx context.Context, id string, w workspace.Work) {
	_ = d.do(ctx, func(s *state) error { // it fails only when the daemon stops
		had := s.work[id]
		if had != nil && had.What == w.What && w.Failed == "" && w.Line != "" && s.now().Sub(s.workShown[id]) < workEvery {
			had.Line = w.Line
			return nil
		}
		s.setWork(id, w)
		return nil
	})
}

// setWork shows what is being done to a task; nothing for the zero Work. That something failed is stored until it is tried again or dismissed.
func (s *state) setWork(id string, w workspace.Work) {
	had := s.work[id]
	delete(s.workShown, id)
	if w.What == "" {
		delete(s.work, id)
	} else {
		w.Since, w.Line = s.now(), workspace.Clean(w.Line, 200)
		if had != nil && had.What == w.What {
			w.Since = had.Since
		}
		s.work[id], s.workShown[id] = &w, s.now()
	}
	if _, there := s.tasks[id]; there && (w.Failed != "" || had != nil && had.Failed != "") {
		if err := s.index.write(change{failed: map[string]workspace.Work{id: w}}); err != nil {
			s.log.Warn("what became of some work was not stored", "task", id, "err", err)
		}
	}
	s.show(id)
}
