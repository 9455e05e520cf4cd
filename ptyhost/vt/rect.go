package vt

import "fmt"

// Rectangular areas (VT420; DEC STD 070 chapter on rectangular area
// operations). Coordinates count from 1, within the margins in origin mode.

// rect is corners, empty if they make no rectangle.
func (t *Terminal) rect(i int) (y0, x0, y1, x1 int) {
	y0, x0, y1, x1 = t.corners(i)
	if y0 >= y1 || x0 >= x1 {
		return 0, 0, 0, 0
	}
	return y0, x0, y1, x1
}

// corners reads top, left, bottom, right from parameter i on, as half-open
// bounds from 0 that stay within the screen.
func (t *Terminal) corners(i int) (y0, x0, y1, x1 int) {
	ox, oy := t.origin()
	maxX, maxY := t.cols, t.rows
	if t.flags&flagOrigin != 0 {
		maxX, maxY = t.right+1, t.bottom+1
	}
	y0 = min(oy+t.param(i, 1)-1, maxY)
	x0 = min(ox+t.param(i+1, 1)-1, maxX)
	y1 = min(oy+t.param(i+2, maxParam), maxY)
	x1 = min(ox+t.param(i+3, maxParam), maxX)
	return y0, x0, y1, x1
}

// fillRect is DECFRA: the character comes first, in the pen's style.
func (t *Terminal) fillRect() {
	ch := t.param(0, 0)
	if ch < 0x20 || ch == 0x7f || ch > 0xff || ch > 0x7e && ch < 0xa0 {
		return
	}
	c := t.pen.cell
	c.Ch = uint32(ch)
	y0, x0, y1, x1 := t.rect(1)
	for _, r := range t.on.rows[y0:y1] {
		t.touch(r)
		r.splitWide(x0)
		r.splitWide(x1)
		r.clear(x0, x1, c)
	}
}

// eraseRect is DECERA, and DECSERA if selective.
func (t *Terminal) eraseRect(selective bool) {
	y0, x0, y1, x1 := t.rect(0)
	for y := y0; y < y1; y++ {
		t.eraseCells(y, x0, x1, t.guarded(selective))
	}
}

// copyRect is DECCRA. Source and target may overlap; pages do not count.
func (t *Terminal) copyRect() {
	y0, x0, y1, x1 := t.rect(0)
	ox, oy := t.origin()
	ty, tx := oy+t.param(5, 1)-1, ox+t.param(6, 1)-1
	maxX, maxY := t.cols, t.rows
	if t.flags&flagOrigin != 0 {
		maxX, maxY = t.right+1, t.bottom+1
	}
	h, w := min(y1-y0, maxY-ty), min(x1-x0, maxX-tx)
	if h <= 0 || w <= 0 {
		return
	}
	src := make([]Cell, 0, h*w)
	wide := false
	for _, r := range t.on.rows[y0 : y0+h] {
		src = append(src, r.cells[x0:x0+w]...)
		wide = wide || r.wide
	}
	for i := range h {
		r := t.on.rows[ty+i]
		t.touch(r)
		r.splitWide(tx)
		r.splitWide(tx + w)
		copy(r.cells[tx:], src[i*w:(i+1)*w])
		r.used = max(r.used, tx+w)
		if wide {
			r.wide = true
			r.mendEdges(tx, tx+w)
		}
	}
}

// mendEdges blanks halves of wide characters at the edges of cells x0..x1-1,
// whose other half did not come along.
func (r *row) mendEdges(x0, x1 int) {
	if c := r.cells[x0]; c.Ch&CellSpacer != 0 && (x0 == 0 || r.cells[x0-1].Ch&CellWide == 0) {
		r.blankText(x0)
	}
	if c := r.cells[x1-1]; c.Ch&CellWide != 0 && (x1 == len(r.cells) || r.cells[x1].Ch&CellSpacer == 0) {
		r.blankText(x1 - 1)
	}
}

