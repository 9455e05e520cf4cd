package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"moorage/workspace"
)

// sizes are those that every page has to be readable at.
var sizes = []Size{{80, 24}, {200, 50}, {60, 20}}

func (b *bench) text() string { return strings.Join(b.out.ScreenText(), "\n") }

func (b *bench) shows(what string) {
	b.t.Helper()
	if !strings.Contains(b.text(), what) {
		b.t.Errorf("%q is not on the screen:\n%s", what, b.text())
	}
}

func TestARestoreIsShownWhileItGoesOn(t *testing.T) {
	for _, size := range sizes {
		b := newBench(t, size.Cols, size.Rows)
		b.report = workspace.Report{ID: "1", Started: time.Unix(1e9, 0), Lines: []workspace.ReportLine{
			{Task: "website", Tab: "shell", Outcome: workspace.OutcomeReattached},
			{Task: "website", Tab: "logs", Outcome: workspace.OutcomePending},
			{Task: "api", Tab: "tests", Outcome: workspace.OutcomeFailed, Reason: "directory gone: /w"},
			{Task: "api", Tab: "db", Outcome: workspace.OutcomeSkipped, Reason: "reattach-only: it waits for you"},
		}}
		b.keys("\x01R")
		b.shows("1 reattached, 1 relaunched, 1 skipped, 1 failed")
		b.shows("relaunched  website / logs")
		b.shows("failed      api / tests: directory gone: /w")
		b.keys("q")
		b.keys("\x01r")
		b.shows("1 reattached, 1 relaunched, 1 skipped, 1 failed")
		b.keys("a")
		if !b.report.All {
			t.Error("a does not restore all")
		}
	}
}

func TestANewTabIsAskedForWithItsPolicy(t *testing.T) {
	for _, size := range sizes {
		b := newBench(t, size.Cols, size.Rows)
		b.keys("\x01T")
		b.keys("make wörk\x17watch\t")
		b.keys("builds\t\tsub\x15/tmp") // the third Tab is of the directory
		b.shows("make watch")
		b.keys("\x1b[Z")
		b.keys("\x1b")
		b.send(flushMsg(b.m.tokenSeq))
		if b.m.dialog != nil {
			t.Fatal("Escape does not leave the form")
		}
		b.keys("\x01T")
		b.keys("make watch\tbuilds\t/tmp\t\x1b[C\x1b[C")
		b.shows("always")
		b.keys("\r")
		want := workspace.TabAdd{Task: "A", Name: "builds", Command: []string{"sh", "-c", "make watch"}, Dir: "/tmp", Policy: workspace.PolicyAlways}
		if len(b.tabs) != 1 {
			t.Fatalf("asked for %+v", b.tabs)
		}
		got := b.tabs[0]
		if got.Task != want.Task || got.Name != want.Name || !slices.Equal(got.Command, want.Command) || got.Dir != want.Dir || got.Policy != want.Policy {
			t.Errorf("asked for %+v, want %+v", got, want)
		}
	}
}

func TestAPolicyIsChosenForTheShownTab(t *testing.T) {
	b := newBench(t, 80, 24)
	b.keys("\x01P\x1b[C\r")
	want := workspace.TabPolicy{Task: "A", Tab: "tab-1", Policy: workspace.PolicyReattachOnly}
	if len(b.policies) != 1 || b.policies[0] != want {
		t.Errorf("set %+v", b.policies)
	}
}

func TestTheEndsOfTheFocusedPaneComeFirst(t *testing.T) {
	for _, size := range sizes {
		b := newBench(t, size.Cols, size.Rows)
		b.exits = []workspace.ExitRecord{
			{Key: "B/tab-1/pane-1", Task: "other", Tab: "shell", Code: 1, Tail: []string{"somewhere else"}},
			{Key: b.m.current().key, Task: "website", Tab: "tests", Signal: "SIGKILL", Tail: []string{"out of \x1b[31mmemory"}},
		}
		b.keys("\x01I")
		text := b.text()
		mine, others := strings.Index(text, "website / tests: SIGKILL"), strings.Index(text, "other / shell: code 1")
		if mine < 0 || others < mine || !strings.Contains(text, "out of [31mmemory") {
			t.Errorf("shown:\n%s", text)
		}
	}
}

func TestADialogLeavesNothingBehind(t *testing.T) {
	for _, size := range sizes {
		b := newBench(t, size.Cols, size.Rows)
		b.files = map[bool]workspace.FilesView{false: {Version: 1, Still: true}}
		b.print(b.m.current().key, "what the program shows")
		before := b.text()
		for _, keys := range []string{"\x1bOP", "\x01T", "\x01P", "\x01R", "\x01I", "\x01f"} {
			b.keys(keys)
			if b.m.dialog == nil || b.text() == before {
				t.Fatalf("%q opens nothing", keys)
			}
			b.keys("\x1b")
			b.send(flushMsg(b.m.tokenSeq))
			if got := b.text(); got != before {
				t.Errorf("after %q and Escape:\n%s\nbefore:\n%s", keys, got, before)
			}
		}
	}
}

func TestWhatIsTypedBeforeTheFirstPaneIsForIt(t *testing.T) {
	b := newBench(t, 80, 24)
	b.typed = make(map[string][]byte)
	b.m = New(b.m.cfg)
	b.m.Init()
	b.keys("echo ab")
	b.send(WorldMsg(b.world))
	b.keys("c\r")
	if got := string(b.typed[b.m.current().key]); got != "echo abc\r" {
		t.Errorf("the program got %q", got)
	}
}
