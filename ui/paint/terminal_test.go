package paint

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"moorage/ptyhost/vt"
)

// terminal reads a painter's output back. It knows the sequences that a
// painter may use and fails on any other, on a write into a pending wrap, and
// on a bare LF.
type terminal struct {
	cols, rows  int
	cells       [][]glyph
	x, y        int
	pending     bool
	top, bottom int
	pen         glyph
	last        string
	visible     bool
	shape       int
	sync        bool
	modes       map[string]bool
	kitty       []int
	bytewise    bool // measures rune by rune
	plainErase  bool // erases to the default background
	err         error
}

// glyph is what one column shows.
type glyph struct {
	text      string // "" is the second half of a wide one
	fg, bg    vt.Color
	attr      uint32
	underline vt.Underline
	ulColor   vt.Color
	link      string
}

func newTerminal(cols, rows int) *terminal {
	t := &terminal{cols: cols, rows: rows, bottom: rows - 1, modes: map[string]bool{"25": true, "7": true}, visible: true}
	t.cells = make([][]glyph, rows)
	for y := range t.cells {
		t.cells[y] = make([]glyph, cols)
	}
	for y := range t.cells {
		for x := range t.cells[y] {
			t.cells[y][x] = glyph{text: "?"} // nothing may rely on a clear screen
		}
	}
	return t
}

func (t *terminal) fail(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf(format, args...)
	}
}

func (t *terminal) write(out []byte) {
	s := string(out)
	for s != "" && t.err == nil {
		switch {
		case strings.HasPrefix(s, "\x1b["):
			i := strings.IndexFunc(s[2:], func(r rune) bool { return r >= 0x40 && r < 0x7f })
			if i < 0 {
				t.fail("a sequence without an end: %q", s)
				return
			}
			t.csi(s[2:2+i], s[2+i])
			s = s[2+i+1:]
		case strings.HasPrefix(s, "\x1b]"):
			body, rest, ok := strings.Cut(s[2:], "\x1b\\")
			if !ok {
				t.fail("a string without an end: %q", s)
			}
			t.osc(body)
			s = rest
		case strings.HasPrefix(s, "\x1b\\"), strings.HasPrefix(s, "\x1b="), strings.HasPrefix(s, "\x1b>"):
			t.modes["keypad"] = s[1] == '='
			s = s[2:]
		case s[0] == '\x18':
			s = s[1:]
		case strings.HasPrefix(s, "\r\n"):
			t.x, t.pending = 0, false
			if t.y == t.bottom {
				t.fail("LF in the last row")
			}
			t.y++
			s = s[2:]
		case s[0] == '\r':
			t.x, t.pending = 0, false
			s = s[1:]
		case s[0] == '\b':
			t.relative("a backspace")
			t.x--
			s = s[1:]
		case s[0] < 0x20:
			t.fail("control %q", s[0])
		default:
			s = t.print(s)
		}
		if t.x < 0 || t.x >= t.cols || t.y < 0 || t.y >= t.rows {
			t.fail("the cursor is at %d,%d", t.x, t.y)
		}
	}
}

// relative fails if the cursor's place is not the same in every terminal.
func (t *terminal) relative(what string) {
	if t.pending {
		t.fail("%s in a pending wrap", what)
	}
}

func (t *terminal) print(s string) (rest string) {
	if !t.bytewise {
		t.relative("a character")
	}
	cluster, w, rest := vt.NextCluster(s)
	if t.bytewise {
		r, n := utf8.DecodeRuneInString(s)
		cluster, rest = s[:n], s[n:]
		w = sumOfWidths(string(r))
		if w == 0 {
			return rest
		}
	}
	if t.x+w > t.cols || t.pending {
		if t.modes["7"] {
			t.fail("%q goes on in the next row", cluster)
		}
		t.x = t.cols - w
	}
	for i := range w {
		t.clearHalf(t.x + i)
	}
	g := t.pen
	g.text = cluster
	t.cells[t.y][t.x] = g
	if w == 2 {
		g.text = ""
		t.cells[t.y][t.x+1] = g
	}
	t.last = cluster
	t.x += w
	if t.x >= t.cols {
		t.x, t.pending = t.cols-1, true
	}
	return rest
}

