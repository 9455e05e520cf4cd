package ui

import (
	"strconv"
	"strings"

	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"
)

// span is a piece of a row's right side.
type span struct {
	text  string
	style paint.Style
	need  int // columns that the row's text keeps beside it
}

// drawRow draws a heading, a task or a tab. The mark in front says which is
// shown here.
func (m *Model) drawRow(r paint.Rect, row sideRow, selected bool) {
	l := m.lookOf(row)
	inverse := func(st paint.Style) paint.Style {
		if selected {
			st.Attr |= theme.Selected.Attr
		}
		return st
	}
	if selected {
		m.frame.Fill(r, vtBlank(theme.Selected))
	}
	front := " "
	if row.view != nil && row.task == m.shown.task && (row.kind == rowTask || row.tab == m.shown.tab) {
		front = "▎"
		if row.kind == rowTab {
			l.style.Attr |= theme.Bold.Attr
		}
	}
	m.frame.Text(r.X, r.Y, 1, front, inverse(paint.Style{FG: theme.Current.FG}))
	x := r.X + 1
	m.frame.Text(x+l.indent, r.Y, 1, l.badge.glyph, inverse(l.badge.style))
	x += l.indent + 2
	if row.kind == rowHead {
		x = r.X + 1
	}
	right, width := r.X+r.W, paint.StringWidth(l.text)
	if m.calls(row) {
		right--
		m.frame.Text(right, r.Y, 1, callMark.glyph, inverse(callMark.style))
	}
	for _, s := range l.right {
		w := paint.StringWidth(s.text)
		if right-w-2 < x+min(width, s.need) {
			continue
		}
		right -= w + 1
		m.frame.Text(right, r.Y, w, s.text, inverse(s.style))
	}
	room := max(right-1-x, 0)
	text := l.text
	if l.after.text == "" {
		text = cut(text, room)
	}
	used := m.frame.Text(x, r.Y, room, text, inverse(l.style))
	if row.kind == rowHead && room-used > 1 {
		m.frame.Text(x+used+1, r.Y, room-used-1, strings.Repeat("─", room-used-1), inverse(theme.Border))
	}
	if l.after.text != "" && room-used > 2 {
		m.frame.Text(x+used+1, r.Y, room-used-1, cut(l.after.text, room-used-1), inverse(l.after.style))
	}
}

// rowLook is what a row says.
type rowLook struct {
	indent int
	badge  mark
	text   string
	style  paint.Style
	after  span   // behind the text, if there is room
	right  []span // what matters most first, from the right edge on
}

func (m *Model) lookOf(row sideRow) rowLook {
	switch row.kind {
	case rowHead:
		return m.headLook(row)
	case rowTask:
		return m.taskLook(row)
	case rowClone:
		return m.cloneLook(row.clone)
	}
	t := row.view
	label := t.TabLabel(row.tab, m.focus[row.tabRef])
	if adopted(t, row.tab) {
		label = "⚠ " + label
	}
	return rowLook{indent: 1, badge: tabMark(t, row.tab), text: label, style: theme.Text}
}

func foldMark(folded bool) mark {
	if folded {
		return mark{"▸", theme.Faint, ""}
	}
	return mark{"▾", theme.Faint, ""}
}

func (m *Model) headLook(row sideRow) rowLook {
	folded := m.side.folded[row.group] && m.search == nil
	l := rowLook{text: row.title, style: theme.Title}
	if folded {
		l.right = append(l.right, span{foldMark(true).glyph + strconv.Itoa(len(row.tasks)), theme.Faint, 4})
		var most *workspace.EngineView
		for _, t := range row.tasks {
			if e := t.Loudest(); e != nil && (most == nil || urgency(e) > urgency(most)) {
				most = e
			}
		}
		if most != nil {
			k := engineMark(most)
			l.right = append(l.right, span{k.glyph, k.style, 4})
		}
	}
	return l
}

// leastTitle is how much of a task's title its numbers leave.
const leastTitle = 10

