package ui

import (
	"maps"
	"strconv"

	"moorage/ui/paint"
	"moorage/ui/theme"
)

// sidebar is the client's place in the tree of tasks and tabs.
type sidebar struct {
	at     rowRef          // the row of the cursor; a task's own row has no tab
	index  int             // where that was, for when it vanishes
	top    int             // first row shown
	folded map[string]bool // by task, and by the key of a group
	spin   int             // counts the news of what is being done to tasks
}

// find returns the cursor's place among the rows, the nearest one if its row
// has vanished; -1 when there are none.
func (s *sidebar) find(rows []sideRow) int {
	for i := range rows {
		if rows[i].rowRef == s.at {
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
		s.at, s.index = rows[i].rowRef, i
	}
}

// settle keeps the cursor on a row that is there.
func (s *sidebar) settle(rows []sideRow, shown tabRef) {
	if s.at == (rowRef{}) {
		s.at.tabRef = shown
	}
	s.set(rows, s.find(rows))
}

// to puts the cursor on a tab's row, or its task's when that is folded.
func (s *sidebar) to(rows []sideRow, r tabRef) {
	for i, row := range rows {
		if row.view == nil || row.task != r.task {
			continue
		}
		if row.tab == r.tab || row.kind == rowTask && (r.tab == "" || s.folded[r.task]) {
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

// fold folds the cursor's task or group. A folded task folds its group.
func (s *sidebar) fold(rows []sideRow, folded bool) {
	i := s.find(rows)
	if i < 0 {
		return
	}
	row := rows[i]
	switch {
	case row.kind == rowClone:
		return
	case row.kind == rowHead:
		s.folded[row.group] = folded
		return
	case folded && row.kind == rowTask && (s.folded[row.task] || len(row.view.Tabs) == 0):
		for ; i >= 0; i-- {
			if rows[i].kind == rowHead {
				s.set(rows, i)
				return
			}
		}
		return
	}
	s.at = rowRef{tabRef: tabRef{task: row.task}}
	s.folded[row.task] = folded
}

// reveal unfolds the group of a task.
func (s *sidebar) reveal(w *World, task string) {
	for _, g := range groupsOf(w) {
		for _, t := range g.tasks {
			if t.ID == task {
				delete(s.folded, g.key)
			}
		}
	}
}

func (s *sidebar) current(rows []sideRow) (sideRow, bool) {
	i := s.find(rows)
	if i < 0 {
		return sideRow{}, false
	}
	return rows[i], true
}

// clone is the place, for coming back to it.
func (s *sidebar) clone() sidebar {
	c := *s
	c.folded = maps.Clone(s.folded)
	return c
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

// sideList is where the rows of the tree go: below the head.
func (m *Model) sideList() paint.Rect {
	r := m.layout.sidebar
	n := 1
	if m.recentRow() {
		n = 2
	}
	return paint.Rect{X: r.X, Y: r.Y + n, W: r.W, H: max(r.H-n, 0)}
}

// drawSidebar draws the tree.
func (m *Model) drawSidebar(r paint.Rect) {
	if r.Empty() {
		return
	}
	f := m.frame
	f.Fill(r, blank)
	m.drawHead(paint.Rect{X: r.X, Y: r.Y, W: r.W, H: 1})
	if m.recentRow() {
		m.drawRecent(paint.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: 1})
	}
	list, rows := m.sideList(), m.sidebarRows()
	if len(rows) == 0 && list.H > 1 {
		text := "no tasks: n makes one"
		switch {
		case m.search != nil:
			text = "nothing is found"
		case !m.known:
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

// drawHead draws the sidebar's first row: its name and how much there is, or
// what is searched for.
func (m *Model) drawHead(r paint.Rect) {
	f := m.frame
	if m.search != nil {
		m.search.draw(f, r)
		return
	}
	f.Text(r.X+1, r.Y, r.W-1, "moorage", theme.Title)
	if r.W <= 16 {
		return
	}
	count := strconv.Itoa(len(m.world.Tasks))
	x := r.X + r.W - 1 - len(count)
	f.Text(x, r.Y, len(count), count, theme.Faint)
	if n := m.world.Inbox.Count(""); n > 0 {
		calls := callMark.glyph + strconv.Itoa(n)
		x -= len(calls) + 1
		f.Text(x, r.Y, len(calls), calls, callMark.style)
	}
}
