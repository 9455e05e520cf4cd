package paint

import (
	"testing"

	"pgregory.net/rapid"

	"moorage/ptyhost/vt"
)

// Our own emulator shows each frame too: clusters and links, which tmux does
// not have, included.
func TestEmulatorShowsTheFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		caps := genCaps().Draw(t, "caps")
		cols, rows := rapid.IntRange(2, 30).Draw(t, "cols"), rapid.IntRange(1, 10).Draw(t, "rows")
		f, p := NewFrame(cols, rows), NewPainter(caps)
		term := vt.New(vt.Options{Cols: cols, Rows: rows})
		term.Write(p.Enter(nil))
		for range rapid.IntRange(1, 4).Draw(t, "frames") {
			scribbles(t, f, 12)
			out := p.Paint(nil, f)
			term.Write(out)
			var m vt.Mirror
			update, _ := term.AppendUpdate(nil, 0)
			if err := m.Apply(update); err != nil {
				t.Fatal(err)
			}
			for y, row := range wanted(f, caps) {
				for x, want := range row {
					if got := glyphOf(m.Row(y)[x], m.Table()); got != want {
						t.Fatalf("%d,%d: %+v, want %+v\n%q", x, y, got, want, out)
					}
				}
			}
			got, want := term.Cursor(), f.Cursor()
			if got.Visible != want.Visible || want.Visible && (got.X != want.X || got.Y != want.Y) {
				t.Fatalf("cursor %+v, want %+v\n%q", got, want, out)
			}
			if want.Visible && caps.CursorShapes && got.Shape != want.Shape {
				t.Fatalf("cursor shape %d, want %d", got.Shape, want.Shape)
			}
		}
		term.Write(p.Leave(nil))
		if m := term.Modes(); m != (vt.Modes{AltScroll: true}) {
			t.Fatalf("left: %+v", m)
		}
	})
}

func glyphOf(c vt.Cell, table *vt.Table) glyph {
	e := table.Ext(c.Ext())
	return visibleOf(glyph{
		text: table.Text(c), fg: c.FG, bg: c.BG, attr: c.At & 0xff,
		underline: c.Underline(), ulColor: e.Underline, link: e.LinkURI,
	})
}

// Bytes that a pane's program wrote reach the client's screen as they were.
func TestPaneRowsAreCopiedWhole(t *testing.T) {
	const cols, rows = 40, 6
	pane := vt.New(vt.Options{Cols: cols, Rows: rows})
	pane.Write([]byte("plain \x1b[1;31mbold\x1b[m 中文 e\u0301 👨‍👩‍👧 \x1b[4:3;58:5:3mcurly\x1b[m\r\n\x1b]8;;http://h/\x1b\\link\x1b]8;;\x1b\\\r\n\x1b[44m\x1b[K"))
	var m vt.Mirror
	update, _ := pane.AppendUpdate(nil, 0)
	if err := m.Apply(update); err != nil {
		t.Fatal(err)
	}
	f, p := NewFrame(cols, rows), NewPainter(allCaps)
	for y := range rows {
		f.CopyRow(0, y, m.Row(y), m.Table())
	}
	f.SetCursor(m.Cursor())
	client := newTerminal(cols, rows)
	client.write(p.Enter(nil))
	client.write(p.Paint(nil, f))
	if diff := client.compare(f, allCaps); diff != "" {
		t.Fatal(diff)
	}
	for y := range rows {
		for x, c := range m.Row(y) {
			if got, want := visibleOf(client.cells[y][x]), glyphOf(c, m.Table()); got != want {
				t.Errorf("%d,%d: %+v, want %+v", x, y, got, want)
			}
		}
	}
}
