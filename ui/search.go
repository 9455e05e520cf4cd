package ui

import (
	"moorage/ui/input"
	"moorage/ui/keymap"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// search filters the sidebar by what is typed. It is this client's alone.
type search struct {
	line   *line
	before sidebar // where the client was, to come back to
	region region
	focus  map[tabRef]string
}

func (s *search) query() string { return s.line.String() }

// matches reports whether the query is in a text.
func (s *search) matches(text string) bool {
	_, ok := fuzzyAll(s.query(), text)
	return ok
}

// keep says what of a task is shown: the task itself, and which of its tabs. A
// task that was found is shown with all its tabs, a tab that was found alone.
func (s *search) keep(g *group, t *workspace.TaskView) (bool, func(int) bool) {
	if _, ok := fuzzyAll(s.query(), t.Title, t.Branch, g.title); ok {
		return true, func(int) bool { return true }
	}
	return false, func(i int) bool {
		tab := &t.Tabs[i]
		_, ok := fuzzyAll(s.query(), t.Title, t.Branch, g.title, t.TabLabel(tab.ID, s.focus[tabRef{t.ID, tab.ID}]))
		return ok
	}
}

func (s *search) draw(f *paint.Frame, r paint.Rect) {
	f.Text(r.X+1, r.Y, 1, "/", theme.Key)
	c := s.line.draw(f, paint.Rect{X: r.X + 2, Y: r.Y, W: max(r.W-3, 0), H: 1})
	f.Text(c.X, c.Y, 1, cursorCell(s.line), theme.Selected)
}

// cursorCell is what stands under a line's cursor.
func cursorCell(l *line) string {
	if l.at < len(l.text) {
		return string(l.text[l.at])
	}
	return " "
}

// startSearch begins a search, from anywhere.
func (m *Model) startSearch() tea.Cmd {
	if m.search == nil {
		s := &search{line: newLine(""), before: m.side.clone(), region: m.region, focus: m.focus}
		m.toSidebar()
		m.search = s
	}
	m.touch()
	return nil
}

// endSearch shows the whole tree again; back also takes the client to where it
// was.
func (m *Model) endSearch(back bool) {
	s := m.search
	if s == nil {
		return
	}
	m.search = nil
	at := m.side.at
	m.side.folded = s.before.folded
	if back {
		m.side.at, m.side.index, m.side.top = s.before.at, s.before.index, s.before.top
	} else {
		m.side.reveal(&m.world, at.task)
		if at.tab != "" {
			delete(m.side.folded, at.task)
		}
	}
	m.side.set(m.sidebarRows(), m.side.find(m.sidebarRows()))
	m.touch()
}

// typeSearch takes a token while something is searched for.
func (m *Model) typeSearch(t input.Token) tea.Cmd {
	var cmds []tea.Cmd
	switch t.Kind {
	case input.KindPasteData:
		m.search.line.paste(string(t.Raw))
		m.bestFound()
	case input.KindKey, input.KindText:
		for k := range t.Keys() {
			if m.search == nil {
				break
			}
			cmds = append(cmds, m.searchKey(k))
		}
	}
	m.touch()
	return tea.Batch(cmds...)
}

func (m *Model) searchKey(k input.Key) tea.Cmd {
	rows := m.sidebarRows()
	ctrl := func(r rune) bool { return k.Matches(input.Key{Code: r, Mods: input.Ctrl}) }
	a, _ := m.cfg.Keys.Find(keymap.Anywhere, k, m.terminal.kitty)
	switch {
	case k.Code == input.Escape, a == keymap.Back, ctrl('c'), ctrl('g'):
		was := m.search.region
		m.endSearch(true)
		if was == inPanes {
			m.toPanes()
		}
	case k.Code == input.Enter:
		if len(rows) == 0 {
			return nil
		}
		m.endSearch(false)
		return m.openRow()
	case k.Code == input.Up, ctrl('p'):
		m.side.move(rows, -1)
	case k.Code == input.Down, ctrl('n'):
		m.side.move(rows, 1)
	case k.Code == input.PageUp:
		m.side.move(rows, -10)
	case k.Code == input.PageDown:
		m.side.move(rows, 10)
	default:
		if m.search.line.key(k) {
			m.bestFound()
		}
	}
	return nil
}

// bestFound puts the cursor on the row that fits the query best.
func (m *Model) bestFound() {
	rows := m.sidebarRows()
	best, at := -1, -1
	for i, row := range rows {
		var texts []string
		switch row.kind {
		case rowHead:
			continue
		case rowTask:
			texts = []string{row.view.Title, row.view.Branch}
		default:
			texts = []string{row.view.TabLabel(row.tab, m.focus[row.tabRef])}
		}
		if score, ok := fuzzyAll(m.search.query(), texts...); ok && score > best {
			best, at = score, i
		}
	}
	if at < 0 { // what was found is a mixture, or a project
		for i, row := range rows {
			if row.kind != rowHead {
				at = i
				break
			}
		}
	}
	m.side.set(rows, max(at, 0))
	m.side.top = 0
}
