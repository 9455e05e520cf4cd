package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"moorage/workspace"
)

func someWorktrees() []workspace.WorktreeRow {
	return []workspace.WorktreeRow{
		{Project: "P1", Dir: "/src/harbour", Show: "/src/harbour", Branch: "main", Main: true, Task: "M", Dirty: "no", Pushed: "yes", Merged: "yes", Committed: time.Now().Add(-3 * time.Hour)},
		{Project: "P1", Dir: "/w/login", Show: "/w/login", Branch: "feature/login", Task: "L", Dirty: "yes", Pushed: "no", Merged: "no", Committed: time.Now().Add(-90 * time.Minute)},
		{Project: "P1", Dir: "/w/old", Show: "/w/old", Branch: "old", Dirty: "no", Pushed: "unknown", Merged: "yes", Committed: time.Now().Add(-90 * 24 * time.Hour)},
		{Project: "P1", Dir: "/w/older", Show: "/w/older", Branch: "older", Locked: "on a stick", Dirty: "unknown", Pushed: "unknown", Merged: "no"},
		{Project: "P2", Dir: "/w/gone", Show: "/w/gone", Branch: "gone", Gone: true, Dirty: "unknown", Pushed: "yes", Merged: "yes"},
	}
}

var riskyLoss = workspace.Loss{
	Worktree: "/w/login", Branch: "feature/login", Live: 2, Changed: []string{"server.go", "a \x1b[31m name"}, Untracked: []string{"notes.txt"},
	Ignored: []string{"build/"}, Unpushed: 3, Refused: "it has files that exist nowhere else",
}

func TestADeleteSaysWhatGoesAndIsForcedByASecondQuestionOnly(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "L")
		b.git.loss = riskyLoss
		b.keys("d")
		b.golden("delete")
		b.keys("y") // it is refused
		if len(b.git.deleted) != 0 {
			t.Fatalf("deleted %+v", b.git.deleted)
		}
		b.keys("f")
		b.golden("force")
		b.keys("y")
		if len(b.git.deleted) != 1 || b.git.deleted[0] != (workspace.TaskDelete{Task: "L", Force: true}) {
			t.Errorf("deleted %+v", b.git.deleted)
		}
		if b.m.dialog != nil {
			t.Error("the dialog stays")
		}
	}
}

func TestWhatNobodyCouldLookAtIsNotDeleted(t *testing.T) {
	b := inWorld(t, Size{80, 24}, twoProjects(), "L")
	b.git.err = errors.New("git status: index.lock exists")
	b.keys("d")
	b.shows("nobody could look")
	b.shows("index.lock exists")
	b.keys("yfy")
	b.git.err = nil
	b.git.loss = workspace.Loss{Worktree: "/w/login", Branch: "feature/login", Refused: "locked", Forced: "the user locked it"}
	b.escape()
	b.keys("d")
	b.shows("not even by force: the user locked it")
	b.keys("yfy")
	if len(b.git.deleted) != 0 {
		t.Errorf("deleted %+v", b.git.deleted)
	}
}

func TestADeleteNamesWhatGitStillHasOfAMissingDirectory(t *testing.T) {
	b := inWorld(t, Size{80, 24}, twoProjects(), "L")
	b.git.loss = workspace.Loss{
		Worktree: "/w/login", Branch: "feature/login", Gone: true, Changed: []string{"staged.go"}, Adrift: 2, Refused: "git still has work of it",
	}
	b.keys("d")
	for _, text := range []string{"git's entry of the missing worktree /w/login", "staged.go", "2 commits on no branch", "git still has work of it"} {
		b.shows(text)
	}
	b.keys("f")
	b.shows("2 commits on no branch")
	b.shows("what is staged or on no branch")
}

func TestASafeDeleteNeedsOneQuestion(t *testing.T) {
	b := inWorld(t, Size{80, 24}, twoProjects(), "L")
	b.git.loss = workspace.Loss{Worktree: "/w/login", Branch: "feature/login"}
	b.keys("d")
	b.shows("the worktree /w/login")
	b.shows("the branch feature/login")
	b.keys("n")
	b.keys("d")
	b.keys("y")
	if len(b.git.deleted) != 1 || b.git.deleted[0].Force {
		t.Errorf("deleted %+v", b.git.deleted)
	}
}

func TestLandingShowsFirstWhatItWouldDo(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "L")
		b.git.landed = workspace.Landed{Branch: "feature/login", Into: "main", Commits: 3, Before: "1111111111aaaa", After: "2222222222bbbb"}
		b.keys("L")
		b.golden("land")
		b.keys("\t")
		b.keys("Add the login\r")
		b.shows("landed 3 commits from feature/login into main:")
		b.shows("1111111111 → 2222222222")
		var got []workspace.TaskLand
		got = append(got, b.git.lands...)
		if len(got) != 3 || !got[0].DryRun || got[0].Squash || !got[1].DryRun || !got[1].Squash {
			t.Fatalf("asked for %+v", got)
		}
		if got[2] != (workspace.TaskLand{Task: "L", Squash: true, Message: "Add the login"}) {
			t.Errorf("landed by %+v", got[2])
		}
		b.keys("\r")
		if b.m.dialog != nil {
			t.Error("the dialog stays")
		}
	}
}

