package vt

import (
	"bytes"
	"testing"
)

// checkSound fails if the terminal is in a state that no input may lead to:
// positions outside of the screen, half a wide character, a used mark that
// hides cells, tables or queues past their bounds, a mirror or a restored
// snapshot that differs.
func checkSound(t testing.TB, x *Terminal) {
	t.Helper()
	if x.cur.x < 0 || x.cur.x >= x.cols || x.cur.y < 0 || x.cur.y >= x.rows {
		t.Fatalf("cursor %+v outside of %dx%d", x.cur, x.cols, x.rows)
	}
	if x.top < 0 || x.top > x.bottom || x.bottom >= x.rows || x.left < 0 || x.left > x.right || x.right >= x.cols {
		t.Fatalf("margins %d..%d, %d..%d in %dx%d", x.top, x.bottom, x.left, x.right, x.cols, x.rows)
	}
	if len(x.tabs) != x.cols {
		t.Fatalf("%d tab stops for %d columns", len(x.tabs), x.cols)
	}
	checkRows(t, x, x.main.rows)
	if x.alt.rows != nil {
		checkRows(t, x, x.alt.rows)
	}
	if len(x.replies) > maxReplies || len(x.events) > maxEvents || cap(x.str) > 2*maxClipboard {
		t.Fatalf("queues: %d bytes of replies, %d events, %d bytes of string", len(x.replies), len(x.events), cap(x.str))
	}
	if h := &x.history; h.first > h.end || h.len() > h.limit || h.size > h.budget()+256<<10 {
		t.Fatalf("history %d..%d of %d, %d bytes", h.first, h.end, h.limit, h.size)
	}
	checkMirror(t, x)
	checkSnapshot(t, x)
}

func checkRows(t testing.TB, x *Terminal, rows []*row) {
	t.Helper()
	if len(rows) != x.rows {
		t.Fatalf("%d rows, want %d", len(rows), x.rows)
	}
	for y, r := range rows {
		if len(r.cells) != x.cols {
			t.Fatalf("row %d has %d cells, want %d", y, len(r.cells), x.cols)
		}
		for i, c := range r.cells {
			if i >= r.used && c != (Cell{}) {
				t.Fatalf("row %d: cell %d past used %d is %+v", y, i, r.used, c)
			}
			wide, spacer := c.Ch&CellWide != 0, c.Ch&CellSpacer != 0
			if (wide || spacer) && !r.wide {
				t.Fatalf("row %d: wide cell %d in a row that says it has none", y, i)
			}
			if wide && (i+1 == x.cols || r.cells[i+1].Ch&CellSpacer == 0) {
				t.Fatalf("row %d: cell %d is the first half of nothing", y, i)
			}
			if spacer && (i == 0 || r.cells[i-1].Ch&CellWide == 0) {
				t.Fatalf("row %d: cell %d is the second half of nothing", y, i)
			}
			if c.Ch&CellCluster != 0 && int(c.Ch&CellRune) >= len(x.table.clusters) {
				t.Fatalf("row %d: cell %d has no cluster", y, i)
			}
			if int(c.Ext()) > len(x.table.exts) {
				t.Fatalf("row %d: cell %d has no record", y, i)
			}
		}
	}
}

// checkMirror compares a mirror made from nothing with the screen.
func checkMirror(t testing.TB, x *Terminal) {
	t.Helper()
	var m Mirror
	update, rev := x.AppendUpdate(nil, 0)
	if err := m.Apply(update); err != nil {
		t.Fatalf("apply: %v", err)
	}
	if m.Rev() != rev || rev != x.Rev() {
		t.Fatalf("mirror at %d, update at %d, terminal at %d", m.Rev(), rev, x.Rev())
	}
	sameMirror(t, x, &m)
}

// sameMirror compares a mirror with what watchers are to see.
func sameMirror(t testing.TB, x *Terminal, m *Mirror) {
	t.Helper()
	f := x.shadow
	if f == nil {
		live := x.liveFrame()
		f = &live
	}
	if cols, rows := m.Size(); cols != f.cols || rows != len(f.rows) {
		t.Fatalf("mirror is %dx%d, want %dx%d", cols, rows, f.cols, len(f.rows))
	}
	var want Table
	for y, r := range f.rows {
		if m.Wrapped(y) != r.wrap || m.Mark(y) != r.mark {
			t.Fatalf("row %d: wrap %v mark %d, want %v %d", y, m.Wrapped(y), m.Mark(y), r.wrap, r.mark)
		}
		for i, c := range r.cells {
			a, b := want.Import(&x.table, c), want.Import(m.Table(), m.Row(y)[i])
			if a != b {
				t.Fatalf("row %d cell %d is %+v, want %+v", y, i, b, a)
			}
		}
	}
	if m.Cursor() != f.cursor || m.Modes() != f.modes || m.Title() != f.title {
		t.Fatalf("mirror has %+v %+v %q, want %+v %+v %q", m.Cursor(), m.Modes(), m.Title(), f.cursor, f.modes, f.title)
	}
	if first, end := m.History(); first != f.first || end != f.end || m.Epoch() != f.epoch {
		t.Fatalf("mirror has history %d..%d epoch %d, want %d..%d %d", first, end, m.Epoch(), f.first, f.end, f.epoch)
	}
	for i := range 256 {
		if m.Palette(uint8(i)) != f.colors.at(uint8(i)) {
			t.Fatalf("palette entry %d differs", i)
		}
	}
}

// checkSnapshot restores a snapshot and takes it again.
func checkSnapshot(t testing.TB, x *Terminal) {
	t.Helper()
	for _, with := range []bool{false, true} {
		s := x.AppendSnapshot(nil, with)
		y, err := Restore(s, x.opts)
		if err != nil {
			t.Fatalf("restore: %v", err)
		}
		if again := y.AppendSnapshot(nil, with); !bytes.Equal(s, again) {
			t.Fatalf("snapshot of the restored terminal differs (%d bytes, %d bytes)", len(s), len(again))
		}
	}
}

// sameState compares all that a snapshot holds.
func sameState(t testing.TB, x, y *Terminal) {
	t.Helper()
	a, b := x.AppendSnapshot(nil, true), y.AppendSnapshot(nil, true)
	if bytes.Equal(a, b) {
		return
	}
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	t.Fatalf("snapshots differ at byte %d:\n%q\n%q\nscreens:\n%q\n%q\nstates:\n%q\n%q", i,
		a[i:min(i+40, len(a))], b[i:min(i+40, len(b))], x.ScreenText(), y.ScreenText(),
		x.appendState(nil), y.appendState(nil))
}