// clearHalf blanks the other half of a wide character that is overwritten.
func (t *terminal) clearHalf(x int) {
	row := t.cells[t.y]
	if row[x].text == "" && x > 0 {
		row[x-1].text = " "
	}
	if x+1 < t.cols && row[x+1].text == "" {
		row[x+1].text = " "
	}
}

// erase blanks a part of a row. Half a wide character must not be left over:
// tmux takes the other half for a whole one later.
func (t *terminal) erase(y, from, to int) {
	row := t.cells[y]
	if row[from].text == "" || to < t.cols && row[to].text == "" {
		t.fail("%d..%d in row %d erases half a wide character", from, to, y)
	}
	for x := from; x < to; x++ {
		row[x] = glyph{text: " "}
		if !t.plainErase {
			row[x].bg = t.pen.bg
		}
	}
	if t.pen.attr&vt.AttrInverse != 0 {
		t.fail("erase with an inverse pen")
	}
}

func (t *terminal) csi(params string, final byte) {
	if params != "" && params[0] >= '<' {
		t.private(params, final)
		return
	}
	num := func(i, def int) int {
		fields := strings.Split(params, ";")
		if i >= len(fields) || fields[i] == "" {
			return def
		}
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			t.fail("CSI %q %c", params, final)
		}
		return n
	}
	absolute := func(x, y int) { t.x, t.y, t.pending = x, y, false }
	switch final {
	case 'H':
		absolute(num(1, 1)-1, num(0, 1)-1)
	case 'G':
		absolute(num(0, 1)-1, t.y)
	case 'd':
		t.relative("VPA")
		absolute(t.x, num(0, 1)-1)
	case 'A', 'B', 'C', 'D':
		t.relative("a relative move")
		n := num(0, 1)
		d := map[byte][2]int{'A': {0, -1}, 'B': {0, 1}, 'C': {1, 0}, 'D': {-1, 0}}[final]
		t.x, t.y = t.x+d[0]*n, t.y+d[1]*n
	case 'K':
		t.relative("EL")
		t.erase(t.y, t.x, t.cols)
	case 'J':
		t.relative("ED")
		from := t.y
		switch n := num(0, 0); {
		case n == 2:
			from = 0
		case n != 0 || t.x != 0:
			t.fail("ED %d at column %d", n, t.x)
		}
		for y := from; y < t.rows; y++ {
			t.erase(y, 0, t.cols)
		}
	case 'X':
		t.relative("ECH")
		if t.x+num(0, 1) > t.cols {
			t.fail("ECH beyond the row")
		}
		t.erase(t.y, t.x, t.x+num(0, 1))
	case 'b':
		for range num(0, 1) {
			t.print(t.last)
		}
	case 'r':
		t.top, t.bottom = num(0, 1)-1, num(1, t.rows)-1
		absolute(0, 0)
	case 'M', 'L':
		t.scroll(num(0, 1), final == 'M')
	case 'm':
		t.sgr(params)
	case 't':
	case 'q':
		t.shape, _ = strconv.Atoi(strings.TrimSuffix(params, " "))
	default:
		t.fail("CSI %q %c", params, final)
	}
}

func (t *terminal) scroll(n int, up bool) {
	if t.y < t.top || t.y > t.bottom || t.y+n > t.bottom+1 {
		t.fail("%d rows at %d in %d..%d", n, t.y, t.top, t.bottom)
		return
	}
	rows := t.cells[t.y : t.bottom+1]
	for range n {
		if up {
			first := rows[0]
			copy(rows, rows[1:])
			rows[len(rows)-1] = first
			t.erase(t.bottom, 0, t.cols)
		} else {
			last := rows[len(rows)-1]
			copy(rows[1:], rows)
			rows[0] = last
			t.erase(t.y, 0, t.cols)
		}
	}
	t.x, t.pending = 0, false
}

