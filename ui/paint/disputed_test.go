package paint

import (
	"testing"

	"pgregory.net/rapid"

	"moorage/ptyhost/vt"
)

// B79: on a terminal that measures rune by rune, clusters may look different,
// but nothing else on their rows is displaced.
func TestDisputedWidthsDisplaceNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const cols, rows = 30, 4
		caps := Caps{ECH: rapid.Bool().Draw(t, "ech"), REP: rapid.Bool().Draw(t, "rep")}
		f, p := NewFrame(cols, rows), NewPainter(caps)
		term := newTerminal(cols, rows)
		term.bytewise = true
		term.write(p.Enter(nil))
		for range rapid.IntRange(1, 4).Draw(t, "frames") {
			for y := range rows {
				if rapid.Bool().Draw(t, "same") {
					continue
				}
				x := 0
				for x < cols-1 {
					x += f.Text(x, y, cols-1-x, rapid.SampledFrom(texts).Draw(t, "text"), Style{})
					if x == cols-2 {
						x += f.Text(x, y, 1, " ", Style{})
					}
				}
				f.Text(cols-1, y, 1, "|", Style{})
			}
			out := p.Paint(nil, f)
			term.write(out)
			if term.err != nil {
				t.Fatal(term.err)
			}
			for y := range rows {
				for x, c := range f.Row(y) {
					if c.Ch&vt.CellCluster != 0 || c.Ch&vt.CellSpacer != 0 {
						continue
					}
					if got, want := term.cells[y][x].text, f.Table().Text(c); got != want {
						t.Fatalf("%d,%d is %q, want %q\n%q", x, y, got, want, out)
					}
				}
			}
		}
	})
}
