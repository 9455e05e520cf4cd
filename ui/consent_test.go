package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"moorage/workspace"
)

// questioned is the usual world with a question about the engine of a tab.
func questioned(id string) World {
	w := twoProjects()
	w.Question = workspace.HooksQuestion{
		ID: id, Task: "L", Tab: "tab-1", Engine: "Claude Code",
		Adds: []string{"--settings /home/me/.moorage/engines/claude-settings.json", "the file /home/me/.moorage/engines/claude-settings.json"},
	}
	return w
}

func TestTheFirstLaunchAsksForLeaveToGiveHooks(t *testing.T) {
	for _, size := range sizes {
		for i, want := range []workspace.Consent{workspace.ConsentUnasked, workspace.ConsentAllowed, workspace.ConsentDenied} {
			b := inWorld(t, size, twoProjects(), "L")
			b.follow(b.m.show("L", "tab-1"))
			b.send(WorldMsg(questioned("q1")))
			if i == 0 {
				b.golden("consent")
			}
			b.keys("yes a prompt") // typed ahead: it answers nothing
			b.keys(strings.Repeat("\x1b[B", i) + "\r")
			if !slices.Equal(b.consents, []workspace.Consent{want}) {
				t.Errorf("answered %v, not %s", b.consents, want)
			}
			b.send(WorldMsg(questioned("q1"))) // the daemon has not told of it yet
			if b.m.dialog != nil {
				t.Error("it asks twice")
			}
			b.send(WorldMsg(twoProjects()))
			if b.floors != 0 {
				t.Error("the floor stays taken")
			}
			b.keys("x")
			if got := string(b.typed["L/tab-1/pane-1"]); got != "x" {
				t.Errorf("the pane got %q", got)
			}
		}
	}
}

func TestOneClientAsks(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "D") // of no engine
	b.send(WorldMsg(questioned("q1")))
	if b.m.dialog != nil {
		t.Error("it asks where no engine is")
	}
	b.taken = true
	b.follow(b.m.show("L", "tab-1"))
	b.send(WorldMsg(questioned("q1")))
	if b.m.dialog != nil {
		t.Error("it asks although another client does")
	}
	b.taken = false
	b.send(WorldMsg(questioned("q1")))
	b.shows("Give Claude Code hooks")
	b.send(WorldMsg(questioned("q2"))) // another launch
	b.shows("Give Claude Code hooks")
	b.send(WorldMsg(twoProjects())) // answered on a command line
	if b.m.dialog != nil || len(b.consents) != 0 {
		t.Errorf("the question stays, answered %v", b.consents)
	}
}

func TestAnAnswerThatIsNotStoredIsAskedAgain(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.follow(b.m.show("L", "tab-1"))
	b.refuse = errors.New("the disk is full")
	b.send(WorldMsg(questioned("q1")))
	b.escape()
	b.shows("hooks: the disk is full")
	b.shows("Give Claude Code hooks")
}
