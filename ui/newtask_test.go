package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moorage/workspace"
)

// escape types the Escape key, and lets the time pass in which it may become a
// sequence.
func (b *bench) escape() {
	b.keys("\x1b")
	b.send(flushMsg(b.m.tokenSeq))
}

// clickOn presses the left button where a text stands.
func (b *bench) clickOn(text string) { b.press(0, text) }

func (b *bench) press(button int, text string) {
	b.t.Helper()
	for y, line := range strings.Split(b.text(), "\n") {
		if i := strings.Index(line, text); i >= 0 {
			x := len([]rune(line[:i]))
			b.keys("\x1b[<" + itoa(button) + ";" + itoa(x+1) + ";" + itoa(y+1) + "M")
			b.keys("\x1b[<" + itoa(button) + ";" + itoa(x+1) + ";" + itoa(y+1) + "m")
			return
		}
	}
	b.t.Fatalf("%q is not on the screen:\n%s", text, b.text())
}

func someBases() []workspace.BaseRef {
	return []workspace.BaseRef{
		{Name: "main", Ref: "refs/heads/main", Kind: "local", Time: time.Now().Add(-2 * time.Hour)},
		{Name: "origin/main", Ref: "refs/remotes/origin/main", Kind: "remote", Time: time.Now().Add(-26 * time.Hour)},
		{Name: "release/2.1", Ref: "refs/heads/release/2.1", Kind: "local", Time: time.Now().Add(-800 * time.Hour)},
	}
}

func TestANewTaskIsChosenFromAMenu(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "L")
		b.keys("n")
		b.golden("newtask")
		b.keys("s")
		b.keys("N")
		if len(b.git.added) != 2 || !b.git.added[0].Scratch || !b.git.added[1].Scratch {
			t.Errorf("added %+v", b.git.added)
		}
	}
}

func TestATaskOfAProjectHasTitleBaseAndPrefix(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "L")
		b.git.bases = someBases()
		b.git.gives = workspace.Task{ID: "W", Kind: workspace.KindManaged}
		b.keys("np")
		b.keys("fix the buoy\trel")
		b.golden("projecttask")
		b.keys("\tfix/\r")
		if len(b.git.added) != 1 {
			t.Fatalf("added %+v", b.git.added)
		}
		got := b.git.added[0]
		if got.Project != "P1" || got.Title != "fix the buoy" || got.Base != "refs/heads/release/2.1" || got.Prefix != "fix/" {
			t.Errorf("added %+v", got)
		}
		if !slices.Equal(b.made, []string{"W"}) || b.m.shown.task != "W" {
			t.Errorf("made %v, shown %v", b.made, b.m.shown)
		}
	}
}

func TestATaskOfAProjectBeginsAtItsDefaultUnlessTold(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.git.bases = someBases()
	b.keys("np\r")
	b.shows("a task needs a title")
	b.keys("one\r")
	b.keys("np")
	b.keys("one\t\x1b[B\x1b[B\r") // the second of the list
	b.keys("np\x1b[Aone\x1b[C")   // nothing is typed into a project
	b.shows("tide")
	b.keys("\tone\t4f2a91c\r") // what is in no list
	bases := []string{}
	for _, a := range b.git.added {
		bases = append(bases, a.Project+" "+a.Base)
	}
	if !slices.Equal(bases, []string{"P1 ", "P1 refs/remotes/origin/main", "P2 4f2a91c"}) {
		t.Errorf("begun at %q", bases)
	}
}

func TestABaseIsChosenByAClick(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.git.bases = someBases()
	b.keys("n")
	b.clickOn("project: a branch")
	b.keys("one")
	b.clickOn("release/2.1")
	b.keys("\r")
	if len(b.git.added) != 1 || b.git.added[0].Base != "refs/heads/release/2.1" {
		t.Errorf("added %+v", b.git.added)
	}
}

func TestADirectoryIsCompletedByCommands(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, name := range []string{"harbour", "harvest", ".hidden", "other"} {
		if err := os.MkdirAll(filepath.Join(home, name, "inner"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "harmless.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "L")
		b.keys("nd")
		b.golden("directory")
		b.keys("har")
		b.shows("harvest")
		if strings.Contains(b.text(), "harmless") || strings.Contains(b.text(), "other") {
			t.Errorf("what is offered:\n%s", b.text())
		}
		b.keys("\x1b[B\t")
		b.shows("~/harvest/")
		b.clickOn("inner")
		b.shows("~/harvest/inner/")
		b.keys("\r")
		if len(b.git.added) != 1 || b.git.added[0].Dir != filepath.Join(home, "harvest", "inner") {
			t.Errorf("added %+v", b.git.added)
		}
		b.keys("nr\x15")
		b.keys("har\t\r")
		if !slices.Equal(b.git.projects, []string{filepath.Join(home, "harbour")}) || b.m.shown.task != "M" {
			t.Errorf("saved %v, shown %v", b.git.projects, b.m.shown)
		}
	}
}

func TestAClonesMainCheckoutIsOpened(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "D")
		b.keys("nc")
		b.golden("clone")
		b.keys("https://example.org/harbour.git\r")
		want := workspace.ProjectClone{URL: "https://example.org/harbour.git", Parent: "/src"}
		if len(b.git.clones) != 1 || b.git.clones[0] != want {
			t.Errorf("cloned %+v", b.git.clones)
		}
		if b.m.shown.task != "M" {
			t.Errorf("shown %v", b.m.shown)
		}
	}
}

func TestWorktreesAreAdoptedWithAResultForEach(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "D")
		b.git.worktrees = someWorktrees()
		b.git.adopted = []workspace.AdoptResult{{Dir: "/w/old", Task: "S"}, {Dir: "/w/older", Error: "its branch is checked out twice"}}
		b.keys("na")
		b.keys(" \x1b[B ")
		b.shows("[x] old")
		b.keys("\r")
		if len(b.git.adopts) != 1 || !slices.Equal(b.git.adopts[0].Dirs, []string{"/w/old", "/w/older"}) {
			t.Fatalf("adopted %+v", b.git.adopts)
		}
		b.golden("adopted")
		b.keys("\r")
		if b.m.shown.task != "S" || b.m.dialog != nil {
			t.Errorf("shown %v", b.m.shown)
		}
	}
}

// The word that a worktree is made comes after its tab is shown: by then the user may be elsewhere.
func TestAWorktreeThatIsMadeTakesNobodyOutOfTheSidebar(t *testing.T) {
	b := inWorld(t, Size{100, 12}, twoProjects(), "L")
	if b.m.region != inSidebar || b.m.shown.task != "L" {
		t.Fatalf("shown %v, region %v", b.m.shown, b.m.region)
	}
	b.send(doneMsg{outcome: outcome{made: "L", wanted: wanted{tabRef: b.m.shown, pane: "pane-1"}}})
	if b.m.region != inSidebar {
		t.Errorf("region %v", b.m.region)
	}
}
