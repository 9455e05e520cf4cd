package ui

import (
	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/keymap"
	"moorage/workspace/split"

	tea "charm.land/bubbletea/v2"
)

// drag is what the pointer holds while its button is down.
type drag struct {
	kind  dragKind
	path  split.Path // of the border
	start split.Tree // as it was
	fromX int
	fromY int
	pane  string // session key: a program that gets the pointer, or a selection
	sel   selection
}

type dragKind uint8

const (
	dragNone dragKind = iota
	dragBorder
	dragProgram // the program gets the events until the release
	dragSelect
)

const wheelRows = 3

// takeMouse finds what the pointer is on.
func (m *Model) takeMouse(ev input.Mouse) tea.Cmd {
	if m.dialog != nil {
		m.drag = drag{}
		return m.mouseDialog(ev)
	}
	if m.drag.kind != dragNone && !ev.Button.IsWheel() {
		return m.takeDrag(ev)
	}
	switch {
	case m.toasts.area.Contains(ev.X, ev.Y) && ev.Action == input.MousePress:
		m.dismiss()
		return nil
	case m.layout.sidebar.Contains(ev.X, ev.Y):
		return m.mouseSidebar(ev)
	case m.layout.strip.Contains(ev.X, ev.Y):
		return m.mouseStrip(ev)
	}
	if b, ok := m.splits.BorderAt(ev.X, ev.Y); ok && ev.Action == input.MousePress && ev.Button == input.ButtonLeft && !m.layout.panes.Empty() && !m.cfg.View {
		if _, tab, ok := m.shownTab(); ok {
			m.drag = drag{kind: dragBorder, path: b.Path, start: tab.Layout, fromX: ev.X, fromY: ev.Y}
		}
		return nil
	}
	for _, p := range m.panes {
		if p.rect.Contains(ev.X, ev.Y) && !m.layout.panes.Empty() {
			return m.mousePane(p, ev)
		}
	}
	return nil
}

func (m *Model) mouseSidebar(ev input.Mouse) tea.Cmd {
	rows := m.sidebarRows()
	switch {
	case ev.Button == input.WheelUp:
		m.side.move(rows, -1)
		m.touch()
	case ev.Button == input.WheelDown:
		m.side.move(rows, 1)
		m.touch()
	case ev.Action == input.MousePress && ev.Button == input.ButtonRight && m.allows(keymap.Menu):
		if i, ok := m.rowAt(rows, ev.Y); ok {
			m.toSidebar()
			m.side.set(rows, i)
			return m.rowMenu(rows[i], &Size{ev.X + 1, ev.Y + 1})
		}
	case ev.Action == input.MousePress && ev.Button == input.ButtonLeft:
		if m.recentRow() && ev.Y == m.layout.sidebar.Y+1 {
			for _, it := range m.recentItems(m.layout.sidebar) {
				if ev.X >= it.x && ev.X < it.x+it.w {
					return m.show(it.tab, "")
				}
			}
		}
		i, ok := m.rowAt(rows, ev.Y)
		if !ok {
			m.toSidebar()
			return nil
		}
		m.side.set(rows, i)
		if rows[i].kind == rowTask && ev.X < m.layout.sidebar.X+3 {
			if m.search == nil {
				m.side.folded[rows[i].task] = !m.side.folded[rows[i].task]
			}
			m.touch()
			return nil
		}
		m.endSearch(false)
		return m.openRow()
	}
	return nil
}

// rowAt is the row of the tree that is drawn in a row of the screen.
func (m *Model) rowAt(rows []sideRow, y int) (int, bool) {
	list := m.sideList()
	i := m.side.top + y - list.Y
	return i, list.Contains(list.X, y) && i < len(rows)
}

func (m *Model) mouseStrip(ev input.Mouse) tea.Cmd {
	if ev.Button.IsWheel() {
		if ev.Button == input.WheelUp || ev.Button == input.WheelLeft {
			return m.stepTab(-1)
		}
		return m.stepTab(1)
	}
	if ev.Action != input.MousePress {
		return nil
	}
	for _, it := range m.stripItems(m.layout.strip) {
		if ev.X < it.x || ev.X >= it.x+it.w {
			continue
		}
		switch ev.Button {
		case input.ButtonLeft:
			return m.show(m.shown.task, it.tab)
		case input.ButtonRight:
			if !m.allows(keymap.Menu) {
				return m.say(viewOnly, false)
			}
			return m.tabMenu(tabRef{m.shown.task, it.tab}, &Size{ev.X, ev.Y + 1})
		}
	}
	return nil
}

// mousePane gives the event to the program if it asked for the pointer, and
// uses it otherwise: the wheel scrolls, a click focuses, a drag selects.
func (m *Model) mousePane(p *pane, ev input.Mouse) tea.Cmd {
	press := ev.Action == input.MousePress && !ev.Button.IsWheel()
	if press {
		m.clearSelection()
		m.setFocus(p.ref.Pane)
	}
	if p.screen == nil {
		return nil
	}
	modes := p.modes()
	if !m.cfg.View && p.scroll == nil && (modes.Mouse != vt.MouseOff || ev.Button.IsWheel()) && ev.Mods&input.Shift == 0 {
		if p.pointer(ev, modes) {
			if press {
				m.drag = drag{kind: dragProgram, pane: p.key}
			}
			m.flushPane()
			return nil
		}
	}
	switch {
	case ev.Button == input.WheelUp:
		return m.scrollBy(p, -wheelRows)
	case ev.Button == input.WheelDown:
		return m.scrollBy(p, wheelRows)
	case press && ev.Button == input.ButtonLeft:
		m.drag = drag{kind: dragSelect, pane: p.key, sel: p.selectAt(ev.X, ev.Y)}
	}
	return nil
}

// pointer collects a pointer event for the program in its own coordinates. It
// is false when the program did not ask for it.
func (p *pane) pointer(ev input.Mouse, modes vt.Modes) bool {
	ev.X = min(max(ev.X-p.rect.X, 0), p.rect.W-1) + p.drawn.ox
	ev.Y = min(max(ev.Y-p.rect.Y, 0), p.rect.H-1) + p.drawn.oy
	if ev.X >= p.drawn.cols || ev.Y >= p.drawn.rows {
		return modes.Mouse != vt.MouseOff // outside of its screen
	}
	n := len(p.out)
	p.out = input.AppendMouse(p.out, ev, modes)
	return len(p.out) > n || modes.Mouse != vt.MouseOff
}

// takeDrag goes on with what the pointer holds.
func (m *Model) takeDrag(ev input.Mouse) tea.Cmd {
	d := m.drag
	if ev.Action == input.MouseRelease {
		m.drag = drag{}
	}
	p := m.panes[d.pane]
	switch d.kind {
	case dragBorder:
		by := ev.X - d.fromX
		if m.borderIsRow(d.path) {
			by = ev.Y - d.fromY
		}
		if _, tab, ok := m.shownTab(); ok && by != 0 {
			if moved, ok := d.start.MoveBorder(d.path, by, splitRect(m.layout.panes)); ok {
				return m.storeRatios(tab.Layout, moved)
			}
		}
	case dragProgram:
		if p != nil && p.screen != nil {
			p.pointer(ev, p.modes())
			m.flushPane()
		}
	case dragSelect:
		if p != nil && p.screen != nil {
			return m.dragSelection(p, ev)
		}
	}
	return nil
}

// borderIsRow reports whether the border divides upper from lower panes.
func (m *Model) borderIsRow(path split.Path) bool {
	for _, b := range m.splits.Borders {
		if b.Path == path {
			return b.Direction == split.Down
		}
	}
	return false
}
