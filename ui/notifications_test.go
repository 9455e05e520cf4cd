package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// wants is the usual world with items in its inbox.
func wants(items ...workspace.Item) WorldMsg {
	w := twoTasks()
	w.Inbox.Pending = items
	return WorldMsg(w)
}

func called(id, task, text string) workspace.Item {
	return workspace.Item{ID: id, Task: task, Tab: "tab-1", Kind: workspace.ItemCalled, Title: "scratch / shell", Text: text}
}

// sent are the bytes that went out since the last call.
func (b *bench) sent() string {
	defer func() { b.raw = nil }()
	return string(b.raw)
}

func TestANotificationReachesWhoIsNotLooking(t *testing.T) {
	b := newBench(t, 100, 12)
	b.send(wants(called("1", "A", "looked at")))
	b.send(wants(called("2", "B", "hello ✓")))
	out := b.sent()
	if strings.Contains(out, "looked at") || strings.Count(out, "\x1b]9;hello ✓\x1b\\") != 1 {
		t.Errorf("sent %q", out)
	}
	if !slices.Equal(b.told, []string{"+1", "2"}) {
		t.Errorf("told %v", b.told)
	}
	if !strings.Contains(b.screen(), "!") {
		t.Error("the tab is not marked")
	}
}

func TestEachFormOfANotification(t *testing.T) {
	finished := workspace.Item{ID: "9", Task: "B", Tab: "tab-1", Kind: workspace.ItemFinished, Title: "scratch / claude", Text: "the answer"}
	bell := workspace.Item{ID: "9", Task: "B", Tab: "tab-1", Kind: workspace.ItemBell, Title: "scratch / shell", Text: "bell"}
	for _, tc := range []struct {
		sentence, version string
		how               workspace.Notify
		item              workspace.Item
		want              string
	}{
		{"auto is OSC 9", "", workspace.Notify{Form: workspace.NotifyAuto}, finished, "\x1b]9;scratch / claude: the answer\x1b\\"},
		{"also without a word", "", workspace.Notify{}, finished, "\x1b]9;scratch / claude: the answer\x1b\\"},
		{"also for one that knows more", "kitty(0.36.1)", workspace.Notify{}, finished, "\x1b]9;scratch / claude: the answer\x1b\\"},
		{"a terminal that knows only the bell gets that", "XTerm(390)", workspace.Notify{}, finished, "\a"},
		{"unless the client says otherwise", "XTerm(390)", workspace.Notify{Form: workspace.NotifyOSC9}, finished, "\x1b]9;scratch / claude: the answer\x1b\\"},
		{"OSC 777 has a title", "", workspace.Notify{Form: workspace.NotifyOSC777}, finished, "\x1b]777;notify;scratch / claude;the answer\x1b\\"},
		{"OSC 99 has one", "", workspace.Notify{Form: workspace.NotifyOSC99}, finished, "\x1b]99;i=moorage:d=0:p=title;scratch / claude\x1b\\\x1b]99;i=moorage:p=body;the answer\x1b\\"},
		{"a bell", "", workspace.Notify{Form: workspace.NotifyBell}, finished, "\a"},
		{"off", "", workspace.Notify{Form: workspace.NotifyOff}, finished, ""},
		{"a program's bell is one in every form", "", workspace.Notify{Form: workspace.NotifyOSC777}, bell, "\a"},
		{"and off is off", "", workspace.Notify{Form: workspace.NotifyOff}, bell, ""},
		{"a tmux keeps all but the bell to itself", "tmux 3.3a", workspace.Notify{}, finished, "\a"},
		{"unless it is asked to pass it on", "tmux 3.3a", workspace.Notify{Tmux: true}, finished, "\x1bPtmux;\x1b\x1b]9;scratch / claude: the answer\a\x1b\\"},
		{"in any form", "tmux next-3.5", workspace.Notify{Form: workspace.NotifyOSC777, Tmux: true}, finished, "\x1bPtmux;\x1b\x1b]777;notify;scratch / claude;the answer\a\x1b\\"},
		{"who sits in no tmux gets nothing wrapped", "foot(1.16)", workspace.Notify{Tmux: true}, finished, "\x1b]9;scratch / claude: the answer\x1b\\"},
	} {
		b := newBench(t, 100, 12)
		b.m.notifications = newNotifications(tc.how, false)
		b.send(wants())
		if tc.version != "" {
			b.keys("\x1bP>|" + tc.version + "\x1b\\")
		}
		b.send(ScreenMsg{})
		b.sent()
		b.send(wants(tc.item))
		out := b.sent()
		if !strings.HasPrefix(out, tc.want) || strings.ContainsAny(out[len(tc.want):], "\a") || strings.Contains(out[len(tc.want):], "]9;") {
			t.Errorf("%s: %.80q", tc.sentence, out)
		}
		if told := len(b.told) == 1; told != (tc.want != "") {
			t.Errorf("%s: told %v", tc.sentence, b.told)
		}
	}
}

