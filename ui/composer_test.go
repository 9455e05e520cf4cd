package ui

import (
	"errors"
	"strings"
	"testing"

	"moorage/workspace"
)

func TestADraftSurvivesSwitchingTabsAndIsSentByEnter(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "L")
		b.follow(b.m.show("L", "tab-1"))
		b.keys("\x01e")
		b.keys("first line\x1b\rsecond\nthird")
		b.keys("\x1b[200~ and\r\npasted \x1b[31mred\x1b[201~")
		b.golden("composer")
		b.escape()
		b.keys("\x012") // another tab, and back
		b.keys("\x01e")
		if strings.Contains(b.text(), "first line") {
			t.Errorf("the draft is shown for another tab:\n%s", b.text())
		}
		b.escape()
		b.keys("\x011")
		b.keys("\x01e")
		b.shows("first line")
		b.keys("\r")
		want := workspace.Send{Task: "L", Tab: "tab-1", Prompt: "first line\nsecond\nthird and\npasted [31mred"}
		if len(b.git.sent) != 1 || b.git.sent[0].Prompt != want.Prompt || b.git.sent[0].Tab != want.Tab {
			t.Fatalf("sent %+v", b.git.sent)
		}
		if b.m.dialog != nil {
			t.Error("the composer stays")
		}
		b.keys("x")
		if got := string(b.typed["L/tab-1/pane-1"]); got != "x" {
			t.Errorf("the pane got %q", got)
		}
		b.keys("\x01e")
		if strings.Contains(b.text(), "first line") {
			t.Error("a sent draft stays")
		}
	}
}

func TestADraftThatWasNotSentIsKept(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.git.err = errors.New("no engine runs there")
	b.follow(b.m.show("L", "tab-1"))
	b.keys("\x01ekeep me\r")
	b.shows("not sent, the draft is kept: no engine runs there")
	b.keys("\x01e")
	b.shows("keep me")
}

func TestADraftIsGoneWithItsTab(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.follow(b.m.show("L", "tab-1"))
	b.keys("\x01esecret")
	b.escape()
	w := twoProjects()
	w.Tasks[1].Tabs = w.Tasks[1].Tabs[1:]
	b.send(WorldMsg(w))
	if len(b.m.drafts) != 0 {
		t.Errorf("drafts %v", b.m.drafts)
	}
}

func TestADraftIsEditedOverSeveralLines(t *testing.T) {
	e := newDraft()
	e.insert("one\ntwo\nthree")
	for _, step := range []struct {
		keys, want string
	}{
		{"\x1b[A\x1b[H\x7f", "onetwo\nthree"}, // joins with the line before
		{"\x0b", "one\nthree"},
		{"\x1b[3~", "onethree"}, // and with the one behind
		{"\x15", "three"},
		{"\x1b[F\x17", ""},
	} {
		b := newBench(t, 80, 24)
		b.m.dialog = &composer{m: b.m, draft: e}
		b.keys(step.keys)
		if e.String() != step.want || e.bytes != len(step.want) {
			t.Fatalf("after %q: %q of %d bytes", step.keys, e.String(), e.bytes)
		}
	}
	if e.insert(strings.Repeat("x", workspace.MaxPrompt+1)) {
		t.Error("more was taken than a prompt may be")
	}
}

func TestWhatIsWrittenWhileADraftIsSentStays(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.follow(b.m.show("L", "tab-1"))
	b.keys("\x01eone")
	draft := b.m.drafts[b.m.shown]
	sending := b.m.sendDraft(b.m.shown, draft)
	b.keys(" two")
	b.follow(sending)
	if draft.String() == "" {
		t.Error("what was written meanwhile is lost")
	}
}

func TestAnAtOffersTheTasksFiles(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "L")
		b.files = map[bool]workspace.FilesView{false: {Entries: []workspace.FileEntry{
			{Path: []byte("README.md"), Show: "README.md"},
			{Path: []byte("ui/composer.go"), Show: "ui/composer.go"},
			{Path: []byte("ui/compose/deep/er.go"), Show: "ui/compose/deep/er.go"},
		}}}
		b.follow(b.m.show("L", "tab-1"))
		b.keys("\x01eme@example is no file, look at @comp")
		b.golden("complete")
		b.keys("\t")
		b.shows("look at @ui/composer.go")
		b.keys("and @cer\r") // Enter takes the file, and sends nothing
		if got := b.m.drafts[b.m.shown].String(); !strings.HasSuffix(got, "and @ui/composer.go ") {
			t.Errorf("the draft is %q", got)
		}
		b.keys("or @none")
		b.shows("no such file")
		b.escape() // the list, not the composer
		b.shows("or @none")
		b.keys("\r")
		if len(b.git.sent) != 1 || b.git.sent[0].Prompt != "me@example is no file, look at @ui/composer.go and @ui/composer.go or @none" {
			t.Fatalf("sent %+v", b.git.sent)
		}
	}
}

func TestEarlierPromptsOfTheTaskComeBack(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.follow(b.m.show("L", "tab-1"))
	for _, prompt := range []string{"first", "second\nof two lines"} {
		b.keys("\x01e" + prompt + "\r")
	}
	b.keys("\x012") // another tab of the task
	b.keys("\x01emine\x1b[A")
	b.shows("of two lines")
	b.keys("\x1b[A") // to its first line
	b.shows("of two lines")
	b.keys("\x1b[A")
	b.shows("first")
	b.keys("\x1b[A\x1b[B")
	b.shows("of two lines")
	b.keys("\x1b[B")
	b.shows("mine")
	b.escape()
	b.follow(b.m.show("D", "tab-1")) // another task
	b.keys("\x01e\x1b[A")
	if strings.Contains(b.text(), "first") {
		t.Errorf("another task's prompt:\n%s", b.text())
	}
}

func TestTheHistoryIsBounded(t *testing.T) {
	h := &history{}
	for i := range 3 * maxHistory {
		h.add(itoa(i))
	}
	if len(h.prompts) != maxHistory || h.prompts[maxHistory-1] != itoa(3*maxHistory-1) {
		t.Errorf("%d prompts, the last %q", len(h.prompts), h.prompts[len(h.prompts)-1])
	}
	big := strings.Repeat("x", maxHistoryBytes-3)
	h.add(big)
	h.add(big + "yyyy") // longer than all that is kept
	h.add("again")
	h.add("again")
	if len(h.prompts) != 1 || h.bytes != len("again") {
		t.Errorf("%d prompts of %d bytes", len(h.prompts), h.bytes)
	}
}
