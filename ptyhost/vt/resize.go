package vt

// Resize changes the size of the screen, clamped as in New. Soft-wrapped lines
// of the main screen are wrapped anew; rows that no longer fit go to the
// scrollback and come back from it when there is room. The alternate screen is
// cut or padded: its program draws it again. Margins are reset, unless the
// size stays what it is.
func (t *Terminal) Resize(cols, rows int) {
	o := Options{Cols: cols, Rows: rows}.clamped()
	if o.Cols == t.cols && o.Rows == t.rows {
		return
	}
	t.next = t.rev + 1
	t.dropSync()
	t.spare = nil
	t.resizeMain(o.Cols, o.Rows)
	if t.alt.rows != nil {
		t.resizeAlt(o.Cols, o.Rows)
	}
	tabs := t.tabs
	t.cols, t.rows = o.Cols, o.Rows
	t.resetTabs()
	copy(t.tabs, tabs)
	t.resetMargins()
	t.joinable = false
	t.touchAll()
	if t.flags&flagResizeReports != 0 {
		t.reportResize()
	}
}

// resizer holds the main screen while its size changes. rows are those of the
// screen, without the blank ones below text and cursor.
type resizer struct {
	t       *Terminal
	cols    int
	rows    []*row
	anchors []anchor
	cursor  *cursor // the one that must stay on the screen
}

func (t *Terminal) resizeMain(cols, rows int) {
	z := &resizer{t: t, cols: cols, cursor: &t.cur}
	if t.altShown() {
		z.cursor = &cursor{}
		if t.main.saved.ok {
			z.cursor = &t.main.saved.cur // what 1049 will restore
		} else if n := t.main.height(); n > 0 {
			z.cursor.y = n - 1
		}
	} else if t.main.saved.ok {
		z.anchors = append(z.anchors, anchor{cur: &t.main.saved.cur})
	}
	z.anchors = append(z.anchors, anchor{cur: z.cursor}) // the last

	n := max(t.main.height(), z.cursor.y+1)
	if c := z.anchors[0].cur; c.y >= n { // saved below all text: only clamped
		z.anchors = z.anchors[1:]
		c.clamp(cols, rows)
	}
	z.rows = append(z.rows, t.main.rows[:n]...)
	if cols != t.cols {
		z.rewrap()
		if got := len(z.rows); got < n {
			z.pull(n - got)
		}
	}
	if rows > t.rows {
		z.pull(rows - t.rows)
	}
	z.push(len(z.rows) - rows)
	t.main.rows = z.grid(rows)
	t.history.stale = t.history.stale && t.history.len() > 0
	for i := range z.anchors {
		c := z.anchors[i].cur
		c.clamp(cols, rows)
	}
}

// clamp keeps a position on a screen of that size.
func (c *cursor) clamp(cols, rows int) {
	c.x, c.y = min(max(c.x, 0), cols-1), min(max(c.y, 0), rows-1)
	c.pending = c.pending && c.x == cols-1
}

// height is how many rows there are up to the last that shows something.
func (s *screen) height() int {
	n := len(s.rows)
	for n > 0 && s.rows[n-1].blank() {
		n--
	}
	return n
}

// blank reports whether the row shows nothing at all.
func (r *row) blank() bool {
	for _, c := range r.cells[:r.used] {
		if c != (Cell{}) {
			return false
		}
	}
	return r.mark == 0 && !r.wrap
}

// rewrap wraps the screen's lines for the new width, together with the part of
// the first one that is in the scrollback.
func (z *resizer) rewrap() {
	h := &z.t.history
	head := z.popLine(4 * z.t.rows)
	z.shift(len(head))
	z.rows = rewrap(append(head, z.rows...), z.cols, z.anchors)
	h.stale = h.stale || h.len() > 0
}

// popLine takes rows off the scrollback while they go on in what follows, at
// most limit, and returns them oldest first.
func (z *resizer) popLine(limit int) []*row {
	h := &z.t.history
	var out []*row
	for h.len() > 0 && len(out) < limit && h.row(h.end - 1)[0]&packWrapped != 0 {
		out = append(out, z.t.unpack(h.pop(), z.t.cols))
	}
	reverseRows(out)
	return out
}

// pull brings n rows back from the scrollback, or as many as there are.
func (z *resizer) pull(n int) {
	h := &z.t.history
	for n > 0 && h.len() > 0 {
		last := z.t.unpack(h.pop(), z.t.cols)
		lines := []*row{last}
		if z.cols != z.t.cols || h.stale {
			lines = append(z.popLine(4*z.t.rows), last)
			lines = rewrap(lines, z.cols, nil)
		}
		z.shift(len(lines))
		z.rows = append(lines, z.rows...)
		n -= len(lines)
	}
	if n < 0 {
		z.push(-n)
	}
}

// push moves n rows from the top to the scrollback, but not the cursor's.
func (z *resizer) push(n int) {
	n = min(n, z.cursor.y)
	if n <= 0 {
		return
	}
	for _, r := range z.rows[:n] {
		z.t.pushHistory(r)
	}
	z.rows = z.rows[n:]
	z.shift(-n)
}

func (z *resizer) shift(n int) {
	for i := range z.anchors {
		z.anchors[i].cur.y += n
	}
}

// grid lays the rows out as a screen. Rows below it are lost, as they are for
// a window made smaller around a cursor at its top.
func (z *resizer) grid(n int) []*row {
	out := grid(z.cols, n)
	for y, r := range z.rows[:min(n, len(z.rows))] {
		out[y].take(r)
	}
	return out
}

// take makes r show what o does, cut to its own width.
func (r *row) take(o *row) {
	cells := r.cells
	n := min(o.used, len(cells))
	copy(cells, o.cells[:n])
	*r = *o
	r.cells, r.used = cells, n
	if n > 0 && cells[n-1].Ch&CellWide != 0 {
		r.blankText(n - 1)
	}
}

// resizeAlt cuts or pads the alternate screen, at the top only as far as the
// cursor needs it.
func (t *Terminal) resizeAlt(cols, rows int) {
	skip := 0
	if t.altShown() {
		skip = max(0, t.cur.y-(rows-1))
		t.cur.y -= skip
		t.cur.x = min(t.cur.x, cols-1)
		t.cur.pending = false
	}
	out := grid(cols, rows)
	for y := range min(rows, t.rows-skip) {
		out[y].take(t.alt.rows[y+skip])
		out[y].wrap = false
	}
	t.alt.rows = out
	t.alt.saved.cur.clamp(cols, rows)
}
