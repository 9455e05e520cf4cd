package vt

import (
	"encoding/binary"
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
	// A row is cut to what keeps an update of the largest screen below 16 MiB:
	// past maxClusterText bytes of text its clusters become their first runes,
	// past maxRowLinks bytes its links are none.
	maxClusterText = 4 << 10
	maxRowLinks    = 4 << 10
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
		dst, last = appendCellText(dst, cells, i, tab, maxClusterText-(len(dst)-textAt))
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
// A cluster of more than room bytes is cut to its first rune.
func appendCellText(dst []byte, cells []Cell, i int, tab *Table, room int) ([]byte, int) {
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
		if len(s) > room {
			if wide {
				dst = append(dst, opWide)
			}
			dst = appendRune(dst, rune(firstRune(s)))
			break
		}
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
	links := 0
	for i := 0; i < len(cells); {
		c := cells[i]
		j := i + 1
		for j < len(cells) && sameStyle(cells[j], c) {
			j++
		}
		if j-i < 0x80 {
			dst = append(dst, byte(j-i))
		} else {
			dst = binary.AppendUvarint(dst, uint64(j-i))
		}
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
			ext := tab.Ext(e)
			if links += ext.linkBytes(); links > maxRowLinks {
				links -= ext.linkBytes()
				ext.LinkID, ext.LinkURI = "", ""
			}
			dst = appendExt(append(dst, 0), ext)
		}
	}
	return dst
}

func appendColor(dst []byte, c Color) []byte {
	switch {
	case c == ColorDefault:
		return dst
	case c&colorKind == colorRGB:
		return append(dst, byte(c>>16), byte(c>>8), byte(c))
	}
	return append(dst, byte(c))
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
