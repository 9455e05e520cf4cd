package ui

import (
	"moorage/ui/paint"
	"moorage/ui/theme"
)

// drawFoot draws what a page's keys do at the bottom of it, in two rows where
// one is too short: of what does not fit, the last is shown. What was said of
// late, which the page covers, is shown instead. It returns the rows that it
// took.
func (m *Model) drawFoot(f *paint.Frame, r paint.Rect, hints ...string) int {
	if said := m.toasts.newest(); said != nil {
		rows := wrap(said.text, max(r.W, 1))
		rows = rows[:min(len(rows), 2, max(r.H/4, 1))]
		for i, row := range rows {
			f.Text(r.X, r.Y+r.H-len(rows)+i, r.W, row, said.style())
		}
		return len(rows)
	}
	const gap = "   "
	rows, last := []string{""}, hints[len(hints)-1]
	for i, h := range hints {
		row := &rows[len(rows)-1]
		need := paint.StringWidth(*row) + len(gap) + paint.StringWidth(h)
		if len(rows) == 2 && i < len(hints)-1 {
			need += len(gap) + paint.StringWidth(last)
		}
		switch {
		case *row == "":
			*row = h
		case need <= r.W:
			*row += gap + h
		case len(rows) == 1:
			rows = append(rows, h)
		case i == len(hints)-1:
			*row += gap + h
		}
	}
	if len(rows) == 2 && r.H < 8 {
		rows = rows[:1]
	}
	for i, row := range rows {
		f.Text(r.X, r.Y+r.H-len(rows)+i, r.W, row, theme.Faint)
	}
	return len(rows)
}
