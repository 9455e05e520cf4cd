package vt

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"
)

// oscCommand is one entry of the table of operating system commands, for the
// numbers first to last.
type oscCommand struct {
	first, last int
	name        string
	do          func(t *Terminal, n int, rest string)
	why         string
}

// oscCommands are the OSC strings (xterm ctlseqs, "Operating System
// Commands"; and those that other terminals made common).
var oscCommands = []oscCommand{
	{0, 0, "title and icon name", (*Terminal).oscTitle, ""},
	{1, 1, "icon name", (*Terminal).oscTitle, ""},
	{2, 2, "title", (*Terminal).oscTitle, ""},
	{3, 3, "X property", nil, "there is no window"},
	{4, 4, "palette", (*Terminal).oscPalette, ""},
	{5, 5, "special colours", nil, "attributes are drawn as such"},
	{6, 6, "special colours on or off; document", nil, "attributes are drawn as such"},
	{7, 7, "working directory", (*Terminal).oscCWD, ""},
	{8, 8, "hyperlink", (*Terminal).oscLink, ""},
	{9, 9, "notification; 9;4 progress", (*Terminal).oscNotify, ""},
	{10, 19, "dynamic colours", (*Terminal).oscDynamic, ""},
	{21, 21, "kitty colours", nil, "OSC 4 and 10 do it"},
	{22, 22, "pointer shape", nil, "the pointer is the outer terminal's"},
	{46, 46, "log file", nil, "never"},
	{50, 50, "font", nil, "the font is the outer terminal's"},
	{51, 51, "Emacs shell", nil, "Emacs' own"},
	{52, 52, "clipboard", (*Terminal).oscClipboard, ""},
	{60, 62, "allowed features", nil, "what is allowed is fixed"},
	{66, 66, "kitty text sizes", nil, "cells have one size"},
	{99, 99, "kitty notification", (*Terminal).oscKittyNotify, ""},
	{104, 104, "reset palette", (*Terminal).oscResetPalette, ""},
	{105, 106, "reset special colours", nil, "attributes are drawn as such"},
	{110, 119, "reset dynamic colours", (*Terminal).oscResetDynamic, ""},
	{133, 133, "semantic prompt", (*Terminal).oscPrompt, ""},
	{176, 176, "application ID", nil, "there is no window"},
	{440, 440, "sound", nil, "the bell is the outer terminal's"},
	{555, 555, "flash", nil, "the bell is the outer terminal's"},
	{633, 633, "VS Code shell integration", nil, "OSC 133 does it"},
	{697, 697, "shell integration", nil, "OSC 133 does it"},
	{701, 704, "urxvt locale and colours", nil, "urxvt's own"},
	{777, 777, "notification", (*Terminal).osc777, ""},
	{1337, 1337, "iTerm2", (*Terminal).osc1337, ""},
	{3008, 3008, "systemd context", nil, "nobody asks for it yet"},
	{5522, 5522, "kitty clipboard", nil, "OSC 52 does it"},
	{7501, 7501, "program status", (*Terminal).oscStatus, ""},
	{9001, 9001, "Windows terminal", nil, "Windows' own"},
	{30001, 30001, "push colours", func(t *Terminal, _ int, _ string) { t.pushColors(0) }, ""},
	{30101, 30101, "pop colours", func(t *Terminal, _ int, _ string) { t.popColors(0) }, ""},
}

var oscAt = func() map[int]*oscCommand {
	m := make(map[int]*oscCommand)
	for i := range oscCommands {
		c := &oscCommands[i]
		for n := c.first; n <= c.last; n++ {
			m[n] = c
		}
	}
	return m
}()

// dispatchOSC acts on the string collected.
func (t *Terminal) dispatchOSC() { t.osc(t.str) }

// osc acts on an operating system command: a number, and what comes after the
// first semicolon. sun-cmd's titles, OSC l and OSC L, are letters.
func (t *Terminal) osc(s []byte) {
	head, rest, _ := bytes.Cut(s, []byte{';'})
	n, err := strconv.Atoi(string(head))
	if err != nil {
		switch {
		case len(s) > 0 && s[0] == 'l':
			t.setTitle(string(s[1:]))
		case len(s) > 0 && s[0] == 'L', len(s) > 0 && s[0] == 'I':
		case len(s) > 0 && (s[0] == 'P' || s[0] == 'R'): // the Linux console's palette
		case t.unknown != nil:
			t.unknown("OSC", string(head))
		}
		return
	}
	c := oscAt[n]
	switch {
	case c == nil:
		if t.unknown != nil {
			t.unknown("OSC", string(head))
		}
	case c.do != nil:
		c.do(t, n, string(rest))
	}
}