func TestNotificationsOfATabAreCoalesced(t *testing.T) {
	b := newBench(t, 100, 12)
	var clocks []func(time.Time) tea.Msg
	b.m.cfg.Tick = func(_ time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
		clocks = append(clocks, f)
		return nil
	}
	for i := range 1000 {
		b.send(wants(called(fmt.Sprint(i), "B", fmt.Sprintf("call %d.", i))))
	}
	if out := b.sent(); strings.Count(out, "\x1b]9;") != 1 || !strings.Contains(out, "call 0.") {
		t.Errorf("sent %q", out)
	}
	if len(clocks) != 1 {
		t.Fatalf("%d clocks run", len(clocks))
	}
	b.m.notifications.told[tabRef{"B", "tab-1"}] = time.Now().Add(-notifyEvery) // a second later
	b.send(clocks[0](time.Time{}))
	if out := b.sent(); strings.Count(out, "\x1b]9;") != 1 || !strings.Contains(out, "call 999.") {
		t.Errorf("a second later: %q", out)
	}
}

func TestATerminalThatTakesNothingIsToldTheNewest(t *testing.T) {
	b := newBench(t, 100, 12)
	b.held = true
	var items []workspace.Item
	for i := range 2 * maxNotifications {
		item := called(fmt.Sprint(i), "B", fmt.Sprintf("call %d.", i))
		item.Tab = fmt.Sprintf("tab-%d", i)
		items = append(items, item)
	}
	b.send(wants(items...))
	if len(b.told) != 0 {
		t.Errorf("told %v", b.told)
	}
	b.held = false
	b.send(ReadyMsg{})
	if out := b.sent(); strings.Count(out, "\x1b]9;") != maxNotifications || len(b.told) != maxNotifications || !strings.Contains(out, items[len(items)-1].Text) {
		t.Errorf("told %v: %q", b.told, out)
	}
}

func TestWhatCameWhileTheDaemonWasAwayIsTold(t *testing.T) {
	b := newBench(t, 100, 12)
	old := called("1", "B", "old")
	b.send(wants(old))
	b.sent()
	away := World(wants(old))
	away.Up = false
	b.send(WorldMsg(away))
	b.send(wants(old, workspace.Item{ID: "2", Task: "B", Kind: workspace.ItemDied, Title: "scratch", Text: "died"}))
	if out := b.sent(); strings.Contains(out, "old") || strings.Count(out, "\x1b]9;scratch: died\x1b\\") != 1 {
		t.Errorf("sent %q", out)
	}
	// A client that comes is told nothing of what waits.
	c := newBench(t, 100, 12)
	c.m.notifications.heard = nil
	c.send(wants(old))
	if out := c.sent(); strings.Contains(out, "old") {
		t.Errorf("sent %q", out)
	}
}

func TestAClientChoosesHowItIsTold(t *testing.T) {
	for _, size := range sizes {
		choosesHowItIsTold(newBench(t, size.Cols, size.Rows))
	}
}

func choosesHowItIsTold(b *bench) {
	t := b.t
	b.m.cfg.Client = "me"
	b.keys("\x01b")
	b.shows("How this client is told what wants you")
	b.golden("notifications")
	b.keys("3")
	if want := (workspace.Notify{Form: workspace.NotifyOSC777}); b.notify != want {
		t.Errorf("remembered %+v", b.notify)
	}
	if out := b.sent(); !strings.Contains(out, "\x1b]777;notify;moorage;this is how you are told\x1b\\") {
		t.Errorf("no example: %q", out)
	}
	b.follow(b.m.takePlace(placeMsg{Notify: workspace.Notify{Form: workspace.NotifyOff}})) // an answer that comes late
	b.keys("\x01bt")
	if want := (workspace.Notify{Form: workspace.NotifyOSC777, Tmux: true}); b.notify != want {
		t.Errorf("remembered %+v", b.notify)
	}
}

func TestWhatAnEngineCameToIsSaidHere(t *testing.T) {
	failed := workspace.Item{ID: "1", Task: "B", Tab: "tab-1", Kind: workspace.ItemFailed, Title: "scratch / claude", Text: "the API is down"}
	asks := workspace.Item{ID: "2", Task: "B", Tab: "tab-1", Kind: workspace.ItemNeedsInput, Title: "scratch / claude", Text: "approve Bash"}
	for _, tc := range []struct {
		sentence string
		form     workspace.NotifyForm
		item     workspace.Item
		said     bool
	}{
		{"a question", workspace.NotifyAuto, asks, true},
		{"an error", workspace.NotifyAuto, failed, true},
		{"a question, to who wants nothing", workspace.NotifyOff, asks, false},
		{"an error, to who wants nothing", workspace.NotifyOff, failed, true},
		{"what a program calls", workspace.NotifyAuto, called("3", "B", "approve Bash"), false},
	} {
		b := newBench(t, 100, 12)
		b.m.notifications = newNotifications(workspace.Notify{Form: tc.form}, false)
		b.send(wants())
		b.send(wants(tc.item))
		if said := strings.Contains(b.screen(), tc.item.Text); said != tc.said {
			t.Errorf("%s: said %v\n%s", tc.sentence, said, b.screen())
		}
	}
}

func TestWhatWasCalledWhileNobodyHeardItIsNotToldAfterwards(t *testing.T) {
	b := newBench(t, 100, 12)
	b.send(wants())
	b.sent()
	late := called("1", "B", "long ago")
	late.Late = true
	b.send(wants(late))
	if out := b.sent(); strings.Contains(out, "long ago") || strings.Contains(out, "\a") || len(b.told) != 0 {
		t.Errorf("sent %q, told %v", out, b.told)
	}
	if !strings.Contains(b.screen(), "!") {
		t.Error("the tab is not marked")
	}
}
