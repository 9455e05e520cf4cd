package vt

// mode is one entry of the tables for SM, RM, DECSET, DECRST and DECRQM.
//
// A mode with a flag and no set function is remembered and reported, and the
// flag is all there is to it: either another part reads it, or it asks for
// something that a terminal without a window or a keyboard has no use for.
type mode struct {
	num  int
	name string
	flag flags
	set  func(t *Terminal, on bool)
	get  func(t *Terminal) bool
	// fixed is what DECRQM answers for a mode that cannot be changed: 3
	// permanently set, 4 permanently reset; 0 is a mode that can.
	fixed int
}

// DECRQM's answers (DEC STD 070; VT510 manual, DECRPM).
const (
	modeUnknown        = 0
	modeSet            = 1
	modeReset          = 2
	modePermanentReset = 4
)

// ansiModes are those of SM and RM without a private marker (ECMA-48 7).
var ansiModes = []mode{
	{num: 1, name: "GATM guarded area transfer", fixed: modePermanentReset},
	{num: 2, name: "KAM keyboard action", flag: flagKeyboardLock},
	{num: 3, name: "CRM show controls", fixed: modePermanentReset},
	{num: 4, name: "IRM insert", flag: flagInsert},
	{num: 5, name: "SRTM status report transfer", fixed: modePermanentReset},
	{num: 7, name: "VEM vertical editing", fixed: modePermanentReset},
	{num: 10, name: "HEM horizontal editing", fixed: modePermanentReset},
	{num: 11, name: "PUM positioning unit", fixed: modePermanentReset},
	{num: 12, name: "SRM send/receive", flag: flagEcho},
	{num: 13, name: "FEAM format effector action", fixed: modePermanentReset},
	{num: 14, name: "FETM format effector transfer", fixed: modePermanentReset},
	{num: 15, name: "MATM multiple area transfer", fixed: modePermanentReset},
	{num: 16, name: "TTM transfer termination", fixed: modePermanentReset},
	{num: 17, name: "SATM selected area transfer", fixed: modePermanentReset},
	{num: 18, name: "TSM tabulation stop", fixed: modePermanentReset},
	{num: 19, name: "EBM editing boundary", fixed: modePermanentReset},
	{num: 20, name: "LNM line feed, new line", flag: flagNewLine},
}

