package ui

import (
	"slices"

	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// maxRecent is how many tasks a client remembers having been at.
const maxRecent = 8

// visited notes that the client is at a task.
func (m *Model) visited(task string) {
	if task == "" || len(m.recent) > 0 && m.recent[0] == task {
		return
	}
	m.recent = slices.DeleteFunc(m.recent, func(id string) bool { return id == task })
	m.recent = slices.Insert(m.recent, 0, task)
	m.recent = m.recent[:min(len(m.recent), maxRecent)]
}

// elsewhere lists the tasks that the client was at and is not now, the latest
// first.
func (m *Model) elsewhere() []workspace.TaskView {
	var tasks []workspace.TaskView
	for _, id := range m.recent {
		if t, ok := m.world.Task(id); ok && id != m.shown.task {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// lastTask goes back to the task that the client was at before.
func (m *Model) lastTask() tea.Cmd {
	if tasks := m.elsewhere(); len(tasks) > 0 {
		return m.show(tasks[0].ID, "")
	}
	return m.say("there is no task to go back to", false)
}

// recentRow reports whether the sidebar has a row of recent tasks: where it
// takes the whole screen, so that one press leads back.
func (m *Model) recentRow() bool {
	return m.layout.narrow && m.layout.sidebar.H > 4 && len(m.elsewhere()) > 0
}

// recentItems places the recent tasks in their row.
func (m *Model) recentItems(r paint.Rect) []stripItem {
	var items []stripItem
	x := r.X + 1 + len("recent ")
	for _, t := range m.elsewhere() {
		label := " " + cut(workspace.Clean(t.Title, workspace.MaxTitle), 16) + " "
		w := paint.StringWidth(label)
		if x+w > r.X+r.W {
			break
		}
		items = append(items, stripItem{t.ID, label, x, w})
		x += w
	}
	return items
}

func (m *Model) drawRecent(r paint.Rect) {
	m.frame.Text(r.X+1, r.Y, r.W-1, "recent", theme.Faint)
	for _, it := range m.recentItems(r) {
		m.frame.Text(it.x, r.Y, it.w, it.label, theme.Key)
	}
}
