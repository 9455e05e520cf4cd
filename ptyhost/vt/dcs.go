package vt

import (
	"bytes"
	"encoding/hex"
	"strings"
)

// dcsControls are the device control strings that are acted on (xterm ctlseqs,
// "Device-Control functions"). The others are swallowed whole without being
// kept: sixel and ReGIS graphics, user-defined keys, soft characters, macros.
var dcsControls = []dcsControl{
	{seq: "$q", name: "DECRQSS request setting", do: (*Terminal).requestSetting},
	{seq: "+q", name: "XTGETTCAP request capability", do: (*Terminal).requestCapabilities},
	{seq: "+Q", name: "XTGETXRES request resource", do: (*Terminal).requestResource},
	{seq: "$t", name: "DECRSPS restore presentation", do: (*Terminal).restorePresentation},
	{seq: "t", name: "tmux passthrough of notifications", do: (*Terminal).passthrough},
	{seq: "q", name: "sixel graphics", why: "no graphics"},
	{seq: "p", name: "ReGIS graphics", why: "no graphics"},
	{seq: "{", name: "DECDLD soft characters", why: "the font is the outer terminal's"},
	{seq: "|", name: "DECUDK user-defined keys", why: "the keyboard is the outer terminal's"},
	{seq: "!u", name: "DECAUPSS preferred set", why: "text is UTF-8"},
	{seq: "!z", name: "DECDMAC define macro", why: "macros are not stored"},
	{seq: "\"x", name: "DECPFK program function key", why: "the keyboard is the outer terminal's"},
	{seq: "\"y", name: "DECPAK program alphanumeric key", why: "the keyboard is the outer terminal's"},
	{seq: "\"z", name: "DECCKD copy key default", why: "the keyboard is the outer terminal's"},
	{seq: "+p", name: "XTSETTCAP set terminfo", why: "keys follow the modes"},
	{seq: "$p", name: "DECRSTS restore terminal state", why: "the state is not restorable as text"},
	{seq: "=s", name: "synchronised update", why: "mode 2026 does it"},
	{seq: "r", name: "DECLBAN load banner", why: "there is no banner"},
	{seq: "z", name: "vim's probe for strings that show", why: "it must show nothing"},
	{seq: "#d", name: "set-up banner", why: "there is no banner"},
}

type dcsControl struct {
	seq  string // private marker, intermediates and final byte
	name string
	do   func(t *Terminal, s []byte)
	why  string
}

var dcsAt = func() map[string]*dcsControl {
	m := make(map[string]*dcsControl, len(dcsControls))
	for i := range dcsControls {
		m[dcsControls[i].seq] = &dcsControls[i]
	}
	return m
}()

// dcsWanted reports whether the string of the DCS just begun is worth keeping.
func (t *Terminal) dcsWanted() bool {
	if t.ninter > len(t.inter) {
		return false
	}
	c := dcsAt[t.sequence(t.final)]
	if c == nil && t.unknown != nil {
		t.unknown("DCS", t.sequence(t.final))
	}
	return c != nil && c.do != nil
}

func (t *Terminal) dispatchDCS() {
	if c := dcsAt[t.sequence(t.final)]; c != nil && c.do != nil {
		c.do(t, t.str)
	}
}

// passthrough takes notifications out of what a program wraps for tmux, DCS
// tmux ; sequence ST with each ESC doubled: an OSC 9, 777 or 99 in there was
// meant to go as far out as it can. The rest was meant for a terminal that is
// not this one.
func (t *Terminal) passthrough(s []byte) {
	s, ok := bytes.CutPrefix(s, []byte("mux;\x1b]"))
	if !ok {
		return
	}
	end := bytes.IndexAny(s, "\a\x1b")
	if end < 0 {
		end = len(s)
	}
	s = s[:end]
	head, rest, _ := bytes.Cut(s, []byte{';'})
	switch string(head) {
	case "9":
		t.oscNotify(9, string(rest))
	case "777":
		t.osc777(777, string(rest))
	case "99":
		t.oscKittyNotify(99, string(rest))
	}
}

// requestSetting is DECRQSS: the answer is DCS 1 $ r with the parameters and
// the control's final bytes, or DCS 0 $ r.
func (t *Terminal) requestSetting(s []byte) {
	get, ok := settings[string(s)]
	if !ok {
		t.reply("\x1bP0$r\x1b\\")
		return
	}
	t.reply("\x1bP1$r", get(t), string(s), "\x1b\\")
}

