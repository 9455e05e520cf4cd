package vt

import "strings"

// Answers to queries. All are 7-bit (ESC [, ESC P, ESC ]), and none holds text
// from the screen or a title, which a program could use to type for the user.

// reportDA1 answers DA1.
func (t *Terminal) reportDA1() {
	if t.param(0, 0) == 0 {
		t.identify()
	}
}

// identify says what kind of terminal this is: a VT420 level one (64) with 132
// columns (1), selective erase (6), technical characters (15), windowing (18,
// 21), ANSI colour (22), rectangles (28) and clipboard writing by OSC 52 (52).
func (t *Terminal) identify() { t.reply("\x1b[?64;1;6;15;18;21;22;28;52c") }

// reportDA2 claims xterm's type for a VT420 and a version new enough for all
// that programs look for there.
func (t *Terminal) reportDA2() {
	if t.param(0, 0) == 0 {
		t.reply("\x1b[>41;388;0c")
	}
}

// reportDA3 is DECRPTUI with a unit ID of zeros.
func (t *Terminal) reportDA3() {
	if t.param(0, 0) == 0 {
		t.reply("\x1bP!|00000000\x1b\\")
	}
}

// reportVersion is XTVERSION.
func (t *Terminal) reportVersion() {
	if t.param(0, 0) == 0 {
		t.reply("\x1bP>|", t.opts.Version, "\x1b\\")
	}
}

// reportStatus is DSR: 5 operating status, 6 CPR.
func (t *Terminal) reportStatus() {
	switch t.param(0, 0) {
	case 5:
		t.reply("\x1b[0n")
	case 6:
		x, y := t.origin()
		t.reply("\x1b[", itoa(t.cur.y-y+1), ";", itoa(t.cur.x-x+1), "R")
	}
}

// reportPrivateStatus is DSR with a question mark (VT510 manual; xterm
// ctlseqs; 996 is the query of mode 2031).
func (t *Terminal) reportPrivateStatus() {
	switch t.param(0, 0) {
	case 6: // DECXCPR, with the page
		x, y := t.origin()
		t.reply("\x1b[?", itoa(t.cur.y-y+1), ";", itoa(t.cur.x-x+1), ";1R")
	case 15: // no printer
		t.reply("\x1b[?13n")
	case 25: // user-defined keys are locked
		t.reply("\x1b[?21n")
	case 26: // North American keyboard, ready, PC
		t.reply("\x1b[?27;1;0;0n")
	case 53, 55: // no locator
		t.reply("\x1b[?50n")
	case 56:
		t.reply("\x1b[?57;0n")
	case 62: // no room for macros
		t.reply("\x1b[0*{")
	case 63: // no memory, a checksum of nothing
		t.reply("\x1bP", itoa(t.param(1, 0)), "!~0000\x1b\\")
	case 75: // data integrity: ready
		t.reply("\x1b[?70n")
	case 85: // one session
		t.reply("\x1b[?83n")
	case 996:
		t.reportScheme()
	}
}

// reportScheme tells dark from light (mode 2031).
func (t *Terminal) reportScheme() {
	if t.opts.Defaults.Dark {
		t.reply("\x1b[?997;1n")
	} else {
		t.reply("\x1b[?997;2n")
	}
}

// reportResize is the report of mode 2048.
func (t *Terminal) reportResize() {
	t.reply("\x1b[48;", itoa(t.rows), ";", itoa(t.cols), ";",
		itoa(t.rows*t.opts.CellHeight), ";", itoa(t.cols*t.opts.CellWidth), "t")
}

// reportParameters is DECREQTPARM: no parity, 8 bits, 38400 baud.
func (t *Terminal) reportParameters() {
	if n := t.param(0, 0); n <= 1 {
		t.reply("\x1b[", itoa(n+2), ";1;1;128;128;1;0x")
	}
}

// reportExtent is DECRPDE: the whole page is shown.
func (t *Terminal) reportExtent() {
	t.reply("\x1b[", itoa(t.rows), ";", itoa(t.cols), ";1;1;1\"w")
}

