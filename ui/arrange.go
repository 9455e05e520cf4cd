package ui

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"moorage/workspace"
	"moorage/workspace/split"

	tea "charm.land/bubbletea/v2"
)

// arrange lays the shown tab's panes out anew.
func (m *Model) arrange(how split.Preset) tea.Cmd {
	_, tab, ok := m.shownTab()
	if !ok || len(tab.Panes) < 2 {
		return m.say("one pane alone has nothing to arrange", false)
	}
	shown := m.shown
	return m.ask("arrange", func(ctx context.Context) (outcome, error) {
		return outcome{}, m.cfg.Daemon.ArrangeTab(ctx, workspace.TabArrange{Task: shown.task, Tab: shown.tab, How: how})
	})
}

// nextPreset arranges by the preset after the one that this client chose last.
func (m *Model) nextPreset() tea.Cmd {
	at := (slices.Index(split.Presets, m.preset) + 1) % len(split.Presets)
	m.preset = split.Presets[at]
	return tea.Batch(m.arrange(m.preset), m.say("layout: "+string(m.preset), false))
}

// swap exchanges the focused pane with the next or the previous one. It keeps
// the focus.
func (m *Model) swap(by int) tea.Cmd {
	p := m.current()
	_, tab, ok := m.shownTab()
	if p == nil || !ok {
		return nil
	}
	with, ok := tab.Layout.Next(p.ref.Pane)
	if by < 0 {
		with, ok = tab.Layout.Prev(p.ref.Pane)
	}
	if !ok || with == p.ref.Pane {
		return m.say("there is no other pane here", false)
	}
	ref := p.ref
	return m.ask("swap panes", func(ctx context.Context) (outcome, error) {
		return outcome{}, m.cfg.Daemon.SwapPanes(ctx, workspace.PaneSwap{PaneRef: ref, With: with})
	})
}

// breakPane gives the focused pane a tab of its own.
func (m *Model) breakPane() tea.Cmd {
	_, tab, ok := m.shownTab()
	if !ok || len(tab.Panes) < 2 {
		return m.say("the pane has its tab alone already", false)
	}
	return m.movePane("")
}

// askJoin moves the focused pane into another tab of the task.
func (m *Model) askJoin() tea.Cmd {
	task, _, ok := m.shownTab()
	if !ok || len(task.Tabs) < 2 {
		return m.say("there is no other tab to move the pane to", false)
	}
	m.dialog = newPrompt("Move this pane into tab number", "", func(text string) tea.Cmd {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > len(task.Tabs) {
			return m.say(fmt.Sprintf("no tab %q: there are 1 to %d", text, len(task.Tabs)), true)
		}
		return m.movePane(task.Tabs[n-1].ID)
	})
	m.touch()
	return nil
}

func (m *Model) movePane(to string) tea.Cmd {
	p := m.current()
	if p == nil {
		return nil
	}
	ref := p.ref
	return m.ask("move pane", func(ctx context.Context) (outcome, error) {
		added, err := m.cfg.Daemon.MovePane(ctx, workspace.PaneMove{PaneRef: ref, To: to})
		return outcome{wanted: wanted{tabRef: tabRef{ref.Task, added.Tab}, pane: added.Pane}}, err
	})
}
