package ui

import (
	"strings"
	"testing"

	"moorage/workspace/split"
)

func TestOnlyOneOfSeveralPanesIsSaidToBeZoomed(t *testing.T) {
	b := newBench(t, 100, 12)
	b.keys("\x01z")
	b.shows(" zoom")
	w := twoTasks()
	tab := &w.Tasks[0].Tabs[0]
	tab.Layout, tab.Panes = split.Leaf("pane-1"), tab.Panes[:1]
	b.send(WorldMsg(w)) // another client closes the other
	if strings.Contains(b.text(), " zoom") {
		t.Errorf("one pane is zoomed:\n%s", b.text())
	}
	b.keys("\x012\x01z") // a tab of one
	if strings.Contains(b.text(), " zoom") {
		t.Errorf("one pane is zoomed:\n%s", b.text())
	}
}
