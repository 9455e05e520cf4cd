package workspace

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"moorage/ptyhost/wire"
	"moorage/workspace/split"
)

func newTask(kind Kind) Task {
	t := Task{ID: "T", Kind: kind, Dir: "/work"}
	t.AddTab(Tab{}, "")
	return t
}

func TestAnySequenceOfEditsKeepsATaskSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		task := newTask(rapid.SampledFrom([]Kind{KindDirectory, KindScratch}).Draw(t, "kind"))
		used := map[string]bool{}
		for range rapid.IntRange(1, 40).Draw(t, "edits") {
			before := task.Clone()
			tab := fmt.Sprintf("tab-%d", rapid.IntRange(1, 6).Draw(t, "tab"))
			pane := fmt.Sprintf("pane-%d", rapid.IntRange(1, 6).Draw(t, "pane"))
			next := task.Clone()
			switch rapid.IntRange(0, 6).Draw(t, "edit") {
			case 0:
				fresh := next.AddTab(Tab{}, "")
				if used[fresh.ID] {
					t.Fatalf("%s was used before", fresh.ID)
				}
			case 1:
				next.CloseTab(tab)
			case 2:
				next.MoveTab(tab, rapid.IntRange(-2, 9).Draw(t, "to"))
			case 3:
				next.SplitPane(tab, pane, split.Down, Pane{})
			case 4:
				next.ClosePane(tab, pane)
			case 5:
				next.PaneExited(tab, pane)
			case 6:
				next.Adopt(Key{"T", tab, pane}, nil, "/")
			}
			if diff := cmp.Diff(before.ids(), task.ids()); diff != "" {
				t.Fatalf("the edit of a clone changed the original: %s", diff)
			}
			if err := next.Check(); err != nil {
				t.Fatal(err)
			}
			for _, tab := range next.Tabs {
				used[tab.ID] = true
			}
			task = next
		}
	})
}

func (t Task) ids() []string { return append(t.Keys(), t.ActiveTab) }

func TestAPaneThatExitsLeavesItsTree(t *testing.T) {
	task := newTask(KindDirectory)
	task.SplitPane("tab-1", "pane-1", split.Right, Pane{})
	if fresh, ok := task.PaneExited("tab-1", "pane-1"); fresh != nil || !ok {
		t.Errorf("got %v, %v", fresh, ok)
	}
	if got := task.Keys(); !slices.Equal(got, []string{"T/tab-1/pane-2"}) {
		t.Errorf("left %v", got)
	}
}

func TestAnExtraTabClosesItselfWithItsLastPane(t *testing.T) {
	task := newTask(KindDirectory)
	task.AddTab(Tab{}, "")
	task.PaneExited("tab-1", "pane-1")
	if got := task.Keys(); !slices.Equal(got, []string{"T/tab-2/pane-1"}) || task.ActiveTab != "tab-2" {
		t.Errorf("left %v, active %s", got, task.ActiveTab)
	}
}

func TestTheOnlyTabIsMadeAnewWithTheTasksCommand(t *testing.T) {
	task := newTask(KindDirectory)
	task.Command = []string{"engine"}
	fresh, ok := task.PaneExited("tab-1", "pane-1")
	if !ok || fresh == nil || fresh.ID != "pane-2" || !slices.Equal(fresh.Command, task.Command) {
		t.Fatalf("got %+v, %v", fresh, ok)
	}
	if got := task.Keys(); !slices.Equal(got, []string{"T/tab-1/pane-2"}) {
		t.Errorf("left %v", got)
	}
}

func TestAScratchTaskEndsWithItsLastTab(t *testing.T) {
	for name, end := range map[string]func(*Task){
		"exit":  func(t *Task) { t.PaneExited("tab-1", "pane-1") },
		"close": func(t *Task) { t.CloseTab("tab-1") },
	} {
		task := newTask(KindScratch)
		end(&task)
		if !task.Ended() {
			t.Errorf("%s: it goes on with %v", name, task.Keys())
		}
	}
}

func TestTheUserMayCloseTheLastTabOfADirectoryTask(t *testing.T) {
	task := newTask(KindDirectory)
	if !task.ClosePane("tab-1", "pane-1") || len(task.Tabs) != 0 || task.Ended() {
		t.Errorf("got %+v", task)
	}
	if tab := task.AddTab(Tab{}, ""); tab.ID != "tab-2" || task.ActiveTab != "tab-2" {
		t.Errorf("reopened as %s", tab.ID)
	}
}

func TestClosingTheActiveTabActivatesTheOneThatTakesItsPlace(t *testing.T) {
	for closed, want := range map[string]string{"tab-1": "tab-2", "tab-2": "tab-3", "tab-3": "tab-2"} {
		task := newTask(KindDirectory)
		task.AddTab(Tab{}, "")
		task.AddTab(Tab{}, "")
		task.ActiveTab = closed
		task.CloseTab(closed)
		if task.ActiveTab != want {
			t.Errorf("after %s the active one is %s, want %s", closed, task.ActiveTab, want)
		}
	}
}