func TestAConflictIsNotLanded(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "L")
		b.git.landed = workspace.Landed{Branch: "feature/login", Into: "main", Commits: 3, Conflicts: []string{"server.go", "docs/port.md"}}
		b.keys("L")
		b.golden("conflict")
		b.keys("\r\r")
		if len(b.git.lands) != 1 {
			t.Errorf("asked for %+v", b.git.lands)
		}
		b.escape()
		b.git.err = workspace.Fail(workspace.CodeDirtyBase, "commit or stash there first", "the checkout has changes")
		b.keys("L\r")
		b.shows("the checkout has changes (commit or stash there first)")
		if len(b.git.lands) != 2 {
			t.Errorf("asked for %+v", b.git.lands)
		}
	}
}

func TestTheWorktreesPageLandsRemovesAndAdopts(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "D")
		b.git.worktrees = someWorktrees()
		b.keys("x")
		b.keys("j")
		b.golden("worktrees")
		b.keys("l")
		b.shows("Land login")
		b.escape()
		b.shows("Worktrees") // it comes back
		b.git.loss = riskyLoss
		b.keys("d")
		b.shows("Delete task")
		b.keys("q")
		b.keys("j")
		b.git.loss = workspace.Loss{Worktree: "/w/old", Branch: "old", Ignored: []string{"build/"}, Refused: "it has ignored files"}
		b.keys("d")
		b.shows(`Remove worktree "old"?`)
		b.keys("f")
		b.shows("build/")
		b.keys("y")
		if len(b.git.drops) != 1 || !b.git.drops[0].Force || b.git.drops[0].Dir != "/w/old" {
			t.Errorf("dropped %+v", b.git.drops)
		}
		b.keys("a")
		if len(b.git.adopts) != 1 || b.git.adopts[0].Dirs[0] != "/w/old" {
			t.Errorf("adopted %+v", b.git.adopts)
		}
		b.keys("k\r")
		if b.m.shown.task != "L" || b.m.dialog != nil || len(b.m.under) > 0 {
			t.Errorf("shown %v under %T", b.m.shown, b.m.dialog)
		}
	}
}

func TestAProjectThatNobodyCouldLookAtSaysSo(t *testing.T) {
	b := inWorld(t, Size{80, 24}, twoProjects(), "L")
	b.git.worktrees = []workspace.WorktreeRow{{Project: "P1", Dir: "/src/harbour", Show: "/src/harbour", Main: true, Problem: "no git on the PATH; install git", Dirty: "unknown"}}
	b.keys("\x01sx")
	b.shows("(nobody could look)")
	b.shows("no git on the PATH; install git")
	b.keys("d")
	if len(b.git.drops) != 0 {
		t.Errorf("removed %v", b.git.drops)
	}
}

func TestARightClickOffersWhatCanBeDone(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "D")
		b.press(2, "▾ login")
		b.golden("menu")
		b.keys("s")
		b.shows("in review")
		b.golden("status")
		b.keys("d")
		if len(b.sets) != 1 || b.sets[0].Task != "L" || *b.sets[0].Status != workspace.StatusDone {
			t.Errorf("set %+v", b.sets)
		}
		b.keys("m")
		b.clickOn("p   pin")
		if len(b.sets) != 2 || b.sets[1].Task != "L" || !*b.sets[1].Pinned {
			t.Errorf("set %+v", b.sets)
		}
	}
}

func TestTheMenuOfATabIsTheTabs(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.press(2, "2 tests")
	b.shows("relaunch policy")
	if b.m.shown != (tabRef{"L", "tab-2"}) {
		t.Errorf("shown %v", b.m.shown)
	}
	b.keys("r")
	b.shows("Rename tab")
}

func TestTheProjectsMenuForgetsIt(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.press(2, "tide")
	b.keys("R")
	b.shows("stays as it is")
	b.keys("y")
	if strings.Join(b.git.removed, " ") != "P2" {
		t.Errorf("removed %v", b.git.removed)
	}
}

func TestADialogIsOverWhenWhatItIsAboutIsGone(t *testing.T) {
	for _, keys := range []string{"\x1bOQ", "\x01P", "\x01T", "\x01e", "\x01m", "\x01sL", "\x01sd", "\x01ss", "\x01sm"} {
		b := inWorld(t, Size{100, 30}, twoProjects(), "L")
		b.follow(b.m.show("L", "tab-1"))
		b.keys(keys)
		if b.m.dialog == nil {
			t.Fatalf("%q opens nothing", keys)
		}
		w := twoProjects()
		w.Tasks[1].Tabs[1].Name = "still"
		b.send(WorldMsg(w))
		if b.m.dialog == nil {
			t.Errorf("%q: a change closed the dialog", keys)
		}
		w.Tasks = append(w.Tasks[:1:1], w.Tasks[2:]...)
		b.send(WorldMsg(w))
		if b.m.dialog != nil {
			t.Errorf("%q: the dialog outlives its task", keys)
		}
	}
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.follow(b.m.show("L", "tab-1"))
	b.keys("\x1bOQ")
	w := twoProjects()
	w.Tasks[1].Tabs = w.Tasks[1].Tabs[1:]
	b.send(WorldMsg(w))
	if b.m.dialog != nil {
		t.Error("the dialog outlives its tab")
	}
}
