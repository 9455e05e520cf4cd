package vt

import "strings"

// execute acts on a C0 control (ECMA-48 8.2.2). Those that are not here do
// nothing on a screen.
func (t *Terminal) execute(b byte) {
	switch b {
	case '\r':
		t.carriageReturn()
	case '\n', '\v', '\f':
		t.lineFeed()
	case '\b':
		t.leftBy(1)
	case '\t':
		t.tab(1)
	case 0x07:
		t.emit(Event{Kind: EventBell})
		return
	case 0x0e: // SO, LS1
		t.sets.gl = 1
	case 0x0f: // SI, LS0
		t.sets.gl = 0
	case 0x05: // ENQ: the answerback is empty
		return
	case 0x1a: // SUB
		t.substitute()
	default:
		return
	}
	t.lastRune = 0
	t.joinable = false
}

// substitute shows that a sequence was broken off (DEC STD 070: SUB shows the
// reverse question mark of the VT220).
func (t *Terminal) substitute() { t.printRune('⸮') }

// escControls are the escape sequences (ECMA-48 5.3; xterm ctlseqs, "C1
// control characters" and "VT100-like controls"). Those of ESC and one byte of
// 0x40 to 0x5f are the C1 controls, in c1Controls.
var escControls = []control{
	{seq: "6", name: "DECBI back index", do: (*Terminal).backIndex},
	{seq: "7", name: "DECSC save cursor", do: (*Terminal).saveCursor},
	{seq: "8", name: "DECRC restore cursor", do: (*Terminal).restoreCursor},
	{seq: "9", name: "DECFI forward index", do: (*Terminal).forwardIndex},
	{seq: "=", name: "DECKPAM application keypad", do: func(t *Terminal) { t.flags |= flagAppKeypad }},
	{seq: ">", name: "DECKPNM numeric keypad", do: func(t *Terminal) { t.flags &^= flagAppKeypad }},
	{seq: "<", name: "leave VT52 mode", why: "it is never entered"},
	{seq: "c", name: "RIS full reset", do: (*Terminal).hardReset},
	{seq: "l", name: "HP memory lock", why: "the HP terminals' own"},
	{seq: "m", name: "HP memory unlock", why: "the HP terminals' own"},
	{seq: "n", name: "LS2", do: func(t *Terminal) { t.sets.gl = 2 }},
	{seq: "o", name: "LS3", do: func(t *Terminal) { t.sets.gl = 3 }},
	{seq: "|", name: "LS3R", why: "UTF-8 has no GR"},
	{seq: "}", name: "LS2R", why: "UTF-8 has no GR"},
	{seq: "~", name: "LS1R", why: "UTF-8 has no GR"},
	{seq: "`", name: "DMI disable manual input", why: "the keyboard is the outer terminal's"},
	{seq: "a", name: "INT interrupt", why: "signals go through the PTY"},
	{seq: "b", name: "EMI enable manual input", why: "the keyboard is the outer terminal's"},
	{seq: "d", name: "CMD coding method delimiter", why: "text is UTF-8"},
	{seq: " F", name: "S7C1T 7-bit answers", why: "answers always are"},
	{seq: " G", name: "S8C1T 8-bit answers", why: "UTF-8 has no 8-bit controls"},
	{seq: " L", name: "ANSI conformance 1", why: "all levels are one"},
	{seq: " M", name: "ANSI conformance 2", why: "all levels are one"},
	{seq: " N", name: "ANSI conformance 3", why: "all levels are one"},
	{seq: "#3", name: "DECDHL top half", why: "lines have one size"},
	{seq: "#4", name: "DECDHL bottom half", why: "lines have one size"},
	{seq: "#5", name: "DECSWL single width", why: "lines have one size"},
	{seq: "#6", name: "DECDWL double width", why: "lines have one size"},
	{seq: "#8", name: "DECALN alignment pattern", do: (*Terminal).alignment},
	{seq: "%@", name: "DOCS default coding", why: "text is UTF-8"},
	{seq: "%G", name: "DOCS UTF-8", why: "text is UTF-8"},
}

