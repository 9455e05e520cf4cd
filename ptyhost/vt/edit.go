package vt

// Erasing, inserting, deleting and scrolling. Each repairs the wide characters
// that its edges cut and leaves the pen's background behind.

// eraseCells blanks columns x0..x1-1 of row y. When protect is set, cells with
// the protected attribute stay.
func (t *Terminal) eraseCells(y, x0, x1 int, protect bool) {
	if x0 >= x1 {
		return
	}
	r := t.on.rows[y]
	t.touch(r)
	if x1 == t.cols {
		r.wrap = false
	}
	if protect {
		for x := x0; x < x1; x++ {
			if r.cells[x].At&AttrProtected == 0 {
				r.splitWide(x)
				r.splitWide(x + 1)
				r.clear(x, x+1, t.blank())
			}
		}
		return
	}
	r.splitWide(x0)
	r.splitWide(x1)
	r.clear(x0, x1, t.blank())
	if x0 == 0 && x1 == t.cols {
		r.wide = false
	}
}

// eraseRows blanks rows y0..y1-1 whole.
func (t *Terminal) eraseRows(y0, y1 int) {
	for _, r := range t.on.rows[y0:y1] {
		t.touch(r)
		r.reset(t.pen.cell.BG)
	}
}

// guarded reports whether an erasing function must spare protected cells: the
// selective ones always, the plain ones when protection came from SPA
// (ECMA-48 8.3.122; xterm ctlseqs, "ESC V").
func (t *Terminal) guarded(selective bool) bool { return selective || t.isoGuard }

// eraseLine is EL and DECSEL.
func (t *Terminal) eraseLine(how int, selective bool) {
	x0, x1 := 0, t.cols
	switch how {
	case 0:
		x0 = t.cur.x
	case 1:
		x1 = t.cur.x + 1
	case 2:
	default:
		return
	}
	if how == 0 || how == 1 && x1 == t.cols {
		t.cur.pending = false
	}
	t.eraseCells(t.cur.y, x0, x1, t.guarded(selective))
}

// eraseDisplay is ED and DECSED. 3, xterm's own, empties the scrollback and
// leaves the screen.
func (t *Terminal) eraseDisplay(how int, selective bool) {
	y0, y1 := 0, t.rows
	switch how {
	case 0:
		t.eraseLine(0, selective)
		y0 = t.cur.y + 1
		if t.cur.x == 0 && t.cur.y > 0 {
			t.unwrap(t.cur.y - 1)
		}
	case 1:
		t.eraseLine(1, selective)
		y1 = t.cur.y
	case 2:
	case 3:
		if !selective {
			t.history.clear()
			t.moved()
		}
		return
	default:
		return
	}
	if !t.guarded(selective) {
		t.eraseRows(y0, y1)
		return
	}
	for y := y0; y < y1; y++ {
		t.eraseCells(y, 0, t.cols, true)
	}
}

// unwrap ends the line of row y at its edge: what followed is gone.
func (t *Terminal) unwrap(y int) {
	if r := t.on.rows[y]; r.wrap {
		r.wrap = false
		t.touch(r)
	}
}

// eraseChars is ECH. It is not bound by the margins.
func (t *Terminal) eraseChars(n int) {
	t.cur.pending = false
	t.eraseCells(t.cur.y, t.cur.x, min(t.cur.x+n, t.cols), t.guarded(false))
}

// insertChars is ICH, within the left and right margins.
func (t *Terminal) insertChars(n int) {
	t.cur.pending = false
	if t.cur.x < t.left || t.cur.x > t.right {
		return
	}
	t.shiftRow(t.row(), t.cur.x, n)
}

// deleteChars is DCH, within the left and right margins.
func (t *Terminal) deleteChars(n int) {
	t.cur.pending = false
	if t.cur.x < t.left || t.cur.x > t.right {
		return
	}
	t.shiftRow(t.row(), t.cur.x, -n)
}

