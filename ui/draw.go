package ui

import (
	"fmt"
	"time"

	"moorage/ptyhost/vt"
	"moorage/ui/keymap"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"
	"moorage/workspace/split"
)

var blank = vt.Cell{}

func vtBlank(st paint.Style) vt.Cell { return vt.Cell{FG: st.FG, BG: st.BG, At: st.Attr} }

// draw composes the frame and hands its bytes out, if there is anything new
// and the output can take it. What is not drawn now is drawn when it can.
func (m *Model) draw() {
	if !m.dirty || !m.cfg.Output.Ready(m.echoes()) {
		return
	}
	m.dirty = false
	m.compose()
	m.extra = m.painter.SetOuter(m.extra, m.wantOuter())
	m.writeNotifications()
	m.nameWindow()
	m.buf = append(m.buf[:0], m.extra...)
	m.extra = m.extra[:0]
	m.buf = m.painter.Paint(m.buf, m.frame)
	if len(m.buf) > 0 {
		m.buf = m.cfg.Output.Submit(m.buf)
	}
}

// echoes reports whether the pane that gets the keys has something new.
func (m *Model) echoes() bool {
	p := m.current()
	return p != nil && p.screen != nil && p.scroll == nil && p.screen.Rev() != p.drawn.rev
}

// nameWindow gives the client's window the name of what it shows, where the
// old name can be had back.
func (m *Model) nameWindow() {
	if !m.terminal.caps.TitleStack || !m.terminal.settled {
		return
	}
	title := "moorage"
	if task, tab, ok := m.shownTab(); ok {
		title = task.TabLabel(tab.ID, m.focusedPane()) + " - " + task.Title
	}
	if title != m.title {
		m.title = title
		m.extra = paint.AppendTitle(m.extra, title)
	}
}

// compose draws everything that may look different into the frame.
func (m *Model) compose() {
	f := m.frame
	if m.layout.tooSmall {
		f.Fill(f.Bounds(), blank)
		f.Text(0, 0, m.size.Cols, "too small", theme.Warn)
		f.SetCursor(vt.Cursor{})
		return
	}
	chrome := m.chrome || m.dialog != nil
	m.chrome = false
	if chrome {
		m.drawSidebar(m.layout.sidebar)
		m.drawVertical(m.layout.border, theme.Border)
		m.drawStrip(m.layout.strip)
		m.drawStatus(m.layout.status)
	}
	cursor := m.drawPanes(chrome)
	if m.region == inSidebar {
		cursor.Visible = false
	}
	if m.dialog != nil {
		cursor = m.drawDialog()
	} else {
		m.drawToasts()
	}
	f.SetCursor(cursor)
}

// drawPanes draws the panes and the borders between them. It returns the
// focused pane's cursor.
func (m *Model) drawPanes(chrome bool) vt.Cursor {
	var cursor vt.Cursor
	if m.layout.panes.Empty() {
		return cursor
	}
	task, tab, ok := m.shownTab()
	if !ok || unmade(&task.Task) {
		if chrome {
			m.frame.Fill(m.layout.panes, blank)
			m.drawEmpty(task)
		}
		return cursor
	}
	focused := sessionKey(m.shown, m.focusedPane())
	for key, p := range m.panes {
		c := p.draw(m.frame, task.PaneView(tab.ID, p.ref.Pane))
		if m.dialog != nil || len(m.stack()) > 0 {
			p.forget() // something is drawn over it: the next frame draws all of it anew
		}
		if key == focused {
			cursor = c
		}
	}
	if chrome {
		m.drawBorders(m.panes[focused])
	}
	return cursor
}

// drawEmpty says what to do where no tab is shown.
func (m *Model) drawEmpty(task workspace.TaskView) {
	r := m.layout.panes
	text := "no task is open: F4 goes to the sidebar, n there makes one"
	st := theme.Faint
	switch w := task.Work; {
	case !m.known || m.placing:
		text = "asking the daemon…"
		if m.world.Problem != "" {
			text = m.world.Problem
		}
	case w != nil && w.Failed != "":
		text, st = doing(w)+" failed: "+workspace.Clean(w.Failed, 1000)+"   Enter: try again", theme.Error
	case w != nil:
		text = doing(w)
	case m.cfg.View:
		text = "there is nothing to look at here yet"
	case task.ID != "" && unmade(&task.Task):
		text = workspace.Clean(task.Title, workspace.MaxTitle) + " has no worktree yet: Enter makes it"
	case task.ID != "":
		text = fmt.Sprintf("%s has no tab: Enter opens one", workspace.Clean(task.Title, workspace.MaxTitle))
	}
	for i, line := range wrap(text, max(r.W-4, 1)) {
		if i+1 < r.H {
			m.frame.Text(r.X+2, r.Y+1+i, r.W-4, line, st)
		}
	}
}

