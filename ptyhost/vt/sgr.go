package vt

// SGR, ECMA-48 8.3.117; colours as in ISO 8613-6 and as xterm takes them;
// underline styles and colour as kitty defined them.

// sgr changes the pen. Parameters are taken in order; an unknown one is
// skipped.
func (t *Terminal) sgr() {
	if t.nparams == 0 {
		t.resetPen()
		return
	}
	c := &t.pen.cell
	for i := 0; i < t.nparams; i++ {
		n := int(t.params[i])
		switch {
		case n == 0:
			t.resetPen()
		case n >= 30 && n <= 37:
			c.FG = Indexed(uint8(n - 30))
		case n >= 40 && n <= 47:
			c.BG = Indexed(uint8(n - 40))
		case n == 38 || n == 48 || n == 58:
			var col Color
			var ok bool
			if col, i, ok = t.sgrColor(i); ok {
				t.setPenColor(n, col)
			}
			continue
		case n >= 90 && n <= 97:
			c.FG = Indexed(uint8(n - 90 + 8))
		case n >= 100 && n <= 107:
			c.BG = Indexed(uint8(n - 100 + 8))
		case n == 4:
			c.SetUnderline(UnderlineSingle)
			if i+1 < t.nparams && t.colon(i+1) {
				i++
				c.SetUnderline(Underline(min(t.params[i], int32(UnderlineDashed)+1) % int32(UnderlineDashed+1)))
			}
		case n == 39:
			c.FG = ColorDefault
		case n == 49:
			c.BG = ColorDefault
		case n == 59:
			t.setPenColor(58, ColorDefault)
		case n < len(sgrAttrs):
			a := sgrAttrs[n]
			c.At = c.At&^a.off | a.on
		}
		for i+1 < t.nparams && t.colon(i+1) { // sub-parameters nobody took
			i++
		}
	}
}

// sgrAttrs are the parameters that switch attributes.
var sgrAttrs = [56]struct{ on, off uint32 }{
	1: {on: AttrBold}, 2: {on: AttrFaint}, 3: {on: AttrItalic},
	5: {on: AttrBlink}, 6: {on: AttrBlink}, 7: {on: AttrInverse},
	8: {on: AttrInvisible}, 9: {on: AttrStrike},
	21: {on: uint32(UnderlineDouble) << underlineShift, off: underlineMask},
	22: {off: AttrBold | AttrFaint}, 23: {off: AttrItalic}, 24: {off: underlineMask},
	25: {off: AttrBlink}, 27: {off: AttrInverse}, 28: {off: AttrInvisible},
	29: {off: AttrStrike}, 53: {on: AttrOverline}, 55: {off: AttrOverline},
}

// colon reports whether parameter i is a sub-parameter of the one before.
func (t *Terminal) colon(i int) bool { return t.colons>>i&1 != 0 }

// sgrColor reads the colour behind 38, 48 or 58 at i, in any of the forms
// 5;n, 2;r;g;b, 5:n, 2:r:g:b and 2:space:r:g:b, and returns the last parameter
// it took.
func (t *Terminal) sgrColor(i int) (c Color, last int, ok bool) {
	end := i + 1
	if end < t.nparams && t.colon(end) {
		for end < t.nparams && t.colon(end) {
			end++
		}
		p := t.params[i+1 : end]
		switch {
		case len(p) >= 2 && p[0] == 5:
			return indexedParam(p[1], end-1)
		case len(p) >= 5 && p[0] == 2:
			return rgbParam(p[2:], end-1)
		case len(p) == 4 && p[0] == 2:
			return rgbParam(p[1:], end-1)
		}
		return 0, end - 1, false
	}
	p := t.params[end:t.nparams]
	switch {
	case len(p) >= 2 && p[0] == 5:
		return indexedParam(p[1], i+2)
	case len(p) >= 4 && p[0] == 2:
		return rgbParam(p[1:], i+4)
	case len(p) > 0 && (p[0] == 5 || p[0] == 2): // cut short: nothing to take
		return 0, t.nparams - 1, false
	}
	return 0, min(i+1, t.nparams-1), false
}

