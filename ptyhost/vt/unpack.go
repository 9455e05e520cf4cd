package vt

import (
	"errors"
	"unicode/utf8"
)

// errPacked is what every malformed update, row or snapshot comes to.
var errPacked = errors.New("malformed packed data")

// rowHead is what a packed row says beside its cells.
type rowHead struct {
	wrap  bool
	wide  bool
	cells int
	mark  Mark
	exit  uint8
}

// readHead reads up to the text, which it returns with the runs behind it.
func (d *decoder) rowHead() (h rowHead, flags byte) {
	flags = d.u8()
	h.wrap = flags&packWrapped != 0
	h.cells = d.int(MaxCols)
	if flags&packMarked != 0 {
		h.mark, h.exit = Mark(d.u8()), d.u8()
	}
	if flags&^(packWrapped|packMarked|packStyled) != 0 {
		d.fail()
	}
	return h, flags
}

// row reads one packed row into cells, which it grows as needed and returns.
// Cells past the row's own are not touched.
func (d *decoder) row(cells []Cell, tab *Table) (rowHead, []Cell) {
	h, flags := d.rowHead()
	text := d.bytes(d.int(maxRowText))
	if d.err != nil {
		return rowHead{}, cells
	}
	if cap(cells) < h.cells {
		cells = make([]Cell, h.cells, max(h.cells, 2*cap(cells)))
	}
	cells = cells[:h.cells]
	if !d.cellTexts(cells, text, tab, &h) {
		d.fail()
		return rowHead{}, cells
	}
	if flags&packStyled != 0 {
		d.runs(cells, tab)
	}
	return h, cells
}

// maxRowText bounds the text of a row: each cell's cluster and its head.
const maxRowText = MaxCols * (maxClusterBytes + 4)

func (d *decoder) cellTexts(cells []Cell, text []byte, tab *Table, h *rowHead) bool {
	x := 0
	for i := 0; i < len(text); {
		if x >= len(cells) {
			return false
		}
		b := text[i]
		if b-0x20 < 0x5f {
			cells[x] = Cell{Ch: uint32(b)}
			x++
			i++
			continue
		}
		sub := decoder{b: text[i:]}
		c, n, wide := sub.cellText(b, tab)
		if sub.err != nil || n > len(cells)-x {
			return false
		}
		i = len(text) - len(sub.b)
		if wide {
			if x+2 > len(cells) {
				return false
			}
			c.Ch |= CellWide
			cells[x], cells[x+1] = c, Cell{Ch: CellSpacer}
			x += 2
			h.wide = true
			continue
		}
		for ; n > 0; n-- {
			cells[x] = c
			x++
		}
	}
	return x == len(cells)
}

// cellText reads one unit of text that begins with b: a cell, how many such
// cells, and whether it is wide.
func (d *decoder) cellText(b byte, tab *Table) (c Cell, n int, wide bool) {
	switch b {
	case opBlank:
		d.u8()
		return Cell{}, 1, false
	case opBlanks:
		d.u8()
		return Cell{}, d.int(MaxCols), false
	case opCluster, opWideCluster:
		d.u8()
		s := d.bytes(d.int(maxClusterBytes))
		if len(s) == 0 || !utf8.Valid(s) {
			d.fail()
			return Cell{}, 1, false
		}
		i, ok := tab.internBytes(s)
		c.Ch = CellCluster | i
		if !ok {
			r, _ := utf8.DecodeRune(s)
			c.Ch = uint32(r)
		}
		return c, 1, b == opWideCluster
	case opWide:
		d.u8()
		wide = true
	}
	c.Ch = uint32(d.rune())
	return c, 1, wide
}

func (d *decoder) runs(cells []Cell, tab *Table) {
	var exts [maxRowExts]uint16
	next := 0
	for x := 0; x < len(cells); {
		n := d.int(len(cells) - x)
		head := d.u8()
		fg := d.color(head & 3)
		bg := d.color(head >> 2 & 3)
		var at uint32
		if head&headAttrs != 0 {
			at = uint32(d.u8())
			at |= uint32(d.u8()) << 8
		}
		if head&headExt != 0 {
			var e uint16
			if k := int(d.u8()); k == 0 {
				e, _ = tab.InternExt(d.ext())
				if next < maxRowExts {
					exts[next] = e
					next++
				}
			} else if k <= next {
				e = exts[k-1]
			} else {
				d.fail()
			}
			at |= uint32(e) << extShift
		}
		if d.err != nil || n == 0 {
			d.fail()
			return
		}
		for i := x; i < x+n; i++ {
			cells[i].FG, cells[i].BG, cells[i].At = fg, bg, at
		}
		x += n
	}
}

func (d *decoder) color(kind byte) Color {
	switch kind {
	case 1:
		return Indexed(d.u8())
	case 2:
		return RGB(d.u8(), d.u8(), d.u8())
	case 3:
		d.fail()
	}
	return ColorDefault
}

// storedColor reads a colour as the number that it is in memory.
func (d *decoder) storedColor() Color {
	c := Color(d.u32())
	_, indexed := c.Index()
	_, _, _, rgb := c.RGB()
	if c != 0 && !rgb && !(indexed && c&^colorKind <= 255) {
		d.fail()
		return ColorDefault
	}
	return c
}

func (d *decoder) ext() Ext {
	var e Ext
	e.Underline = d.storedColor()
	e.LinkID = d.string(maxLinkID)
	e.LinkURI = d.string(maxLinkURI)
	return e
}
