package ui

import (
	"fmt"

	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"
)

// sidebar is the client's place in the tree of tasks and tabs.
type sidebar struct {
	at     tabRef // the row of the cursor; a task's own row has no tab
	index  int    // where that was, for when it vanishes
	top    int    // first row shown
	folded map[string]bool
}

// sideRow is a row of the tree.
type sideRow struct {
	tabRef
	isTask bool
}

// sidebarRows lists the tree's rows from top to bottom.
func (m *Model) sidebarRows() []sideRow {
	var rows []sideRow
	for _, t := range m.world.Tasks {
		rows = append(rows, sideRow{tabRef{task: t.ID}, true})
		if m.side.folded[t.ID] {
			continue
		}
		for _, tab := range t.Tabs {
			rows = append(rows, sideRow{tabRef{t.ID, tab.ID}, false})
		}
	}
	return rows
}

// find returns the cursor's place among the rows, the nearest one if its row
// has vanished; -1 when there are none.
func (s *sidebar) find(rows []sideRow) int {
	for i, r := range rows {
		if r.tabRef == s.at {
			return i
		}
	}
	if len(rows) == 0 {
		return -1
	}
	return min(max(s.index, 0), len(rows)-1)
}

func (s *sidebar) set(rows []sideRow, i int) {
	if i >= 0 && i < len(rows) {
		s.at, s.index = rows[i].tabRef, i
	}
}

// settle keeps the cursor on a row that is there.
func (s *sidebar) settle(rows []sideRow, shown tabRef) {
	if s.at == (tabRef{}) {
		s.at = shown
	}
	s.set(rows, s.find(rows))
}

// to puts the cursor on a tab's row, or its task's when that is folded.
func (s *sidebar) to(rows []sideRow, r tabRef) {
	for i, row := range rows {
		if row.tabRef == r || row.isTask && row.task == r.task && (r.tab == "" || s.folded[r.task]) {
			s.set(rows, i)
			return
		}
	}
}

func (s *sidebar) move(rows []sideRow, by int) {
	if i := s.find(rows); i >= 0 {
		s.set(rows, min(max(i+by, 0), len(rows)-1))
	}
}

func (s *sidebar) fold(rows []sideRow, folded bool) {
	i := s.find(rows)
	if i < 0 {
		return
	}
	s.at = tabRef{task: rows[i].task}
	s.folded[rows[i].task] = folded
}

func (s *sidebar) current(rows []sideRow) (sideRow, bool) {
	i := s.find(rows)
	if i < 0 {
		return sideRow{}, false
	}
	return rows[i], true
}

// scrollTo brings the cursor into a window of h rows.
func (s *sidebar) scrollTo(rows []sideRow, h int) {
	i := s.find(rows)
	switch {
	case i < s.top:
		s.top = max(i, 0)
	case i >= s.top+h:
		s.top = i - h + 1
	}
	s.top = max(min(s.top, len(rows)-h), 0)
}

// drawSidebar draws the tree.
func (m *Model) drawSidebar(r paint.Rect) {
	if r.Empty() {
		return
	}
	f := m.frame
	f.Fill(r, blank)
	head := theme.Title
	f.Text(r.X+1, r.Y, r.W-1, "moorage", head)
	count := fmt.Sprintf("%d", len(m.world.Tasks))
	if r.W > 16 {
		f.Text(r.X+r.W-1-len(count), r.Y, len(count), count, theme.Faint)
	}
	list := paint.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: r.H - 1}
	rows := m.sidebarRows()
	if len(rows) == 0 && list.H > 1 {
		text := "no tasks: n makes one"
		if !m.known {
			text = "asking the daemon…"
		}
		f.Text(list.X+1, list.Y+1, list.W-2, text, theme.Faint)
		return
	}
	m.side.scrollTo(rows, list.H)
	at := m.side.find(rows)
	for y := 0; y < list.H && m.side.top+y < len(rows); y++ {
		row := rows[m.side.top+y]
		m.drawRow(paint.Rect{X: list.X, Y: list.Y + y, W: list.W, H: 1}, row, m.region == inSidebar && m.side.top+y == at)
	}
}

// drawRow draws a task or a tab. The mark in front says which is shown here.
func (m *Model) drawRow(r paint.Rect, row sideRow, selected bool) {
	task, ok := m.world.Task(row.task)
	if !ok {
		return
	}
	text, style, badge, badgeStyle := m.rowText(task, row)
	shown := row.task == m.shown.task && (row.isTask || row.tab == m.shown.tab)
	mark := " "
	if shown {
		mark = "▎"
	}
	if shown && !row.isTask {
		style.Attr |= theme.Bold.Attr
	}
	if selected {
		m.frame.Fill(r, vtBlank(theme.Selected))
		style.Attr |= theme.Selected.Attr
		badgeStyle.Attr |= theme.Selected.Attr
	}
	m.frame.Text(r.X, r.Y, 1, mark, paint.Style{FG: theme.Current.FG, Attr: style.Attr & theme.Selected.Attr})
	w := r.W - 4
	m.frame.Text(r.X+1, r.Y, 2, badge+" ", badgeStyle)
	m.frame.Text(r.X+3, r.Y, max(w, 0), text, style)
	if m.attention[row.tabRef] && !row.isTask {
		m.frame.Text(r.X+r.W-1, r.Y, 1, "!", theme.Attended)
	}
}

// rowText is what a row says, and its badge.
func (m *Model) rowText(task workspace.TaskView, row sideRow) (text string, st paint.Style, badge string, bst paint.Style) {
	if row.isTask {
		badge = "▾"
		if m.side.folded[row.task] || len(task.Tabs) == 0 {
			badge = "▸"
		}
		return workspace.Clean(task.Title, workspace.MaxTitle), theme.Bold, badge, theme.Faint
	}
	label := task.TabLabel(row.tab, m.focus[row.tabRef])
	if adopted(task, row.tab) {
		label = "⚠ " + label
	}
	badge, bst = tabBadge(task.TabState(row.tab))
	return " " + label, theme.Text, " " + badge, bst
}

func adopted(task workspace.TaskView, tab string) bool {
	t, ok := task.Tab(tab)
	if !ok {
		return false
	}
	for _, p := range t.Panes {
		if p.Adopted {
			return true
		}
	}
	return false
}

// tabBadge is a state in one column.
func tabBadge(s workspace.PaneState) (string, paint.Style) {
	switch s {
	case workspace.PaneAlive:
		return "●", theme.Current
	case workspace.PaneExited, workspace.PaneFailed:
		return "✗", theme.Error
	case workspace.PaneThawed:
		return "◌", theme.Warn
	case workspace.PaneNone:
		return "○", theme.Faint
	}
	return "?", theme.Faint
}