// borderRunes are the box-drawing characters by their arms: up 1, right 2,
// down 4, left 8.
var borderRunes = [16]string{
	" ", "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼",
}

// drawBorders draws the lines between panes, joined where they meet, and lit
// around the focused pane.
func (m *Model) drawBorders(focused *pane) {
	on := func(x, y int) bool {
		_, ok := m.splits.BorderAt(x, y)
		return ok
	}
	for _, b := range m.splits.Borders {
		for y := b.Rect.Y; y < b.Rect.Y+b.Rect.H; y++ {
			for x := b.Rect.X; x < b.Rect.X+b.Rect.W; x++ {
				arms := 0
				for i, at := range [4][2]int{{x, y - 1}, {x + 1, y}, {x, y + 1}, {x - 1, y}} {
					if on(at[0], at[1]) {
						arms |= 1 << i
					}
				}
				if b.Direction == split.Right {
					arms |= 1 | 4
				} else {
					arms |= 2 | 8
				}
				st := theme.Border
				if focused != nil && m.region == inPanes {
					f := focused.rect
					if (paint.Rect{X: f.X - 1, Y: f.Y - 1, W: f.W + 2, H: f.H + 2}).Contains(x, y) {
						st = theme.Active
					}
				}
				m.frame.Text(x, y, 1, borderRunes[arms], st)
			}
		}
	}
}

func (m *Model) drawVertical(r paint.Rect, st paint.Style) {
	for y := r.Y; y < r.Y+r.H; y++ {
		m.frame.Text(r.X, y, 1, "│", st)
	}
}

// stripItem is a tab's place in the strip.
type stripItem struct {
	tab   string
	label string
	x, w  int
}

// stripItems places the tabs of the shown task from left to right, scrolled so
// that the shown one is there.
func (m *Model) stripItems(r paint.Rect) []stripItem {
	task, ok := m.world.Task(m.shown.task)
	if !ok {
		return nil
	}
	var items []stripItem
	x, shownEnd := 0, 0
	for i, t := range task.Tabs {
		ref := tabRef{task.ID, t.ID}
		label := fmt.Sprintf(" %d %s ", i+1, cut(task.TabLabel(t.ID, m.focus[ref]), 24))
		if e := task.TabEngine(t.ID); e != nil && e.Activity == workspace.ActivityRateLimited && !e.Resets.IsZero() {
			label += "until " + clock(e.Resets, time.Now()) + " "
		}
		if m.pending(ref) {
			label += "! "
		}
		w := paint.StringWidth(label)
		items = append(items, stripItem{t.ID, label, x, w})
		x += w
		if t.ID == m.shown.tab {
			shownEnd = x
		}
	}
	shift := max(shownEnd-r.W, 0)
	for i := range items {
		items[i].x += r.X - shift
	}
	return items
}

func cut(s string, w int) string {
	if paint.StringWidth(s) <= w {
		return s
	}
	var out string
	for s != "" {
		cluster, n, rest := vt.NextCluster(s)
		if w -= n; w < 1 {
			break
		}
		out, s = out+cluster, rest
	}
	return out + "…"
}

func (m *Model) drawStrip(r paint.Rect) {
	if r.Empty() {
		return
	}
	m.frame.Fill(r, blank)
	for _, it := range m.stripItems(r) {
		if it.x < r.X || it.x >= r.X+r.W {
			continue
		}
		st := theme.Tab
		if it.tab == m.shown.tab {
			st = theme.TabShown
		}
		m.frame.Text(it.x, r.Y, r.X+r.W-it.x, it.label, st)
	}
	if _, tab, ok := m.shownTab(); ok && m.zoomed[m.shown] && len(tab.Panes) > 1 && r.W > 8 {
		m.frame.Text(r.X+r.W-6, r.Y, 6, " zoom ", theme.Banner)
	}
}

