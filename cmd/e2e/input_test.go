package e2e

import "testing"

func TestWhatIsTypedAfterAskingForAPaneGoesToThatPane(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(140, 40).ready()
	// In one piece: nothing can have been opened before the rest arrives.
	c.send("\x1ctty > right\r")
	c.send("\x14tty > tab\r")
	c.send("\x14\x14tty > last\r")
	in.eventually("four sessions and three answers", func() bool {
		return len(in.sessions()) == 5 && in.fileHas("right", "pts") && in.fileHas("tab", "pts") && in.fileHas("last", "pts")
	})
	first := in.ttyOf("tab-1/pane-1")
	right, tab, last := in.ttyOf("tab-1/pane-2"), in.ttyOf("tab-2/pane-1"), in.ttyOf("tab-4/pane-1")
	if !in.fileHas("right", right) || !in.fileHas("tab", tab) || !in.fileHas("last", last) {
		t.Errorf("typed into %q, %q, %q; want %s, %s, %s and never %s",
			in.file("right"), in.file("tab"), in.file("last"), right, tab, last, first)
	}
}
