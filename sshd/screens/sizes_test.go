package screens

import (
	"log/slog"
	"testing"

	"moorage/ptyhost/vt"
)

// Who
// attached to, typed into or resized the tab last decides its size; looking
// elsewhere and leaving give that up.
func TestTheClientThatActedLastOwnsTheSize(t *testing.T) {
	s := New(Config{Log: slog.New(slog.DiscardHandler)})
	sc := &Screen{key: "t/tab-1/pane-1", all: s, mirror: &vt.Mirror{}, viewers: map[*Viewer]int{}}
	s.screens[sc.key] = sc
	wake := func() {}
	a, b, c := s.Viewer(wake), s.Viewer(wake), s.Viewer(wake)
	size := func(cols int) map[string]Size { return map[string]Size{sc.key: {cols, 24}} }
	is := func(want int, when string) {
		t.Helper()
		if sc.wantCols != want {
			t.Errorf("%s: %d columns, not %d", when, sc.wantCols, want)
		}
	}
	a.Look("t/tab-1", size(100))
	is(100, "the first attaches")
	b.Look("t/tab-1", size(80))
	is(80, "another attaches")
	c.Look("t/tab-2", map[string]Size{})
	is(80, "a third looks at another tab")
	c.Act()
	is(80, "and types there")
	a.Act()
	is(100, "the first types")
	b.Lay(size(70))
	is(100, "the second is laid out anew by others")
	b.Act()
	is(70, "the second types")
	b.Look("t/tab-2", map[string]Size{})
	is(100, "the second looks away")
	a.Lay(size(90))
	is(90, "the owner's layout changes")
	b.Look("t/tab-1", size(70))
	b.Close()
	is(90, "the second comes back and leaves")
	a.Close()
	is(90, "nobody looks: the size stays")
}
