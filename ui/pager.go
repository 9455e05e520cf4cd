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

// keep scrolls so far that row at is within that many lines.
func (p *pager) keep(at, lines int) {
	switch rows := max(lines, 1); {
	case at < p.top:
		p.top = at
	case at >= p.top+rows:
		p.top = at - rows + 1
	}
}

// step moves a cursor over n rows; false when k is no such key.
func (p *pager) step(k input.Key, at *int, n int) bool {
	by := 0
	switch {
	case k.Code == input.Up, k.Typed() == "k":
		by = -1
	case k.Code == input.Down, k.Typed() == "j":
		by = 1
	case k.Code == input.PageUp:
		by = -p.rows
	case k.Code == input.PageDown:
		by = p.rows
	case k.Code == input.Home, k.Typed() == "g":
		by = -n
	case k.Code == input.End, k.Typed() == "G":
		by = n
	default:
		return false
	}
	*at = max(min(*at+by, n-1), 0)
	return true
}

// scrollHint is the last line of a dialog that scrolls.
func scrollHint(f *paint.Frame, r paint.Rect, more string) vt.Cursor {
	f.Text(r.X, r.Y+r.H-1, r.W, "up, down: scroll   "+more+"Esc: close", theme.Faint)
	return vt.Cursor{}
}
