package vt

import "unicode/utf8"

// printASCII writes a run of bytes 0x20..0x7e. This is the path that most
// output takes: the run is cut at the right margin and each piece written in
// one go.
func (t *Terminal) printASCII(p []byte) {
	if !t.sets.plain() || t.flags&flagInsert != 0 {
		for _, b := range p {
			t.printRune(t.sets.translate(b))
		}
		return
	}
	t.lastRune = rune(p[len(p)-1])
	t.joinable = true
	for len(p) > 0 {
		if t.cur.pending {
			if t.flags&flagAutowrap != 0 {
				t.wrapLine()
			} else { // all but the last are overwritten anyway
				p = p[len(p)-1:]
				t.cur.pending = false
			}
		}
		x, limit := t.cur.x, t.rightLimit()
		n := min(len(p), limit-x)
		r := t.row()
		if r.wide {
			r.splitWide(x)
			r.splitWide(x + n)
		}
		c := t.pen.cell
		cells := r.cells[x : x+n]
		for i := range cells {
			c.Ch = uint32(p[i])
			cells[i] = c
		}
		p = p[n:]
		x += n
		r.used = max(r.used, x)
		if x == limit {
			x--
			t.cur.pending = true
		}
		t.cur.x = x
	}
}

// rightLimit is the column after the last one that text from the cursor can
// reach: the right margin binds only a cursor that is not past it.
func (t *Terminal) rightLimit() int {
	if t.cur.x > t.right {
		return t.cols
	}
	return t.right + 1
}

// printRune writes one character that is not a control.
func (t *Terminal) printRune(r rune) {
	if uint32(r) < utf8.RuneSelf {
		t.place(uint32(r), 1)
		t.lastRune = r
		t.joinable = true
		return
	}
	t.sets.single = 0
	p := propsOf(r)
	if p&(propExtends|propMayJoin) != 0 && t.join(r, p) {
		return
	}
	w := p.width()
	if w == 0 { // nothing to show: bidi controls, a joiner without a base
		t.joinable = false
		return
	}
	t.place(uint32(r), w)
	t.lastRune = r
	t.joinable = true
}

// place writes a character of width w at the cursor and moves it on.
func (t *Terminal) place(ch uint32, w int) {
	if t.cur.pending && t.flags&flagAutowrap != 0 {
		t.wrapLine()
	}
	t.cur.pending = false
	limit := t.rightLimit()
	if w == 2 && t.cur.x+2 > limit {
		switch {
		case t.cols < 2 || t.left+2 > limit:
			return // it fits on no line
		case t.flags&flagAutowrap != 0:
			r := t.row() // what does not fit leaves the last column blank
			r.splitWide(t.cur.x)
			r.clear(t.cur.x, limit, t.blank())
			t.wrapLine()
			limit = t.rightLimit()
			if t.cur.x+2 > limit {
				return
			}
		default:
			t.cur.x = limit - 2
		}
	}
	r := t.row()
	x := t.cur.x
	if t.flags&flagInsert != 0 {
		r.shift(x, limit, w, Cell{})
	}
	r.splitWide(x)
	r.splitWide(x + w)
	c := t.pen.cell
	c.Ch = ch
	if w == 2 {
		r.wide = true
		c.Ch |= CellWide
		r.cells[x] = c
		c.Ch = CellSpacer
		r.cells[x+1] = c
	} else {
		r.cells[x] = c
	}
	x += w
	r.used = max(r.used, x)
	if x >= limit {
		x = limit - 1
		t.cur.pending = true
	}
	t.cur.x = x
}

// wrapLine carries the cursor over to the next line, which continues this one.
func (t *Terminal) wrapLine() {
	if t.right == t.cols-1 {
		r := t.on.rows[t.cur.y]
		r.wrap = true
		t.touch(r)
	}
	t.cur.pending = false
	t.cur.x = t.left
	t.index()
}

// base returns the cell that a continuing rune would join: the one with the
// last character, left of the cursor or under a cursor that is to wrap.
func (t *Terminal) base() (r *row, x int, ok bool) {
	r, x = t.on.rows[t.cur.y], t.cur.x
	if !t.cur.pending {
		if x == 0 {
			return nil, 0, false
		}
		x--
	}
	if r.cells[x].Ch&CellSpacer != 0 && x > 0 {
		x--
	}
	return r, x, true
}

// join tries to make r, which has properties p, part of the cluster before it.
// A mark without width joins whatever stands there, as in xterm; anything else
// only what was written just now, so that two halves of a flag drawn apart
// stay apart. With mode 2027 off only marks join.
func (t *Terminal) join(r rune, p runeProps) bool {
	if p.width() > 0 && (!t.joinable || t.flags&flagClusters == 0) {
		return false
	}
	row, x, ok := t.base()
	if !ok {
		return p.width() == 0 && p&propExtends != 0
	}
	c := row.cells[x]
	if p&propExtends == 0 && c.Ch&CellRune < utf8.RuneSelf && c.Ch&CellCluster == 0 {
		return false
	}
	t.scratch = appendRune(t.table.AppendText(t.scratch[:0], c), r)
	if !joins(t.scratch, p) {
		return false
	}
	if len(t.scratch) > maxClusterBytes {
		return true
	}
	i, ok := t.internCluster(t.scratch)
	if !ok {
		return true
	}
	t.touch(row)
	widen := r == variationSelector16 && t.joinable && c.Ch&(CellCluster|CellWide) == 0 && t.flags&flagClusters != 0
	row.cells[x].Ch = c.Ch&CellWide | CellCluster | i
	row.used = max(row.used, x+1)
	if widen && c.Ch != 0 {
		t.widen(row, x)
	}
	return true
}

// widen makes the cluster at x two columns wide: variation selector 16 asked
// for emoji presentation. At the margin it moves to the next line, as it would
// have had its width been known.
func (t *Terminal) widen(r *row, x int) {
	if x+1 != t.cur.x && !(t.cur.pending && x == t.cur.x) {
		return // not what was written last
	}
	c := r.cells[x]
	if t.cur.pending {
		if t.flags&flagAutowrap == 0 || t.left+2 > t.right+1 || t.left == x {
			return
		}
		r.blankText(x)
		pen := t.pen.cell
		t.pen.cell = Cell{FG: c.FG, BG: c.BG, At: c.At}
		t.place(c.Ch, 2)
		t.pen.cell = pen
		return
	}
	limit := t.rightLimit()
	if t.flags&flagInsert != 0 {
		r.shift(t.cur.x, limit, 1, Cell{})
	}
	r.splitWide(x + 2)
	r.wide = true
	r.cells[x].Ch |= CellWide
	c.Ch = CellSpacer
	r.cells[x+1] = c
	r.used = max(r.used, x+2)
	t.cur.x++
	if t.cur.x >= limit {
		t.cur.x = limit - 1
		t.cur.pending = true
	}
}

// repeat writes the last character n times more (REP, ECMA-48 8.3.103), but no
// more than fill the screen.
func (t *Terminal) repeat(n int) {
	r := t.lastRune
	if r == 0 {
		return
	}
	if r < utf8.RuneSelf {
		t.scratch = append(t.scratch[:0], make([]byte, min(n, t.cols*t.rows))...)
		for i := range t.scratch {
			t.scratch[i] = byte(r)
		}
		t.printASCII(t.scratch)
		return
	}
	w := max(RuneWidth(r), 1)
	for range min(n, t.cols*t.rows/w) {
		t.place(uint32(r), w)
	}
	t.joinable = true
}
