package paint

import (
	"unicode/utf8"

	"moorage/ptyhost/vt"
)

// Fill draws c into every cell of r. A wide cell is drawn as a blank.
func (f *Frame) Fill(r Rect, c vt.Cell) {
	r = r.Intersect(f.Bounds())
	c = normal(c)
	if c.Ch&(vt.CellWide|vt.CellSpacer) != 0 {
		c.Ch = 0
	}
	for y := r.Y; y < r.Y+r.H; y++ {
		row := f.Row(y)
		for x := r.X; x < r.X+r.W; x++ {
			f.put(row, x, y, c)
		}
	}
}

// Text draws s from column x on, in at most maxWidth cells, and returns how
// many it took. Controls are left out. A wide character that would stick out
// is not drawn.
func (f *Frame) Text(x, y, maxWidth int, s string, st Style) (width int) {
	if y < 0 || y >= f.rows {
		return 0
	}
	f.sweepIfGrown()
	blank := st.cell(f.table)
	maxWidth = min(maxWidth, f.cols-x)
	for s != "" {
		var (
			cluster string
			w       int
		)
		cluster, w, s = vt.NextCluster(s)
		if w == 0 || isControl(cluster) {
			continue
		}
		if width+w > maxWidth {
			break
		}
		switch at := x + width; {
		case at >= 0:
			f.SetCell(at, y, f.withText(blank, cluster, w))
		case at+w > 0:
			f.SetCell(0, y, blank) // the second half of a wide one
		}
		width += w
	}
	return width
}

// isControl reports whether a cluster starts with a control: clusters hold
// none elsewhere but for CR LF.
func isControl(cluster string) bool {
	r, _ := utf8.DecodeRuneInString(cluster)
	return r < 0x20 || r >= 0x7f && r < 0xa0
}

// withText is c showing the cluster in w cells.
func (f *Frame) withText(c vt.Cell, cluster string, w int) vt.Cell {
	r, n := utf8.DecodeRuneInString(cluster)
	c.Ch = uint32(r)
	if n < len(cluster) {
		if i, ok := f.table.InternCluster(cluster); ok {
			c.Ch = vt.CellCluster | i
		}
	}
	if w == 2 {
		c.Ch |= vt.CellWide
	}
	return c
}
