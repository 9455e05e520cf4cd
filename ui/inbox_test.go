package ui

import (
	"strings"
	"testing"

	"moorage/workspace"
)

func TestTheInboxGoesToWhatWantsYou(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "D")
		b.keys("i")
		b.golden("inbox")
		b.keys("j\r")
		if b.m.shown != (tabRef{"S", "tab-1"}) || b.m.dialog != nil {
			t.Errorf("shown %v", b.m.shown)
		}
		b.keys("\x01i")
		b.clickOn("login / agent")
		if b.m.shown != (tabRef{"L", "tab-1"}) {
			t.Errorf("a click shows %v", b.m.shown)
		}
	}
}

func TestTheInboxFollowsTheWorld(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "D")
	b.keys("ij") // on the second
	w := twoProjects()
	w.Inbox.Pending = w.Inbox.Pending[1:]
	b.send(WorldMsg(w))
	if strings.Contains(b.text(), "login / agent") {
		t.Errorf("what is over is still there:\n%s", b.text())
	}
	b.keys("\r")
	if b.m.shown != (tabRef{"S", "tab-1"}) {
		t.Errorf("the cursor left its item: %v", b.m.shown)
	}
	b.keys("\x01i")
	w.Inbox = workspace.Inbox{}
	b.send(WorldMsg(w))
	b.shows("nothing wants you")
	b.keys("jk\r")
	b.escape()
	b.keys("x")
	if got := string(b.typed["S/tab-1/pane-1"]); got != "x" {
		t.Errorf("the pane got %q", got)
	}
}

func TestTheHelpHasEveryKeyAndEveryMark(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "D")
		b.keys("?")
		b.golden("help")
		var all strings.Builder
		for _, l := range b.m.dialog.(*help).lines {
			all.WriteString(l.key + "\t" + l.text + "\n")
		}
		for _, k := range markList() {
			if !strings.Contains(all.String(), k.glyph+"\t"+k.meaning) {
				t.Errorf("%s is not explained", k.glyph)
			}
		}
		for _, b := range b.m.cfg.Keys.Bindings(0, false) {
			if !strings.Contains(all.String(), b.Keys[0]) || b.Help == "" {
				t.Errorf("%s is not there", b.Action)
			}
		}
	}
}