// reportGraphics is XTSMGRAPHICS: an error, there are none.
func (t *Terminal) reportGraphics() {
	t.reply("\x1b[?", itoa(t.param(0, 0)), ";3S")
}

// windowOp is XTWINOPS. What would move, resize or read the window is not for
// a program in a pane; the sizes and the title stack are.
func (t *Terminal) windowOp() {
	switch w, h := t.opts.CellWidth, t.opts.CellHeight; t.param(0, 0) {
	case 11:
		t.reply("\x1b[1t")
	case 13:
		t.reply("\x1b[3;0;0t")
	case 14:
		if w > 0 && h > 0 {
			t.reply("\x1b[4;", itoa(t.rows*h), ";", itoa(t.cols*w), "t")
		}
	case 15:
		if w > 0 && h > 0 {
			t.reply("\x1b[5;", itoa(t.rows*h), ";", itoa(t.cols*w), "t")
		}
	case 16:
		if w > 0 && h > 0 {
			t.reply("\x1b[6;", itoa(h), ";", itoa(w), "t")
		}
	case 18:
		t.reply("\x1b[8;", itoa(t.rows), ";", itoa(t.cols), "t")
	case 19:
		t.reply("\x1b[9;", itoa(t.rows), ";", itoa(t.cols), "t")
	case 22:
		t.pushTitle(t.param(1, 0))
	case 23:
		t.popTitle(t.param(1, 0))
	}
}

const maxTitles = 10 // as in xterm

// pushTitle saves both titles; which of them counts is decided when they are
// taken back.
func (t *Terminal) pushTitle(which int) {
	if which > 2 {
		return
	}
	if len(t.titles) == maxTitles {
		copy(t.titles, t.titles[1:])
		t.titles = t.titles[:maxTitles-1]
	}
	t.titles = append(t.titles, titlePair{t.title, t.icon})
}

func (t *Terminal) popTitle(which int) {
	n := len(t.titles)
	if which > 2 || n == 0 {
		return
	}
	p := t.titles[n-1]
	t.titles = t.titles[:n-1]
	if which != 1 {
		t.setTitle(p.title)
	}
	if which != 2 {
		t.icon = p.icon
	}
}

// reportPresentation is DECRQPSR: 1 asks for DECCIR, 2 for DECTABSR.
func (t *Terminal) reportPresentation() {
	switch t.param(0, 0) {
	case 1:
		t.reply("\x1bP1$u", t.cursorReport(), "\x1b\\")
	case 2:
		var stops []string
		for x, set := range t.tabs {
			if set {
				stops = append(stops, itoa(x+1))
			}
		}
		t.reply("\x1bP2$u", strings.Join(stops, "/"), "\x1b\\")
	}
}

// cursorReport is the body of DECCIR (VT510 manual).
func (t *Terminal) cursorReport() string {
	at := t.pen.cell.At
	flag := func(mask uint32, bit byte) byte {
		if at&mask != 0 {
			return bit
		}
		return 0
	}
	rend := '@' + flag(AttrBold, 1) + flag(underlineMask, 2) + flag(AttrBlink, 4) + flag(AttrInverse, 8)
	prot := '@' + flag(AttrProtected, 1)
	state := byte('@')
	if t.flags&flagOrigin != 0 {
		state |= 1
	}
	if t.sets.single != 0 {
		state |= t.sets.single // 2 is SS2, 3 is SS3: bits 2 and 4 of the report
		state = state&^2&^1 | state&1
		state |= 1 << (t.sets.single - 1)
	}
	if t.cur.pending {
		state |= 8
	}
	x, y := t.origin()
	var sets strings.Builder
	for _, s := range t.sets.g {
		sets.WriteString(s.name())
	}
	return itoa(t.cur.y-y+1) + ";" + itoa(t.cur.x-x+1) + ";1;" +
		string([]byte{rend, ';', prot, ';', state, ';'}) +
		itoa(int(t.sets.gl)) + ";2;@;" + sets.String()
}
