package vt

import (
	"encoding/binary"
	"errors"
)

// ErrBase means that an update starts from a revision that the mirror is not
// at. The watcher asks for one from 0.
var ErrBase = errors.New("update is for another revision")

// Mirror is a watcher's copy of a terminal's screen. The zero Mirror has no
// size and takes an update from 0. It belongs to one goroutine at a time.
type Mirror struct {
	cols       int
	rows       []mirrorRow
	rev        uint64 // the terminal's
	seq        uint64 // our own
	epoch      uint64
	first, end uint64
	cursor     Cursor
	modes      Modes
	title      string
	colors     colors
	scrolls    []Scroll
	table      Table
	sweepAt    tableSize
}

type mirrorRow struct {
	cells []Cell
	rev   uint64
	wrap  bool
	mark  Mark
	exit  uint8
}

// Apply brings the mirror up to date. An error leaves it usable but out of
// date: Rev is 0 then, and only an update from 0 is taken. What it allocates
// is bounded by MaxCols and MaxRows, whatever the bytes.
func (m *Mirror) Apply(update []byte) error {
	err := m.apply(update)
	if err != nil {
		m.rev = 0
	}
	return err
}

func (m *Mirror) apply(update []byte) error {
	d := decoder{b: update}
	if d.u8() != updateVersion {
		return errPacked
	}
	rev, base, epoch := d.uint(), d.uint(), d.uint()
	cols, rows := d.int(MaxCols), d.int(MaxRows)
	first, end := d.uint(), d.uint()
	if d.err != nil || cols == 0 || rows == 0 || first > end {
		return errPacked
	}
	if base != 0 && base != m.rev {
		return ErrBase
	}
	cursor := d.cursor(cols, rows)
	modes := d.modes()
	if d.err != nil {
		return d.err
	}
	m.seq++
	m.resize(cols, rows)
	m.epoch, m.first, m.end, m.cursor, m.modes = epoch, first, end, cursor, modes
	if d.bool() {
		m.title = d.string(maxTitleBytes)
		m.colors = d.colors()
	}
	m.sweep()
	m.readScrolls(&d)
	m.readRows(&d)
	if d.err == nil && len(d.b) > 0 {
		d.fail()
	}
	m.rev = rev
	return d.err
}

func (m *Mirror) resize(cols, rows int) {
	if m.cols == cols && len(m.rows) == rows {
		return
	}
	m.cols = cols
	cells := make([]Cell, cols*rows)
	m.rows = make([]mirrorRow, rows)
	for y := range m.rows {
		m.rows[y] = mirrorRow{cells: cells[y*cols : (y+1)*cols : (y+1)*cols], rev: m.seq}
	}
}

func (m *Mirror) readScrolls(d *decoder) {
	m.scrolls = m.scrolls[:0]
	for n := d.int(maxScrolls); n > 0 && d.err == nil; n-- {
		top := d.int(len(m.rows) - 1)
		bottom := d.int(len(m.rows) - 1)
		by, size := binary.Varint(d.b)
		h := int64(bottom + 1 - top)
		if size <= 0 || h <= 0 || by > h || by < -h {
			d.fail()
			return
		}
		d.b = d.b[size:]
		s := Scroll{top, bottom, int(by)}
		m.scrolls = append(m.scrolls, s)
		m.scroll(s)
	}
}

func (m *Mirror) scroll(s Scroll) {
	rows := m.rows[s.Top : s.Bottom+1]
	n := s.N
	if n < 0 {
		n += len(rows)
	}
	reverseMirror(rows[:n])
	reverseMirror(rows[n:])
	reverseMirror(rows)
	for y := range rows {
		rows[y].rev = m.seq
	}
}

func reverseMirror(rows []mirrorRow) {
	for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
		rows[i], rows[j] = rows[j], rows[i]
	}
}

func (m *Mirror) readRows(d *decoder) {
	for n := d.int(len(m.rows)); n > 0 && d.err == nil; n-- {
		r := &m.rows[d.int(len(m.rows)-1)]
		h, cells := d.row(r.cells[:0:m.cols], &m.table)
		if d.err != nil || h.cells > m.cols {
			d.fail()
			clear(r.cells)
			return
		}
		clear(r.cells[len(cells):])
		r.rev, r.wrap, r.mark, r.exit = m.seq, h.wrap, h.mark, h.exit
	}
}

// sweep rebuilds the table when most of it can only be garbage.
func (m *Mirror) sweep() {
	if m.sweepAt == (tableSize{}) {
		m.sweepAt = tableSize{}.twice()
	}
	if !m.table.size().reaches(m.sweepAt) {
		return
	}
	var fresh Table
	for y := range m.rows {
		fresh.importAll(&m.table, m.rows[y].cells)
	}
	m.table = fresh
	m.sweepAt = fresh.size().twice()
}

// Size returns the size of the screen, 0 by 0 before the first update.
func (m *Mirror) Size() (cols, rows int) { return m.cols, len(m.rows) }

// Row returns row y of the screen. It may be read until the next Apply.
func (m *Mirror) Row(y int) []Cell { return m.rows[y].cells }

// RowRev grows when what row y shows changed, also by a scroll.
func (m *Mirror) RowRev(y int) uint64 { return m.rows[y].rev }

// Wrapped reports whether the line of row y goes on in the next row.
func (m *Mirror) Wrapped(y int) bool { return m.rows[y].wrap }

// Mark returns the marks of row y.
func (m *Mirror) Mark(y int) Mark { return m.rows[y].mark }

// Rev returns the terminal's revision that the mirror is at: what to name as
// since when the next update is asked for.
func (m *Mirror) Rev() uint64 { return m.rev }

// Table resolves the cells of Row. Apply may renumber it together with the
// rows.
func (m *Mirror) Table() *Table { return &m.table }

// Cursor returns the cursor.
func (m *Mirror) Cursor() Cursor { return m.cursor }

// Modes returns the modes.
func (m *Mirror) Modes() Modes { return m.modes }

// Title returns the window title.
func (m *Mirror) Title() string { return m.title }

// History returns the absolute numbers of the oldest row of scrollback and of
// the row past the newest, which is row 0 of the screen.
func (m *Mirror) History() (first, end uint64) { return m.first, m.end }

// Epoch grows when a reflow gave the rows of the scrollback new numbers.
func (m *Mirror) Epoch() uint64 { return m.epoch }

// Scrolls returns the scrolls of the last Apply, in order: a hint for who
// draws by scrolling. It may be read until the next Apply.
func (m *Mirror) Scrolls() []Scroll { return m.scrolls }

// Foreground and Background return the colours that the program set with OSC
// 10 and 11, ColorDefault where it did not.
func (m *Mirror) Foreground() Color { return m.colors.fg }

// Background is described at Foreground.
func (m *Mirror) Background() Color { return m.colors.bg }

// Palette returns what the program made of palette entry i with OSC 4,
// ColorDefault where it did not.
func (m *Mirror) Palette(i uint8) Color { return m.colors.at(i) }
