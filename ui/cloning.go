package ui

import (
	"cmp"
	"context"
	"strings"

	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// cloneNow clones a repository, or tries once more what failed. Its row shows
// how far it is; the client turns to it when it is there.
func (m *Model) cloneNow(url string, p workspace.ProjectClone) tea.Cmd {
	return m.askLong("clone "+workspace.Clean(url, 200), func(ctx context.Context) (outcome, error) {
		if p.Again == "" {
			dir, err := expand(p.Parent)
			if err != nil {
				return outcome{}, err
			}
			p.Parent = dir
		}
		project, err := m.cfg.Daemon.CloneProject(ctx, p)
		return outcome{wanted: wanted{project: project.ID}, say: strings.TrimSpace("cloned " + project.Title)}, err
	})
}

// cloneMenu offers what can be done to a clone.
func (m *Model) cloneMenu(c *workspace.Clone) *menu {
	if c.Failed == "" {
		return newMenu(c.URL, entry{"", "it is being cloned into " + tilde(c.Parent), func() tea.Cmd { return nil }})
	}
	ref := workspace.CloneRef{ID: c.ID}
	return newMenu(c.URL+" failed",
		entry{"a", "try again", func() tea.Cmd { return m.cloneNow(c.URL, workspace.ProjectClone{Again: c.ID}) }},
		entry{"d", "dismiss", func() tea.Cmd { return m.dropClone(ref) }})
}

func (m *Model) dropClone(ref workspace.CloneRef) tea.Cmd {
	return m.ask("dismiss", func(ctx context.Context) (outcome, error) { return outcome{}, m.cfg.Daemon.DropClone(ctx, ref) })
}

// clearWork dismisses that something failed of a task.
func (m *Model) clearWork(task string) tea.Cmd {
	return m.ask("dismiss", func(ctx context.Context) (outcome, error) { return outcome{}, m.cfg.Daemon.ClearWork(ctx, task) })
}

// cloneLook is the look of a clone's row.
func (m *Model) cloneLook(c *workspace.Clone) rowLook {
	name := strings.TrimSuffix(c.URL[strings.LastIndexAny(strings.TrimRight(c.URL, "/"), "/:")+1:], ".git")
	l := rowLook{text: workspace.Clean(name, workspace.MaxTitle), style: theme.Bold}
	if c.Failed != "" {
		l.badge, l.after = failedMark, span{text: workspace.Clean(c.Failed, 400), style: theme.Error}
		return l
	}
	l.badge = mark{glyph: spinner[m.side.spin%len(spinner)], style: theme.Active}
	l.after = span{text: cmp.Or(workspace.Clean(c.Line, 200), "cloning"), style: theme.Faint}
	return l
}

// cloneStatus says of a clone what its row has no room for.
func cloneStatus(c *workspace.Clone) (string, paint.Style) {
	if c.Failed != "" {
		return workspace.Clean(c.Failed, 400) + "   Enter: try again, or dismiss", theme.Error
	}
	return workspace.Clean("cloning "+c.URL+" into "+tilde(c.Parent)+": "+c.Line, 400), theme.Text
}
