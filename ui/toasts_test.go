package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

func TestAnErrorStaysInSightWhenSomethingElseIsSaid(t *testing.T) {
	for _, size := range sizes {
		b := newBench(t, size.Cols, size.Rows)
		b.print("A/tab-1/pane-1", strings.Repeat("text of the pane ", 200))
		before := b.screen()
		b.follow(b.m.say("close tab: it could not be stored, for the disk is full and nothing can be written to it any more (see the daemon's log)", true))
		b.follow(b.m.say("sent 12 bytes", false))
		b.send(ScreenMsg{})
		b.golden("toasts")
		b.keys("\x01")
		b.escape() // dismissed
		if got := b.screen(); strings.Split(got, "\n")[size.Rows-3] != strings.Split(before, "\n")[size.Rows-3] {
			t.Errorf("what was below is not there again:\n%s\nnot\n%s", got, before)
		}
	}
}

func TestWhatIsSaidIsBoundedAndGoesWithTime(t *testing.T) {
	b := newBench(t, 100, 30)
	var clocks []func(time.Time) tea.Msg
	b.m.cfg.Tick = func(_ time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
		clocks = append(clocks, f)
		return nil
	}
	b.follow(b.m.say("the error", true))
	for i := range 10 {
		b.follow(b.m.say("note "+itoa(i), false))
	}
	if n := len(b.m.toasts.list); n != maxToasts || !b.m.toasts.list[0].bad {
		t.Errorf("%d toasts: %v", n, b.m.toasts.list)
	}
	b.send(ScreenMsg{})
	b.shows("the error")
	b.shows("note 9")
	for _, f := range clocks {
		b.send(f(time.Time{}))
	}
	if len(b.m.toasts.list) != 0 || strings.Contains(b.screen(), "the error") {
		t.Errorf("still there: %v", b.m.toasts.list)
	}
	n := len(clocks)
	b.send(ScreenMsg{})
	if len(clocks) != n {
		t.Error("a clock runs for nothing")
	}
}

func TestAClickTakesTheErrorAway(t *testing.T) {
	b := newBench(t, 100, 30)
	b.follow(b.m.say("the error", true))
	b.follow(b.m.say("a note", false))
	b.send(ScreenMsg{})
	b.clickOn("the error")
	if strings.Contains(b.screen(), "the error") {
		t.Errorf("it stays:\n%s", b.screen())
	}
}

func TestOfManyMistakesTheFirstAreTold(t *testing.T) {
	b := newBench(t, 100, 40)
	b.m.tellMistakes([]string{"one", "two", "three", "four", "five", "six"})
	b.send(ScreenMsg{})
	for _, text := range []string{"one", "two", "three", "and 3 more mistakes"} {
		b.shows(text)
	}
	b.m.dismiss()
	b.m.tellMistakes([]string{"one", "two", "three", "four"})
	b.send(ScreenMsg{})
	b.shows("four")
}
