package ui

import (
	"fmt"
	"slices"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"
)

// pane is one session on this client's screen.
type pane struct {
	key      string
	ref      workspace.PaneRef
	screen   Screen // nil when it could not be shown
	problem  string
	rect     paint.Rect
	scroll   *scroll // nil: the live screen
	selected selection

	out        []byte // collected for the program
	pasteModes vt.Modes
	looks      bool // its client may look only

	drawn drawn
}

// drawn is what of the pane the frame holds, so that only what changed is
// drawn again.
type drawn struct {
	valid   bool
	life    uint64
	rev     uint64   // the mirror's
	revs    []uint64 // of each row of the rectangle, by the mirror
	ox, oy  int      // the mirror's cell at the rectangle's corner
	cols    int
	rows    int
	reverse bool
	chrome  string
}

func newPane(r tabRef, id string, looks bool) *pane {
	return &pane{
		key:   sessionKey(r, id),
		ref:   workspace.PaneRef{Task: r.task, Tab: r.tab, Pane: id},
		looks: looks,
	}
}

// forget makes the next drawing draw everything.
func (p *pane) forget() { p.drawn.valid = false }

// modes are the program's, as far as the mirror knows.
func (p *pane) modes() (modes vt.Modes) {
	if p.screen != nil {
		p.screen.Read(func(m *vt.Mirror) { modes = m.Modes() })
	}
	return modes
}

// focus tells the program that it has got or lost the focus, if it asked.
func (p *pane) focus(in bool) {
	if p.screen == nil {
		return
	}
	if b := input.AppendFocus(nil, in, p.modes()); len(b) > 0 {
		p.screen.Input(b) // a program that is away has no use for it
	}
}

// live goes back to the live screen.
func (p *pane) live() {
	if p.scroll != nil {
		p.scroll = nil
		p.forget()
	}
}

// startable reports whether Enter starts the pane's program again.
func (p *pane) startable() bool {
	if p.screen == nil {
		return false
	}
	s, _ := p.screen.Status()
	return s == Ended || s == Failed || s == Thawed
}

// reason says why the program takes no input.
func (p *pane) reason() string {
	if p.screen == nil {
		return p.problem
	}
	s, problem := p.screen.Status()
	switch {
	case problem != "":
		return problem
	case s == Ended:
		return "the program has ended"
	case s == Connecting:
		return "the session is not there yet"
	}
	return "the PTY host is not there"
}

// offer is what the keys do about a pane's state, for who may do it.
func (p *pane) offer(keys string) string {
	if p.looks {
		return ""
	}
	return "   " + keys
}

// chromeLine is what the pane's last row says about it, instead of the
// program; "" while all is well.
func (p *pane) chromeLine(view workspace.PaneView) (string, paint.Style) {
	if p.screen == nil {
		return p.problem, theme.Dead
	}
	s, problem := p.screen.Status()
	switch s {
	case Away:
		return problem + ": what you see is the last that was seen", theme.Banner
	case Failed:
		return problem + p.offer("Enter: try again"), theme.Dead
	case Thawed:
		return problem + p.offer("Enter: start again"), theme.Dead
	case Ended:
		how := "ended"
		if e := view.Exit; e != nil {
			how = fmt.Sprintf("exited with code %d", e.Code)
			if e.Signal != "" {
				how = "ended by " + e.Signal
			}
		}
		if problem != "" {
			how += ", " + problem
		}
		return how + p.offer("Enter: start again   ctrl+w: close"), theme.Dead
	}
	return "", paint.Style{}
}

// draw draws what changed of the pane. It returns where its cursor is in the
// frame.
func (p *pane) draw(f *paint.Frame, view workspace.PaneView) vt.Cursor {
	line, style := p.chromeLine(view)
	if line != p.drawn.chrome {
		p.forget()
		p.drawn.chrome = line
	}
	r := p.rect
	if line != "" {
		r.H--
	}
	var cur vt.Cursor
	switch {
	case p.screen == nil:
		f.Fill(r, vt.Cell{})
	case p.scroll != nil:
		p.scroll.draw(f, r, p)
	default:
		cur = p.drawLive(f, r)
	}
	if line != "" {
		drawBar(f, paint.Rect{X: r.X, Y: r.Y + r.H, W: r.W, H: 1}, " "+line, style)
	}
	p.drawn.valid = true
	return cur
}