func (t *Terminal) shiftRow(r *row, x, n int) {
	if t.right == t.cols-1 {
		r.wrap = false
	}
	r.shift(x, t.right+1, n, t.blank())
}

// insertLines is IL: from the cursor to the bottom margin, cursor to the left
// margin.
func (t *Terminal) insertLines(n int) {
	if !t.inMargins() {
		return
	}
	t.scrollDown(t.cur.y, n)
	t.cur.x, t.cur.pending = t.left, false
}

// deleteLines is DL. What it removes is deleted, not scrolled off: it does not
// go to the scrollback.
func (t *Terminal) deleteLines(n int) {
	if !t.inMargins() {
		return
	}
	t.rotate(t.cur.y, n)
	t.cur.x, t.cur.pending = t.left, false
}

// scrollUp scrolls the region from row y to the bottom margin up by n. Rows
// that leave the main screen at its top edge, over its whole width, go to the
// scrollback.
func (t *Terminal) scrollUp(y, n int) {
	if y == 0 && t.on == &t.main && t.left == 0 && t.right == t.cols-1 {
		for _, r := range t.on.rows[:min(n, t.bottom+1)] {
			t.pushHistory(r)
		}
	}
	t.rotate(y, n)
}

func (t *Terminal) scrollDown(y, n int) { t.rotate(y, -n) }

// rotate moves rows y..bottom by n lines, up if n is positive, and blanks what
// comes free. Over the whole width rows change places; between left and right
// margins their cells are copied.
func (t *Terminal) rotate(y, n int) {
	h := t.bottom + 1 - y
	n = min(max(n, -h), h)
	if n == 0 || h <= 0 {
		return
	}
	rows := t.on.rows[y : t.bottom+1]
	if t.left > 0 || t.right < t.cols-1 {
		t.rotateCells(rows, n)
		return
	}
	t.rev = t.next
	if y > 0 {
		t.unwrap(y - 1)
	}
	t.scrolls.add(t.next, y, t.bottom, n)
	if n > 0 {
		rotateRows(rows, n)
		rows = rows[h-n:]
	} else {
		rotateRows(rows, h+n)
		if last := t.on.rows[t.bottom]; last.wrap {
			last.wrap = false
			t.touch(last)
		}
		rows = rows[:-n]
	}
	for _, r := range rows {
		r.rev = t.next
		r.reset(t.pen.cell.BG)
	}
}

// rotateRows turns rows left by n.
func rotateRows(rows []*row, n int) {
	if n == 1 {
		first := rows[0]
		copy(rows, rows[1:])
		rows[len(rows)-1] = first
		return
	}
	reverseRows(rows[:n])
	reverseRows(rows[n:])
	reverseRows(rows)
}

func reverseRows(rows []*row) {
	for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
		rows[i], rows[j] = rows[j], rows[i]
	}
}

// rotateCells is rotate between left and right margins.
func (t *Terminal) rotateCells(rows []*row, n int) {
	x0, x1 := t.left, t.right+1
	for _, r := range rows {
		t.touch(r)
		r.splitWide(x0)
		r.splitWide(x1)
	}
	h := len(rows)
	for i := range h {
		dst := i
		if n < 0 {
			dst = h - 1 - i
		}
		if src := dst + n; src >= 0 && src < h {
			rows[dst].copyCells(x0, rows[src], x0, x1)
		} else {
			rows[dst].clear(x0, x1, t.blank())
		}
	}
}

// copyCells copies columns x0..x1-1 of src to column x.
func (r *row) copyCells(x int, src *row, x0, x1 int) {
	copy(r.cells[x:], src.cells[x0:x1])
	r.used = max(r.used, x+x1-x0)
	r.wide = r.wide || src.wide
}

// shiftColumns moves all columns from x to the right margin, in all rows
// between the margins: DECIC, DECDC, DECBI, DECFI, SL and SR.
func (t *Terminal) shiftColumns(x, n int) {
	for _, r := range t.on.rows[t.top : t.bottom+1] {
		t.touch(r)
		t.shiftRow(r, x, n)
	}
}
