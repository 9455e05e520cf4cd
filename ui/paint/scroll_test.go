package paint

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moorage/ptyhost/vt"
)

// logLine is a row that is unlike its neighbours.
func logLine(i, width int) string {
	return fmt.Sprintf("%-*.*s", width, width, strings.Repeat(fmt.Sprintf("%06d %x ", i*7919, i*i*104729), 20))
}

// Rows that moved are moved, in any direction and inside any margins, and the
// terminal still shows the frame.
func TestScrolledRowsAreMoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const cols, rows = 60, 16
		top := rapid.IntRange(0, 6).Draw(t, "top")
		bottom := rapid.IntRange(top+5, rows-1).Draw(t, "bottom")
		by := rapid.IntRange(-3, 3).Draw(t, "by")
		bg := rapid.SampledFrom([]vt.Color{0, vt.Indexed(4)}).Draw(t, "bg")
		draw := func(f *Frame, first int) {
			for y := range rows {
				line := logLine(1000+y, cols)
				if y >= top && y <= bottom {
					line = logLine(first+y, cols)
				}
				f.Text(0, y, cols, line, Style{BG: bg})
			}
		}
		f := NewFrame(cols, rows)
		p := NewPainter(allCaps)
		term := newTerminal(cols, rows)
		term.write(p.Enter(nil))
		draw(f, 100)
		term.write(p.Paint(nil, f))
		draw(f, 100+by)
		out := p.Paint(nil, f)
		term.write(out)
		if diff := term.compare(f, allCaps); diff != "" {
			t.Fatalf("%s\n%q", diff, out)
		}
		n := max(by, -by)
		if most := 60 + 80*n; len(out) > most && bottom-top > 8 {
			t.Fatalf("%d bytes for %d rows: %q", len(out), n, out)
		}
	})
}

// A full-width pane that scrolls by a line costs the line.
func TestScrollByOneLineIsShort(t *testing.T) {
	const cols, rows = 200, 50
	f, p := NewFrame(cols, rows), NewPainter(allCaps)
	for y := range rows {
		f.Text(0, y, cols, logLine(y, cols), Style{})
	}
	p.Paint(nil, f)
	for y := range rows - 1 { // the last row is a status line
		f.Text(0, y, cols, logLine(y+1, cols), Style{})
	}
	if out := p.Paint(nil, f); len(out) >= 400 {
		t.Errorf("%d bytes: %q", len(out), out)
	}
}
