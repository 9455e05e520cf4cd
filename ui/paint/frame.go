package paint

import (
	"slices"

	"moorage/ptyhost/vt"
)

// Frame is a screen of cells and a cursor, drawn into again and again. Each
// row knows when it last changed, so that a Painter looks at no others.
//
// Drawing is clipped at the frame's edges. A wide character is always whole: a
// half that would be left alone, at an edge or beside what was drawn over it,
// becomes a blank in its colours.
type Frame struct {
	cols, rows int
	cells      []vt.Cell
	table      *vt.Table
	cursor     vt.Cursor

	clock uint64   // counts changes
	rev   []uint64 // clock at each row's last change
	epoch uint64   // counts tables: cells mean nothing across two

	sweepClusters, sweepExts int // table sizes at which to sweep
}

const sweepFloor = 4096

// NewFrame returns a blank frame of at least one cell.
func NewFrame(cols, rows int) *Frame {
	f := new(Frame)
	f.Resize(cols, rows)
	return f
}

// Resize makes the frame blank at a new size, if it is one.
func (f *Frame) Resize(cols, rows int) {
	cols, rows = max(cols, 1), max(rows, 1)
	if cols == f.cols && rows == f.rows {
		return
	}
	f.cols, f.rows = cols, rows
	f.cells = make([]vt.Cell, cols*rows)
	f.rev = make([]uint64, rows)
	f.cursor = vt.Cursor{}
	f.clock++
	for y := range f.rev {
		f.rev[y] = f.clock
	}
	f.table = new(vt.Table)
	f.epoch++
	f.sweepClusters, f.sweepExts = sweepFloor, sweepFloor
}

// Size is the frame's size in cells.
func (f *Frame) Size() (cols, rows int) { return f.cols, f.rows }

// Bounds is the whole frame.
func (f *Frame) Bounds() Rect { return Rect{0, 0, f.cols, f.rows} }

// Row is row y, to be read only and only until the next drawing. Its cells
// belong to Table.
func (f *Frame) Row(y int) []vt.Cell { return f.cells[y*f.cols : (y+1)*f.cols : (y+1)*f.cols] }

// Table resolves the frame's cells. It is another one after a sweep.
func (f *Frame) Table() *vt.Table { return f.table }

// Cursor is the cursor as last set.
func (f *Frame) Cursor() vt.Cursor { return f.cursor }

// SetCursor places the terminal's own cursor.
func (f *Frame) SetCursor(c vt.Cursor) { f.cursor = c }

// SetCell draws one cell whose indices belong to the frame's table. A wide
// one takes the next column too; a spacer by itself is a blank.
func (f *Frame) SetCell(x, y int, c vt.Cell) {
	if x < 0 || y < 0 || x >= f.cols || y >= f.rows {
		return
	}
	c = normal(c)
	if c.Ch&vt.CellSpacer != 0 || c.Ch&vt.CellWide != 0 && x+1 >= f.cols {
		c.Ch = 0
	}
	f.put(f.Row(y), x, y, c)
}

// normal is c as frames have it: a blank is 0, no controls, no protection.
func normal(c vt.Cell) vt.Cell {
	c.At &^= 0xffff &^ vt.AttrMask
	if c.Ch&vt.CellCluster != 0 {
		return c
	}
	switch r := c.Ch & vt.CellRune; {
	case r == ' ' || r < ' ' && c.Ch&vt.CellSpacer == 0:
		c.Ch = 0
	case r >= 0x7f && r < 0xa0:
		c.Ch = 0
	}
	return c
}

// put writes a normal cell that fits and repairs what it half covers.
func (f *Frame) put(row []vt.Cell, x, y int, c vt.Cell) {
	old := row[x]
	if old == c {
		return
	}
	if old.Ch&vt.CellSpacer != 0 && x > 0 {
		row[x-1].Ch = 0
	}
	if old.Ch&vt.CellWide != 0 {
		row[x+1].Ch = 0
	}
	row[x] = c
	if c.Ch&vt.CellWide != 0 {
		if row[x+1].Ch&vt.CellWide != 0 {
			row[x+2].Ch = 0
		}
		c.Ch = vt.CellSpacer
		row[x+1] = c
	}
	f.clock++
	f.rev[y] = f.clock
}

// CopyRow draws cells of another table from column x on. The caller crops by
// slicing.
func (f *Frame) CopyRow(x, y int, cells []vt.Cell, from *vt.Table) {
	if x < 0 {
		cells, x = cells[min(-x, len(cells)):], 0
	}
	if y < 0 || y >= f.rows || x >= f.cols {
		return
	}
	f.sweepIfGrown()
	cells = cells[:min(len(cells), f.cols-x)]
	row, changed := f.Row(y), false
	for i, c := range cells {
		if old := &row[x+i]; (c.Ch|old.Ch)&unlike == 0 && c.Ext() == 0 { // most are like this
			if c = normal(c); *old != c {
				*old, changed = c, true
			}
			continue
		}
		if c.Ch&vt.CellSpacer != 0 {
			if i > 0 && cells[i-1].Ch&vt.CellWide != 0 {
				continue // drawn with its first half
			}
			c.Ch = 0
		}
		if c.Ch&vt.CellWide != 0 && i+1 == len(cells) {
			c.Ch = 0
		}
		if c.Ch&vt.CellCluster != 0 || c.Ext() != 0 {
			c = f.table.Import(from, c)
		}
		f.put(row, x+i, y, normal(c))
	}
	if changed {
		f.clock++
		f.rev[y] = f.clock
	}
}

// unlike marks cells that are more than a rune in one column.
const unlike = vt.CellWide | vt.CellSpacer | vt.CellCluster

// sweepIfGrown starts a new table with what the cells use, when the old one
// has doubled since. The bound is twice what one screen can hold.
func (f *Frame) sweepIfGrown() {
	clusters, exts := f.table.Len()
	if clusters < f.sweepClusters && exts < f.sweepExts {
		return
	}
	table := new(vt.Table)
	for i, c := range f.cells {
		if c.Ch&vt.CellCluster != 0 || c.Ext() != 0 {
			f.cells[i] = table.Import(f.table, c)
		}
	}
	f.table = table
	f.epoch++
	clusters, exts = table.Len()
	f.sweepClusters = max(sweepFloor, 2*clusters)
	f.sweepExts = max(sweepFloor, 2*exts)
	f.clock++
	for y := range f.rev {
		if slices.ContainsFunc(f.Row(y), resolves) {
			f.rev[y] = f.clock
		}
	}
}

// resolves reports whether the cell means something only with a table.
func resolves(c vt.Cell) bool { return c.Ch&vt.CellCluster != 0 || c.Ext() != 0 }
