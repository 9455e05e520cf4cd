package ui

import (
	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"
)

// pick is one row of a picker.
type pick struct {
	text, note string
	style      paint.Style // of the note
}

// picker is a list to choose from within a dialog.
type picker struct {
	items  []pick
	found  []int // of the items, those that the filter leaves
	at     int   // of the found ones; -1 for none
	top    int
	rows   int
	marked map[int]bool // by item; nil where only one is chosen
}

// fill gives the picker other items; all of them are found.
func (p *picker) fill(items []pick) {
	p.items = items
	p.filter("")
}

// filter leaves what fits a query, and chooses the first of it.
func (p *picker) filter(query string) {
	p.found = p.found[:0]
	for i, it := range p.items {
		if _, ok := fuzzyAll(query, it.text); ok {
			p.found = append(p.found, i)
		}
	}
	p.at, p.top = min(0, len(p.found)-1), 0
}

// chosen is the item that the cursor is on.
func (p *picker) chosen() (int, bool) {
	if p.at < 0 || p.at >= len(p.found) {
		return 0, false
	}
	return p.found[p.at], true
}

// key moves the cursor; false when k is no such key.
func (p *picker) key(k input.Key) bool {
	by := map[rune]int{
		input.Up: -1, input.Down: 1, input.PageUp: -max(p.rows-1, 1), input.PageDown: max(p.rows-1, 1),
		input.Home: -1 << 20, input.End: 1 << 20,
	}[k.Code]
	if by == 0 {
		return false
	}
	p.at = max(min(p.at+by, len(p.found)-1), min(0, len(p.found)-1))
	return true
}

// click chooses what is drawn in a row of the list.
func (p *picker) click(y int) bool {
	if y < 0 || y >= p.rows || p.top+y >= len(p.found) {
		return false
	}
	p.at = p.top + y
	return true
}

// toggle marks what the cursor is on, or takes the mark away.
func (p *picker) toggle() {
	if i, ok := p.chosen(); ok && p.marked != nil {
		p.marked[i] = !p.marked[i]
	}
}

// draw draws the list; lit says that it has the keys.
func (p *picker) draw(f *paint.Frame, r paint.Rect, lit bool) {
	p.rows = max(r.H, 1)
	switch {
	case p.at < p.top:
		p.top = max(p.at, 0)
	case p.at >= p.top+p.rows:
		p.top = p.at - p.rows + 1
	}
	p.top = max(min(p.top, len(p.found)-p.rows), 0)
	for y := 0; y < r.H && p.top+y < len(p.found); y++ {
		i := p.found[p.top+y]
		it, row := p.items[i], paint.Rect{X: r.X, Y: r.Y + y, W: r.W, H: 1}
		st, note := theme.Text, it.style
		if lit && p.top+y == p.at {
			f.Fill(row, vtBlank(theme.Selected))
			st.Attr |= vt.AttrInverse
			note.Attr |= vt.AttrInverse
		}
		x := r.X
		if p.marked != nil {
			mark := "[ ] "
			if p.marked[i] {
				mark = "[x] "
			}
			x += f.Text(x, row.Y, r.W, mark, st)
		}
		room := max(r.X+r.W-x, 0)
		n := min(paint.StringWidth(it.note), room/2)
		f.Text(x, row.Y, room, cut(workspace.Clean(it.text, 1000), max(room-n-1, 1)), st)
		f.Text(r.X+r.W-n, row.Y, n, cut(workspace.Clean(it.note, 1000), n), note)
	}
}
