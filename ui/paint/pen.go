package paint

import (
	"github.com/charmbracelet/colorprofile"

	"moorage/ptyhost/vt"
)

// pen is the rendition that the terminal writes with, as cells have it.
type pen struct {
	fg, bg vt.Color
	at     uint32 // attributes, underline style, and Ext index
}

// onBlank are the attributes that show on a cell without a character.
const onBlank = vt.AttrInverse | vt.AttrStrike | vt.AttrOverline | underlineBits

// underlineBits are those of Cell.At that Cell.Underline reads.
const underlineBits = vt.AttrMask &^ 0xff

// attrCodes are the SGR codes that switch an attribute on and off. Bold and
// faint share theirs for off.
var attrCodes = [...]struct {
	attr    uint32
	on, off byte
}{
	{vt.AttrBold, 1, 22},
	{vt.AttrFaint, 2, 22},
	{vt.AttrItalic, 3, 23},
	{vt.AttrBlink, 5, 25},
	{vt.AttrInverse, 7, 27},
	{vt.AttrInvisible, 8, 28},
	{vt.AttrStrike, 9, 29},
	{vt.AttrOverline, 53, 55},
}

// setPen makes the terminal write as cell c looks.
func (p *Painter) setPen(dst []byte, c vt.Cell) []byte {
	want := pen{c.FG, c.BG, c.At}
	if want == p.pen {
		return dst
	}
	from := p.pen
	p.pen = want
	if p.caps.Profile == colorprofile.NoTTY {
		return dst
	}
	if ext := c.Ext(); ext != uint16(from.at>>16) {
		dst = p.setLink(dst, p.frame.table.Ext(ext))
	}
	return p.transition(dst, from, want)
}

// transition writes the shortest SGR from one pen to another: the changes, or
// a reset and all of the new one.
func (p *Painter) transition(dst []byte, from, want pen) []byte {
	start := len(dst)
	dst = append(dst, 0x1b, '[')
	open := len(dst)
	dst, dropped := p.changes(dst, from, want)
	if len(dst) == open {
		return dst[:start]
	}
	if dropped {
		p.scratch = append(p.scratch[:0], "0;"...)
		p.scratch, _ = p.changes(p.scratch, pen{}, want)
		if len(p.scratch) == 2 {
			p.scratch = append(p.scratch[:0], ';') // CSI m is a reset
		}
		if len(p.scratch) < len(dst)-open {
			dst = append(dst[:open], p.scratch...)
		}
	}
	dst[len(dst)-1] = 'm' // in place of the last ";"
	return dst
}

// changes writes parameters, each with ";" after it, and says whether any of
// them takes something away.
func (p *Painter) changes(dst []byte, from, want pen) (_ []byte, dropped bool) {
	if diff := (from.at ^ want.at) & 0xff; diff != 0 {
		off := from.at &^ want.at & 0xff
		on := want.at &^ from.at & 0xff
		if off&(vt.AttrBold|vt.AttrFaint) != 0 {
			on |= want.at & (vt.AttrBold | vt.AttrFaint)
		}
		dropped = off != 0
		last := byte(0)
		for _, code := range attrCodes {
			if off&code.attr != 0 && code.off != last {
				last = code.off
				dst = append(dst, '0'+last/10, '0'+last%10, ';')
			}
		}
		for _, code := range attrCodes {
			if on&code.attr != 0 {
				dst = appendParam(dst, code.on)
			}
		}
	}
	if (from.at^want.at)&underlineBits != 0 {
		u := vt.Cell{At: want.at}.Underline()
		dropped = dropped || u == vt.UnderlineNone
		dst = p.underline(dst, u)
	}
	if (from.at^want.at)>>16 != 0 && p.caps.StyledUnderlines {
		was, is := p.underlineColor(from.at), p.underlineColor(want.at)
		if was != is {
			dropped = dropped || is.IsDefault()
			dst = appendUnderlineColor(dst, is)
		}
	}
	if from.fg != want.fg {
		if was, is := p.palette.fit(from.fg), p.palette.fit(want.fg); was != is {
			dropped = dropped || is.IsDefault()
			dst = appendColor(dst, is, 0)
		}
	}
	if from.bg != want.bg {
		if was, is := p.palette.fit(from.bg), p.palette.fit(want.bg); was != is {
			dropped = dropped || is.IsDefault()
			dst = appendColor(dst, is, 10)
		}
	}
	return dst, dropped
}

// underline writes an underline style, or its nearest of single and double.
func (p *Painter) underline(dst []byte, u vt.Underline) []byte {
	switch {
	case u == vt.UnderlineNone:
		return append(dst, "24;"...)
	case u == vt.UnderlineDouble && !p.caps.StyledUnderlines:
		return append(dst, "21;"...)
	case u == vt.UnderlineSingle || !p.caps.StyledUnderlines:
		return append(dst, "4;"...)
	}
	return append(dst, '4', ':', '0'+byte(u), ';')
}

func (p *Painter) underlineColor(at uint32) vt.Color {
	if at>>16 == 0 {
		return vt.ColorDefault
	}
	return p.palette.fit(p.frame.table.Ext(uint16(at >> 16)).Underline)
}

// appendColor writes a foreground, or with shift 10 a background.
func appendColor(dst []byte, c vt.Color, shift byte) []byte {
	if i, ok := c.Index(); ok {
		switch {
		case i < 8:
			return appendParam(dst, 30+shift+i)
		case i < 16:
			return appendParam(dst, 90+shift+i-8)
		}
		dst = append(dst, '3'+shift/10, '8', ';', '5', ';')
		return appendParam(dst, i)
	}
	r, g, b, ok := c.RGB()
	if !ok {
		return append(dst, '3'+shift/10, '9', ';')
	}
	dst = append(dst, '3'+shift/10, '8', ';', '2', ';')
	dst = appendParam(dst, r)
	dst = appendParam(dst, g)
	return appendParam(dst, b)
}

// appendUnderlineColor writes SGR 58 with ":", since terminals that do not
// know it would take its parts for SGR of their own.
func appendUnderlineColor(dst []byte, c vt.Color) []byte {
	if i, ok := c.Index(); ok {
		dst = append(dst, "58:5:"...)
		return appendParam(dst, i)
	}
	r, g, b, ok := c.RGB()
	if !ok {
		return append(dst, "59;"...)
	}
	dst = append(dst, "58:2::"...)
	dst = append(appendByte(dst, r), ':')
	dst = append(appendByte(dst, g), ':')
	return appendParam(dst, b)
}

// params are the numbers of a byte with ";" behind, and their lengths: full
// true-colour screens consist of them.
var params = func() (t [256]struct {
	text [4]byte
	n    int8
},
) {
	for v := range t {
		text := append(appendByte(nil, byte(v)), ';')
		t[v].n = int8(copy(t[v].text[:], text))
	}
	return t
}()

// appendParam writes v in decimal and ";".
func appendParam(dst []byte, v byte) []byte {
	p := &params[v]
	dst = append(dst, p.text[0], p.text[1], p.text[2], p.text[3])
	return dst[:len(dst)-len(p.text)+int(p.n)]
}

// appendByte writes v in decimal.
func appendByte(dst []byte, v byte) []byte {
	switch {
	case v >= 100:
		return append(dst, '0'+v/100, '0'+v/10%10, '0'+v%10)
	case v >= 10:
		return append(dst, '0'+v/10, '0'+v%10)
	}
	return append(dst, '0'+v)
}
