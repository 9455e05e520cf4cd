package daemon

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/oklog/ulid/v2"
	"golang.org/x/sync/errgroup"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/worktree"
)

// maxLooks bounds how many worktrees are looked at once.
const maxLooks = 4

// worktreeRows lists the worktrees of every project. One that cannot be looked at has a row that says why.
func (d *daemon) worktreeRows(ctx context.Context, _ struct{}) (any, error) {
	var projects []workspace.Project
	var tasks []workspace.Task
	if err := d.do(ctx, func(s *state) error {
		projects, tasks = s.projectList(), s.ordered()
		return nil
	}); err != nil {
		return nil, err
	}
	rows := []workspace.WorktreeRow{}
	for _, project := range projects {
		repo, err := worktree.Open(ctx, project.Dir)
		var list []worktree.Worktree
		if err == nil {
			list, err = repo.Worktrees(ctx)
		}
		if err != nil {
			rows = append(rows, unseen(project, err))
		}
		for _, w := range list {
			if w.Bare {
				continue
			}
			row := workspace.WorktreeRow{Project: project.ID, Dir: w.Dir, Show: worktree.Display(w.Dir), Branch: w.Branch, Main: w.Main, Gone: w.Prunable != ""}
			if w.Locked {
				row.Locked = "locked"
				if w.Reason != "" {
					row.Locked = w.Reason
				}
			}
			for _, task := range tasks {
				if wire.SamePath(task.Dir, w.Dir) {
					row.Task = task.ID
				}
			}
			rows = append(rows, row)
		}
	}
	var group errgroup.Group
	group.SetLimit(maxLooks)
	for i := range rows {
		row := &rows[i]
		if row.Problem != "" {
			continue
		}
		base := ""
		for _, p := range projects {
			if p.ID == row.Project {
				base = p.Default
			}
		}
		group.Go(func() error {
			st := worktree.Look(ctx, row.Dir, base)
			row.Dirty, row.Pushed, row.Merged = st.Uncommitted().String(), st.Pushed.String(), st.Merged.String()
			row.Committed = st.Committed
			return nil
		})
	}
	_ = group.Wait() // no member fails
	return rows, nil
}

// unseen is the row of a project that nobody could look at.
func unseen(project workspace.Project, why error) workspace.WorktreeRow {
	unknown := worktree.Unknown.String()
	return workspace.WorktreeRow{
		Project: project.ID, Dir: project.Dir, Show: worktree.Display(project.Dir), Main: true, Problem: withNext(why),
		Dirty: unknown, Pushed: unknown, Merged: unknown,
	}
}

// worktreeAdopt makes a task for each of the worktrees. One that has a task already gives that.
func (d *daemon) worktreeAdopt(ctx context.Context, p workspace.WorktreeAdopt) (any, error) {
	project, repo, err := d.repository(ctx, p.Project)
	if err != nil {
		return nil, err
	}
	list, err := repo.Worktrees(ctx)
	if err != nil {
		return nil, workspace.AsError(err)
	}
	results := []workspace.AdoptResult{}
	for _, dir := range p.Dirs {
		result := workspace.AdoptResult{Dir: dir}
		i := slices.IndexFunc(list, func(w worktree.Worktree) bool { return wire.SamePath(w.Dir, dir) })
		switch unkept := checkText(dir); {
		case unkept != nil:
			result.Error = workspace.AsError(unkept).Message
		case i < 0:
			result.Error = "it is no worktree of " + project.Title
		case list[i].Bare || list[i].Main:
			result.Error = "it is the project's own checkout"
		case list[i].Prunable != "":
			result.Error = "its directory is gone"
		default:
			err := d.do(ctx, func(s *state) error {
				for _, t := range s.tasks {
					if t.Kind != workspace.KindScratch && wire.SamePath(t.Dir, dir) {
						result.Task = t.ID
						return nil
					}
				}
				w := list[i]
				title := w.Branch
				if title == "" {
					title = filepath.Base(w.Dir)
				}
				task := workspace.Task{
					ID: ulid.Make().String(), Title: workspace.Clean(title, workspace.MaxTitle), Kind: workspace.KindManaged, Made: true,
					Dir: w.Dir, Project: project.ID, Branch: w.Branch, Base: repo.Default,
					Position: s.nextPosition(), Created: s.now(), Updated: s.now(),
				}
				result.Task = task.ID
				return s.commit(change{put: []workspace.Task{task}})
			})
			if err != nil {
				result.Error = workspace.AsError(err).Message
			}
		}
		results = append(results, result)
	}
	return results, nil
}

