package inbox

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moorage/workspace"
)

func at(n int) time.Time { return time.Unix(int64(n), 0) }

func item(id, task, tab string, kind workspace.ItemKind, n int) workspace.Item {
	return workspace.Item{ID: id, Task: task, Tab: tab, Kind: kind, Time: at(n)}
}

func ids(items []workspace.Item) string {
	var b strings.Builder
	for _, i := range items {
		b.WriteString(i.ID + " ")
	}
	return strings.TrimSpace(b.String())
}

func TestWhatNeedsTheUserComesFirstAndTheOldestOfIt(t *testing.T) {
	var in workspace.Inbox
	for _, i := range []workspace.Item{
		item("a", "t", "tab-1", workspace.ItemFinished, 1), item("b", "t", "tab-2", workspace.ItemNeedsInput, 5),
		item("c", "u", "tab-1", workspace.ItemRateLimited, 3), item("d", "u", "", workspace.ItemFailed, 2), item("e", "u", "tab-2", workspace.ItemNeedsInput, 4),
	} {
		in = Raise(in, i)
	}
	if got := ids(in.Pending); got != "e b d c a" {
		t.Errorf("pending: %s", got)
	}
}

func TestATargetHasOnePendingItem(t *testing.T) {
	first := Raise(workspace.Inbox{}, item("a", "t", "tab-1", workspace.ItemNeedsInput, 1))
	in := Raise(first, item("b", "t", "tab-1", workspace.ItemFinished, 2))
	if ids(in.Pending) != "b" || ids(in.Recent) != "a" || in.Recent[0].Cause != Replaced {
		t.Errorf("%+v", in)
	}
	if ids(first.Pending) != "a" {
		t.Error("an inbox that was published changed")
	}
	in = Raise(in, item("c", "t", "", workspace.ItemFinished, 3)) // the task as such is another
	in, ok := Settle(in, "t", "tab-1", Opened, at(4))
	if !ok || ids(in.Pending) != "c" || ids(in.Recent) != "b a" {
		t.Errorf("%+v", in)
	}
	if _, ok = Settle(in, "t", "tab-1", Opened, at(5)); ok {
		t.Error("nothing was settled")
	}
	if in, ok = Keep(in, at(6), func(task, _ string) bool { return task != "t" }); !ok || len(in.Pending) != 0 || in.Recent[0].Cause != Gone {
		t.Errorf("%+v", in)
	}
}

func TestOnlyAnEdgeRises(t *testing.T) {
	v := func(a workspace.Activity, n int) workspace.EngineView {
		return workspace.EngineView{Activity: a, Since: at(n)}
	}
	for _, tc := range []struct {
		before, after workspace.EngineView
		rises, falls  bool
	}{
		{v(workspace.ActivityWorking, 1), v(workspace.ActivityFinished, 2), true, false},
		{v(workspace.ActivityFinished, 2), v(workspace.ActivityFinished, 2), false, false},
		{v(workspace.ActivityFinished, 2), v(workspace.ActivityFinished, 3), true, false},
		{v(workspace.ActivityFinished, 2), v(workspace.ActivityWorking, 3), false, true},
		{v(workspace.ActivityNeedsInput, 2), v(workspace.ActivityIdle, 3), false, true},
		{v(workspace.ActivityUnknown, 0), v(workspace.ActivityDead, 3), true, false},
		{v(workspace.ActivityIdle, 0), v(workspace.ActivityWorking, 3), false, true}, // of what its program has called
		{v(workspace.ActivityWorking, 3), v(workspace.ActivityWorking, 4), false, false},
		{v(workspace.ActivityUnknown, 0), v(workspace.ActivityIdle, 3), false, false},
	} {
		if _, rises := Rises(tc.before, tc.after); rises != tc.rises || Falls(tc.before, tc.after) != tc.falls {
			t.Errorf("%s@%v to %s@%v: rises %v", tc.before.Activity, tc.before.Since, tc.after.Activity, tc.after.Since, rises)
		}
	}
}

func TestTextsAreClean(t *testing.T) {
	i := item("a", "t", "tab-1", workspace.ItemFinished, 1)
	i.Title, i.Text = strings.Repeat("é", 100), "a\x1b]9;x\ab\nc\u202ed"+strings.Repeat("z", 10<<10)
	got := Raise(workspace.Inbox{}, i).Pending[0]
	if len(got.Title) != 64 || len(got.Text) != 200 || !strings.HasPrefix(got.Text, "a]9;xb cdzz") {
		t.Errorf("%q, %q", got.Title, got.Text)
	}
}

