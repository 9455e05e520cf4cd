package daemon

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/oklog/ulid/v2"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/bus"
	"moorage/workspace/worktree"
)

// projectsFact is the bus key of the projects. No task has such an id.
const projectsFact = "\x00projects"

// projectList is the projects by title.
func (s *state) projectList() []workspace.Project {
	return slices.SortedFunc(maps.Values(s.projects), func(a, b workspace.Project) int {
		return cmp.Or(cmp.Compare(a.Title, b.Title), cmp.Compare(a.ID, b.ID))
	})
}

func (s *state) showProjects() {
	s.bus.Publish(bus.Change[string, fact]{Key: projectsFact, Value: fact{projects: s.projectList()}})
}

// commitProjects makes a change of tasks and one of projects durable together.
func (s *state) commitProjects(projects map[string]workspace.Project, c change) error {
	list := slices.Collect(maps.Values(projects))
	c.projects = &list
	if err := s.commit(c); err != nil {
		return err
	}
	s.projects = projects
	s.showProjects()
	return nil
}

func (s *state) project(id string) (workspace.Project, error) {
	p, ok := s.projects[id]
	if !ok {
		return p, workspace.Fail(workspace.CodeNotFound, "`moorage api list` shows the projects", "there is no project %s", id)
	}
	return p, nil
}

// projectAdd saves the repository of a directory and makes the task of its checkout. A repository that is saved already is given as it is.
func (d *daemon) projectAdd(ctx context.Context, p workspace.ProjectAdd) (any, error) {
	if err := checkDir(p.Dir); err != nil || p.Dir == "" {
		return nil, cmp.Or(err, workspace.Fail(workspace.CodeInvalid, "give an absolute path", "add project: no directory"))
	}
	repo, err := worktree.Open(ctx, p.Dir)
	if err != nil {
		return nil, workspace.AsError(err)
	}
	return d.saveProject(ctx, repo)
}

func (d *daemon) saveProject(ctx context.Context, repo worktree.Repo) (workspace.Project, error) {
	if err := cmp.Or(checkText(repo.Main), checkText(repo.Common)); err != nil {
		return workspace.Project{}, err
	}
	project := workspace.Project{
		ID: ulid.Make().String(), Title: workspace.Clean(repo.Title(), workspace.MaxTitle),
		Dir: cmp.Or(repo.Main, repo.Common), Common: repo.Common, Default: repo.Default,
	}
	err := d.do(ctx, func(s *state) error {
		for _, have := range s.projects {
			if wire.SamePath(have.Common, project.Common) {
				project = have
				return nil
			}
		}
		project.Added = s.now()
		projects := maps.Clone(s.projects)
		projects[project.ID] = project
		return s.commitProjects(projects, s.mainTask(project, repo.Main))
	})
	return project, err
}

// mainTask is the change that gives a project's checkout its task: the one that the directory has already becomes it.
func (s *state) mainTask(project workspace.Project, checkout string) (c change) {
	if checkout == "" {
		return c // a bare repository has none
	}
	for _, task := range s.tasks {
		if task.Kind == workspace.KindDirectory && wire.SamePath(task.Dir, checkout) {
			task = task.Clone()
			task.Kind, task.Project, task.Updated = workspace.KindMain, project.ID, s.now()
			return change{put: []workspace.Task{task}}
		}
	}
	return change{put: []workspace.Task{{
		ID: ulid.Make().String(), Title: workspace.Clean(filepath.Base(checkout), workspace.MaxTitle), Kind: workspace.KindMain,
		Dir: checkout, Project: project.ID, Position: s.nextPosition(), Created: s.now(), Updated: s.now(),
	}}}
}

// projectRemove forgets a project. Its main task goes, with its sessions; managed tasks have to be deleted one by one first.
func (d *daemon) projectRemove(ctx context.Context, p workspace.ProjectRef) (any, error) {
	err := d.do(ctx, func(s *state) error {
		project, err := s.project(p.Project)
		if err != nil {
			return err
		}
		var c change
		managed := 0
		for _, task := range s.tasks {
			switch {
			case task.Project != p.Project:
			case task.Kind == workspace.KindManaged:
				managed++
			case task.Kind == workspace.KindDirectory: // it only stood with the others
				task = task.Clone()
				task.Project = ""
				c.put = append(c.put, task)
			default:
				c.drop = append(c.drop, task.ID)
				c.doom = append(c.doom, keysOf(task)...)
			}
		}
		if managed > 0 {
			return workspace.Fail(workspace.CodeRefused, "delete them first", "project %s has %s with a worktree", project.Title, workspace.Plural(managed, "task"))
		}
		projects := maps.Clone(s.projects)
		delete(projects, p.Project)
		return s.commitProjects(projects, c)
	})
	if err != nil {
		return nil, err
	}
	d.reap(d.base)
	return done{}, nil
}

// keysOf lists the keys of a task's sessions.
func keysOf(task workspace.Task) []workspace.Key {
	var keys []workspace.Key
	for _, text := range task.Keys() {
		key, _ := workspace.ParseKey(text) // the layout has only such
		keys = append(keys, key)
	}
	return keys
}

// repository opens the repository of a project.
func (d *daemon) repository(ctx context.Context, id string) (project workspace.Project, repo worktree.Repo, err error) {
	if err = d.do(ctx, func(s *state) (err error) {
		project, err = s.project(id)
		return err
	}); err != nil {
		return project, repo, err
	}
	if repo, err = worktree.Open(ctx, project.Dir); err != nil {
		return project, repo, workspace.AsError(err)
	}
	return project, repo, nil
}

// maxBases bounds what a dialog is offered.
const maxBases = 500

func (d *daemon) projectBases(ctx context.Context, p workspace.ProjectRef) (any, error) {
	_, repo, err := d.repository(ctx, p.Project)
	if err != nil {
		return nil, err
	}
	bases, err := repo.Bases(ctx, maxBases)
	if err != nil {
		return nil, workspace.AsError(err)
	}
	refs := make([]workspace.BaseRef, 0, len(bases))
	for _, b := range bases {
		refs = append(refs, workspace.BaseRef{Name: b.Name, Ref: b.Ref, Kind: string(b.Kind), Time: b.Time})
	}
	return refs, nil
}
