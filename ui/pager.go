package ui

import (
	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
)

// pager scrolls rows within a dialog. It begins at the top.
type pager struct {
	top, rows int
}

// span returns which of n rows to draw in that many lines.
func (p *pager) span(n, lines int) (from, to int) {
	p.rows = max(lines, 1)
	p.top = max(min(p.top, n-p.rows), 0)
	return p.top, min(p.top+p.rows, n)
}

// key scrolls; false when k is no such key.
func (p *pager) key(k input.Key) bool {
	switch k.Code {
	case input.Up, 'k':
		p.top--
	case input.Down, 'j':
		p.top++
	case input.PageUp:
		p.top -= p.rows
	case input.PageDown, input.Space:
		p.top += p.rows
	case input.Home, 'g':
		p.top = 0
	case input.End, 'G':
		p.top = 1 << 30
	default:
		return false
	}
	return true
}

// scrollHint is the last line of a dialog that scrolls.
func scrollHint(f *paint.Frame, r paint.Rect, more string) vt.Cursor {
	f.Text(r.X, r.Y+r.H-1, r.W, "up, down: scroll   "+more+"Esc: close", theme.Faint)
	return vt.Cursor{}
}
