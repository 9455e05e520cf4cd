package vt

import "strconv"

// control is one entry of the tables of control and escape sequences. An entry
// without a function is swallowed, and why is said.
type control struct {
	seq  string // private marker, intermediates and final byte, as in "?h" or "$p"
	name string
	do   func(*Terminal)
	why  string
}

// csiControls are the control sequences (ECMA-48 5.4; xterm ctlseqs,
// "Functions using CSI"; for u and the marks < = > ? with it the kitty keyboard
// protocol).
var csiControls = []control{
	{seq: "@", name: "ICH insert characters", do: func(t *Terminal) { t.insertChars(t.param(0, 1)) }},
	{seq: " @", name: "SL scroll left", do: func(t *Terminal) { t.scrollColumns(-t.param(0, 1)) }},
	{seq: "A", name: "CUU cursor up", do: func(t *Terminal) { t.up(t.param(0, 1)) }},
	{seq: " A", name: "SR scroll right", do: func(t *Terminal) { t.scrollColumns(t.param(0, 1)) }},
	{seq: "B", name: "CUD cursor down", do: func(t *Terminal) { t.down(t.param(0, 1)) }},
	{seq: "C", name: "CUF cursor forward", do: func(t *Terminal) { t.rightBy(t.param(0, 1)) }},
	{seq: "D", name: "CUB cursor back", do: func(t *Terminal) { t.leftBy(t.param(0, 1)) }},
	{seq: "E", name: "CNL next line", do: func(t *Terminal) { t.down(t.param(0, 1)); t.carriageReturn() }},
	{seq: "F", name: "CPL preceding line", do: func(t *Terminal) { t.up(t.param(0, 1)); t.carriageReturn() }},
	{seq: "G", name: "CHA column", do: (*Terminal).column},
	{seq: "H", name: "CUP position", do: func(t *Terminal) { t.moveTo(t.param(1, 1)-1, t.param(0, 1)-1) }},
	{seq: "I", name: "CHT forward tabs", do: func(t *Terminal) { t.tab(t.param(0, 1)) }},
	{seq: "J", name: "ED erase display", do: func(t *Terminal) { t.eraseDisplay(t.param(0, 0), false) }},
	{seq: "?J", name: "DECSED selective erase display", do: func(t *Terminal) { t.eraseDisplay(t.param(0, 0), true) }},
	{seq: "K", name: "EL erase line", do: func(t *Terminal) { t.eraseLine(t.param(0, 0), false) }},
	{seq: "?K", name: "DECSEL selective erase line", do: func(t *Terminal) { t.eraseLine(t.param(0, 0), true) }},
	{seq: "L", name: "IL insert lines", do: func(t *Terminal) { t.insertLines(t.param(0, 1)) }},
	{seq: "M", name: "DL delete lines", do: func(t *Terminal) { t.deleteLines(t.param(0, 1)) }},
	{seq: "P", name: "DCH delete characters", do: func(t *Terminal) { t.deleteChars(t.param(0, 1)) }},
	{seq: "#P", name: "XTPUSHCOLORS", do: func(t *Terminal) { t.pushColors(t.param(0, 0)) }},
	{seq: "#Q", name: "XTPOPCOLORS", do: func(t *Terminal) { t.popColors(t.param(0, 0)) }},
	{seq: "#R", name: "XTREPORTCOLORS", do: (*Terminal).reportColors},
	{seq: "S", name: "SU scroll up", do: func(t *Terminal) { t.scrollUp(t.top, t.param(0, 1)) }},
	{seq: "?S", name: "XTSMGRAPHICS", do: (*Terminal).reportGraphics},
	{seq: "T", name: "SD scroll down", do: (*Terminal).scrollDownOrTrack},
	{seq: ">T", name: "XTRMTITLE", why: "titles are always UTF-8"},
	{seq: "X", name: "ECH erase characters", do: func(t *Terminal) { t.eraseChars(t.param(0, 1)) }},
	{seq: "Z", name: "CBT backward tabs", do: func(t *Terminal) { t.backTab(t.param(0, 1)) }},
	{seq: "^", name: "SD scroll down, as ECMA-48 first had it", do: func(t *Terminal) { t.scrollDown(t.top, t.param(0, 1)) }},
	{seq: "`", name: "HPA column", do: (*Terminal).column},
	{seq: "a", name: "HPR columns forward", do: func(t *Terminal) { t.move(t.cur.x+t.param(0, 1), t.cur.y) }},
	{seq: "b", name: "REP repeat", do: func(t *Terminal) { t.repeat(t.param(0, 1)) }},
	{seq: "c", name: "DA1 device attributes", do: (*Terminal).reportDA1},
	{seq: ">c", name: "DA2 secondary attributes", do: (*Terminal).reportDA2},
	{seq: "=c", name: "DA3 tertiary attributes", do: (*Terminal).reportDA3},
	{seq: "?c", name: "Linux cursor shape", why: "the Linux console's own"},
	{seq: "d", name: "VPA row", do: (*Terminal).rowPosition},
	{seq: "e", name: "VPR rows forward", do: func(t *Terminal) { t.move(t.cur.x, t.cur.y+t.param(0, 1)) }},
	{seq: "f", name: "HVP position", do: func(t *Terminal) { t.moveTo(t.param(1, 1)-1, t.param(0, 1)-1) }},
	{seq: "g", name: "TBC clear tab stops", do: (*Terminal).clearTabs},
	{seq: "h", name: "SM set mode", do: (*Terminal).sm},
	{seq: "?h", name: "DECSET", do: (*Terminal).decset},
	{seq: "i", name: "MC media copy", why: "there is no printer"},
	{seq: "?i", name: "DECMC media copy", why: "there is no printer"},
	{seq: "j", name: "HPB columns back", do: func(t *Terminal) { t.leftBy(t.param(0, 1)) }},
	{seq: "k", name: "VPB rows back", do: func(t *Terminal) { t.move(t.cur.x, t.cur.y-t.param(0, 1)) }},
	{seq: "l", name: "RM reset mode", do: (*Terminal).rm},
	{seq: "?l", name: "DECRST", do: (*Terminal).decrst},
	{seq: "m", name: "SGR", do: (*Terminal).sgr},
	{seq: ">m", name: "XTMODKEYS", do: (*Terminal).setModKeys},
	{seq: "?m", name: "XTQMODKEYS", do: (*Terminal).reportModKeys},
	{seq: "n", name: "DSR status report", do: (*Terminal).reportStatus},
	{seq: "?n", name: "DECDSR status report", do: (*Terminal).reportPrivateStatus},
	{seq: ">n", name: "XTMODKEYS off", do: (*Terminal).disableModKeys},
	{seq: ">p", name: "XTSMPOINTER", why: "the pointer is the outer terminal's"},
	{seq: "!p", name: "DECSTR soft reset", do: (*Terminal).softReset},
	{seq: "\"p", name: "DECSCL conformance level", do: (*Terminal).conformance},
	{seq: "$p", name: "DECRQM request mode", do: (*Terminal).requestANSIMode},
	{seq: "?$p", name: "DECRQM request private mode", do: (*Terminal).requestPrivateMode},
	{seq: "#p", name: "XTPUSHSGR", do: (*Terminal).pushPen},
	{seq: "q", name: "DECLL keyboard lights", why: "the keyboard is the outer terminal's"},
	{seq: ">q", name: "XTVERSION", do: (*Terminal).reportVersion},
	{seq: " q", name: "DECSCUSR cursor style", do: (*Terminal).setCursorShape},
	{seq: "\"q", name: "DECSCA protection", do: (*Terminal).setProtection},
	{seq: "#q", name: "XTPOPSGR", do: (*Terminal).popPen},
	{seq: "r", name: "DECSTBM top and bottom margins", do: (*Terminal).setMargins},
	{seq: "?r", name: "XTRESTORE modes", do: (*Terminal).restoreModes},
	{seq: "$r", name: "DECCARA change attributes", do: func(t *Terminal) { t.changeAttributes(false) }},
	{seq: "*r", name: "DECSCS communication speed", why: "there is no line"},
	{seq: "s", name: "DECSLRM left and right margins; SCOSC", do: (*Terminal).leftRightOrSave},
	{seq: "?s", name: "XTSAVE modes", do: (*Terminal).saveModes},
	{seq: ">s", name: "XTSHIFTESCAPE", why: "the pointer is the outer terminal's"},
	{seq: "t", name: "XTWINOPS", do: (*Terminal).windowOp},
	{seq: ">t", name: "XTSMTITLE", why: "titles are always UTF-8"},
	{seq: " t", name: "DECSWBV warning bell volume", why: "the bell is the outer terminal's"},
	{seq: "$t", name: "DECRARA reverse attributes", do: func(t *Terminal) { t.changeAttributes(true) }},
	{seq: "\"t", name: "DECSRFR select refresh rate", why: "there is no tube"},
	{seq: "u", name: "SCORC restore cursor", do: (*Terminal).restoreCursor},
	{seq: "?u", name: "kitty keyboard query", do: (*Terminal).reportKitty},
	{seq: "=u", name: "kitty keyboard set", do: (*Terminal).setKitty},
	{seq: ">u", name: "kitty keyboard push", do: (*Terminal).pushKitty},
	{seq: "<u", name: "kitty keyboard pop", do: (*Terminal).popKitty},
	{seq: " u", name: "DECSMBV margin bell volume", why: "the bell is the outer terminal's"},
	{seq: "$u", name: "DECRQTSR terminal state report", why: "the state is not restorable as text"},
	{seq: "&u", name: "DECRQUPSS preferred set", do: func(t *Terminal) { t.reply("\x1bP0!u%5\x1b\\") }},
	{seq: ",u", name: "DECRQKT key type", why: "the keyboard is the outer terminal's"},
	{seq: "\"v", name: "DECRQDE displayed extent", do: (*Terminal).reportExtent},
	{seq: "$v", name: "DECCRA copy rectangle", do: (*Terminal).copyRect},
	{seq: ",v", name: "DECRPKT key type report", why: "the keyboard is the outer terminal's"},
	{seq: "$w", name: "DECRQPSR presentation state", do: (*Terminal).reportPresentation},
	{seq: "'w", name: "DECEFR filter rectangle", why: "there is no locator"},
	{seq: "x", name: "DECREQTPARM", do: (*Terminal).reportParameters},
	{seq: "$x", name: "DECFRA fill rectangle", do: (*Terminal).fillRect},
	{seq: "*x", name: "DECSACE attribute change extent", do: func(t *Terminal) { t.rectEx = t.param(0, 0) == 2 }},
	{seq: "&x", name: "DECES enable session", why: "there is one session"},
	{seq: "y", name: "DECTST self test", why: "there is no hardware"},
	{seq: "#y", name: "XTCHECKSUM", why: "checksums are always the VT525's"},
	{seq: "*y", name: "DECRQCRA checksum", do: (*Terminal).reportChecksum},
	{seq: "$z", name: "DECERA erase rectangle", do: func(t *Terminal) { t.eraseRect(false) }},
	{seq: "'z", name: "DECELR enable locator", why: "there is no locator"},
	{seq: "*z", name: "DECINVM invoke macro", why: "macros are not stored"},
	{seq: "${", name: "DECSERA selective erase rectangle", do: func(t *Terminal) { t.eraseRect(true) }},
	{seq: "#{", name: "XTPUSHSGR", do: (*Terminal).pushPen},
	{seq: "'{", name: "DECSLE locator events", why: "there is no locator"},
	{seq: "#|", name: "XTREPORTSGR", do: (*Terminal).reportRectSGR},
	{seq: "$|", name: "DECSCPP columns per page", why: "the size is the client's"},
	{seq: "'|", name: "DECRQLP locator position", do: func(t *Terminal) { t.reply("\x1b[0&w") }},
	{seq: "*|", name: "DECSNLS lines per screen", why: "the size is the client's"},
	{seq: "#}", name: "XTPOPSGR", do: (*Terminal).popPen},
	{seq: "'}", name: "DECIC insert columns", do: func(t *Terminal) { t.editColumns(t.param(0, 1)) }},
	{seq: "$}", name: "DECSASD status display", why: "there is no status line"},
	{seq: "'~", name: "DECDC delete columns", do: func(t *Terminal) { t.editColumns(-t.param(0, 1)) }},
	{seq: "$~", name: "DECSSDT status display type", why: "there is no status line"},
	{seq: ",~", name: "DECPS play sound", why: "the bell is the outer terminal's"},
	{seq: "U", name: "NP next page", why: "there is one page"},
	{seq: "V", name: "PP preceding page", why: "there is one page"},
	{seq: "W", name: "CTC cursor tab control", do: (*Terminal).tabControl},
	{seq: "?W", name: "DECST8C tab stops every 8", do: (*Terminal).resetTabs8},
	{seq: "p", name: "DECSSL set-up language", why: "there is no set-up screen"},
	{seq: " P", name: "PPA page position", why: "there is one page"},
	{seq: " Q", name: "PPR page forward", why: "there is one page"},
	{seq: " R", name: "PPB page back", why: "there is one page"},
	{seq: " p", name: "DECSSCLS scroll speed", why: "rows move at once"},
	{seq: " r", name: "DECSKCV key click", why: "the keyboard is the outer terminal's"},
	{seq: " v", name: "DECSLCK lock key style", why: "the keyboard is the outer terminal's"},
	{seq: " ~", name: "DECTME terminal mode emulation", why: "it is always the VT525's"},
	{seq: "\"u", name: "DECSTRL transmit rate limit", why: "there is no line"},
	{seq: "$q", name: "DECSDDT disconnect delay", why: "there is no line"},
	{seq: "$s", name: "DECSPRTT printer type", why: "there is no printer"},
	{seq: "(p", name: "DECSDPT digital printed data", why: "there is no printer"},
	{seq: "){", name: "DECSTGLT colour lookup table", why: "the palette does it"},
	{seq: "*s", name: "DECSFC flow control", why: "there is no line"},
	{seq: "*u", name: "DECSCP communication port", why: "there is no line"},
	{seq: "*}", name: "DECLFKC local functions key", why: "the keyboard is the outer terminal's"},
	{seq: "+p", name: "DECSR secure reset", do: (*Terminal).secureReset},
	{seq: "+q", name: "DECELF enable local functions", why: "the keyboard is the outer terminal's"},
	{seq: "+r", name: "DECSMKR modifier key reporting", why: "the keyboard protocols do it"},
	{seq: "+w", name: "DECSPP port parameter", why: "there is no line"},
	{seq: "+x", name: "DECRQPKFM free memory for keys", why: "the keyboard is the outer terminal's"},
	{seq: ",p", name: "DECLTOD time of day", why: "there is no status line"},
	{seq: ",q", name: "DECTID terminal ID", why: "DA1 has one answer"},
	{seq: ",x", name: "DECSPMA page memory", why: "there is one page"},
	{seq: ",y", name: "DECUS update session", why: "there is one session"},
	{seq: ",z", name: "DECDLDA down-line load allocation", why: "there are no soft characters"},
	{seq: ",{", name: "DECSZS zero symbol", why: "the font is the outer terminal's"},
	{seq: ",|", name: "DECAC assign colour", why: "the palette does it"},
	{seq: ",}", name: "DECATC alternate text colours", why: "the palette does it"},
	{seq: "%m", name: "vim's probe for sequences that show", why: "it must show nothing"},
	{seq: "-p", name: "DECARR auto-repeat rate", why: "the keyboard is the outer terminal's"},
	{seq: "-q", name: "DECCRTST screen saver", why: "there is no tube"},
	{seq: "-r", name: "DECSEST energy saver", why: "there is no tube"},
}

