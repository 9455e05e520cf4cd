package ptyhost

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
)

const (
	// tailBytes is how much of the ring's end the tail of an exit is made of.
	tailBytes = 16 << 10
	tailLines = 40
	// tailLineBytes bounds a line of it.
	tailLineBytes = 400
	// tailLineCells bounds a line while it is being made.
	tailLineCells = 16 << 10
)

// plainTail makes plain text of the end of a program's output, as somebody
// would have read it going by: at most tailLines lines, each of at most
// tailLineBytes bytes. What was overwritten after a carriage return is gone; a
// motion of the cursor to another row ends the line; all other sequences are
// left out, and so are blank lines at the end. It is no screen: what a program
// redraws comes again.
//
// cols is the width that the output was for. cut says that p is the rest of
// something longer: it may begin inside a sequence or a character.
func plainTail(p []byte, cols int, cut bool) []string {
	if cut {
		p = afterCut(p)
	}
	t := tailer{cols: max(cols, 1)}
	for len(p) > 0 {
		p = p[t.take(p):]
	}
	t.breakLine()
	return lastOf(t.lines)
}

// lastOf is the end of lines, without blank ones behind it.
func lastOf(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines[max(0, len(lines)-tailLines):]
}

// tailLine is a line as a tail has it.
func tailLine(s string) string {
	return cut(strings.TrimRight(s, " "), tailLineBytes)
}

// cut is s, or its beginning of at most n bytes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// lostScreen is the end of the screen of the life that was lost, if one was:
// the session's own, or that of the one whose place it took. s.mu is held, and
// what was thawed has been played.
func (s *session) lostScreen() []string {
	if s.lostAt.IsZero() || s.state != wire.SessionThawed {
		return s.lastSeen
	}
	var lines []string
	for _, line := range s.term.ScreenText() {
		lines = append(lines, tailLine(line))
	}
	return lastOf(lines)
}

// afterCut drops what may be the rest of a sequence: all before the first
// control character, or the string that the first escape sequence ends.
func afterCut(p []byte) []byte {
	for len(p) > 0 && !utf8.RuneStart(p[0]) {
		p = p[1:]
	}
	first := -1
	for i, c := range p {
		if c == 0x1b {
			if i+1 < len(p) && p[i+1] == '\\' { // ST
				return p[i+2:]
			}
			if first < 0 {
				first = i
			}
			break
		}
		if first < 0 && c < 0x20 && c != '\t' {
			first = i
		}
	}
	return p[max(first, 0):]
}

// tailer is a line of output in the making. A line that the terminal wrapped
// is one line; a carriage return goes back to the start of its last row.
type tailer struct {
	cols  int
	lines []string

	cells []string // a wide character's second cell is ""
	at    int      // the cell written next
	full  bool     // the last cell of a row was just written: the cursor is on it still
	last  string   // for REP
}

// take takes one unit off p and returns its length, which is not 0.
func (t *tailer) take(p []byte) int {
	switch c := p[0]; {
	case c == 0x1b:
		return t.escape(p)
	case c < 0x20 || c == 0x7f:
		t.control(c)
		return 1
	case c < 0x7f:
		t.put(string(rune(c)), 1)
		return 1
	}
	r, n := utf8.DecodeRune(p)
	switch {
	case r == utf8.RuneError && n == 1 && !utf8.FullRune(p): // the end of the output is inside of it
		return len(p)
	case r >= 0x80 && r < 0xa0: // C1, as UTF-8
		return n - 1 + t.introduced(byte(r)-0x40, p[n-1:])
	case bidi(r):
		return n
	}
	t.put(string(r), vt.RuneWidth(r))
	return n
}