func (d *daemon) worktreeLoss(ctx context.Context, p workspace.WorktreeRef) (any, error) {
	if err := checkDir(p.Dir); err != nil {
		return nil, err
	}
	project, _, err := d.repository(ctx, p.Project)
	if err != nil {
		return nil, err
	}
	loss := workspace.Loss{}
	d.lossOf(ctx, &loss, p.Dir, project.ID, project.Default)
	return loss, nil
}

// worktreeDrop removes a worktree that no task has: a task's own goes with its task.
func (d *daemon) worktreeDrop(ctx context.Context, p workspace.WorktreeDrop) (any, error) {
	if err := checkDir(p.Dir); err != nil {
		return nil, err
	}
	project, repo, err := d.repository(ctx, p.Project)
	if err != nil {
		return nil, err
	}
	if err := d.do(ctx, func(s *state) error {
		for _, t := range s.tasks {
			if t.Kind != workspace.KindScratch && wire.SamePath(t.Dir, p.Dir) {
				return workspace.Fail(workspace.CodeRefused, "delete the task: the worktree goes with it", "task %q has this worktree", t.Title)
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	list, err := repo.Worktrees(ctx)
	if err != nil {
		return nil, workspace.AsError(err)
	}
	if !slices.ContainsFunc(list, func(w worktree.Worktree) bool { return wire.SamePath(w.Dir, p.Dir) && !w.Main }) {
		return nil, workspace.Fail(workspace.CodeNotFound, "the page of worktrees lists them", "%s is no worktree of %s that could be removed", worktree.Display(p.Dir), project.Title)
	}
	removal, err := repo.Remove(d.base, p.Dir, project.Default, p.Force)
	if err != nil {
		return nil, workspace.AsError(err)
	}
	d.log.Info("a worktree was removed", "dir", p.Dir, "salvage", removal.Salvage)
	return done{}, nil
}

// taskLand lands a managed task's branch in its project's checkout.
func (d *daemon) taskLand(ctx context.Context, p workspace.TaskLand) (any, error) {
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
	if task.Kind != workspace.KindManaged || task.Branch == "" {
		return nil, workspace.Fail(workspace.CodeInvalid, "land a task that has a branch of its own", "%q has none", task.Title)
	}
	if !task.Made {
		return nil, workspace.Fail(workspace.CodeNoCommits, "open the task first: that makes its branch", "%q has no branch yet: its worktree has not been made", task.Title)
	}
	project, repo, err := d.repository(ctx, task.Project)
	if err != nil {
		return nil, err
	}
	if repo.Main == "" {
		return nil, workspace.Fail(workspace.CodeRefused, "merge it where the branch is checked out", "%s is a bare repository: there is no checkout to land in", project.Title)
	}
	end, err := d.landings.take(ctx, project.Common)
	if err != nil {
		return nil, err
	}
	defer end()
	work := context.WithoutCancel(ctx) // half a merge is worse than a late one
	landed, err := repo.Land(work, worktree.Landing{Checkout: repo.Main, Branch: task.Branch, Squash: p.Squash, Message: p.Message, DryRun: p.DryRun})
	result := workspace.Landed{
		Branch: task.Branch, Into: landed.Into, Before: landed.Before, After: landed.After, Commits: landed.Commits, DryRun: p.DryRun,
	}
	if p.DryRun {
		result.After = ""
	}
	for _, path := range landed.Conflicts {
		result.Conflicts = append(result.Conflicts, worktree.Display(path))
	}
	if err != nil && !(p.DryRun && workspace.CodeOf(err) == workspace.CodeConflict && len(result.Conflicts) > 0) {
		return nil, workspace.AsError(err)
	}
	d.look(task.ID)
	return result, nil
}

// taskSet changes a task's label and pin.
func (d *daemon) taskSet(ctx context.Context, p workspace.TaskSet) (any, error) {
	statuses := []workspace.Status{
		"", workspace.StatusBacklog, workspace.StatusInProgress, workspace.StatusInReview, workspace.StatusDone, workspace.StatusCanceled, workspace.StatusError,
	}
	if p.Status != nil && !slices.Contains(statuses, *p.Status) {
		return nil, workspace.Fail(workspace.CodeInvalid, "say backlog, in_progress, in_review, done, canceled or error", "%q is no status", *p.Status)
	}
	return d.edited(ctx, p.Task, func(t *workspace.Task) error {
		if p.Status != nil {
			t.Status = *p.Status
		}
		if p.Pinned != nil {
			t.Pinned = *p.Pinned
		}
		if p.Resume != nil {
			t.Resume = *p.Resume
		}
		return nil
	})
}
