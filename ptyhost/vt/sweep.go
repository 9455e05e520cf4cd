package vt

// sweepMin is how many entries a table may have before a sweep is worth it.
const sweepMin = 4096

// internCluster returns the table's index for a cluster, sweeping first when
// the table has grown.
func (t *Terminal) internCluster(b []byte) (uint32, bool) {
	if n, _ := t.table.Len(); n >= max(t.sweepAt, sweepMin) {
		t.sweep()
	}
	return t.table.internBytes(b)
}

// internExt likewise for the pen's record.
func (t *Terminal) internExt(e Ext) uint16 {
	if _, n := t.table.Len(); n >= max(t.sweepExtAt, sweepMin) {
		t.sweep()
	}
	i, ok := t.table.InternExt(e)
	if !ok {
		i, _ = t.table.InternExt(Ext{Underline: e.Underline})
	}
	return i
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
			cells := r.cells[:r.used]
			for x := range cells {
				if c := &cells[x]; c.Ch&CellCluster != 0 || c.At>>extShift != 0 {
					*c = t.table.Import(&old, *c)
				}
			}
		}
	}
	pens := []*pen{&t.pen, &t.main.saved.pen, &t.alt.saved.pen}
	for i := range t.penStack {
		pens = append(pens, &t.penStack[i])
	}
	for _, p := range pens {
		i, _ := t.table.InternExt(p.ext)
		p.cell.SetExt(i)
	}
	clusters, exts := t.table.Len()
	t.sweepAt, t.sweepExtAt = 2*clusters, 2*exts
	if t.sweepExtAt >= maxExts-1 {
		t.sweepExtAt = max(maxExts-1-maxExts/16, exts+1)
	}
}
