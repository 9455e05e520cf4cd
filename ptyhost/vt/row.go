package vt

// row is one line of a screen. Its blank tail is not touched: cells from used
// on are zero. Rows are handed around by pointer, so that scrolling moves
// pointers.
type row struct {
	cells []Cell
	used  int    // no cell at or past it differs from the zero Cell
	rev   uint64 // the terminal's revision at the last change
	wrap  bool   // the line goes on in the next row (soft wrap)
	wide  bool   // may hold wide characters: only then halves are repaired
	mark  Mark
	exit  uint8 // exit code, with MarkEnd
}

// Mark says which parts of a shell's dialogue begin on a row (OSC 133).
type Mark uint8

// The marks, with the letters of OSC 133 (FinalTerm's semantic prompts).
const (
	MarkPrompt Mark = 1 << iota // A: a prompt
	MarkInput                   // B: what the user types
	MarkOutput                  // C: the command's output
	MarkEnd                     // D: the command is over
)

// reset makes the row blank in background bg.
func (r *row) reset(bg Color) {
	r.clear(0, len(r.cells), Cell{BG: bg})
	r.wrap, r.wide, r.mark, r.exit = false, false, 0, 0
}

// clear fills cells x0..x1-1 with blank, which has no character. It does not
// repair halves of wide characters: see splitWide.
func (r *row) clear(x0, x1 int, blank Cell) {
	if blank == (Cell{}) {
		if x0 < r.used {
			clear(r.cells[x0:min(x1, r.used)])
			if x1 >= r.used {
				r.used = x0
			}
		}
		return
	}
	s := r.cells[x0:x1]
	for i := range s {
		s[i] = blank
	}
	r.used = max(r.used, x1)
}

// splitWide blanks the wide character that column x would cut in two, if
// there is one: its first half is at x-1, its second at x.
func (r *row) splitWide(x int) {
	if !r.wide || x <= 0 || x >= len(r.cells) || r.cells[x].Ch&CellSpacer == 0 {
		return
	}
	r.blankText(x - 1)
	r.blankText(x)
}

// blankText removes the character of a cell and keeps its colours.
func (r *row) blankText(x int) {
	c := &r.cells[x]
	*c = Cell{BG: c.BG}
}

// shift moves cells x0..x1-1 by n columns, right if n is positive, within
// those bounds, and fills what comes free with blank.
func (r *row) shift(x0, x1, n int, blank Cell) {
	w := x1 - x0
	switch {
	case n >= w || -n >= w:
		r.splitWide(x0)
		r.splitWide(x1)
		r.clear(x0, x1, blank)
	case n > 0:
		r.splitWide(x0)
		r.splitWide(x1 - n)
		r.splitWide(x1)
		copy(r.cells[x0+n:x1], r.cells[x0:x1-n])
		r.used = max(r.used, min(r.used+n, x1))
		r.clear(x0, x0+n, blank)
	case n < 0:
		n = -n
		r.splitWide(x0)
		r.splitWide(x0 + n)
		r.splitWide(x1)
		copy(r.cells[x0:x1-n], r.cells[x0+n:x1])
		if x0 < r.used {
			r.used = max(r.used, min(r.used, x1))
		}
		r.clear(x1-n, x1, blank)
	}
}

// text appends what the row shows, without trailing blanks.
func (r *row) text(dst []byte, tab *Table) []byte {
	n := len(dst)
	for _, c := range r.cells[:r.used] {
		dst = tab.AppendText(dst, c)
	}
	for len(dst) > n && dst[len(dst)-1] == ' ' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// grid returns n blank rows of the given width over one piece of memory.
func grid(cols, n int) []*row {
	cells := make([]Cell, cols*n)
	rows := make([]row, n)
	out := make([]*row, n)
	for i := range rows {
		rows[i].cells = cells[i*cols : (i+1)*cols : (i+1)*cols]
		out[i] = &rows[i]
	}
	return out
}