// replyOSC answers an OSC with the terminator it came with.
func (t *Terminal) replyOSC(s string) {
	if t.bel {
		t.reply("\x1b]", s, "\a")
	} else {
		t.reply("\x1b]", s, "\x1b\\")
	}
}

func (t *Terminal) oscTitle(n int, rest string) {
	s := cleanText(rest, maxTitleBytes)
	if n != 2 {
		t.icon = s
	}
	if n != 1 {
		t.setTitle(s)
	}
}

func (t *Terminal) setTitle(s string) {
	s = cleanText(s, maxTitleBytes)
	if s != t.title {
		t.title = s
		t.touchMeta()
	}
	t.emit(Event{Kind: EventTitle, Text: s})
}

// cleanText makes s valid UTF-8 without C0, DEL and C1, and cuts it to limit
// bytes at a rune.
func cleanText(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

const maxURL = 4 << 10

func (t *Terminal) oscCWD(_ int, rest string) {
	if rest = cleanText(rest, maxURL+1); len(rest) > maxURL {
		return
	}
	t.cwd = rest
	t.emit(Event{Kind: EventCWD, Text: rest})
}

// Bounds of a hyperlink, those of VTE and kitty; a longer one is no link.
const (
	maxLinkURI = 2083
	maxLinkID  = 250
)

// oscLink is OSC 8 ; params ; URI, where params are key=value split by colons
// and id is the one that means something. The URI may hold semicolons.
func (t *Terminal) oscLink(_ int, rest string) {
	params, uri, _ := strings.Cut(rest, ";")
	if len(uri) > maxLinkURI || !utf8.ValidString(uri) {
		uri = ""
	}
	var id string
	for p := range strings.SplitSeq(params, ":") {
		if v, ok := strings.CutPrefix(p, "id="); ok && len(v) <= maxLinkID && utf8.ValidString(v) {
			id = v
		}
	}
	if uri == "" {
		id = ""
	}
	t.setLink(id, uri)
}

// maxSelection bounds the list of selection names in front of OSC 52.
const maxSelection = 16

// oscClipboard is OSC 52. Writes are passed on as events; a read is never
// answered, because it would hand the user's clipboard to whatever prints.
func (t *Terminal) oscClipboard(_ int, rest string) {
	sel, data, ok := strings.Cut(rest, ";")
	if !ok || data == "?" || len(sel) > maxSelection {
		return
	}
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		if b, err = base64.RawStdEncoding.DecodeString(data); err != nil {
			b = nil // xterm: what is neither base64 nor ? clears
		}
	}
	t.emit(Event{Kind: EventClipboard, Text: cleanText(sel, maxSelection), Data: b})
}

// oscPrompt is OSC 133, FinalTerm's semantic prompts: A, B, C and D. Options
// after the letter are ignored but for D's exit code.
func (t *Terminal) oscPrompt(_ int, rest string) {
	kind, opts, _ := strings.Cut(rest, ";")
	if kind == "" {
		return
	}
	r := t.on.rows[t.cur.y]
	e := Event{Kind: EventPrompt, Code: -1}
	switch kind[0] {
	case 'A', 'N':
		e.Mark = MarkPrompt
	case 'P': // a prompt's continuation or right side, unless k=i
		if opts != "" && opts != "k=i" {
			return
		}
		e.Mark = MarkPrompt
	case 'B', 'I':
		e.Mark = MarkInput
	case 'C':
		e.Mark = MarkOutput
	case 'D':
		e.Mark = MarkEnd
		code, _, _ := strings.Cut(opts, ";")
		if n, err := strconv.Atoi(code); err == nil && n >= 0 && n <= 255 {
			e.Code = n
		}
		t.lastExit = e.Code
		r.exit = uint8(max(e.Code, 0))
	default:
		return
	}
	r.mark |= e.Mark
	t.touch(r)
	t.emit(e)
}

// oscStatus answers the query of OSC 7501, by which programs find out that
// somebody listens, and passes reports up as they are.
func (t *Terminal) oscStatus(_ int, rest string) {
	if rest == "?" {
		t.replyOSC("7501;?")
		return
	}
	t.emit(Event{Kind: EventProgramStatus, Data: []byte(rest)})
}

// osc1337 is iTerm2's: of its many keys the directory and the copying of a
// string are of use; images and the rest are swallowed.
func (t *Terminal) osc1337(_ int, rest string) {
	key, value, _ := strings.Cut(rest, "=")
	switch key {
	case "CurrentDir":
		t.oscCWD(7, "file://"+value)
	case "Copy":
		if data, ok := strings.CutPrefix(value, ":"); ok {
			t.oscClipboard(52, "c;"+data)
		}
	}
}
