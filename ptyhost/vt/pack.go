package vt

import (
	"encoding/binary"
	"errors"
	"unicode/utf8"
)

// A packed row is how rows leave the grid: in the scrollback, in updates, in
// snapshots and for whoever asks for text. It needs no table.
//
//	flags    u8       1 wrapped, 2 mark follows, 4 styles follow
//	cells    uvarint  columns up to the last that is not blank
//	mark     u8 u8    kinds, exit code; only with flag 2
//	length   uvarint  of text
//	text              for each cell a rune in UTF-8, or
//	                  00                a blank
//	                  01 rune           a wide character, two cells
//	                  02 uvarint bytes  a cluster
//	                  03 uvarint bytes  a wide cluster, two cells
//	                  04 uvarint        that many blanks
//	runs              until the cells are used up; only with flag 4
//	  count  uvarint
//	  head   u8       0..1 kind of foreground, 2..3 of background,
//	                  4 attributes follow, 5 extended record follows
//	  fg     u8, or 3 bytes, or nothing
//	  bg     likewise
//	  attrs  u16
//	  ext    u8       0: colour u32, id and link as uvarint and bytes follow,
//	                  n: the nth such record of this row
const (
	packWrapped = 1 << iota
	packMarked
	packStyled
)

const (
	opBlank byte = iota
	opWide
	opCluster
	opWideCluster
	opBlanks
)

const (
	headAttrs = 1 << 4
	headExt   = 1 << 5
	// maxRowExts is how many records a row refers back to.
	maxRowExts = 16
)

// appendRow packs r.
func appendRow(dst []byte, r *row, tab *Table) []byte {
	n := r.used
	for n > 0 && r.cells[n-1] == (Cell{}) {
		n--
	}
	r.used = n
	cells := r.cells[:n]
	var flags byte
	if r.wrap {
		flags |= packWrapped
	}
	if r.mark != 0 {
		flags |= packMarked
	}
	at := len(dst)
	dst = append(dst, flags)
	dst = binary.AppendUvarint(dst, uint64(n))
	if r.mark != 0 {
		dst = append(dst, byte(r.mark), r.exit)
	}
	// The length of ASCII text is known beforehand; else it is patched.
	lenAt := len(dst)
	dst = binary.AppendUvarint(dst, uint64(n))
	textAt := len(dst)
	var style Cell
	for i := 0; i < len(cells); i++ {
		c := cells[i]
		style.FG |= c.FG
		style.BG |= c.BG
		style.At |= c.At
		if c.Ch-0x20 < 0x5f {
			dst = append(dst, byte(c.Ch))
			continue
		}
		var last int
		dst, last = appendCellText(dst, cells, i, tab)
		for ; i < last; i++ {
			c = cells[i+1]
			style.FG |= c.FG
			style.BG |= c.BG
			style.At |= c.At
		}
	}
	if got := len(dst) - textAt; got != n {
		dst = patchLength(dst, lenAt, textAt, got)
	}
	if style != (Cell{}) {
		dst[at] |= packStyled
		dst = appendRuns(dst, cells, tab)
	}
	return dst
}

// appendCellText packs what is not ASCII and returns the last cell it covered.
func appendCellText(dst []byte, cells []Cell, i int, tab *Table) ([]byte, int) {
	c := cells[i]
	wide := c.Ch&CellWide != 0 && i+1 < len(cells) && cells[i+1].Ch&CellSpacer != 0
	switch {
	case c.Ch == 0 || c.Ch&CellSpacer != 0: // a spacer on its own is a blank
		n := 1
		for i+n < len(cells) && cells[i+n].Ch == 0 {
			n++
		}
		if n < 3 {
			return append(dst, opBlank), i
		}
		return binary.AppendUvarint(append(dst, opBlanks), uint64(n)), i + n - 1
	case c.Ch&CellCluster != 0:
		op := opCluster
		if wide {
			op = opWideCluster
		}
		s := tab.Cluster(c.Ch & CellRune)
		dst = binary.AppendUvarint(append(dst, op), uint64(len(s)))
		dst = append(dst, s...)
	case wide:
		dst = appendRune(append(dst, opWide), rune(c.Ch&CellRune))
	default:
		dst = appendRune(dst, rune(c.Ch&CellRune))
	}
	if wide {
		i++
	}
	return dst, i
}

// patchLength replaces the length of the text, which starts at textAt.
func patchLength(dst []byte, lenAt, textAt, n int) []byte {
	var b [binary.MaxVarintLen64]byte
	size := binary.PutUvarint(b[:], uint64(n))
	if d := size - (textAt - lenAt); d > 0 {
		dst = append(dst, b[:d]...)
		copy(dst[textAt+d:], dst[textAt:len(dst)-d])
	} else if d < 0 {
		copy(dst[textAt+d:], dst[textAt:])
		dst = dst[:len(dst)+d]
	}
	copy(dst[lenAt:], b[:size])
	return dst
}

func sameStyle(a, b Cell) bool { return a.FG == b.FG && a.BG == b.BG && a.At == b.At }

func appendRuns(dst []byte, cells []Cell, tab *Table) []byte {
	var exts [maxRowExts]uint16
	next := 0
	for i := 0; i < len(cells); {
		c := cells[i]
		j := i + 1
		for j < len(cells) && sameStyle(cells[j], c) {
			j++
		}
		dst = binary.AppendUvarint(dst, uint64(j-i))
		i = j
		at := len(dst)
		head := byte(c.FG>>24) | byte(c.BG>>24)<<2
		dst = append(dst, head)
		dst = appendColor(dst, c.FG)
		dst = appendColor(dst, c.BG)
		if a := uint16(c.At & 0xffff); a != 0 {
			dst[at] |= headAttrs
			dst = append(dst, byte(a), byte(a>>8))
		}
		if e := c.Ext(); e != 0 {
			dst[at] |= headExt
			k := 0
			for k < next && exts[k] != e {
				k++
			}
			if k < next {
				dst = append(dst, byte(k+1))
				continue
			}
			if next < maxRowExts {
				exts[next] = e
				next++
			}
			dst = appendExt(append(dst, 0), tab.Ext(e))
		}
	}
	return dst
}

func appendColor(dst []byte, c Color) []byte {
	switch c & colorKind {
	case colorIndexed:
		return append(dst, byte(c))
	case colorRGB:
		return append(dst, byte(c>>16), byte(c>>8), byte(c))
	}
	return dst
}

func appendExt(dst []byte, e Ext) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(e.Underline))
	dst = appendString(dst, e.LinkID)
	return appendString(dst, e.LinkURI)
}

func appendString(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

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
