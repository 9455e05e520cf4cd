package vt

// sweepMin is how many entries a table may have, and sweepMinLinks how many
// bytes of links, before a sweep is worth it. maxLinkBytes bounds the links of
// a terminal: past it cells get none.
const (
	sweepMin      = 4096
	sweepMinLinks = 1 << 20
	maxLinkBytes  = 4 << 20
)

// tableSize is what a table holds.
type tableSize struct{ clusters, exts, linkBytes int }

func (t *Table) size() tableSize {
	return tableSize{len(t.clusters), len(t.exts), t.linkBytes}
}

// twice is where a table of size s, all of it in use, is to be swept next.
func (s tableSize) twice() tableSize {
	return tableSize{
		clusters:  max(2*s.clusters, sweepMin),
		exts:      max(2*s.exts, sweepMin),
		linkBytes: max(2*s.linkBytes, sweepMinLinks),
	}
}

// reaches reports whether s is as large as o anywhere.
func (s tableSize) reaches(o tableSize) bool {
	return s.clusters >= o.clusters || s.exts >= o.exts || s.linkBytes >= o.linkBytes
}

// sweeper decides when a terminal's table is swept: when it has doubled since
// the last time, or when it is full and has refused about as much as a sweep
// costs.
type sweeper struct {
	at      tableSize
	refused int
}

// internCluster returns the table's index for a cluster. It is false when the
// screens are full of others.
func (t *Terminal) internCluster(b []byte) (uint32, bool) {
	t.sweepIfDue()
	i, ok := t.table.internBytes(b)
	if !ok && t.sweepIfRefused() {
		i, ok = t.table.internBytes(b)
	}
	return i, ok
}

// internExt likewise for the pen's record, which loses its link when there are
// too many.
func (t *Terminal) internExt(e Ext) uint16 {
	t.sweepIfDue()
	i, ok := t.fitExt(e)
	if !ok && t.sweepIfRefused() {
		i, _ = t.fitExt(e)
	}
	return i
}

// fitExt is false when the record was to have a link and got none.
func (t *Terminal) fitExt(e Ext) (uint16, bool) {
	if i, ok := t.table.extAt[e]; ok {
		return i, true
	}
	n := e.linkBytes()
	if n == 0 || t.table.linkBytes+n <= maxLinkBytes {
		if i, ok := t.table.InternExt(e); ok {
			return i, true
		}
	}
	i, _ := t.table.InternExt(Ext{Underline: e.Underline})
	return i, false
}

func (t *Terminal) sweepIfDue() {
	if t.sweeper.at == (tableSize{}) {
		t.sweeper.at = tableSize{}.twice()
	}
	if t.table.size().reaches(t.sweeper.at) {
		t.sweep()
	}
}

func (t *Terminal) sweepIfRefused() bool {
	t.sweeper.refused++
	if t.sweeper.refused < t.cols*t.rows/16 {
		return false
	}
	t.sweep()
	return true
}

// sweep rebuilds the table from the cells that are still on a screen. The
// scrollback needs none: its rows are packed with what they refer to.
func (t *Terminal) sweep() {
	old := t.table
	t.table = Table{}
	roots := [][]*row{t.main.rows, t.alt.rows}
	if t.shadow != nil {
		roots = append(roots, t.shadow.rows)
	}
	for _, rows := range roots {
		for _, r := range rows {
			t.table.importAll(&old, r.cells[:r.used])
		}
	}
	pens := []*pen{&t.pen, &t.main.saved.pen, &t.alt.saved.pen}
	for i := range t.penStack {
		pens = append(pens, &t.penStack[i])
	}
	for _, p := range pens {
		i, _ := t.fitExt(p.ext)
		p.cell.SetExt(i)
	}
	t.sweeper = sweeper{at: t.table.size().twice()}
}

// importAll makes cells of another table's this one's.
func (t *Table) importAll(from *Table, cells []Cell) {
	for x := range cells {
		if c := &cells[x]; c.Ch&CellCluster != 0 || c.At>>extShift != 0 {
			*c = t.Import(from, *c)
		}
	}
}