func TestAClientIsToldWhatRoseSinceItLooked(t *testing.T) {
	in := Raise(workspace.Inbox{}, item("a", "t", "tab-1", workspace.ItemFinished, 1))
	next := Raise(in, item("b", "t", "tab-2", workspace.ItemFinished, 2))
	if got := ids(next.Risen(in)); got != "b" {
		t.Errorf("rose: %q", got)
	}
	gone, _ := Settle(next, "t", "tab-2", NewTurn, at(3))
	if got := ids(gone.Risen(in)); got != "" {
		t.Errorf("what is over rose: %q", got)
	}
	next, _ = Settle(next, "t", "tab-2", Opened, at(3))
	if got := ids(next.Risen(in)); got != "b" {
		t.Errorf("of what another client has opened rose %q", got)
	}
	if got := ids(in.Risen(next)); got != "" {
		t.Errorf("an older inbox tells %q again", got)
	}
	told, ok := Told(next, workspace.Told{ID: "b", Told: 2, Looking: 1})
	told, _ = Told(told, workspace.Told{ID: "b", Told: 1})
	if !ok || told.Recent[0].Told != 3 || told.Recent[0].Looking != 1 || next.Recent[0].Told != 0 {
		t.Errorf("%+v", told.Recent)
	}
}

func TestOnlyTheNewestAreKept(t *testing.T) {
	var in workspace.Inbox
	for n := range 200 {
		in = Raise(in, item(fmt.Sprint(n), "t", "tab-1", workspace.ItemFinished, n))
	}
	if len(in.Recent) != workspace.MaxRecent || in.Recent[0].ID != "198" {
		t.Errorf("%d kept, the newest %s", len(in.Recent), in.Recent[0].ID)
	}
}

func TestWhatAProgramCallsStandsBehindItsEngine(t *testing.T) {
	call := func(id string, n int) workspace.Item { return item(id, "t", "tab-1", workspace.ItemCalled, n) }
	bell := func(id string, n int) workspace.Item { return item(id, "t", "tab-1", workspace.ItemBell, n) }
	in := Raise(workspace.Inbox{}, bell("a", 1))
	for _, tc := range []struct {
		sentence string
		beside   workspace.Item
		call     workspace.Item
		want     bool
	}{
		{"a bell beside a bell", bell("a", 1), bell("b", 2), true},
		{"a text beside a bell", bell("a", 1), call("b", 2), true},
		{"a text beside a text", call("a", 1), call("b", 2), true},
		{"a bell beside a text", call("a", 1), bell("b", 2), false},
		{"a text beside what the engine wants", item("a", "t", "tab-1", workspace.ItemNeedsInput, 1), call("b", 2), false},
		{"a bell beside it", item("a", "t", "tab-1", workspace.ItemFinished, 1), bell("b", 2), false},
		{"beside what another tab wants", item("a", "t", "tab-2", workspace.ItemFinished, 1), bell("b", 2), true},
	} {
		if got := Calls(Raise(workspace.Inbox{}, tc.beside), tc.call); got != tc.want {
			t.Errorf("%s: %v", tc.sentence, got)
		}
	}
	in = Raise(in, call("b", 2))
	in = Raise(in, call("c", 3))
	if ids(in.Pending) != "c" || ids(in.Recent) != "" {
		t.Errorf("pending %s, recent %s", ids(in.Pending), ids(in.Recent))
	}
	in = Raise(in, item("d", "t", "tab-1", workspace.ItemFinished, 4))
	in, _ = Settle(in, "t", "tab-1", Opened, at(5))
	in, _ = Settle(Raise(in, call("e", 6)), "t", "tab-1", Opened, at(7))
	if ids(in.Recent) != "e d" {
		t.Errorf("recent %s", ids(in.Recent))
	}
}

func TestWhoWasLookingIsNamedOnce(t *testing.T) {
	in := Raise(workspace.Inbox{}, item("a", "t", "tab-1", workspace.ItemFinished, 1))
	in, _ = Told(in, workspace.Told{ID: "a", Looking: 2, Lookers: []string{"me", "", "me"}})
	in, _ = Told(in, workspace.Told{ID: "a", Looking: 1, Lookers: []string{"you", "me"}})
	if got := in.Pending[0]; got.Looking != 3 || strings.Join(got.Lookers, " ") != "me you" {
		t.Errorf("%+v", got)
	}
}