func indexedParam(n int32, last int) (Color, int, bool) {
	return Indexed(uint8(n)), last, n <= 255
}

func rgbParam(p []int32, last int) (Color, int, bool) {
	ok := p[0] <= 255 && p[1] <= 255 && p[2] <= 255
	return RGB(uint8(p[0]), uint8(p[1]), uint8(p[2])), last, ok
}

// setPenColor sets foreground, background or underline colour, by the number
// of SGR.
func (t *Terminal) setPenColor(n int, c Color) {
	switch n {
	case 38:
		t.pen.cell.FG = c
	case 48:
		t.pen.cell.BG = c
	case 58:
		if t.pen.ext.Underline != c {
			t.pen.ext.Underline = c
			t.pen.cell.SetExt(t.internExt(t.pen.ext))
		}
	}
}

// resetPen is SGR 0. Protection (DECSCA) and the hyperlink are not SGR's and
// stay.
func (t *Terminal) resetPen() {
	c := &t.pen.cell
	c.FG, c.BG = ColorDefault, ColorDefault
	c.At &^= AttrMask
	if t.pen.ext.Underline != 0 {
		t.setPenColor(58, ColorDefault)
	}
}

// setPen makes p the pen: its record may have to be interned anew.
func (t *Terminal) setPen(p pen) {
	t.pen = p
	t.pen.cell.SetExt(t.internExt(p.ext))
}

// setLink is OSC 8.
func (t *Terminal) setLink(id, uri string) {
	t.pen.ext.LinkID, t.pen.ext.LinkURI = id, uri
	t.pen.cell.SetExt(t.internExt(t.pen.ext))
}

const maxPenStack = 10 // as in xterm

// pushPen is XTPUSHSGR. Which attributes are pushed is not told apart: all are.
func (t *Terminal) pushPen() {
	if len(t.penStack) < maxPenStack {
		t.penStack = append(t.penStack, t.pen)
	}
}

// popPen is XTPOPSGR.
func (t *Terminal) popPen() {
	if n := len(t.penStack); n > 0 {
		p := t.penStack[n-1]
		t.penStack = t.penStack[:n-1]
		p.ext.LinkID, p.ext.LinkURI = t.pen.ext.LinkID, t.pen.ext.LinkURI
		t.setPen(p)
	}
}

// appendSGR writes the parameters that make a pen of style c, beginning with
// 0, as DECRQSS reports them.
func appendSGR(dst []byte, c Cell, e Ext) []byte {
	dst = append(dst, '0')
	for n, a := range sgrAttrs[:10] {
		if a.on != 0 && c.At&a.on != 0 && n != 6 {
			dst = append(dst, ';', byte('0'+n))
		}
		if n == 4 && c.Underline() != 0 {
			dst = append(dst, ';', '4')
			if u := c.Underline(); u != UnderlineSingle {
				dst = append(dst, ':', byte('0'+u))
			}
		}
	}
	if c.At&AttrOverline != 0 {
		dst = append(dst, ";53"...)
	}
	dst = appendSGRColor(dst, 30, c.FG)
	dst = appendSGRColor(dst, 40, c.BG)
	return appendSGRColor(dst, 50, e.Underline)
}

func appendSGRColor(dst []byte, base int, c Color) []byte {
	if i, ok := c.Index(); ok {
		switch {
		case base == 50 || i >= 16:
			return append(dst, ";"+itoa(base+8)+":5:"+itoa(int(i))...)
		case i >= 8:
			return append(dst, ";"+itoa(base+60+int(i)-8)...)
		}
		return append(dst, ";"+itoa(base+int(i))...)
	}
	if r, g, b, ok := c.RGB(); ok {
		return append(dst, ";"+itoa(base+8)+":2::"+itoa(int(r))+":"+itoa(int(g))+":"+itoa(int(b))...)
	}
	return dst
}
