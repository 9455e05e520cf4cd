package vt

// Cursor movement. Movement without scrolling stops at the margins only for a
// cursor that starts within them (DEC STD 070, 5.3).

// move puts the cursor at absolute x, y, clamped to the screen.
func (t *Terminal) move(x, y int) {
	t.cur = cursor{x: min(max(x, 0), t.cols-1), y: min(max(y, 0), t.rows-1)}
	t.moved()
}

// moveTo is CUP: x and y count from 0, from the margins in origin mode.
func (t *Terminal) moveTo(x, y int) {
	if t.flags&flagOrigin != 0 {
		x = min(t.left+x, t.right)
		y = min(t.top+y, t.bottom)
	}
	t.move(x, y)
}

// origin is where reports and CUP count from.
func (t *Terminal) origin() (x, y int) {
	if t.flags&flagOrigin != 0 {
		return t.left, t.top
	}
	return 0, 0
}

func (t *Terminal) up(n int) {
	limit := 0
	if t.cur.y >= t.top {
		limit = t.top
	}
	t.move(t.cur.x, max(t.cur.y-n, limit))
}

func (t *Terminal) down(n int) {
	limit := t.rows - 1
	if t.cur.y <= t.bottom {
		limit = t.bottom
	}
	t.move(t.cur.x, min(t.cur.y+n, limit))
}

func (t *Terminal) rightBy(n int) {
	limit := t.cols - 1
	if t.cur.x <= t.right {
		limit = t.right
	}
	t.move(min(t.cur.x+n, limit), t.cur.y)
}

// leftBy moves left by n. With reverse wrap (mode 45, together with autowrap)
// it goes on at the end of the line above if that line wrapped into this one
// (xterm since patch 383); with extended reverse wrap (1045) whatever the line
// above is.
func (t *Terminal) leftBy(n int) {
	if t.flags&(flagReverseWrap|flagReverseWrapExt) == 0 || t.flags&flagAutowrap == 0 {
		limit := 0
		if t.cur.x >= t.left {
			limit = t.left
		}
		t.move(max(t.cur.x-n, limit), t.cur.y)
		return
	}
	if t.cur.pending {
		n--
	}
	x, y := t.cur.x, t.cur.y
	for n > 0 {
		limit := 0
		if x >= t.left {
			limit = t.left
		}
		if step := min(n, x-limit); step > 0 {
			x -= step
			n -= step
			continue
		}
		if t.flags&flagReverseWrapExt == 0 && (y == t.top || y == 0 || !t.on.rows[y-1].wrap) {
			break
		}
		if y--; y < t.top {
			if n > t.rows*t.cols { // round and round: the rest ends alike
				n %= t.rows * t.cols
			}
			y = t.bottom
		}
		x = t.right
		n--
	}
	t.move(x, y)
}

// carriageReturn goes to the left margin, or, from left of it, to the edge.
func (t *Terminal) carriageReturn() {
	x := 0
	if t.cur.x >= t.left || t.flags&flagOrigin != 0 {
		x = t.left
	}
	t.cur.x = x
	t.cur.pending = false
	t.moved()
}

// index is IND: down a line, scrolling at the bottom margin.
func (t *Terminal) index() {
	t.cur.pending = false
	switch {
	case t.cur.y == t.bottom:
		if t.cur.x >= t.left && t.cur.x <= t.right {
			t.scrollUp(t.top, 1)
		}
	case t.cur.y < t.rows-1:
		t.cur.y++
	}
	t.moved()
}

// reverseIndex is RI: up a line, scrolling at the top margin.
func (t *Terminal) reverseIndex() {
	t.cur.pending = false
	switch {
	case t.cur.y == t.top:
		if t.cur.x >= t.left && t.cur.x <= t.right {
			t.scrollDown(t.top, 1)
		}
	case t.cur.y > 0:
		t.cur.y--
	}
	t.moved()
}

// lineFeed is LF, VT and FF.
func (t *Terminal) lineFeed() {
	t.index()
	if t.flags&flagNewLine != 0 {
		t.carriageReturn()
	}
}

// inMargins reports whether the cursor is within all four margins, where the
// line and column editing functions work.
func (t *Terminal) inMargins() bool {
	return t.cur.y >= t.top && t.cur.y <= t.bottom && t.cur.x >= t.left && t.cur.x <= t.right
}

func (t *Terminal) resetMargins() {
	t.top, t.bottom, t.left, t.right = 0, t.rows-1, 0, t.cols-1
}

func (t *Terminal) saveCursor() {
	t.on.saved = savedCursor{
		ok: true, cur: t.cur, pen: t.pen, sets: t.sets,
		origin: t.flags&flagOrigin != 0,
	}
}

// restoreCursor is DECRC; without an earlier DECSC it homes and resets what
// DECSC would have kept (DEC STD 070).
func (t *Terminal) restoreCursor() {
	s := t.on.saved
	t.flags.set(flagOrigin, s.origin)
	t.sets = s.sets
	t.setPen(s.pen)
	t.move(s.cur.x, s.cur.y)
	t.cur.pending = s.cur.pending && t.cur.x == s.cur.x && t.cur.y == s.cur.y
}

// Tab stops.

func (t *Terminal) resetTabs() {
	t.tabs = make([]bool, t.cols)
	for x := 8; x < t.cols; x += 8 {
		t.tabs[x] = true
	}
}

// tab moves to the nth next tab stop, or to the right margin.
func (t *Terminal) tab(n int) {
	limit := t.cols - 1
	if t.cur.x <= t.right {
		limit = t.right
	}
	x := t.cur.x
	for ; n > 0 && x < limit; n-- {
		for x++; x < limit && !t.tabs[x]; x++ {
		}
	}
	if x == t.cur.x {
		return // at the margin HT leaves a pending wrap alone
	}
	t.move(x, t.cur.y)
}

// backTab moves to the nth tab stop before the cursor, or to the first column
// (to the left margin in origin mode).
func (t *Terminal) backTab(n int) {
	limit, _ := t.origin()
	x := t.cur.x
	for ; n > 0 && x > limit; n-- {
		for x--; x > limit && !t.tabs[x]; x-- {
		}
	}
	t.move(x, t.cur.y)
}
