package paint

import (
	"strconv"
	"strings"

	"moorage/ptyhost/vt"
)

// ANSI draws a string of lines with SGR sequences, as lipgloss makes them,
// into r: each line from the left, the rest of it and of r blank. Every other
// control or sequence is left out, and so is what does not fit.
func (f *Frame) ANSI(r Rect, s string) {
	var st Style
	for y := r.Y; y < r.Y+r.H; y++ {
		line, rest, _ := strings.Cut(s, "\n")
		s = rest
		x := r.X
		for line != "" {
			i := strings.IndexByte(line, 0x1b)
			if i < 0 {
				i = len(line)
			}
			x += f.Text(x, y, r.X+r.W-x, line[:i], st)
			line = st.sequence(line[i:])
		}
		f.Fill(Rect{x, y, r.X + r.W - x, 1}, vt.Cell{})
	}
}

// sequence takes the escape sequence that s starts with off it, and applies it
// if it is SGR.
func (s *Style) sequence(text string) (rest string) {
	if len(text) < 2 {
		return ""
	}
	switch text[1] {
	case '[':
		for i := 2; i < len(text); i++ {
			if c := text[i]; c >= 0x40 && c < 0x7f {
				if c == 'm' {
					s.sgr(text[2:i])
				}
				return text[i+1:]
			}
		}
		return ""
	case ']', 'P', '_', '^', 'X':
		for i := 2; i < len(text); i++ {
			switch {
			case text[i] == 0x07:
				return text[i+1:]
			case text[i] == 0x1b && i+1 < len(text) && text[i+1] == '\\':
				return text[i+2:]
			}
		}
		return ""
	}
	return text[2:]
}

// sgrSet and sgrClear are the SGR parameters that switch attributes.
var (
	sgrSet = map[int]uint32{
		1: vt.AttrBold, 2: vt.AttrFaint, 3: vt.AttrItalic, 5: vt.AttrBlink, 6: vt.AttrBlink,
		7: vt.AttrInverse, 8: vt.AttrInvisible, 9: vt.AttrStrike, 53: vt.AttrOverline,
	}
	sgrClear = map[int]uint32{
		22: vt.AttrBold | vt.AttrFaint, 23: vt.AttrItalic, 25: vt.AttrBlink, 27: vt.AttrInverse,
		28: vt.AttrInvisible, 29: vt.AttrStrike, 55: vt.AttrOverline,
	}
)

// sgr applies the parameters of one SGR (ECMA-48 8.3.117), with ":" as well as
// ";" before the parts of a colour.
func (s *Style) sgr(params string) {
	link := s.Link
	for more := true; more; {
		var p string
		p, params, more = strings.Cut(params, ";")
		p, parts, colon := strings.Cut(p, ":")
		n, _ := strconv.Atoi(p)
		switch {
		case n == 0:
			*s = Style{Link: link}
		case n == 4:
			s.Underline = vt.UnderlineSingle
			if u, err := strconv.Atoi(parts); err == nil && u >= 0 && u <= int(vt.UnderlineDashed) {
				s.Underline = vt.Underline(u)
			}
		case n == 21:
			s.Underline = vt.UnderlineDouble
		case n == 24:
			s.Underline = vt.UnderlineNone
		case n == 38 || n == 48 || n == 58:
			sep := ";"
			if colon {
				sep = ":"
			} else {
				parts = params
			}
			c, rest, ok := sgrColor(parts, sep)
			if ok {
				*s.color(n) = c
			}
			if !colon {
				params = rest
				more = rest != ""
			}
		case n == 39 || n == 49 || n == 59:
			*s.color(n - 1) = vt.ColorDefault
		case n >= 30 && n < 38:
			s.FG = vt.Indexed(uint8(n - 30))
		case n >= 40 && n < 48:
			s.BG = vt.Indexed(uint8(n - 40))
		case n >= 90 && n < 98:
			s.FG = vt.Indexed(uint8(n - 90 + 8))
		case n >= 100 && n < 108:
			s.BG = vt.Indexed(uint8(n - 100 + 8))
		default:
			s.Attr = s.Attr&^sgrClear[n] | sgrSet[n]
		}
	}
}

// color is the colour that SGR 38, 48 or 58 sets.
func (s *Style) color(n int) *vt.Color {
	switch n {
	case 48:
		return &s.BG
	case 58:
		return &s.UnderlineColor
	}
	return &s.FG
}

// sgrColor reads what follows 38: 5 and an index, or 2 and three channels,
// with an empty colour space before them if sep is ":".
func sgrColor(s, sep string) (c vt.Color, rest string, ok bool) {
	next := func() int {
		var p string
		p, s, _ = strings.Cut(s, sep)
		n, err := strconv.ParseUint(p, 10, 8)
		if err != nil {
			return -1
		}
		return int(n)
	}
	switch next() {
	case 5:
		if i := next(); i >= 0 {
			return vt.Indexed(uint8(i)), s, true
		}
	case 2:
		if sep == ":" && strings.Count(s, sep) == 3 {
			next()
		}
		if r, g, b := next(), next(), next(); r >= 0 && g >= 0 && b >= 0 {
			return vt.RGB(uint8(r), uint8(g), uint8(b)), s, true
		}
	}
	return 0, s, false
}