// bidi reports the characters that change the order of others (UAX #9).
func bidi(r rune) bool {
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

func (t *tailer) control(c byte) {
	switch c {
	case '\n', '\v', '\f':
		t.breakLine()
	case '\r':
		t.at, t.full = t.rowStart(), false
	case '\b':
		t.left(1)
	case '\t':
		start := t.rowStart()
		t.right(8 - (t.at-start)%8)
	}
}

// rowStart is the first cell of the row that the cursor is on.
func (t *tailer) rowStart() int {
	if t.full {
		return t.at - t.cols
	}
	return t.at - t.at%t.cols
}

func (t *tailer) left(n int) {
	start := t.rowStart()
	if t.full {
		t.at--
		t.full = false
	}
	t.at = max(start, t.at-n)
}

func (t *tailer) right(n int) {
	if t.full {
		return
	}
	t.at = min(t.at+n, t.rowStart()+t.cols-1)
}

func (t *tailer) column(n int) { t.at, t.full = t.rowStart()+min(max(n, 1), t.cols)-1, false }

func (t *tailer) put(s string, width int) {
	if width == 0 {
		if t.at > 0 && t.at <= len(t.cells) {
			i := t.at - 1
			for i > 0 && t.cells[i] == "" {
				i--
			}
			if len(t.cells[i]) < 64 {
				t.cells[i] += s
			}
		}
		return
	}
	if t.at+width > tailLineCells {
		t.breakLine()
	}
	for len(t.cells) < t.at+width {
		t.cells = append(t.cells, " ")
	}
	t.cells[t.at] = s
	if width == 2 {
		t.cells[t.at+1] = ""
	}
	t.at += width
	if t.at < len(t.cells) && t.cells[t.at] == "" { // half of a wide one is left
		t.cells[t.at] = " "
	}
	t.full = t.at%t.cols == 0
	t.last = s
}

// erase blanks cells from..to of the line.
func (t *tailer) erase(from, to int) {
	for i := max(from, 0); i < min(to, len(t.cells)); i++ {
		t.cells[i] = " "
	}
}

// breakLine ends the line.
func (t *tailer) breakLine() {
	t.lines = append(t.lines, tailLine(strings.Join(t.cells, "")))
	if len(t.lines) > 4*tailLines { // many may be blank
		t.lines = append(t.lines[:0], t.lines[tailLines:]...)
	}
	t.cells, t.at, t.full = t.cells[:0], 0, false
}

// moved ends the line because the cursor went to another row. A motion that
// follows another one leaves no blank line.
func (t *tailer) moved() {
	if strings.TrimSpace(strings.Join(t.cells, "")) != "" {
		t.breakLine()
	}
	t.cells, t.at, t.full = t.cells[:0], 0, false
}

// escape takes an escape sequence off p (ECMA-48, sections 5.3 to 5.6).
func (t *tailer) escape(p []byte) int {
	i := 1
	for i < len(p) && p[i] >= 0x20 && p[i] < 0x30 {
		i++
	}
	if i >= len(p) {
		return len(p)
	}
	if i > 1 || p[i] < 0x20 || p[i] > 0x7e { // with intermediates, or not one
		if p[i] < 0x20 || p[i] > 0x7e {
			return i
		}
		return i + 1
	}
	return i + t.introduced(p[i], p[i:])
}

// introduced handles what ESC c, or the C1 control of that meaning, begins. c
// stands at p[0]; the returned length includes it.
func (t *tailer) introduced(c byte, p []byte) int {
	switch c {
	case '[':
		return 1 + t.csi(p[1:])
	case ']', 'P', 'X', '^', '_':
		return 1 + stringLength(p[1:])
	case 'D', 'E', 'M', 'c': // IND, NEL, RI, RIS
		t.moved()
	}
	return 1
}

// stringLength is how long a control string with its end is.
func stringLength(p []byte) int {
	for i, c := range p {
		switch {
		case c == 0x07 || c == 0x18 || c == 0x1a:
			return i + 1
		case c == 0x1b && i+1 < len(p) && p[i+1] == '\\':
			return i + 2
		case c == 0x1b:
			return i // cancelled by what begins here
		case c == 0x9c && i > 0 && p[i-1] == 0xc2: // ST as UTF-8
			return i + 1
		}
	}
	return len(p)
}

// csi handles a control sequence behind its introducer and returns its length.
func (t *tailer) csi(p []byte) int {
	i := 0
	for i < len(p) && p[i] >= 0x20 && p[i] < 0x40 {
		i++
	}
	if i >= len(p) {
		return len(p)
	}
	if p[i] < 0x20 || p[i] > 0x7e {
		return i
	}
	t.sequence(p[i], string(p[:i]))
	return i + 1
}

func (t *tailer) sequence(final byte, params string) {
	if strings.HasPrefix(params, "?") {
		if final == 'h' || final == 'l' {
			for _, mode := range strings.Split(params[1:], ";") {
				if mode == "47" || mode == "1047" || mode == "1049" { // another screen
					t.moved()
				}
			}
		}
		return
	}
	first, _, _ := strings.Cut(params, ";")
	n, err := strconv.Atoi(first)
	if err != nil && first != "" {
		return
	}
	count := min(max(n, 1), 1000)
	switch final {
	case 'A', 'B', 'E', 'F', 'H', 'f', 'd', 'e', 'k', 'S', 'T', 'u', 'r': // to another row
		t.moved()
	case 'J':
		if n >= 2 {
			t.moved()
		} else if n == 0 {
			t.erase(t.at, len(t.cells))
		}
	case 'C', 'a':
		t.right(count)
	case 'D', 'j':
		t.left(count)
	case 'G', '`':
		t.column(count)
	case 'K':
		t.eraseRow(n)
	case 'X':
		t.erase(t.at, t.at+count)
	case 'P':
		if t.at < len(t.cells) {
			t.cells = append(t.cells[:t.at], t.cells[min(t.at+count, len(t.cells)):]...)
		}
	case 'b':
		for range count {
			if t.last != "" {
				t.put(t.last, vt.StringWidth(t.last))
			}
		}
	}
}

// eraseRow is EL.
func (t *tailer) eraseRow(n int) {
	start := t.rowStart()
	at := t.at
	if t.full {
		at--
	}
	switch n {
	case 0:
		t.erase(at, start+t.cols)
	case 1:
		t.erase(start, at+1)
	case 2:
		t.erase(start, start+t.cols)
	}
}