func TestASessionIsStartedWithWhatItsPaneSays(t *testing.T) {
	task := newTask(KindDirectory)
	task.AddTab(Tab{Command: []string{"top"}, Policy: PolicyAlways}, "/else")
	got, err := task.SessionSpec("tab-2", "pane-1")
	if err != nil {
		t.Fatal(err)
	}
	want := wire.OpenRequest{
		Key: "T/tab-2/pane-1", Argv: []string{"top"}, Dir: "/else",
		Env: []string{"MOORAGE_TASK_ID=T", "MOORAGE_TAB_ID=tab-2", "MOORAGE_PANE_ID=pane-1"}, Policy: "always",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, _ := task.SessionSpec("tab-1", "pane-1"); got.Dir != "/work" || got.Policy != "if-lost" {
		t.Errorf("by default %+v", got)
	}
	if _, err := task.SessionSpec("tab-9", "pane-1"); CodeOf(err) != CodeNotFound {
		t.Errorf("error %v", err)
	}
}

func TestATabIsCalledByNameThenTitleThenCommand(t *testing.T) {
	for _, c := range []struct {
		tab  Tab
		live string
		want string
	}{
		{Tab{Name: "mine", LastTitle: "old"}, "live", "mine"},
		{Tab{LastTitle: "old"}, "live\x1b[31m\u202e", "live[31m"},
		{Tab{LastTitle: "old", Command: []string{"top"}}, "", "old"},
		{Tab{Command: []string{"/usr/bin/top", "-d1"}}, "", "top"},
		{Tab{}, "", "shell"},
	} {
		if got := c.tab.Label(c.live); got != c.want {
			t.Errorf("%+v is called %q, want %q", c.tab, got, c.want)
		}
	}
}

func TestTextFromOutsideIsCleaned(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{" a\tb\nc ", 99, "a b c"},
		{"a\x00\x1b\x7f\u0085b", 99, "ab"},
		{"a\xffb", 99, "ab"},
		{"\u202eabc\u2066\u200f", 99, "abc"},
		{"日本語", 7, "日本"},
		{"✳ Claude", 99, "✳ Claude"},
	} {
		if got := Clean(c.text, c.limit); got != c.want {
			t.Errorf("%q is cleaned to %q, want %q", c.text, got, c.want)
		}
	}
}

func TestTheRecordOfATaskIsStable(t *testing.T) {
	task := newTask(KindDirectory)
	task.SplitPane("tab-1", "pane-1", split.Right, Pane{Dir: "/sub"})
	got, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"id":"T","title":"","kind":"directory","dir":"/work","position":0,` +
		`"created":"0001-01-01T00:00:00Z","updated":"0001-01-01T00:00:00Z",` +
		`"tabs":[{"id":"tab-1","layout":{"direction":"right","ratio":0.5,"first":{"pane":"pane-1"},"second":{"pane":"pane-2"}},` +
		`"panes":[{"id":"pane-1"},{"id":"pane-2","dir":"/sub"}],"next_pane":3}],"active_tab":"tab-1","next_tab":2}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestASnapshotFollowsItsDeltas(t *testing.T) {
	view := func(id string, position int) TaskView { return TaskView{Task: Task{ID: id, Position: position}} }
	order := func(s Snapshot) (ids []string) {
		for _, t := range s.Tasks {
			ids = append(ids, t.ID)
		}
		return ids
	}
	s := Snapshot{Tasks: []TaskView{view("a", 0), view("b", 1)}}
	for _, c := range []struct {
		delta Delta
		want  []string
	}{
		{Delta{Tasks: []TaskView{view("c", 2)}}, []string{"a", "b", "c"}},
		{Delta{Tasks: []TaskView{view("c", -1)}}, []string{"c", "a", "b"}},
		{Delta{Removed: []string{"a"}}, []string{"b"}},
		{Delta{Fresh: true, Tasks: []TaskView{view("d", 0)}}, []string{"d"}},
		{Delta{Host: &HostView{State: HostUp}}, []string{"a", "b"}},
	} {
		if got := order(s.Apply(c.delta)); !slices.Equal(got, c.want) {
			t.Errorf("%+v gives %v, want %v", c.delta, got, c.want)
		}
	}
}

func TestAKeyIsThreeParts(t *testing.T) {
	key, err := ParseKey("T/tab-1/pane-2")
	if err != nil || key != (Key{"T", "tab-1", "pane-2"}) || key.String() != "T/tab-1/pane-2" {
		t.Errorf("got %+v, %v", key, err)
	}
	for _, bad := range []string{"", "T", "T/tab-1", "T//pane", "a/b/c/d"} {
		if _, err := ParseKey(bad); CodeOf(err) != CodeInvalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
