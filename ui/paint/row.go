package paint

import (
	"unicode/utf8"

	"moorage/ptyhost/vt"
)

// Lengths from which another way than writing cell by cell pays.
const (
	eraseLineFrom = 5  // EL: CSI K, and a change of pen
	eraseFrom     = 12 // ECH: CSI n X, and the move behind it
	repeatFrom    = 8  // REP: CSI n b
	skipFrom      = 6  // a move over cells that are right already
)

// isBlank reports whether erasing makes the cell: nothing in it shows but its
// background.
func isBlank(c vt.Cell) bool { return c.Ch == 0 && c.At == 0 }

// canErase reports whether erasing gives background bg.
func (p *Painter) canErase(bg vt.Color) bool {
	return p.caps.BCE || p.palette.fit(bg).IsDefault()
}

// paintRow writes the difference between row y as shown and as wanted.
func (p *Painter) paintRow(dst []byte, y int) []byte {
	want, have := p.frame.Row(y), p.shown[y]
	have = have[:len(want)]
	first := 0
	for first < len(want) && want[first] == have[first] {
		first++
	}
	if first == len(want) {
		return dst
	}
	last := len(want) - 1
	for want[last] == have[last] {
		last--
	}
	tail := p.blankTail(want, first)
	if last-tail+1 < eraseLineFrom {
		tail = len(want)
	}
	end := min(last+1, tail)
	for x := first; x < end; {
		if want[x] == have[x] {
			x++
			continue
		}
		dst, x = p.paintRun(dst, want, have, x, y, end)
	}
	if tail < len(want) && last >= tail {
		dst = p.moveTo(dst, tail, y)
		dst = p.erasePen(dst, want[tail].BG)
		dst = append(dst, "\x1b[K"...)
	}
	copy(have, want)
	return dst
}

// blankTail is the column from which EL gives the rest of the row; the width
// if that is not before the end.
func (p *Painter) blankTail(want []vt.Cell, first int) int {
	tail := len(want)
	bg := want[tail-1].BG
	for tail > first && isBlank(want[tail-1]) && want[tail-1].BG == bg {
		tail--
	}
	if tail < len(want) && !p.canErase(bg) {
		return len(want)
	}
	return tail
}

// erasePen makes erased cells have background bg. Terminals disagree on what
// inverse does to that, so that it must be off.
func (p *Painter) erasePen(dst []byte, bg vt.Color) []byte {
	c := vt.Cell{FG: p.pen.fg, BG: bg, At: p.pen.at}
	if c.At&vt.AttrInverse != 0 {
		c.FG, c.At = vt.ColorDefault, 0
	}
	return p.setPen(dst, c)
}

// paintRun writes cells from x on until some that need not be written, and
// returns the column after them.
func (p *Painter) paintRun(dst []byte, want, have []vt.Cell, x, y, end int) ([]byte, int) {
	dst = p.bridge(dst, want, x, y)
	for x < end {
		c := want[x]
		if c == have[x] {
			return dst, x
		}
		if plain(c) && x == p.x && c.FG == p.pen.fg && c.BG == p.pen.bg && c.At == p.pen.at && (x+1 == end || want[x+1] != c) {
			dst = append(dst, byte(c.Ch)) // most cells of most frames
			x++
			p.advance(x, 0)
			continue
		}
		if c.Ch&vt.CellSpacer != 0 {
			x++ // written with its first half
			continue
		}
		if c.Ch >= firstMark && x > 0 && p.x == x && p.y == y && p.joins(want, x) {
			p.x = unknown // a move keeps the two apart
		}
		if n := runLen(want, x, end); n >= repeatFrom {
			if x+n < len(have) && have[x+n].Ch&vt.CellSpacer != 0 {
				n-- // an erase would leave half a wide character
			}
			var done bool
			if dst, done = p.paintRepeat(dst, c, x, y, n); done {
				x += n
				continue
			}
		}
		if c.Ch&(vt.CellCluster|vt.CellWide) != 0 || c.Ch >= firstEmoji || lone(rune(c.Ch)) {
			var dirty int
			dst, dirty = p.paintWide(dst, c, x, y)
			x += c.Width()
			for i := x; i < min(x+dirty, len(want)); i++ {
				have[i] = void // the terminal may have drawn over it
				end = max(end, i+1)
			}
			continue
		}
		dst = p.paintCell(dst, c, x, y)
		x++
	}
	return dst, x
}

// firstMark is the first character that may continue what is before it.
const firstMark = 0x300

// joins reports whether a terminal would draw the text of cell x into the one
// before it: a mark that stands alone, half a flag or of a Hangul syllable.
func (p *Painter) joins(want []vt.Cell, x int) bool {
	before := want[x-1]
	if before.Ch&vt.CellSpacer != 0 && x > 1 {
		before = want[x-2]
	}
	r := rune(want[x].Ch & vt.CellRune)
	if want[x].Ch&vt.CellCluster != 0 {
		r, _ = utf8.DecodeRuneInString(p.frame.table.Cluster(want[x].Ch & vt.CellRune))
	}
	p.cluster = p.frame.table.AppendText(p.cluster[:0], before)
	return vt.Joins(p.cluster, r)
}