// privateModes are those of DECSET and DECRST. XTSAVE remembers them by their
// place here, and snapshots store that: add at the end, at most 128.
var privateModes = []mode{
	{num: 1, name: "DECCKM application cursor keys", flag: flagAppCursor},
	{num: 2, name: "DECANM VT52", fixed: 3},
	{num: 3, name: "DECCOLM 132 columns", flag: flagColumns132, set: (*Terminal).setColumns132},
	{num: 4, name: "DECSCLM smooth scroll", flag: flagSmoothScroll},
	{num: 5, name: "DECSCNM reverse video", flag: flagReverse},
	{num: 6, name: "DECOM origin", flag: flagOrigin, set: (*Terminal).setOrigin},
	{num: 7, name: "DECAWM autowrap", flag: flagAutowrap},
	{num: 8, name: "DECARM auto-repeat", flag: flagAutoRepeat},
	{num: 9, name: "X10 mouse", set: mouseSetter(MouseX10), get: mouseGetter(MouseX10)},
	{num: 10, name: "tool bar", fixed: modePermanentReset},
	{num: 12, name: "cursor blink", flag: flagBlink},
	{num: 13, name: "cursor blink (menu)", fixed: modePermanentReset},
	{num: 14, name: "cursor blink (exclusive or)", fixed: modePermanentReset},
	{num: 18, name: "DECPFF print form feed", fixed: modePermanentReset},
	{num: 19, name: "DECPEX print extent", fixed: modePermanentReset},
	{num: 25, name: "DECTCEM cursor", flag: flagCursor},
	{num: 30, name: "scroll bar", fixed: modePermanentReset},
	{num: 35, name: "font shifting", fixed: modePermanentReset},
	{num: 38, name: "DECTEK Tektronix", fixed: modePermanentReset},
	{num: 40, name: "allow DECCOLM", flag: flagAllow132},
	{num: 41, name: "more(1) fix", flag: flagMoreFix},
	{num: 42, name: "DECNRCM national sets", flag: flagNational},
	{num: 43, name: "DECGEPM graphics print", fixed: modePermanentReset},
	{num: 44, name: "margin bell", fixed: modePermanentReset},
	{num: 45, name: "reverse wrap", flag: flagReverseWrap},
	{num: 46, name: "logging", fixed: modePermanentReset},
	{num: 47, name: "alternate screen", set: (*Terminal).setAlt47, get: (*Terminal).altShown},
	{num: 66, name: "DECNKM application keypad", flag: flagAppKeypad},
	{num: 67, name: "DECBKM Backspace sends BS", flag: flagBackarrow},
	{num: 69, name: "DECLRMM left and right margins", flag: flagLeftRight, set: (*Terminal).setLeftRight},
	{num: 80, name: "DECSDM sixel display", flag: flagSixelScroll},
	{num: 95, name: "DECNCSM no clear on DECCOLM", flag: flagNoClear132},
	{num: 1000, name: "mouse presses and releases", set: mouseSetter(MouseNormal), get: mouseGetter(MouseNormal)},
	{num: 1001, name: "highlight mouse", fixed: modePermanentReset},
	{num: 1002, name: "mouse motion with a button", set: mouseSetter(MouseButton), get: mouseGetter(MouseButton)},
	{num: 1003, name: "all mouse motion", set: mouseSetter(MouseAny), get: mouseGetter(MouseAny)},
	{num: 1004, name: "focus events", flag: flagFocus},
	{num: 1005, name: "UTF-8 mouse", set: encodingSetter(MouseEncodingUTF8), get: encodingGetter(MouseEncodingUTF8)},
	{num: 1006, name: "SGR mouse", set: encodingSetter(MouseEncodingSGR), get: encodingGetter(MouseEncodingSGR)},
	{num: 1007, name: "wheel sends arrows on the alternate screen", flag: flagAltScroll},
	{num: 1010, name: "scroll to bottom on output", flag: flagScrollOutput},
	{num: 1011, name: "scroll to bottom on key", flag: flagScrollKey},
	{num: 1014, name: "fast scroll", fixed: modePermanentReset},
	{num: 1015, name: "urxvt mouse", set: encodingSetter(MouseEncodingURXVT), get: encodingGetter(MouseEncodingURXVT)},
	{num: 1016, name: "SGR mouse in pixels", set: encodingSetter(MouseEncodingSGRPixel), get: encodingGetter(MouseEncodingSGRPixel)},
	{num: 1034, name: "meta sets the eighth bit", flag: flagMeta},
	{num: 1035, name: "special modifiers for Alt and NumLock", flag: flagNumLock},
	{num: 1036, name: "meta sends ESC", flag: flagMeta},
	{num: 1037, name: "Delete sends DEL", flag: flagDelete},
	{num: 1039, name: "Alt sends ESC", flag: flagAltEsc},
	{num: 1040, name: "keep selection", flag: flagAltKeepSelection},
	{num: 1041, name: "select to clipboard", flag: flagSelectClipboard},
	{num: 1042, name: "urgency on bell", flag: flagBellUrgent},
	{num: 1043, name: "raise on bell", flag: flagBellPop},
	{num: 1044, name: "keep clipboard", fixed: modePermanentReset},
	{num: 1045, name: "extended reverse wrap", flag: flagReverseWrapExt},
	{num: 1046, name: "alternate screen allowed", fixed: 3},
	{num: 1047, name: "alternate screen, cleared on leaving", set: (*Terminal).setAlt1047, get: (*Terminal).altShown},
	{num: 1048, name: "save cursor", set: (*Terminal).setSave1048, get: (*Terminal).cursorSaved},
	{num: 1049, name: "alternate screen with saved cursor", set: (*Terminal).setAlt1049, get: (*Terminal).altShown},
	{num: 1050, name: "terminfo function keys", fixed: modePermanentReset},
	{num: 1051, name: "Sun function keys", fixed: modePermanentReset},
	{num: 1052, name: "HP function keys", fixed: modePermanentReset},
	{num: 1053, name: "SCO function keys", fixed: modePermanentReset},
	{num: 1060, name: "legacy keyboard", fixed: modePermanentReset},
	{num: 1061, name: "VT220 keyboard", fixed: modePermanentReset},
	{num: 1070, name: "private sixel colours", fixed: modePermanentReset},
	{num: 2001, name: "readline button 1", fixed: modePermanentReset},
	{num: 2002, name: "readline button 2", fixed: modePermanentReset},
	{num: 2003, name: "readline button 3", fixed: modePermanentReset},
	{num: 2004, name: "bracketed paste", flag: flagPaste},
	{num: 2005, name: "readline quoting", fixed: modePermanentReset},
	{num: 2006, name: "readline literal newline", fixed: modePermanentReset},
	{num: 2026, name: "synchronised output", flag: flagSync, set: (*Terminal).setSync},
	{num: 2027, name: "grapheme clusters", flag: flagClusters},
	{num: 2031, name: "colour scheme reports", flag: flagColorReports},
	{num: 2048, name: "in-band resize", flag: flagResizeReports, set: (*Terminal).setResizeReports},
	{num: 8452, name: "sixel leaves cursor right", fixed: modePermanentReset},
	{num: 7727, name: "mintty application escape key", fixed: modePermanentReset},
	{num: 34, name: "DECRLM right to left", fixed: modePermanentReset},
	{num: 36, name: "DECHEM Hebrew encoding", fixed: modePermanentReset},
	{num: 57, name: "DECNAKB Greek keyboard", fixed: modePermanentReset},
	{num: 58, name: "DECIPEM IBM ProPrinter", fixed: modePermanentReset},
	{num: 60, name: "DECHCCM horizontal cursor coupling", fixed: modePermanentReset},
	{num: 61, name: "DECVCCM vertical cursor coupling", fixed: modePermanentReset},
	{num: 64, name: "DECPCCM page cursor coupling", fixed: modePermanentReset},
	{num: 68, name: "DECKBUM data processing keys", fixed: modePermanentReset},
	{num: 73, name: "DECXRLM transmit rate limiting", fixed: modePermanentReset},
	{num: 81, name: "DECKPM key position", fixed: modePermanentReset},
	{num: 94, name: "DECPCTERM PC TERM", fixed: modePermanentReset},
	{num: 96, name: "DECRLCM right to left copy", fixed: modePermanentReset},
	{num: 97, name: "DECCRTSM screen saver", fixed: modePermanentReset},
	{num: 98, name: "DECARSM auto resize", fixed: modePermanentReset},
	{num: 99, name: "DECMCM modem control", fixed: modePermanentReset},
	{num: 100, name: "DECAAM auto answerback", fixed: modePermanentReset},
	{num: 101, name: "DECCANSM conceal answerback", fixed: modePermanentReset},
	{num: 102, name: "DECNULM ignore null", fixed: modePermanentReset},
	{num: 103, name: "DECHDPXM half duplex", fixed: modePermanentReset},
	{num: 104, name: "DECESKM secondary keyboard language", fixed: modePermanentReset},
	{num: 106, name: "DECOSCNM overscan", fixed: modePermanentReset},
	{num: 108, name: "DECNUMLK NumLock", fixed: modePermanentReset},
	{num: 109, name: "DECCAPSLK CapsLock", fixed: modePermanentReset},
	{num: 110, name: "DECKLHIM keyboard lights", fixed: modePermanentReset},
	{num: 111, name: "DECFWM framed windows", fixed: modePermanentReset},
	{num: 112, name: "DECRPL review previous lines", fixed: modePermanentReset},
	{num: 113, name: "DECHWUM host wake-up", fixed: modePermanentReset},
	{num: 114, name: "DECATCUM alternate colours for underline", fixed: modePermanentReset},
	{num: 115, name: "DECATCBM alternate colours for blink", fixed: modePermanentReset},
	{num: 116, name: "DECBBSM bold and blink style", fixed: modePermanentReset},
	{num: 117, name: "DECECM erase colour", fixed: modePermanentReset},
}