// settings are the controls whose state DECRQSS reports.
var settings = map[string]func(*Terminal) string{
	"m":   func(t *Terminal) string { return string(appendSGR(nil, t.pen.cell, t.pen.ext)) },
	"r":   func(t *Terminal) string { return itoa(t.top+1) + ";" + itoa(t.bottom+1) },
	"s":   func(t *Terminal) string { return itoa(t.left+1) + ";" + itoa(t.right+1) },
	"t":   func(t *Terminal) string { return itoa(max(t.rows, 24)) },
	"$|":  func(t *Terminal) string { return itoa(t.cols) },
	"*|":  func(t *Terminal) string { return itoa(t.rows) },
	" q":  func(t *Terminal) string { return itoa(max(1, int(t.cursorSh))) },
	"\"p": func(*Terminal) string { return "64;1" },
	"\"q": func(t *Terminal) string {
		if t.pen.cell.At&AttrProtected != 0 && !t.isoGuard {
			return "1"
		}
		return "0"
	},
	"*x": func(t *Terminal) string {
		if t.rectEx {
			return "2"
		}
		return "1"
	},
	">4m": func(t *Terminal) string { return ">4;" + itoa(int(t.modKeys)) },
}

// capabilities are what XTGETTCAP knows: names of terminfo and termcap with
// their values, those of xterm-256color as this terminal has them.
var capabilities = map[string]string{
	"TN": "xterm-256color", "name": "xterm-256color",
	"Co": "256", "colors": "256",
	"RGB":     "8/8/8",
	"Tc":      "",
	"Su":      "",
	"Smulx":   "\x1b[4:%p1%dm",
	"Setulc":  "\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%d%;m",
	"setrgbf": "\x1b[38:2:%p1%d:%p2%d:%p3%dm",
	"setrgbb": "\x1b[48:2:%p1%d:%p2%d:%p3%dm",
	"Ss":      "\x1b[%p1%d q", "Se": "\x1b[2 q",
	"Ms": "\x1b]52;%p1%s;%p2%s\x1b\\",
	"BE": "\x1b[?2004h", "BD": "\x1b[?2004l",
	"Sync":  "\x1b[?2026%?%p1%{1}%-%tl%eh%;",
	"kcuu1": "\x1bOA", "kcud1": "\x1bOB", "kcuf1": "\x1bOC", "kcub1": "\x1bOD",
	"khome": "\x1bOH", "kend": "\x1bOF", "kbs": "\x7f",
	"kich1": "\x1b[2~", "kdch1": "\x1b[3~", "kpp": "\x1b[5~", "knp": "\x1b[6~",
	"kf1": "\x1bOP", "kf2": "\x1bOQ", "kf3": "\x1bOR", "kf4": "\x1bOS",
	"kf5": "\x1b[15~", "kf6": "\x1b[17~", "kf7": "\x1b[18~", "kf8": "\x1b[19~",
	"kf9": "\x1b[20~", "kf10": "\x1b[21~", "kf11": "\x1b[23~", "kf12": "\x1b[24~",
}

// requestCapabilities is XTGETTCAP: names in hexadecimal split by semicolons,
// each answered by itself, as kitty, foot and WezTerm do.
func (t *Terminal) requestCapabilities(s []byte) {
	for name := range strings.SplitSeq(string(s), ";") {
		b, err := hex.DecodeString(name)
		if err != nil || name == "" {
			t.reply("\x1bP0+r\x1b\\")
			continue
		}
		v, ok := capabilities[string(b)]
		switch {
		case !ok:
			t.reply("\x1bP0+r", name, "\x1b\\")
		case v == "":
			t.reply("\x1bP1+r", name, "\x1b\\")
		default:
			t.reply("\x1bP1+r", name, "=", strings.ToUpper(hex.EncodeToString([]byte(v))), "\x1b\\")
		}
	}
}

// requestResource is XTGETXRES: there are none.
func (t *Terminal) requestResource(s []byte) {
	for name := range strings.SplitSeq(string(s), ";") {
		if _, err := hex.DecodeString(name); err != nil {
			name = ""
		}
		t.reply("\x1bP0+R", name, "\x1b\\")
	}
}

// restorePresentation is DECRSPS: of the two reports of DECRQPSR the tab stops
// (2) can be taken back; the cursor's (1) is DECRC's business.
func (t *Terminal) restorePresentation(s []byte) {
	if t.param(0, 0) != 2 {
		return
	}
	clear(t.tabs)
	for stop := range bytes.SplitSeq(s, []byte{'/'}) {
		n := 0
		for _, b := range stop {
			if b < '0' || b > '9' || n > maxParam {
				n = 0
				break
			}
			n = n*10 + int(b-'0')
		}
		if n >= 1 && n <= t.cols {
			t.tabs[n-1] = true
		}
	}
}
