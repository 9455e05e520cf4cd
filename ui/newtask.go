package ui

import (
	"context"
	"path/filepath"

	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// askNewTask offers the kinds of tasks that can be made.
func (m *Model) askNewTask() tea.Cmd {
	project := m.projectHere()
	m.dialog = newMenu("New task",
		entry{"p", "project: a branch and worktree of its own", func() tea.Cmd { return m.askProjectTask(project) }},
		entry{"s", "scratch: a shell in your home directory", m.addScratch},
		entry{"d", "directory: any directory, as it is", m.askDirectory},
		entry{"r", "repository: save a checkout as a project", m.askRepository},
		entry{"c", "clone: a new checkout, as a project", m.askClone},
		entry{"a", "adopt: worktrees that are there already", func() tea.Cmd { return m.askAdopt("") }})
	m.touch()
	return nil
}

// projectHere is the project that the client is at; "" for none.
func (m *Model) projectHere() string {
	if row, ok := m.side.current(m.sidebarRows()); ok && m.region == inSidebar {
		if row.view == nil {
			return row.project
		}
		return row.view.Project
	}
	t, _ := m.world.Task(m.shown.task)
	return t.Project
}

// askDirectory makes the task of a directory.
func (m *Model) askDirectory() tea.Cmd {
	size := m.paneSize()
	return m.askDir("Open a directory", "~/", func(ctx context.Context, dir string) (outcome, error) {
		added, err := m.cfg.Daemon.AddTask(ctx, workspace.TaskAdd{Dir: dir, Size: size})
		return arrived(added), err
	})
}

// askRepository saves a repository.
func (m *Model) askRepository() tea.Cmd {
	return m.askDir("Save a repository", "~/", func(ctx context.Context, dir string) (outcome, error) {
		p, err := m.cfg.Daemon.AddProject(ctx, dir)
		return outcome{wanted: wanted{project: p.ID}}, err
	})
}

// askClone clones a repository and saves it. Where goes beside the project that
// was saved last.
func (m *Model) askClone() tea.Cmd {
	parent, added := "~", workspace.Project{}
	for _, p := range m.world.Projects {
		if !p.Added.Before(added.Added) && p.Dir != "" {
			parent, added = filepath.Dir(p.Dir), p
		}
	}
	m.dialog = newForm("Clone a repository", func(v []string) tea.Cmd {
		if v[0] == "" {
			return m.say("clone: give the repository's URL", true)
		}
		return m.cloneNow(v[0], workspace.ProjectClone{URL: v[0], Parent: v[1]})
	}, textField("URL", ""), textField("Into", parent))
	m.touch()
	return nil
}

// askRemoveProject forgets a project.
func (m *Model) askRemoveProject(id string) tea.Cmd {
	for _, p := range m.world.Projects {
		if p.ID == id {
			m.dialog = newConfirm("Remove project "+p.Title+"?", "It leaves the list, and its main checkout's task with it. The repository in "+p.Dir+" stays as it is.",
				m.ask("remove project", func(ctx context.Context) (outcome, error) {
					return outcome{}, m.cfg.Daemon.RemoveProject(ctx, id)
				}))
			m.touch()
		}
	}
	return nil
}
