package vt

import (
	"encoding/binary"
	"strings"
)

// Rows by absolute number: the scrollback from first to end, then the screen.
// A number keeps to its row while output goes on. A change of width gives the
// scrollback new numbers the next time somebody looks at it; Mirror.Epoch and
// RemapRow tell.

// Row is a row as it is outside of a terminal.
type Row struct {
	Cells   []Cell // without the blank tail
	Wrapped bool   // the line goes on in the next row
	Abs     uint64
	Mark    Mark
	Exit    int // the exit code, with MarkEnd
}

// History returns the numbers of the oldest row of scrollback and of the
// screen's first row.
func (t *Terminal) History() (first, end uint64) {
	t.settleHistory()
	return t.history.first, t.history.end
}

// maxAppendRows bounds an answer of AppendRows.
const maxAppendRows = 4096

// AppendRows packs up to n rows from first on, at most 4096; numbers outside
// of what there is are left out.
//
//	first  uvarint  number of the first row
//	count  uvarint
//	rows            packed
func (t *Terminal) AppendRows(dst []byte, first uint64, n int) []byte {
	t.settleHistory()
	h := &t.history
	last := h.end + uint64(t.rows)
	if first < h.first {
		n -= int(min(h.first-first, maxAppendRows))
		first = h.first
	}
	first = min(first, last)
	n = min(max(n, 0), maxAppendRows, int(last-first))
	dst = binary.AppendUvarint(dst, first)
	dst = appendInt(dst, n)
	for abs := first; abs < first+uint64(n); abs++ {
		if abs < h.end {
			dst = append(dst, h.row(abs)...)
		} else {
			dst = appendRow(dst, t.on.rows[abs-h.end], &t.table)
		}
	}
	return dst
}

// DecodeRows reads what AppendRows wrote; its cells are for tab.
func DecodeRows(b []byte, tab *Table) ([]Row, error) {
	d := decoder{b: b}
	abs := d.uint()
	n := d.int(maxAppendRows)
	if d.err != nil || n > len(d.b) {
		return nil, errPacked
	}
	out := make([]Row, 0, n)
	for range n {
		h, cells := d.row(nil, tab)
		if d.err != nil {
			return nil, d.err
		}
		out = append(out, Row{Cells: cells, Wrapped: h.wrap, Abs: abs, Mark: h.mark, Exit: int(h.exit)})
		abs++
	}
	if len(d.b) > 0 {
		return nil, errPacked
	}
	return out, nil
}

// RowText returns the text of a row without trailing blanks. It is false if
// there is no such row.
func (t *Terminal) RowText(abs uint64) (string, bool) {
	t.settleHistory()
	b, _, ok := t.appendRowText(nil, abs)
	return strings.TrimRight(string(b), " "), ok
}

// ScreenText returns the rows of the screen without trailing blanks.
func (t *Terminal) ScreenText() []string {
	out := make([]string, len(t.on.rows))
	for y, r := range t.on.rows {
		out[y] = string(r.text(nil, &t.table))
	}
	return out
}

// appendRowText appends all of a row's text and reports whether the line goes
// on.
func (t *Terminal) appendRowText(dst []byte, abs uint64) (text []byte, wrap, ok bool) {
	h := &t.history
	switch {
	case abs < h.first || abs >= h.end+uint64(t.rows):
		return dst, false, false
	case abs < h.end:
		dst, wrap = appendPackedText(dst, h.row(abs))
		return dst, wrap, true
	}
	r := t.on.rows[abs-h.end]
	for _, c := range r.cells[:r.used] {
		dst = t.table.AppendText(dst, c)
	}
	return dst, r.wrap, true
}

// appendPackedText appends the text of a packed row without decoding cells.
func appendPackedText(dst, packed []byte) ([]byte, bool) {
	d := decoder{b: packed}
	h, _ := d.rowHead()
	text := d.bytes(d.int(maxRowText))
	for len(text) > 0 {
		b := text[0]
		if b >= 0x20 {
			dst = append(dst, b)
			text = text[1:]
			continue
		}
		text = text[1:]
		switch b {
		case opBlank:
			dst = append(dst, ' ')
		case opBlanks:
			n, size := binary.Uvarint(text)
			for range min(n, MaxCols) {
				dst = append(dst, ' ')
			}
			text = text[max(size, 0):]
		case opCluster, opWideCluster:
			n, size := binary.Uvarint(text)
			text = text[max(size, 0):]
			n = min(n, uint64(len(text)))
			dst = append(dst, text[:n]...)
			text = text[n:]
		}
	}
	return dst, h.wrap
}

// LastExit returns the exit code of the last command that OSC 133;D told of,
// -1 if none did.
func (t *Terminal) LastExit() int { return t.lastExit }

// PrevPrompt returns the nearest row before abs on which a prompt begins.
func (t *Terminal) PrevPrompt(abs uint64) (uint64, bool) {
	t.settleHistory()
	for abs = min(abs, t.history.end+uint64(t.rows)); abs > t.history.first; {
		abs--
		if t.markAt(abs)&MarkPrompt != 0 {
			return abs, true
		}
	}
	return 0, false
}

// NextPrompt returns the nearest row after abs on which a prompt begins.
func (t *Terminal) NextPrompt(abs uint64) (uint64, bool) {
	t.settleHistory()
	last := t.history.end + uint64(t.rows)
	if abs >= last {
		return 0, false
	}
	for abs = max(abs+1, t.history.first); abs < last; abs++ {
		if t.markAt(abs)&MarkPrompt != 0 {
			return abs, true
		}
	}
	return 0, false
}

// markAt returns the marks of a row that exists.
func (t *Terminal) markAt(abs uint64) Mark {
	if abs >= t.history.end {
		return t.on.rows[abs-t.history.end].mark
	}
	b := t.history.row(abs)
	if b[0]&packMarked == 0 {
		return 0
	}
	d := decoder{b: b}
	h, _ := d.rowHead()
	return h.mark
}
