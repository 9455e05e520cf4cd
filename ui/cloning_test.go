package ui

import (
	"testing"

	"moorage/workspace"
)

func TestAClonesRowShowsItsProgressAndIsTriedAgainOrDismissed(t *testing.T) {
	for _, size := range sizes {
		w := twoProjects()
		w.Clones = []workspace.Clone{
			{ID: "C1", URL: "https://example.org/quay.git", Parent: "/src", Line: "Receiving objects: 45% (45/100)"},
			{ID: "C2", URL: "git@example.org:pier\\x1b[31m", Parent: "/src", Failed: "git clone: could not read from remote\x1b[31m"},
		}
		b := inWorld(t, size, w, "L")
		b.keys("gj")
		b.golden("cloning")
		b.keys("\r")
		b.golden("clonefailed")
		b.keys("a")
		if len(b.git.clones) != 1 || b.git.clones[0] != (workspace.ProjectClone{Again: "C2"}) {
			t.Errorf("tried again by %+v", b.git.clones)
		}
		b.keys("\x01sgj")
		b.keys("d")
		if len(b.git.unclone) != 1 || b.git.unclone[0] != "C2" {
			t.Errorf("dismissed %v", b.git.unclone)
		}
		// Nothing else means a clone: none of these may do anything to a task.
		for _, k := range []string{"r", "s", "p", "L", "K", "J", "t", "T", "h", "l"} {
			b.keys(k)
			b.escape()
		}
		if len(b.sets)+len(b.moves)+len(b.git.deleted)+len(b.git.lands) > 0 {
			t.Errorf("%+v %v %+v %+v", b.sets, b.moves, b.git.deleted, b.git.lands)
		}
	}
}

func TestWhatFailedOfATaskIsDismissed(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "F")
	b.shows("Enter: try again   m c: dismiss")
	b.keys("m")
	b.shows("dismiss that making the worktree failed")
	b.keys("c")
	if len(b.git.cleared) != 1 || b.git.cleared[0] != "F" {
		t.Errorf("cleared %v", b.git.cleared)
	}
}
