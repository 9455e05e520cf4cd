package vt

// Control functions of more than a line that are not reports.

func (t *Terminal) column() {
	x := t.param(0, 1) - 1
	if t.flags&flagOrigin != 0 {
		x = min(t.left+x, t.right)
	}
	t.move(x, t.cur.y)
}

func (t *Terminal) rowPosition() {
	y := t.param(0, 1) - 1
	if t.flags&flagOrigin != 0 {
		y = min(t.top+y, t.bottom)
	}
	t.move(t.cur.x, y)
}

// scrollDownOrTrack tells SD from xterm's highlight mouse tracking, which has
// five parameters and is not supported.
func (t *Terminal) scrollDownOrTrack() {
	if t.nparams <= 1 {
		t.scrollDown(t.top, t.param(0, 1))
	}
}

// scrollColumns is SL and SR.
func (t *Terminal) scrollColumns(n int) {
	if t.inMargins() {
		t.shiftColumns(t.left, n)
	}
}

// editColumns is DECIC and DECDC.
func (t *Terminal) editColumns(n int) {
	if t.inMargins() {
		t.cur.pending = false
		t.shiftColumns(t.cur.x, n)
	}
}

// setMargins is DECSTBM. Margins that leave no two lines are refused.
func (t *Terminal) setMargins() {
	top, bottom := t.param(0, 1), min(t.param(1, t.rows), t.rows)
	if top >= bottom {
		return
	}
	t.top, t.bottom = top-1, bottom-1
	t.moveTo(0, 0)
}

// leftRightOrSave is DECSLRM while mode 69 is set, SCOSC otherwise.
func (t *Terminal) leftRightOrSave() {
	if t.flags&flagLeftRight == 0 {
		if t.nparams == 0 {
			t.saveCursor()
		}
		return
	}
	left, right := t.param(0, 1), min(t.param(1, t.cols), t.cols)
	if left >= right {
		return
	}
	t.left, t.right = left-1, right-1
	t.moveTo(0, 0)
}

// clearTabs is TBC: 0 the stop at the cursor, 3 all. The other kinds of
// ECMA-48 do nothing on DEC's terminals, and vttest checks that.
func (t *Terminal) clearTabs() {
	switch t.param(0, 0) {
	case 0:
		t.tabs[t.cur.x] = false
	case 3:
		clear(t.tabs)
	}
}

// tabControl is CTC (ECMA-48 8.3.17).
func (t *Terminal) tabControl() {
	switch t.param(0, 0) {
	case 0:
		t.tabs[t.cur.x] = true
	case 2:
		t.tabs[t.cur.x] = false
	case 4, 5:
		clear(t.tabs)
	}
}

// resetTabs8 is DECST8C, CSI ? 5 W.
func (t *Terminal) resetTabs8() {
	if t.param(0, 0) == 5 {
		t.resetTabs()
	}
}

// setCursorShape is DECSCUSR.
func (t *Terminal) setCursorShape() {
	if n := t.param(0, 0); n <= 6 {
		t.cursorSh = CursorShape(n)
	}
}

// setProtection is DECSCA.
func (t *Terminal) setProtection() {
	switch t.param(0, 0) {
	case 0, 2:
		t.pen.cell.At &^= AttrProtected
	case 1:
		t.pen.cell.At |= AttrProtected
	}
	t.isoGuard = false
}

// conformance is DECSCL, which resets the terminal softly (VT510 manual). The
// level itself changes nothing: answers are always 7-bit, and every level is
// understood.
func (t *Terminal) conformance() {
	if n := t.param(0, 0); n >= 61 && n <= 65 {
		t.softReset()
	}
}

// softReset is DECSTR (VT510 manual, table 5-12).
func (t *Terminal) softReset() {
	t.flags &^= flagInsert | flagOrigin | flagAppCursor | flagAppKeypad | flagKeyboardLock |
		flagNational | flagLeftRight | flagReverseWrap | flagReverseWrapExt
	t.flags |= flagCursor | flagAutowrap
	t.resetMargins()
	t.resetPen()
	t.pen.cell.At &^= AttrProtected
	t.isoGuard = false
	t.rectEx = false
	t.sets = charsets{}
	t.cur.pending = false
	t.main.saved, t.alt.saved = savedCursor{}, savedCursor{}
	t.cursorSh = 0
	t.on.kitty = kittyStack{}
	t.modKeys = 0
}

// hardReset is RIS. It empties the screen and leaves the scrollback.
func (t *Terminal) hardReset() {
	t.dropSync()
	t.on = &t.main
	t.powerOn()
	t.eraseRows(0, t.rows)
	if t.alt.rows != nil {
		for _, r := range t.alt.rows {
			r.reset(ColorDefault)
		}
	}
	t.touchAll()
	t.emit(Event{Kind: EventReset})
}

// secureReset is DECSR: a full reset that is confirmed.
func (t *Terminal) secureReset() {
	id := t.param(0, 0)
	t.hardReset()
	t.reply("\x1b[", itoa(id), "*q")
}

func (t *Terminal) dropSync() {
	if t.flags&flagSync != 0 {
		t.setSync(false)
	}
}

// SoftReset is what the owner does between two lives of a session: what a dead
// program left on must not reach the next one. The alternate screen is left,
// modes, margins, mouse, keyboard protocols, colours, character sets and pen
// are as at first; text, scrollback, title and directory stay. A new line is
// begun if the cursor is within one.
func (t *Terminal) SoftReset() {
	t.next = t.rev + 1
	t.dropString()
	t.parser = parser{str: t.str}
	t.dropSync()
	if t.altShown() {
		t.switchScreen(false)
		t.restoreCursor()
	}
	cur, title, icon := t.cur, t.title, t.icon
	spare := t.spare
	t.powerOn()
	t.cur, t.title, t.icon, t.spare = cur, title, icon, spare
	if t.cur.x > 0 {
		t.carriageReturn()
		t.index()
	}
	t.touchAll()
}
