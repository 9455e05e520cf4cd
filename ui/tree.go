package ui

import (
	"cmp"
	"slices"

	"moorage/workspace"
)

// group is a section of the sidebar: the scratch tasks, a project, or the other
// directories.
type group struct {
	key     string // what it is folded by
	title   string // "" has no heading
	project string // its id, of a project's
	tasks   []*workspace.TaskView
}

// Keys of the groups that are no project's.
const (
	scratchGroup   = "@scratch"
	directoryGroup = "@directories"
	cloneGroup     = "@clone " // with its id behind it
)

func projectGroup(id string) string { return "@" + id }

// groupsOf sorts the world's tasks into the sidebar's sections, from top to
// bottom. Without a project nothing needs a heading.
func groupsOf(w *World) []group {
	groups := []group{{key: scratchGroup}}
	at := make(map[string]int, len(w.Projects))
	for _, p := range w.Projects {
		at[p.ID] = len(groups)
		groups = append(groups, group{key: projectGroup(p.ID), title: workspace.Clean(p.Title, workspace.MaxTitle), project: p.ID})
	}
	groups = append(groups, group{key: directoryGroup})
	if len(w.Projects) > 0 {
		groups[0].title, groups[len(groups)-1].title = "scratch", "directories"
	}
	for i := range w.Tasks {
		t, to := &w.Tasks[i], len(groups)-1
		if t.Kind == workspace.KindScratch {
			to = 0
		} else if p, ok := at[t.Project]; ok && t.Project != "" {
			to = p
		}
		groups[to].tasks = append(groups[to].tasks, t)
	}
	shown := groups[:0]
	for _, g := range groups {
		if len(g.tasks) == 0 && g.project == "" {
			continue
		}
		slices.SortStableFunc(g.tasks, func(a, b *workspace.TaskView) int { return cmp.Compare(standing(a), standing(b)) })
		shown = append(shown, g)
	}
	return shown
}

// standing orders the tasks of a group: the pinned ones first, then the main
// checkout; within these the order is the user's.
func standing(t *workspace.TaskView) int {
	switch {
	case t.Pinned:
		return 0
	case t.Kind == workspace.KindMain:
		return 1
	}
	return 2
}

// inOrder lists the tasks as the sidebar has them.
func inOrder(w *World) []*workspace.TaskView {
	tasks := make([]*workspace.TaskView, 0, len(w.Tasks))
	for _, g := range groupsOf(w) {
		tasks = append(tasks, g.tasks...)
	}
	return tasks
}

// rowKind says what a row of the sidebar stands for.
type rowKind uint8

const (
	rowHead rowKind = iota
	rowTask
	rowTab
	rowClone
)

// rowRef names a row: a group's heading or a clone, a task or a tab.
type rowRef struct {
	tabRef
	group string
}

// sideRow is a row of the tree.
type sideRow struct {
	rowRef
	kind    rowKind
	view    *workspace.TaskView // nil of a heading
	title   string              // of a heading; likewise below
	project string
	tasks   []*workspace.TaskView
	clone   *workspace.Clone // of a clone, and of nothing else
}

// sidebarRows lists the tree's rows from top to bottom, what is being cloned
// before all; while something is searched for, what was found.
func (m *Model) sidebarRows() []sideRow {
	keep := func(*group, *workspace.TaskView) (bool, func(int) bool) {
		return true, func(int) bool { return true }
	}
	folded := m.side.folded
	if m.search != nil {
		keep, folded = m.search.keep, nil
	}
	most := len(m.world.Clones) + len(m.world.Projects) + 2
	for i := range m.world.Tasks {
		most += 1 + len(m.world.Tasks[i].Tabs)
	}
	rows := make([]sideRow, 0, most)
	for i := range m.world.Clones {
		if c := &m.world.Clones[i]; m.search == nil {
			rows = append(rows, sideRow{rowRef: rowRef{group: cloneGroup + c.ID}, kind: rowClone, clone: c})
		}
	}
	groups := groupsOf(&m.world)
	for i := range groups {
		g := &groups[i]
		head := len(rows)
		if g.title != "" {
			rows = append(rows, sideRow{rowRef: rowRef{group: g.key}, kind: rowHead, title: g.title, project: g.project, tasks: g.tasks})
		}
		if folded[g.key] {
			continue
		}
		for _, t := range g.tasks {
			itself, tab := keep(g, t)
			at := len(rows)
			rows = append(rows, sideRow{rowRef: rowRef{tabRef: tabRef{task: t.ID}}, kind: rowTask, view: t})
			for j := range t.Tabs {
				if !folded[t.ID] && tab(j) {
					rows = append(rows, sideRow{rowRef: rowRef{tabRef: tabRef{t.ID, t.Tabs[j].ID}}, kind: rowTab, view: t})
				}
			}
			if !itself && len(rows) == at+1 {
				rows = rows[:at]
			}
		}
		if g.title != "" && m.search != nil && len(rows) == head+1 && !m.search.matches(g.title) {
			rows = rows[:head]
		}
	}
	return rows
}