// changeAttributes is DECCARA, which sets or clears attributes, and DECRARA,
// which turns them over. DECSACE says whether the area is the rectangle or the
// text from its first corner to its last.
func (t *Terminal) changeAttributes(reverse bool) {
	set, off := t.rectAttrs(reverse)
	y0, x0, y1, x1 := t.corners(0)
	if y0 >= y1 || x0 >= x1 && (t.rectEx || y0+1 == y1) {
		return
	}
	for y := y0; y < y1; y++ {
		from, to := x0, x1
		if !t.rectEx {
			if y > y0 {
				from = 0
			}
			if y < y1-1 {
				to = t.cols
			}
		}
		r := t.on.rows[y]
		t.touch(r)
		for x := from; x < to; x++ {
			c := &r.cells[x]
			if c.Ch == 0 && !t.rectEx {
				continue // no character was written here
			}
			if reverse {
				c.At ^= set
				continue
			}
			c.At = c.At&^off | set
		}
		r.used = max(r.used, to)
	}
}

// rectAttrs reads the attributes of DECCARA and DECRARA, from parameter 4 on.
func (t *Terminal) rectAttrs(reverse bool) (set, off uint32) {
	const all = AttrBold | AttrBlink | AttrInverse | AttrInvisible | underlineMask
	if t.nparams <= 4 {
		if reverse {
			return AttrBold | AttrBlink | AttrInverse | uint32(UnderlineSingle)<<underlineShift, 0
		}
		return 0, all
	}
	for _, p := range t.params[4:t.nparams] {
		switch {
		case p == 0 && reverse:
			set = AttrBold | AttrBlink | AttrInverse | uint32(UnderlineSingle)<<underlineShift
		case p == 0:
			set, off = 0, all
		case p == 4:
			set |= uint32(UnderlineSingle) << underlineShift
			off |= underlineMask
		case p == 24 && !reverse:
			set &^= underlineMask
			off |= underlineMask
		case int(p) < len(sgrAttrs):
			a := sgrAttrs[p]
			if reverse {
				set |= a.on
				continue
			}
			set = set&^a.off | a.on
			off = off&^a.on | a.off
		}
	}
	return set, off
}

// reportChecksum is DECRQCRA: the negated sum of the characters and attributes
// of an area, as the VT525 computes it. Blank cells count as spaces.
func (t *Terminal) reportChecksum() {
	y0, x0, y1, x1 := t.rect(2)
	if t.nparams <= 2 {
		y0, x0, y1, x1 = 0, 0, t.rows, t.cols
	}
	var sum uint16
	for y := y0; y < y1; y++ {
		for _, c := range t.on.rows[y].cells[x0:x1] {
			sum += cellChecksum(c)
		}
	}
	t.reply(fmt.Sprintf("\x1bP%d!~%04X\x1b\\", t.param(0, 0), -sum))
}

func cellChecksum(c Cell) uint16 {
	v := uint16(c.Ch & CellRune)
	if v == 0 {
		v = ' '
	}
	for _, a := range [...]struct {
		mask uint32
		add  uint16
	}{
		{AttrProtected, 0x04},
		{AttrInvisible, 0x08},
		{underlineMask, 0x10},
		{AttrInverse, 0x20},
		{AttrBlink, 0x40},
		{AttrBold, 0x80},
	} {
		if c.At&a.mask != 0 {
			v += a.add
		}
	}
	return v
}

// reportRectSGR is XTREPORTSGR: what all cells of a rectangle have in common.
func (t *Terminal) reportRectSGR() {
	y0, x0, y1, x1 := t.rect(0)
	if y0 == y1 {
		t.reply("\x1b[0m")
		return
	}
	common := t.on.rows[y0].cells[x0]
	ext := t.table.Ext(common.Ext())
	for _, r := range t.on.rows[y0:y1] {
		for _, c := range r.cells[x0:x1] {
			common.At &= c.At
			if c.FG != common.FG {
				common.FG = ColorDefault
			}
			if c.BG != common.BG {
				common.BG = ColorDefault
			}
			if t.table.Ext(c.Ext()).Underline != ext.Underline {
				ext = Ext{}
			}
		}
	}
	t.reply("\x1b[", string(appendSGR(nil, common, ext)), "m")
}
