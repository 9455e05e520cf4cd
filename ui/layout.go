package ui

import (
	"moorage/ui/paint"
	"moorage/workspace/split"
)

const (
	narrowBelow = 70 // columns: under it one panel at a time
	minCols     = 10 // under these nothing can be drawn
	minRows     = 3
)

// layout says where the parts of the screen lie.
type layout struct {
	tooSmall bool
	narrow   bool
	sidebar  paint.Rect // empty when hidden
	border   paint.Rect // between the sidebar and the rest
	strip    paint.Rect
	panes    paint.Rect
	status   paint.Rect
}

func newLayout(s Size, r region) layout {
	var l layout
	if s.Cols < minCols || s.Rows < minRows {
		l.tooSmall = true
		return l
	}
	body := paint.Rect{W: s.Cols, H: s.Rows - 1}
	l.status = paint.Rect{Y: s.Rows - 1, W: s.Cols, H: 1}
	l.narrow = s.Cols < narrowBelow
	switch {
	case l.narrow && r == inSidebar:
		l.sidebar = body
		return l
	case l.narrow:
	default:
		w := min(max(s.Cols/5, 22), 34)
		l.sidebar = paint.Rect{W: w, H: body.H}
		l.border = paint.Rect{X: w, W: 1, H: body.H}
		body.X, body.W = w+1, body.W-w-1
	}
	l.strip = paint.Rect{X: body.X, W: body.W, H: 1}
	l.panes = paint.Rect{X: body.X, Y: 1, W: body.W, H: body.H - 1}
	return l
}

// paneArea is where panes go, whether or not they are shown now: a client that
// looks at its sidebar on a narrow screen keeps its say in their sizes.
func paneArea(s Size) paint.Rect { return newLayout(s, inPanes).panes }

func splitRect(r paint.Rect) split.Rect { return split.Rect{X: r.X, Y: r.Y, W: r.W, H: r.H} }
func paintRect(r split.Rect) paint.Rect { return paint.Rect{X: r.X, Y: r.Y, W: r.W, H: r.H} }

// cause says why the layout is made anew: whether this client acted.
type cause uint8

const (
	others cause = iota // somebody else's doing
	acted               // this client turned to the tab or resized its window
)

// relayout makes the layout anew, shows the panes that are visible now and
// hides the others.
func (m *Model) relayout(why cause) {
	m.touch()
	m.layout = newLayout(m.size, m.region)
	task, tab, ok := m.shownTab()
	if !ok || unmade(&task.Task) {
		m.splits = split.Layout{}
		m.keepPanes(nil)
		if why == acted {
			m.cfg.Screens.Look("", nil)
		}
		return
	}
	area := paneArea(m.size)
	focused := m.focusedPane()
	if m.zoomed[m.shown] && len(tab.Panes) > 1 {
		m.splits = split.Leaf(focused).Layout(splitRect(area))
	} else {
		m.splits = tab.Layout.Layout(splitRect(area))
	}
	sizes := make(map[string]Size, len(m.splits.Panes))
	visible := make(map[string]bool, len(m.splits.Panes))
	for _, pr := range m.splits.Panes {
		if pr.Rect.W <= 0 || pr.Rect.H <= 0 {
			continue
		}
		key := sessionKey(m.shown, pr.Pane)
		size := Size{pr.Rect.W, pr.Rect.H}
		sizes[key], visible[key] = size, true
		p := m.panes[key]
		if p == nil {
			p = newPane(m.shown, pr.Pane, m.cfg.View)
			m.panes[key] = p
		}
		if p.screen == nil {
			screen, err := m.cfg.Screens.Show(task.Task, tab.ID, pr.Pane, size)
			if err != nil {
				p.problem = err.Error()
			}
			p.screen = screen
		}
		p.rect = paintRect(pr.Rect)
		p.forget()
	}
	m.keepPanes(visible)
	if why == acted {
		m.cfg.Screens.Look(m.shown.String(), sizes)
		return
	}
	m.cfg.Screens.Lay(sizes)
}

// keepPanes hides the panes that are not among the visible ones.
func (m *Model) keepPanes(visible map[string]bool) {
	for key := range m.panes {
		if !visible[key] {
			m.cfg.Screens.Hide(key)
			delete(m.panes, key)
		}
	}
}

func sessionKey(r tabRef, pane string) string { return r.task + "/" + r.tab + "/" + pane }
