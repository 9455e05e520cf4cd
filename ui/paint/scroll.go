package paint

import (
	"slices"

	"moorage/ptyhost/vt"
)

// Scrolling moves whole rows of the terminal in a few bytes, where the frame
// has them at another height.
const (
	minScroll   = 3  // rows
	scrollSaves = 40 // bytes, or it is not worth its own
)

// scroll looks at each run of changed rows for rows that the terminal shows
// elsewhere, and moves them.
func (p *Painter) scroll(dst []byte) []byte {
	f := p.frame
	for y := 0; y < f.rows; {
		if f.rev[y] <= p.seen {
			y++
			continue
		}
		end := y + 1
		for end < f.rows && f.rev[end] > p.seen {
			end++
		}
		if end-y >= minScroll {
			var done int
			dst, done = p.scrollRun(dst, y, end)
			end = max(end, done)
		}
		y = end
	}
	return dst
}

// scrollRun tries some rows of y..end. It returns the row after what it moved.
func (p *Painter) scrollRun(dst []byte, y, end int) ([]byte, int) {
	n := end - y
	for _, sample := range [...]int{y + n/2, y + n/4, y + 3*n/4} {
		row := p.frame.Row(sample)
		if slices.Equal(row, p.shown[sample]) || allBlank(row) {
			continue
		}
		for shift := 1; shift < n; shift++ {
			for _, k := range [...]int{shift, -shift} {
				from := sample + k
				if from < 0 || from >= p.rows || !slices.Equal(row, p.shown[from]) {
					continue
				}
				a, b := p.block(sample, k)
				if b-a+1 < minScroll || p.savings(a, b, k) < scrollSaves {
					continue
				}
				return p.shift(dst, a, b, k), max(b, b+k) + 1
			}
		}
	}
	return dst, end
}

// block is the widest range of rows around sample that are shown k rows
// further down.
func (p *Painter) block(sample, k int) (a, b int) {
	moved := func(y int) bool {
		return y >= 0 && y < p.rows && y+k >= 0 && y+k < p.rows && slices.Equal(p.frame.Row(y), p.shown[y+k])
	}
	for a = sample; moved(a - 1); a-- {
	}
	for b = sample; moved(b + 1); b++ {
	}
	return a, b
}

// savings is about how many bytes need not be written if rows a..b are moved.
func (p *Painter) savings(a, b, k int) int {
	saved := 0
	for y := a; y <= b; y++ {
		saved += differing(p.frame.Row(y), p.shown[y])
	}
	gap, end := b+1, b+k // the rows that the scroll leaves blank
	if k < 0 {
		gap, end = a+k, a-1
	}
	for y := gap; y <= end; y++ {
		saved += differing(p.frame.Row(y), p.shown[y]) - filled(p.frame.Row(y))
	}
	return saved
}

// differing is about what writing b over a costs: a byte a cell, and a move
// for each piece.
func differing(a, b []vt.Cell) (n int) {
	same := true
	for i := range a {
		if a[i] == b[i] {
			same = true
			continue
		}
		if same {
			n += skipFrom
		}
		n, same = n+1, false
	}
	return n
}

func filled(row []vt.Cell) (n int) {
	for _, c := range row {
		if c != (vt.Cell{}) {
			n++
		}
	}
	return n
}

func allBlank(row []vt.Cell) bool {
	for i := range row {
		if row[i] != (vt.Cell{}) {
			return false
		}
	}
	return true
}

// shift moves rows a+k..b+k of the terminal to a..b: margins (DECSTBM), then
// lines deleted or inserted at the top (DL, IL), which more terminals have
// than SU and SD.
func (p *Painter) shift(dst []byte, a, b, k int) []byte {
	top, bottom := min(a, a+k), max(b, b+k)
	dst = p.erasePen(dst, vt.ColorDefault)
	whole := top == 0 && bottom == p.rows-1
	if !whole {
		dst = append(dst, 0x1b, '[')
		if top > 0 {
			dst = appendInt(dst, top+1)
		}
		dst = append(dst, ';')
		dst = appendInt(dst, bottom+1)
		dst = append(dst, 'r')
		p.x, p.y = 0, 0 // DECSTBM homes the cursor
	}
	dst = p.moveTo(dst, 0, top)
	rows := p.shown[top : bottom+1]
	if k > 0 {
		dst = appendCSI(dst, k, 'M')
		rotate(rows, k)
		for _, row := range rows[len(rows)-k:] {
			clear(row)
		}
	} else {
		dst = appendCSI(dst, -k, 'L')
		rotate(rows, len(rows)+k)
		for _, row := range rows[:-k] {
			clear(row)
		}
	}
	if !whole {
		dst = append(dst, "\x1b[r"...)
		p.x, p.y = 0, 0
	}
	for y := top; y <= bottom; y++ {
		p.compare[y] = true
	}
	return dst
}

// rotate makes rows[n] the first.
func rotate(rows [][]vt.Cell, n int) {
	slices.Reverse(rows[:n])
	slices.Reverse(rows[n:])
	slices.Reverse(rows)
}

// eraseBelow clears from a row down by one ED, where the frame is blank there
// and the terminal is not.
func (p *Painter) eraseBelow(dst []byte) []byte {
	f := p.frame
	top := f.rows
	for top > 0 && allBlank(f.Row(top-1)) {
		top--
	}
	dirty := 0
	for y := top; y < f.rows; y++ {
		if !allBlank(p.shown[y]) {
			dirty++
		}
	}
	if dirty < 2 {
		return dst
	}
	dst = p.moveTo(dst, 0, top)
	dst = p.erasePen(dst, vt.ColorDefault)
	dst = append(dst, "\x1b[J"...)
	for y := top; y < f.rows; y++ {
		clear(p.shown[y])
	}
	return dst
}