// drawStatus draws the last line: what is wrong, else what was said, else the
// keys that matter now.
func (m *Model) drawStatus(r paint.Rect) {
	f := m.frame
	f.Fill(r, blank)
	right := r.X + r.W
	if m.cfg.View {
		const mark = " looking only "
		f.Text(r.X, r.Y, r.W, mark, theme.Banner)
		r.X += min(len(mark), r.W)
	}
	if m.cfg.Clock && r.W >= 40 {
		right -= 6
		f.Text(right, r.Y, 6, time.Now().Format(" 15:04"), theme.Faint)
	}
	switch {
	case m.prefix:
		f.Text(r.X, r.Y, right-r.X, " "+m.cfg.Keys.Prefix()+" …  F1: what may follow", theme.Banner)
	case m.verbatim:
		f.Text(r.X, r.Y, right-r.X, " the next key goes to the pane as it is", theme.Banner)
	case m.toasts.newest() != nil:
		t := m.toasts.newest()
		f.Text(r.X, r.Y, right-r.X, " "+cut(t.text, max(right-r.X-1, 1)), t.style())
	case m.banner() != "":
		f.Text(r.X, r.Y, right-r.X, " "+paint.Clean(m.banner(), 400)+" ", theme.Banner)
	default:
		left := m.drawDir(paint.Rect{X: r.X, Y: r.Y, W: right - r.X, H: 1})
		right = left.X + left.W
		x := r.X + 1
		text, st := m.rowStatus()
		if what := m.asked.underWay(); text == "" && what != "" {
			text = what + "…"
		}
		if text != "" {
			x += f.Text(x, r.Y, right-x, text, st) + 2
		}
		for _, h := range m.hints() {
			need := paint.StringWidth(h.key) + 1 + paint.StringWidth(h.does) + 2
			if x+need > right {
				break
			}
			x += f.Text(x, r.Y, right-x, h.key, theme.Key)
			x += f.Text(x, r.Y, right-x, " "+h.does+"  ", theme.Faint)
		}
	}
}

// banner is what is wrong with the processes behind the screen.
func (m *Model) banner() string {
	switch {
	case m.known && !m.world.Up:
		return "the daemon is away: panes go on, the sidebar waits"
	case m.world.Up && m.world.Problem != "":
		return m.world.Problem
	case m.world.Host.State == workspace.HostUnresponsive && m.world.Host.Error != "":
		return m.world.Host.Error
	case m.world.Host.State == workspace.HostUnresponsive:
		return "the PTY host does not answer: nothing is replaced while it may hold sessions"
	case m.world.Up && m.world.Build != m.cfg.Build:
		return fmt.Sprintf("the daemon runs build %s, this is %s: `moorage stop` lets the new one start", m.world.Build, m.cfg.Build)
	case m.world.Host.State == workspace.HostUp && m.world.Host.Build != m.cfg.Build:
		return fmt.Sprintf("the PTY host runs build %s, this is %s: its sessions keep it", m.world.Host.Build, m.cfg.Build)
	}
	return m.cfg.Screens.Warning()
}

// hint is a key and what it does.
type hint struct{ key, does string }

// hints are the keys that matter now.
func (m *Model) hints() []hint {
	var list []hint
	add := func(w keymap.Where, a keymap.Action, does string) {
		if key := m.cfg.Keys.Name(w, a, m.terminal.kitty); key != "" && m.allows(a) {
			list = append(list, hint{key, does})
		}
	}
	if m.region == inSidebar {
		add(keymap.InSidebar, keymap.Open, "open")
		add(keymap.InSidebar, keymap.NewTask, "new")
		add(keymap.InSidebar, keymap.NewTab, "tab")
		add(keymap.InSidebar, keymap.Rename, "rename")
		add(keymap.InSidebar, keymap.DeleteTask, "delete")
		add(keymap.Anywhere, keymap.Back, "detach")
		add(keymap.Anywhere, keymap.Help, "help")
		return list
	}
	add(keymap.Anywhere, keymap.Back, "sidebar")
	add(keymap.Anywhere, keymap.NewTab, "tab")
	add(keymap.Anywhere, keymap.SplitRight, "split")
	add(keymap.Anywhere, keymap.Close, "close")
	add(keymap.Anywhere, keymap.NextPane, "pane")
	list = append(list, hint{m.cfg.Keys.Prefix(), "prefix"})
	add(keymap.Anywhere, keymap.Help, "help")
	return list
}