func (t *terminal) private(params string, final byte) {
	on := final == 'h'
	switch {
	case params[0] == '?' && (on || final == 'l'):
		t.modes[params[1:]] = on
		switch params[1:] {
		case "25":
			t.visible = on
		case "2026":
			t.sync = on
		}
	case final == 'u' && params[0] == '>':
		t.kitty = append(t.kitty, 0)
	case final == 'u' && params[0] == '<':
		if len(t.kitty) == 0 {
			t.fail("kitty pop from an empty stack")
			return
		}
		t.kitty = t.kitty[:len(t.kitty)-1]
	case final == 'u' && params[0] == '=':
		if len(t.kitty) == 0 {
			t.fail("kitty set on the user's own entry")
			return
		}
		t.kitty[len(t.kitty)-1], _ = strconv.Atoi(params[1:])
	case final == 'm' && params[0] == '>':
		t.modes["modify"] = params != ">4" && params != ">4;0"
	default:
		t.fail("CSI %q %c", params, final)
	}
}

func (t *terminal) osc(body string) {
	switch number, rest, _ := strings.Cut(body, ";"); number {
	case "8":
		_, t.pen.link, _ = strings.Cut(rest, ";")
	case "12", "112", "2":
	default:
		t.fail("OSC %q", body)
	}
}

// sgr reads the pen by the code that draws lipgloss's strings, after taking
// off the underline colour's form, which that one has too.
func (t *terminal) sgr(params string) {
	st := Style{FG: t.pen.fg, BG: t.pen.bg, Attr: t.pen.attr, Underline: t.pen.underline, UnderlineColor: t.pen.ulColor}
	st.sgr(params)
	t.pen.fg, t.pen.bg, t.pen.attr, t.pen.underline, t.pen.ulColor = st.FG, st.BG, st.Attr, st.Underline, st.UnderlineColor
}

// visibleOf leaves out what a blank does not show.
func visibleOf(g glyph) glyph {
	if g.text == " " && g.attr&(vt.AttrInverse|vt.AttrStrike|vt.AttrOverline) == 0 && g.underline == 0 {
		g.fg, g.attr, g.ulColor = 0, 0, 0
	} else if g.text == " " {
		g.attr &= vt.AttrInverse | vt.AttrStrike | vt.AttrOverline
	}
	if g.underline == 0 {
		g.ulColor = 0
	}
	return g
}

// wanted is the frame as a terminal with caps should show it.
func wanted(f *Frame, caps Caps) [][]glyph {
	pal := palette{profile: caps.Profile}
	rows := make([][]glyph, f.rows)
	for y := range rows {
		for _, c := range f.Row(y) {
			e := f.table.Ext(c.Ext())
			g := glyph{
				text: f.table.Text(c), fg: pal.fit(c.FG), bg: pal.fit(c.BG), attr: c.At & 0xff,
				underline: c.Underline(), ulColor: pal.fit(e.Underline), link: e.LinkURI,
			}
			if !caps.StyledUnderlines {
				g.ulColor = 0
				if g.underline > vt.UnderlineDouble {
					g.underline = vt.UnderlineSingle
				}
			}
			if !caps.Hyperlinks {
				g.link = ""
			}
			rows[y] = append(rows[y], visibleOf(g))
		}
	}
	return rows
}

// compare is what the terminal shows otherwise than the frame, "" for nothing.
func (t *terminal) compare(f *Frame, caps Caps) string {
	if t.err != nil {
		return t.err.Error()
	}
	if t.sync {
		return "synchronised output was not ended"
	}
	if t.pending {
		return "a wrap is left pending"
	}
	want := wanted(f, caps)
	for y, row := range want {
		for x, w := range row {
			if got := visibleOf(t.cells[y][x]); got != w {
				return fmt.Sprintf("%d,%d: %+v, want %+v", x, y, got, w)
			}
		}
	}
	c := f.Cursor()
	if c.Visible != t.visible {
		return fmt.Sprintf("cursor visible %v", t.visible)
	}
	if c.Visible && (t.x != c.X || t.y != c.Y) {
		return fmt.Sprintf("cursor at %d,%d, want %d,%d", t.x, t.y, c.X, c.Y)
	}
	return ""
}