// modeIndex finds a mode's place in its table.
func modeIndex(table []mode) map[int32]int {
	m := make(map[int32]int, len(table))
	for i, e := range table {
		m[int32(e.num)] = i
	}
	return m
}

var (
	ansiModeAt    = modeIndex(ansiModes)
	privateModeAt = modeIndex(privateModes)
)

func (m *mode) on(t *Terminal) bool {
	if m.get != nil {
		return m.get(t)
	}
	return t.flags&m.flag != 0
}

func (m *mode) apply(t *Terminal, on bool) {
	switch {
	case m.fixed != 0:
	case m.set != nil:
		m.set(t, on)
	default:
		t.flags.set(m.flag, on)
	}
	t.moved()
}

func (t *Terminal) setModes(table []mode, at map[int32]int, on bool) {
	for i := range t.nparams {
		if j, ok := at[t.params[i]]; ok {
			table[j].apply(t, on)
		} else if t.unknown != nil {
			t.unknown("mode", itoa(int(t.params[i])))
		}
	}
}

func (t *Terminal) sm()     { t.setModes(ansiModes, ansiModeAt, true) }
func (t *Terminal) rm()     { t.setModes(ansiModes, ansiModeAt, false) }
func (t *Terminal) decset() { t.setModes(privateModes, privateModeAt, true) }
func (t *Terminal) decrst() { t.setModes(privateModes, privateModeAt, false) }

