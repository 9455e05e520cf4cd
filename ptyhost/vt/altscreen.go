package vt

// The alternate screen: modes 47, 1047, 1048 and 1049 (xterm ctlseqs, DECSET).

func (t *Terminal) altShown() bool    { return t.on == &t.alt }
func (t *Terminal) cursorSaved() bool { return t.on.saved.ok }

// setAlt47 switches the screen and nothing else.
func (t *Terminal) setAlt47(on bool) { t.switchScreen(on) }

// setAlt1047 clears the alternate screen when it is left.
func (t *Terminal) setAlt1047(on bool) {
	if !on && t.altShown() {
		t.eraseRows(0, t.rows)
	}
	t.switchScreen(on)
}

func (t *Terminal) setSave1048(on bool) {
	if on {
		t.saveCursor()
	} else {
		t.restoreCursor()
	}
}

// setAlt1049 saves the cursor of the main screen and shows a cleared alternate
// one; and back.
func (t *Terminal) setAlt1049(on bool) {
	switch {
	case on && !t.altShown():
		t.saveCursor()
		t.switchScreen(true)
		t.eraseRows(0, t.rows)
	case on:
		t.eraseRows(0, t.rows)
	default:
		t.switchScreen(false)
		t.restoreCursor()
	}
}

func (t *Terminal) switchScreen(alt bool) {
	to := &t.main
	if alt {
		to = &t.alt
	}
	if t.on == to {
		return
	}
	if alt && t.alt.rows == nil {
		t.alt.rows = grid(t.cols, t.rows)
	}
	t.on = to
	t.touchAll()
}
