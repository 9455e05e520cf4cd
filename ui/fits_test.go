package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moorage/workspace"
)

// openers are the keys that open each dialog and page, from a pane.
var openers = []string{
	"\x1bOP", "\x1bOQ", "\x01P", "\x01T", "\x01e", "\x01m", "\x01I", "\x01W", "\x01N", "\x01i", "\x01r", "\x01f", "\x01fV", "\x01fVc", "\x01@", "\x01y", "\x01yh",
	"\x01Np", "\x01Nd", "\x01Nr", "\x01Nc", "\x01Na", "\x01sL", "\x01sd", "\x01ss", "\x01sm", "\x01sgm", "\x01/re",
}

func TestEveryDialogFitsAnySize(t *testing.T) {
	for _, keys := range openers {
		b := inWorld(t, Size{100, 30}, twoProjects(), "L")
		b.git.loss, b.git.worktrees, b.git.bases = riskyLoss, someWorktrees(), someBases()
		b.git.conversations = someConversations()
		b.git.diff, b.git.notes = aDiff(), someNotes()
		b.git.landed = workspace.Landed{Branch: "feature/login", Into: "main", Commits: 3, Conflicts: []string{"server.go"}}
		b.files = map[bool]workspace.FilesView{
			false: {Version: 1, Still: true, Entries: []workspace.FileEntry{{Path: []byte("a/b"), Show: "a/b"}}}, true: {Version: 1, Still: true},
		}
		b.follow(b.m.show("L", "tab-1"))
		b.keys(keys)
		if b.m.dialog == nil && b.m.search == nil {
			t.Fatalf("%q opens nothing", keys)
		}
		for _, w := range []int{1, 2, 9, 10, 13, 33, 69, 70, 140} {
			for _, h := range []int{1, 2, 3, 4, 5, 7, 12, 40} {
				b.out.Resize(w, h)
				b.send(SizeMsg{w, h})
				for _, k := range []string{"\x1b[B\x1b[A\x1b[6~", "\t\x1b[C", "z\x7f"} {
					b.keys(k)
				}
				b.keys("\x1b[<65;2;2M")
				if b.m.dialog == nil && b.m.search == nil {
					t.Fatalf("%q: closed at %dx%d", keys, w, h)
				}
			}
		}
		b.out.Resize(100, 30)
		b.send(SizeMsg{100, 30})
		for range 3 {
			b.escape()
		}
		if b.m.dialog != nil || b.m.search != nil {
			t.Errorf("%q: Escape does not close it", keys)
			continue
		}
		b.follow(b.m.show("L", "tab-2"))
		b.keys("typed")
		if got := string(b.typed["L/tab-2/pane-1"]); got != "typed" {
			t.Errorf("%q: after it is closed the pane gets %q", keys, got)
		}
	}
}

func TestScrollingWhileTheHostIsAwayKeepsWhatIsThere(t *testing.T) {
	b := newBench(t, 100, 12)
	var rows strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&rows, "row %d\r\n", i)
	}
	b.print("A/tab-1/pane-1", rows.String())
	b.standing, b.problem = Away, "the PTY host is away"
	b.send(ScreenMsg{})
	b.keys("\x1b[5;5~") // nothing was ever fetched
	if !strings.Contains(b.text(), "row 1999") {
		t.Errorf("the screen is lost:\n%s", b.text())
	}
	b.shows("more scrollback is there when the PTY host is")
	b.standing, b.problem = Attached, ""
	b.keys("\x1b[5;5~")
	if strings.Contains(b.text(), "row 1999") {
		t.Fatalf("it does not scroll:\n%s", b.text())
	}
	b.standing, b.problem = Away, "the PTY host is away"
	for range 200 {
		b.keys("\x1b[5;5~")
	}
	for y := 1; y < 9; y++ {
		if row := strings.Split(b.text(), "\n")[y]; !strings.Contains(row, "row ") {
			t.Errorf("row %d is %q:\n%s", y, row, b.text())
		}
	}
}

func TestAgesHaveOneUnit(t *testing.T) {
	now := time.Now()
	for d, want := range map[time.Duration]string{
		time.Second: "now", -time.Hour: "now", 90 * time.Second: "1 min", 25 * time.Hour: "1 d", 45 * 24 * time.Hour: "1 mo", 800 * 24 * time.Hour: "2 y",
	} {
		if got := age(now.Add(-d), now); got != want {
			t.Errorf("%v is %q", d, got)
		}
	}
}
