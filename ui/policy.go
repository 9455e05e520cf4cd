package ui

import (
	"context"
	"errors"
	"path/filepath"

	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// policyChoices are the relaunch policies as a form offers them.
var policyChoices = []choice{
	{string(workspace.PolicyIfLost), "a reboot or a lost host"},
	{string(workspace.PolicyReattachOnly), "only when you ask"},
	{string(workspace.PolicyAlways), "also after an error"},
}

// askNewTab asks for a tab's command, place and policy.
func (m *Model) askNewTab() tea.Cmd {
	task, ok := m.world.Task(m.target().task)
	if !ok {
		return m.addScratch()
	}
	size := m.paneSize()
	d := newForm("New tab in "+task.Title, func(v []string) tea.Cmd {
		p := workspace.TabAdd{Task: task.ID, Name: v[1], Dir: v[2], Policy: workspace.Policy(v[3]), Size: size}
		if v[0] != "" {
			p.Command = []string{"sh", "-c", v[0]}
		}
		if p.Dir != "" && !filepath.IsAbs(p.Dir) {
			p.Dir = filepath.Join(task.Dir, p.Dir)
		}
		return m.open("new tab", func(ctx context.Context) (outcome, error) {
			added, err := m.cfg.Daemon.AddTab(ctx, p)
			return outcome{wanted: wanted{tabRef: tabRef{task.ID, added.Tab}, pane: added.Pane}}, err
		})
	}, textField("Command", ""), textField("Name", ""), textField("Directory", ""), choiceField("Relaunch", "", policyChoices))
	d.of = tabRef{task: task.ID}
	m.dialog = d
	m.touch()
	return nil
}

// askPolicy changes when a tab's programs are started again.
func (m *Model) askPolicy() tea.Cmd {
	r := m.target()
	task, ok := m.world.Task(r.task)
	if !ok {
		return nil
	}
	tab, ok := task.Tab(r.tab)
	if !ok {
		return m.say("no tab to set a policy for", false)
	}
	d := newForm("Tab "+task.TabLabel(r.tab, ""), func(v []string) tea.Cmd {
		return m.ask("set policy", func(ctx context.Context) (outcome, error) {
			p := workspace.TabPolicy{Task: r.task, Tab: r.tab, Policy: workspace.Policy(v[0])}
			if !p.Policy.Valid() {
				return outcome{}, errors.New("no such policy")
			}
			return outcome{}, m.cfg.Daemon.SetPolicy(ctx, p)
		})
	}, choiceField("Relaunch", string(tab.Policy), policyChoices))
	d.of = r
	m.dialog = d
	m.touch()
	return nil
}