func (t *Terminal) requestANSIMode()    { t.requestMode("", ansiModes, ansiModeAt) }
func (t *Terminal) requestPrivateMode() { t.requestMode("?", privateModes, privateModeAt) }

// requestMode is DECRQM, answered with DECRPM.
func (t *Terminal) requestMode(marker string, table []mode, at map[int32]int) {
	n := t.param(0, 0)
	v := modeUnknown
	if i, ok := at[int32(n)]; ok {
		switch m := &table[i]; {
		case m.fixed != 0:
			v = m.fixed
		case m.on(t):
			v = modeSet
		default:
			v = modeReset
		}
	}
	t.reply("\x1b[", marker, itoa(n), ";", itoa(v), "$y")
}

// saveModes is XTSAVE.
func (t *Terminal) saveModes() {
	for i := range t.nparams {
		if j, ok := privateModeAt[t.params[i]]; ok {
			w, bit := j/64, uint64(1)<<(j%64)
			t.savedSet[w] |= bit
			t.savedOn[w] &^= bit
			if privateModes[j].on(t) {
				t.savedOn[w] |= bit
			}
		}
	}
}

// restoreModes is XTRESTORE. A mode that was never saved stays as it is.
func (t *Terminal) restoreModes() {
	for i := range t.nparams {
		if j, ok := privateModeAt[t.params[i]]; ok {
			w, bit := j/64, uint64(1)<<(j%64)
			if t.savedSet[w]&bit != 0 {
				privateModes[j].apply(t, t.savedOn[w]&bit != 0)
			}
		}
	}
}

func mouseSetter(m MouseTracking) func(*Terminal, bool) {
	return func(t *Terminal, on bool) {
		if on {
			t.mouse = m
		} else {
			t.mouse = MouseOff
		}
	}
}

func mouseGetter(m MouseTracking) func(*Terminal) bool {
	return func(t *Terminal) bool { return t.mouse == m }
}

func encodingSetter(e MouseEncoding) func(*Terminal, bool) {
	return func(t *Terminal, on bool) {
		if on {
			t.mouseEnc = e
		} else if t.mouseEnc == e {
			t.mouseEnc = MouseEncodingX10
		}
	}
}

func encodingGetter(e MouseEncoding) func(*Terminal) bool {
	return func(t *Terminal) bool { return t.mouseEnc == e }
}

// setOrigin is DECOM, which homes the cursor either way.
func (t *Terminal) setOrigin(on bool) {
	t.flags.set(flagOrigin, on)
	t.moveTo(0, 0)
}

// setLeftRight is DECLRMM; resetting it takes the margins off.
func (t *Terminal) setLeftRight(on bool) {
	t.flags.set(flagLeftRight, on)
	t.left, t.right = 0, t.cols-1
}

// setColumns132 is DECCOLM, where mode 40 allows it: the size belongs to the
// owner, so that what remains is the cleared screen and reset margins.
func (t *Terminal) setColumns132(on bool) {
	if t.flags&flagAllow132 == 0 {
		return
	}
	t.flags.set(flagColumns132, on)
	t.flags &^= flagLeftRight
	t.resetMargins()
	if t.flags&flagNoClear132 == 0 {
		t.eraseRows(0, t.rows)
	}
	t.moveTo(0, 0)
}

// setResizeReports is mode 2048: setting it reports the size at once.
func (t *Terminal) setResizeReports(on bool) {
	t.flags.set(flagResizeReports, on)
	if on {
		t.reportResize()
	}
}