// c1Controls are the C1 controls, by the final byte of their 7-bit form.
var c1Controls = []control{
	{seq: "D", name: "IND index", do: (*Terminal).index},
	{seq: "E", name: "NEL next line", do: func(t *Terminal) { t.index(); t.carriageReturn() }},
	{seq: "H", name: "HTS set tab stop", do: func(t *Terminal) { t.tabs[t.cur.x] = true }},
	{seq: "M", name: "RI reverse index", do: (*Terminal).reverseIndex},
	{seq: "N", name: "SS2 single shift", do: func(t *Terminal) { t.sets.single = 2 }},
	{seq: "O", name: "SS3 single shift", do: func(t *Terminal) { t.sets.single = 3 }},
	{seq: "P", name: "DCS", do: func(t *Terminal) { t.enterControl(stDCSEntry) }},
	{seq: "V", name: "SPA start of guarded area", do: func(t *Terminal) { t.guard(true) }},
	{seq: "W", name: "EPA end of guarded area", do: func(t *Terminal) { t.guard(false) }},
	{seq: "X", name: "SOS", do: func(t *Terminal) { t.beginString(stSkip) }},
	{seq: "Z", name: "DECID device attributes", do: (*Terminal).identify},
	{seq: "[", name: "CSI", do: func(t *Terminal) { t.enterControl(stCSI) }},
	{seq: "\\", name: "ST", do: func(*Terminal) {}},
	{seq: "]", name: "OSC", do: func(t *Terminal) { t.beginString(stOSC) }},
	{seq: "^", name: "PM", do: func(t *Terminal) { t.beginString(stSkip) }},
	{seq: "_", name: "APC", do: func(t *Terminal) { t.beginString(stSkip) }},
	{seq: "@", name: "PAD", why: "not in ECMA-48"},
	{seq: "A", name: "HOP", why: "not in ECMA-48"},
	{seq: "B", name: "BPH break permitted here", why: "text is not filled"},
	{seq: "C", name: "NBH no break here", why: "text is not filled"},
	{seq: "F", name: "SSA start of selected area", why: "there is no area transfer"},
	{seq: "G", name: "ESA end of selected area", why: "there is no area transfer"},
	{seq: "I", name: "HTJ tabulation with justification", why: "text is not filled"},
	{seq: "J", name: "VTS line tabulation set", why: "there are no line tab stops"},
	{seq: "K", name: "PLD partial line down", why: "cells have whole lines"},
	{seq: "L", name: "PLU partial line up", why: "cells have whole lines"},
	{seq: "Q", name: "PU1 private use", why: "private"},
	{seq: "R", name: "PU2 private use", why: "private"},
	{seq: "S", name: "STS set transmit state", why: "the keyboard is the outer terminal's"},
	{seq: "T", name: "CCH cancel character", why: "not in use"},
	{seq: "U", name: "MW message waiting", why: "not in use"},
	{seq: "Y", name: "SGCI", why: "not in ECMA-48"},
}

var (
	escDispatch = bySequence(escControls)
	c1Dispatch  = byFinal(c1Controls)
)

func bySequence(list []control) map[string]*control {
	m := make(map[string]*control, len(list))
	for i := range list {
		m[list[i].seq] = &list[i]
	}
	return m
}

// byFinal makes the table of the C1 controls, from ESC @ to ESC _.
func byFinal(list []control) *[0x20]*control {
	var table [0x20]*control
	for i := range list {
		table[list[i].seq[0]-'@'] = &list[i]
	}
	return &table
}

// c1 acts on a C1 control, given as 0x80..0x9f.
func (t *Terminal) c1(b byte) {
	if c := c1Dispatch[b-0x80]; c.do != nil {
		c.do(t)
		if t.state == stGround && b != 0x9c { // not an introducer, not ST
			t.lastRune = 0
			t.joinable = false
			t.rev = t.next
		}
	}
}

// scsIntermediates designate a set into G0 to G3: of 94 characters by the
// first four, of 96 by the others.
const scsIntermediates = "()*+-./"

// dispatchEscape acts on an escape sequence other than a C1 control.
func (t *Terminal) dispatchEscape(final byte) {
	t.joinable = false
	if t.ninter >= 1 && strings.IndexByte(scsIntermediates, t.inter[0]) >= 0 {
		if t.ninter <= len(t.inter) {
			t.designate(t.inter[0], string(append(t.inter[1:t.ninter:t.ninter], final)))
		}
		return
	}
	t.prefix = 0
	seq := t.inter[:min(t.ninter, len(t.inter))]
	var room [4]byte
	key := append(append(room[:0], seq...), final)
	c := escDispatch[string(key)]
	switch {
	case c == nil:
		if t.unknown != nil {
			t.unknown("ESC", string(key))
		}
	case c.do != nil:
		c.do(t)
		t.lastRune = 0
		t.rev = t.next
	}
}

// alignment is DECALN: margins off, cursor home, a screen of E.
func (t *Terminal) alignment() {
	t.resetMargins()
	t.move(0, 0)
	for _, r := range t.on.rows {
		t.touch(r)
		r.reset(ColorDefault)
		for x := range r.cells {
			r.cells[x] = Cell{Ch: 'E'}
		}
		r.used = t.cols
	}
}

// backIndex is DECBI: left a column; at the left margin the columns move.
func (t *Terminal) backIndex() {
	t.cur.pending = false
	switch {
	case t.cur.x == t.left && t.inMargins():
		t.shiftColumns(t.left, 1)
	case t.cur.x > 0 && t.cur.x != t.left:
		t.cur.x--
	}
}

// forwardIndex is DECFI: right a column; at the right margin the columns move.
func (t *Terminal) forwardIndex() {
	t.cur.pending = false
	switch {
	case t.cur.x == t.right && t.inMargins():
		t.shiftColumns(t.left, -1)
	case t.cur.x < t.cols-1 && t.cur.x != t.right:
		t.cur.x++
	}
}

// guard is SPA and EPA.
func (t *Terminal) guard(on bool) {
	t.isoGuard = true
	t.pen.cell.At &^= AttrProtected
	if on {
		t.pen.cell.At |= AttrProtected
	}
}