// plain reports whether the cell is one ASCII character that shows.
func plain(c vt.Cell) bool { return c.Ch-1 < 0x7e }

// bridge moves to x, over cells that are right already. A few plain ones in
// the pen's own style are written again instead: that is shorter.
func (p *Painter) bridge(dst []byte, want []vt.Cell, x, y int) []byte {
	if p.y != y || p.x == unknown || p.x >= x || x-p.x >= skipFrom {
		return p.moveTo(dst, x, y)
	}
	for _, c := range want[p.x:x] {
		if c.Ch >= 0x7f || c.BG != p.pen.bg || c.At != p.pen.at || c.FG != p.pen.fg && c.Ch != 0 {
			return p.moveTo(dst, x, y)
		}
	}
	if x-p.x > 3+digits(x-p.x) {
		return p.moveTo(dst, x, y)
	}
	for _, c := range want[p.x:x] {
		dst = append(dst, max(byte(c.Ch), ' '))
	}
	p.x = x
	return dst
}

// runLen is how many cells from x on are equal to it, if they could be
// repeated or erased.
func runLen(want []vt.Cell, x, end int) int {
	c := want[x]
	if c.Ch&^vt.CellRune != 0 {
		return 1
	}
	n := 1
	for x+n < end && want[x+n] == c {
		n++
	}
	return n
}

// paintRepeat writes n equal cells by ECH or REP, if one of them will do.
func (p *Painter) paintRepeat(dst []byte, c vt.Cell, x, y, n int) ([]byte, bool) {
	if isBlank(c) && p.caps.ECH && n >= eraseFrom && p.canErase(c.BG) {
		dst = p.moveTo(dst, x, y)
		dst = p.erasePen(dst, c.BG)
		return appendCSI(dst, n, 'X'), true
	}
	if !p.caps.REP || c.Ch >= utf8.RuneSelf { // tmux repeats ASCII only
		return dst, false
	}
	dst = p.paintCell(dst, c, x, y)
	dst = appendCSI(dst, n-1, 'b')
	p.advance(x, n)
	return dst, true
}

// paintCell writes a cell of one narrow rune.
func (p *Painter) paintCell(dst []byte, c vt.Cell, x, y int) []byte {
	if p.x != x || p.y != y {
		dst = p.moveTo(dst, x, y)
	}
	if c.FG != p.pen.fg || c.BG != p.pen.bg || c.At != p.pen.at {
		dst = p.penFor(dst, c)
	}
	switch r := c.Ch & vt.CellRune; {
	case r == 0:
		dst = append(dst, ' ')
	case r < utf8.RuneSelf:
		dst = append(dst, byte(r))
	default:
		dst = utf8.AppendRune(dst, rune(r))
	}
	p.advance(x, 1)
	return dst
}

// penFor is setPen, but for a blank, on which a foreground or bold does not
// show, it changes no more than what does.
func (p *Painter) penFor(dst []byte, c vt.Cell) []byte {
	if c.Ch == 0 && (c.At|p.pen.at)&onBlank == 0 && c.At>>16 == p.pen.at>>16 {
		c.FG, c.At = p.pen.fg, p.pen.at
	}
	return p.setPen(dst, c)
}

// advance is what writing n columns at x does to the cursor. After the last
// column a wrap is pending, of which terminals differ on what ends it.
func (p *Painter) advance(x, n int) {
	p.x = x + n
	if p.x >= p.cols {
		p.x = unknown
	}
}

// paintWide writes a cell that may be wide or a cluster. If the terminal may
// measure it otherwise, the cells under it are blanked first, the cursor is
// placed anew after it, and dirty says how many cells behind it may have been
// drawn over.
func (p *Painter) paintWide(dst []byte, c vt.Cell, x, y int) (_ []byte, dirty int) {
	table := p.frame.table
	w := c.Width()
	a := agreed
	if !p.caps.UnicodeCore {
		if c.Ch&vt.CellCluster != 0 {
			text := table.Cluster(c.Ch & vt.CellRune)
			if a = agreementOn(text, w); a == disputed {
				dirty = max(sumOfWidths(text)-w, 0)
			}
		} else if r := rune(c.Ch & vt.CellRune); lone(r) {
			a = disputed
		} else if r >= firstEmoji {
			a = newer
		}
	}
	dst = p.moveTo(dst, x, y)
	dst = p.setPen(dst, c)
	if a == disputed {
		for range w {
			dst = append(dst, ' ')
		}
		p.advance(x, w)
		dst = p.moveTo(dst, x, y)
	}
	if x+w+dirty > p.cols {
		// Measured so, it would go on in the next row.
		dst = append(dst, "\x1b[?7l"...)
		dst = table.AppendText(dst, c)
		dst = append(dst, "\x1b[?7h"...)
	} else {
		dst = table.AppendText(dst, c)
	}
	p.advance(x, w)
	if a != agreed {
		p.x = unknown
	}
	return dst, dirty
}
