package vt

// Reflow: the rows of a soft-wrapped line are joined and cut anew for another
// width. It works as a stream, row by row, so that a line of any length costs
// one row of memory.

// reflower takes the rows of lines in order and emits the same lines at
// another width.
type reflower struct {
	cols int
	emit func(*row) *row // takes a full row, returns a blank one to fill
	row  *row
	x    int
	n    int  // rows emitted
	open bool // row belongs to a line that is not over
}

// anchor is a position that keeps to its character through a reflow: y counts
// the rows fed before it, then the rows emitted before it.
type anchor struct {
	cur  *cursor
	done bool
}

func (f *reflower) next(wrap bool) {
	f.row.wrap = wrap
	f.row = f.emit(f.row)
	f.x = 0
	f.n++
}

// feed takes one row, of which y rows came before. Blank cells at its end are
// no text: on a row that wrapped they stand where a wide character did not
// fit.
func (f *reflower) feed(r *row, y int, anchors []anchor) {
	n := r.used
	for n > 0 && r.cells[n-1].Ch == 0 {
		n--
	}
	if r.mark != 0 {
		f.row.mark |= r.mark
		f.row.exit = r.exit
	}
	f.open = true
	for x := 0; x < n; x++ {
		c := r.cells[x]
		if c.Ch&CellSpacer != 0 {
			f.place(anchors, x, y, f.x-1)
			continue
		}
		w := c.Width()
		if w == 2 && f.cols < 2 {
			c, w = Cell{FG: c.FG, BG: c.BG, At: c.At}, 1
		}
		if f.x+w > f.cols {
			f.next(true)
		}
		f.place(anchors, x, y, f.x)
		f.put(c, w)
	}
	for i := range anchors { // past the text
		if a := &anchors[i]; !a.done && a.cur.y == y {
			f.settle(a, f.x+max(a.cur.x-n, 0))
		}
	}
	if !r.wrap {
		for x := n; x < r.used && f.x < f.cols; x++ { // background behind the text
			f.put(r.cells[x], 1)
		}
		f.endLine()
	}
}

func (f *reflower) put(c Cell, w int) {
	f.row.cells[f.x] = c
	if w == 2 {
		f.row.wide = true
		c.Ch = CellSpacer
		f.row.cells[f.x+1] = c
	}
	f.x += w
	f.row.used = f.x
}

// place settles the anchors at column x of row y, whose character goes to
// column to.
func (f *reflower) place(anchors []anchor, x, y, to int) {
	for i := range anchors {
		a := &anchors[i]
		if a.done || a.cur.y != y || a.cur.x != x {
			continue
		}
		if a.cur.pending {
			to++ // what is anchored is the place after the character
		}
		f.settle(a, to)
	}
}

func (f *reflower) settle(a *anchor, x int) {
	full := x == f.cols && (a.cur.pending || x == f.x)
	*a.cur = cursor{x: min(x, f.cols-1), y: f.n, pending: full}
	a.done = true
}

func (f *reflower) endLine() {
	f.next(false)
	f.open = false
}

// finish emits what is left of a line that was not over.
func (f *reflower) finish() {
	if f.open {
		f.next(true)
		f.open = false
	}
}

// rewrap returns the lines of rows at the width of to.
func rewrap(rows []*row, to int, anchors []anchor) []*row {
	var out []*row
	f := reflower{cols: to, row: newRow(to), emit: func(r *row) *row {
		out = append(out, r)
		return newRow(to)
	}}
	for y, r := range rows {
		f.feed(r, y, anchors)
	}
	f.finish()
	return out
}

func newRow(cols int) *row { return &row{cells: make([]Cell, cols)} }

// unpack decodes a packed row of the scrollback into a row at least cols wide.
func (t *Terminal) unpack(b []byte, cols int) *row {
	d := decoder{b: b}
	h, cells := d.row(make([]Cell, 0, cols), &t.table)
	used := len(cells)
	if used < cols {
		cells = cells[:cols]
	}
	return &row{cells: cells, used: used, wrap: h.wrap, wide: h.wide, mark: h.mark, exit: h.exit}
}

// settleHistory wraps the scrollback anew after the width changed. It is put
// off until somebody looks, because a window being dragged changes its width
// many times a second. The rows get new numbers; RemapRow leads from the old
// ones to them.
func (t *Terminal) settleHistory() {
	h := &t.history
	if !h.stale {
		return
	}
	old := *h
	*h = history{limit: old.limit, first: old.end + MaxRows, end: old.end + MaxRows}
	table := &Table{} // of what is on its way: as little as a line
	f := reflower{cols: t.cols, row: newRow(t.cols), emit: func(r *row) *row {
		h.push(r, table)
		r.reset(ColorDefault)
		return r
	}}
	t.remap = t.remap[:0]
	var room []Cell
	for abs := old.first; abs < old.end; abs++ {
		if (abs-old.first)%remapStep == 0 {
			t.remap = append(t.remap, remapPoint{abs, h.end})
		}
		d := decoder{b: old.row(abs)}
		var head rowHead
		if table.size().reaches(tableSize{}.twice()) {
			fresh := &Table{}
			fresh.importAll(table, f.row.cells[:f.x])
			table = fresh
		}
		head, room = d.row(room[:0], table)
		f.feed(&row{cells: room, used: len(room), wrap: head.wrap, mark: head.mark, exit: head.exit}, 0, nil)
	}
	f.finish()
	t.remap = append(t.remap, remapPoint{old.end, h.end})
	t.epoch++
	t.next = t.rev + 1
	t.moved()
}

// remapStep is how many rows lie between two entries of the map from old row
// numbers to new ones: between them the map is linear.
const remapStep = 32

type remapPoint struct{ old, new uint64 }

// RemapRow returns the number that a row of the scrollback got in the last
// reflow, exact to a few rows, for a reader that was anchored there. It is
// false for a number from before an earlier reflow.
func (t *Terminal) RemapRow(abs uint64) (uint64, bool) {
	for i := 1; i < len(t.remap); i++ {
		a, b := t.remap[i-1], t.remap[i]
		if abs >= a.old && abs <= b.old {
			return a.new + (abs-a.old)*(b.new-a.new)/max(b.old-a.old, 1), true
		}
	}
	if n := len(t.remap); n > 0 && abs > t.remap[n-1].old && abs < t.remap[n-1].old+MaxRows {
		return t.remap[n-1].new + abs - t.remap[n-1].old, true // a row of the screen
	}
	return 0, false
}