// drawLive draws the rows of the live screen that changed.
func (p *pane) drawLive(f *paint.Frame, r paint.Rect) (cursor vt.Cursor) {
	life := p.screen.Life()
	d := &p.drawn
	p.screen.Read(func(m *vt.Mirror) {
		cols, rows := m.Size()
		_, end := m.History()
		cur := m.Cursor()
		ox := crop(d.ox, cur.X, r.W, cols, 0)
		oy := crop(d.oy, cur.Y, r.H, rows, 0)
		reverse := m.Modes().ReverseVideo
		all := !d.valid || d.life != life || d.ox != ox || d.oy != oy || d.cols != cols || d.rows != rows ||
			d.reverse != reverse || len(d.revs) != r.H
		if all {
			*d = drawn{life: life, revs: make([]uint64, max(r.H, 0)), ox: ox, oy: oy, cols: cols, rows: rows, reverse: reverse, chrome: d.chrome}
			drawOutside(f, r, cols-ox, rows-oy)
		}
		for y := 0; y < min(r.H, rows-oy); y++ {
			rev := m.RowRev(oy + y)
			if !all && d.revs[y] == rev {
				continue
			}
			d.revs[y] = rev
			cells := m.Row(oy + y)
			cells = cells[min(ox, len(cells)):]
			cells = cells[:min(len(cells), r.W)]
			if reverse {
				cells = inverted(cells, 0, len(cells))
			}
			if from, to := p.selected.columns(end+uint64(oy+y), cols); from < to {
				cells = inverted(cells, from-ox, to-ox)
			}
			f.CopyRow(r.X, r.Y+y, cells, m.Table())
		}
		d.rev = m.Rev()
		cursor = cur
		cursor.X, cursor.Y = r.X+cur.X-ox, r.Y+cur.Y-oy
		cursor.Visible = cur.Visible && r.Contains(cursor.X, cursor.Y)
	})
	return cursor
}

// crop returns the first of length cells to show in a window, so that at is in
// it, moving from the last choice only as far as needed.
func crop(last, at, window, length, first int) int {
	if length <= window {
		return first
	}
	switch {
	case at < last:
		last = at
	case at >= last+window:
		last = at - window + 1
	}
	return min(max(last, 0), length-window)
}

// drawOutside marks the part of the rectangle that the session does not fill.
func drawOutside(f *paint.Frame, r paint.Rect, cols, rows int) {
	dot := vt.Cell{Ch: '·', At: vt.AttrFaint}
	if cols < r.W {
		f.Fill(paint.Rect{X: r.X + max(cols, 0), Y: r.Y, W: r.W - max(cols, 0), H: r.H}, dot)
	}
	if rows < r.H {
		f.Fill(paint.Rect{X: r.X, Y: r.Y + max(rows, 0), W: r.W, H: r.H - max(rows, 0)}, dot)
	}
}

// inverted is a copy of a row with the cells of some columns inverted: under
// DECSCNM, or selected.
func inverted(cells []vt.Cell, from, to int) []vt.Cell {
	out := slices.Clone(cells)
	for i := max(from, 0); i < min(to, len(out)); i++ {
		out[i].At ^= vt.AttrInverse
	}
	return out
}

// drawBar fills a row with a style and writes on it.
func drawBar(f *paint.Frame, r paint.Rect, text string, st paint.Style) {
	if r.Empty() {
		return
	}
	f.Fill(r, vt.Cell{FG: st.FG, BG: st.BG, At: st.Attr})
	f.Text(r.X, r.Y, r.W, text, st)
}