// The tables are indexed by private marker, intermediate and final byte. Two
// intermediates occur in no control sequence that anybody implements.
const (
	noPrefixes     = 5  // none < = > ?
	noInters       = 17 // none, 0x20..0x2f
	firstCSIFinal  = 0x40
	csiFinals      = 0x40
	firstInterByte = 0x20
)

type csiTable [noPrefixes][noInters][csiFinals]*control

var csiDispatch = buildCSI(csiControls)

func buildCSI(list []control) *csiTable {
	var table csiTable
	for i := range list {
		c := &list[i]
		seq := c.seq
		var prefix, inter byte
		if seq[0] >= '<' && seq[0] <= '?' && len(seq) > 1 {
			prefix, seq = seq[0], seq[1:]
		}
		if len(seq) > 1 {
			inter, seq = seq[0], seq[1:]
		}
		table[prefixIndex(prefix)][interIndex(inter)][seq[0]-firstCSIFinal] = c
	}
	return &table
}

func prefixIndex(b byte) int {
	if b == 0 {
		return 0
	}
	return int(b-'<') + 1
}

func interIndex(b byte) int {
	if b == 0 {
		return 0
	}
	return int(b-firstInterByte) + 1
}

// dispatchCSI acts on a whole control sequence.
func (t *Terminal) dispatchCSI(final byte) {
	if t.prefix == 0 && t.ninter == 0 && final == 'm' {
		t.sgr() // the one that comes most, and leaves the text around it whole
		return
	}
	t.joinable = false
	if t.colons != 0 {
		return // only SGR has sub-parameters
	}
	var c *control
	if t.ninter <= 1 {
		var inter byte
		if t.ninter == 1 {
			inter = t.inter[0]
		}
		c = csiDispatch[prefixIndex(t.prefix)][interIndex(inter)][final-firstCSIFinal]
	}
	if c == nil {
		if t.unknown != nil {
			t.unknown("CSI", t.sequence(final))
		}
		return
	}
	if c.do == nil {
		return
	}
	n := len(t.replies)
	c.do(t)
	if final != 'b' {
		t.lastRune = 0
	}
	if len(t.replies) == n { // a query changes nothing that shows
		t.rev = t.next
	}
}

// sequence spells the current sequence without its parameters.
func (t *Terminal) sequence(final byte) string {
	var b []byte
	if t.prefix != 0 {
		b = append(b, t.prefix)
	}
	b = append(b, t.inter[:min(t.ninter, len(t.inter))]...)
	return string(append(b, final))
}

// param returns parameter i, or def where it is absent or 0.
func (t *Terminal) param(i, def int) int {
	if i >= t.nparams || t.params[i] == 0 {
		return def
	}
	return int(t.params[i])
}

func itoa(n int) string { return strconv.Itoa(n) }
