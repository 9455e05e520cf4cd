package ui

import "testing"

// A terminal whose keys come has the focus, whatever it told last: tmux and others report focus late or not at all.
func TestTypingIsFocus(t *testing.T) {
	b := newBench(t, 100, 12)
	b.keys("\x1b[O")
	if b.m.terminal.focused {
		t.Fatal("the report that the focus is lost is not believed")
	}
	b.keys("\x1b[<35;5;5M") // the pointer passes over a window without the focus
	if b.m.terminal.focused {
		t.Error("the pointer counts as focus")
	}
	b.keys("\x1b[97;1:3u") // a key that was held when the focus went is let go
	if b.m.terminal.focused {
		t.Error("letting go of a key counts as focus")
	}
	b.keys("x")
	if !b.m.terminal.focused {
		t.Error("typing does not count as focus")
	}
}