func (m *Model) taskLook(row sideRow) rowLook {
	t := row.view
	folded := m.side.folded[t.ID] && m.search == nil
	l := rowLook{badge: foldMark(folded || len(t.Tabs) == 0), text: workspace.Clean(t.Title, workspace.MaxTitle), style: theme.Bold}
	if t.Pinned {
		l.text = pinMark.glyph + l.text
	}
	if e := t.Loudest(); e != nil && (folded || t.Loose != nil) {
		k := engineMark(e)
		l.right = append(l.right, span{k.glyph, k.style, 4})
	}
	if w := t.Work; w != nil {
		l.badge = mark{glyph: spinner[m.side.spin%len(spinner)], style: theme.Active}
		l.after = span{text: doing(w), style: theme.Faint}
		if w.Failed != "" {
			l.badge, l.after = failedMark, span{text: workspace.Clean(w.Failed, 400), style: theme.Error}
		}
		return l
	}
	if c := t.Counts; c != nil && c.Known {
		if c.Dirty {
			l.right = append(l.right, span{dirtyMark.glyph, dirtyMark.style, leastTitle})
		}
		if c.Added+c.Removed > 0 {
			l.right = append(l.right, span{"+" + strconv.Itoa(c.Added) + " -" + strconv.Itoa(c.Removed), theme.Faint, leastTitle})
		}
		ahead := ""
		if c.Ahead > 0 {
			ahead = "↑" + strconv.Itoa(c.Ahead)
		}
		if c.Behind > 0 {
			if ahead != "" {
				ahead += " "
			}
			ahead += "↓" + strconv.Itoa(c.Behind)
		}
		if ahead != "" {
			l.right = append(l.right, span{ahead, theme.Faint, leastTitle})
		}
	}
	if s := statusNames[t.Status]; s != "" {
		l.right = append(l.right, span{s, theme.Faint, 1 << 10})
	}
	return l
}

// doing is what is being done to a task, in words.
func doing(w *workspace.Work) string {
	if w.Line == "" {
		return workspace.Clean(w.What, 400)
	}
	return workspace.Clean(w.What+": "+w.Line, 400)
}

// calls reports whether a row has called for the user, or something that is
// folded into it.
func (m *Model) calls(row sideRow) bool {
	switch row.kind {
	case rowTab:
		return m.pending(row.tabRef)
	case rowTask:
		return m.pending(row.tabRef) || m.side.folded[row.task] && m.world.Inbox.Count(row.task) > 0
	}
	if !m.side.folded[row.group] {
		return false
	}
	for _, t := range row.tasks {
		if m.world.Inbox.Count(t.ID) > 0 {
			return true
		}
	}
	return false
}

// pending reports whether an inbox item waits for a tab, or for a task as such.
func (m *Model) pending(r tabRef) bool {
	for i := range m.world.Inbox.Pending {
		if item := &m.world.Inbox.Pending[i]; item.Task == r.task && item.Tab == r.tab {
			return true
		}
	}
	return false
}

func adopted(task *workspace.TaskView, tab string) bool {
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

// rowStatus says in the status line why the row that matters looks as it does.
func (m *Model) rowStatus() (text string, st paint.Style) {
	t, tab := (*workspace.TaskView)(nil), ""
	if m.region == inSidebar {
		row, ok := m.side.current(m.sidebarRows())
		if ok && row.kind == rowClone {
			return cloneStatus(row.clone)
		}
		if !ok || row.kind == rowHead {
			return "", st
		}
		t, tab = row.view, row.tab
	} else if v, ok := m.world.Task(m.shown.task); ok {
		t = &v
	} else {
		return "", st
	}
	title := cut(workspace.Clean(t.Title, workspace.MaxTitle), 24)
	switch w := t.Work; {
	case w != nil && w.Failed != "":
		text = title + ": " + workspace.Clean(w.What+": "+w.Failed, 400)
		if w.Line != "" { // the last of what it printed
			text += ": " + workspace.Clean(w.Line, 200)
		}
		if unmade(&t.Task) {
			text += "   Enter: try again"
		}
		text += "   m c: dismiss"
		return text, theme.Error
	case w != nil:
		return title + ": " + doing(w), theme.Text
	case m.region != inSidebar:
		return "", st
	}
	e := t.Loose
	if tab != "" {
		e = t.TabEngine(tab)
	}
	if e == nil {
		return "", st
	}
	return workspace.Clean(e.Name+": "+e.Why(), 400), theme.Text
}
