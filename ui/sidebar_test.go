package ui

import (
	"strings"
	"testing"

	"moorage/ui/paint"
	"moorage/workspace"
)

// order is the sidebar's rows in words, without marks.
func (b *bench) order() string {
	var rows []string
	for _, r := range b.m.sidebarRows() {
		switch r.kind {
		case rowHead:
			rows = append(rows, "["+r.title+"]")
		case rowTask:
			rows = append(rows, r.view.Title)
		default:
			rows = append(rows, "."+r.view.TabLabel(r.tab, ""))
		}
	}
	return strings.Join(rows, " ")
}

func TestTheSidebarHasProjectsAsGroups(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "M")
	want := "[scratch] shell .shell [harbour] search .codex .review harbour .shell login .agent .tests [tide[31m] currents moon [directories] notes .shell"
	if got := b.order(); got != want {
		t.Errorf("the rows are\n%s\nnot\n%s", got, want)
	}
	b.keys("g") // the scratch tasks' heading
	b.keys("h")
	if got := b.order(); !strings.HasPrefix(got, "[scratch] [harbour]") {
		t.Errorf("a heading does not fold: %s", got)
	}
	b.keys("\r")
	if got := b.order(); got != want {
		t.Errorf("Enter does not unfold it: %s", got)
	}
}

func TestWithoutAProjectNothingHasAHeading(t *testing.T) {
	b := newBench(t, 100, 20)
	if got := b.order(); got != "scratch .shell website .shell .logs" {
		t.Errorf("the rows are %s", got)
	}
}

func TestTheSidebarLooksRight(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "L")
		b.golden("sidebar")
		if text := b.text(); strings.Contains(text, "\x1b") {
			t.Error("a control character reached the screen")
		}
	}
}

func TestAFoldedTaskShowsItsMostUrgentEngine(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "M")
	b.keys("/login\r\x01s")
	b.keys("kh") // its task's row, folded
	rows := strings.Split(b.text(), "\n")
	for _, row := range rows {
		if strings.Contains(row, "▸ login") && strings.Contains(row, "▲") && strings.Contains(row, "!") {
			return
		}
	}
	t.Errorf("the folded task does not say that it needs input:\n%s", b.text())
}

func TestEveryMarkIsOneColumnAndItsOwn(t *testing.T) {
	seen := make(map[string]string)
	for _, k := range markList() {
		if k.meaning == "" {
			t.Errorf("%s means nothing", k.glyph)
		}
		if strings.Contains(k.glyph, "N") {
			continue // a count
		}
		if w := paint.StringWidth(k.glyph); w != 1 {
			t.Errorf("%s takes %d columns", k.glyph, w)
		}
		if seen[k.glyph] != "" {
			t.Errorf("%s means %q and %q", k.glyph, seen[k.glyph], k.meaning)
		}
		seen[k.glyph] = k.meaning
	}
	for _, a := range []workspace.Activity{
		workspace.ActivityUnknown, workspace.ActivityIdle, workspace.ActivityWorking, workspace.ActivityNeedsInput, workspace.ActivityFinished,
		workspace.ActivityRateLimited, workspace.ActivityError, workspace.ActivityDead,
	} {
		if _, ok := engineMarks[a]; !ok {
			t.Errorf("%s has no mark", a)
		}
	}
}

func TestTheSpinnerMovesWithTheNewsAndNotWithTime(t *testing.T) {
	w := twoProjects()
	b := inWorld(t, Size{100, 30}, w, "D")
	before := b.text()
	b.send(ScreenMsg{})
	if b.text() != before {
		t.Error("it moved without news")
	}
	w.Tasks[5].Work = &workspace.Work{What: "making the worktree", Line: "Updating files: 46%"}
	b.send(WorldMsg(w))
	if b.text() == before {
		t.Error("it stood still")
	}
}

func TestAFailedWorktreeIsTriedAgainByEnter(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "D")
	b.m.side.at = rowRef{tabRef: tabRef{task: "F"}}
	b.keys("\x1b[A\x1b[B")
	b.shows("moon: making the worktree: fatal: no space left   Enter: try again")
	b.keys("\r")
	if len(b.made) != 1 || b.made[0] != "F" {
		t.Fatalf("made %v", b.made)
	}
	if b.m.shown.task != "F" {
		t.Errorf("shown %v", b.m.shown)
	}
	b.shows("failed: fatal: no space left")
	b.keys("\r") // now from where its panes will be
	if len(b.made) != 2 {
		t.Errorf("made %v", b.made)
	}
	if len(b.tabs) != 2 || b.tabs[0].Task != "F" {
		t.Errorf("the first tab of a made worktree: %v", b.tabs)
	}
}

func TestAWorktreeThatIsBeingMadeIsNotMadeTwice(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "D")
	b.m.side.at = rowRef{tabRef: tabRef{task: "W"}}
	b.keys("\r")
	b.shows("making the worktree: Updating files: 45%")
	b.keys("\r\r")
	if len(b.made) != 0 {
		t.Errorf("made %v", b.made)
	}
}

func TestATaskMovesWithinItsGroupOnly(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.m.side.at = rowRef{tabRef: tabRef{task: "L"}}
	b.keys("JK") // alone after the main checkout
	b.m.side.at = rowRef{tabRef: tabRef{task: "F"}}
	b.keys("JK")
	if len(b.moves) != 1 || b.moves[0] != "F to 5" {
		t.Errorf("moved %v", b.moves)
	}
}

func TestAPinIsToggled(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "S")
	b.keys("p")
	if len(b.sets) != 1 || b.sets[0].Task != "S" || *b.sets[0].Pinned {
		t.Errorf("set %+v", b.sets)
	}
}

func TestSearchKeepsParentsAndEscapeRestores(t *testing.T) {
	b := inWorld(t, Size{100, 14}, twoProjects(), "L")
	b.m.side.folded["S"] = true
	b.keys("G")
	at, order := b.m.side.at, b.order()
	before := b.text()
	b.keys("/rev")
	if got := b.order(); got != "[harbour] search .review" {
		t.Errorf("found %s", got)
	}
	b.keys("\x15harb") // the project brings all that is in it
	if got := b.order(); !strings.HasPrefix(got, "[harbour] search .codex .review harbour") {
		t.Errorf("found %s", got)
	}
	b.keys("\x15feat/log") // the branch
	if got := b.order(); !strings.HasPrefix(got, "[harbour] login .agent .tests") {
		t.Errorf("found %s", got)
	}
	b.keys("\x15nothing at all")
	b.shows("nothing is found")
	b.keys("\x1b")
	b.send(flushMsg(b.m.tokenSeq))
	if b.m.side.at != at || b.order() != order || b.text() != before {
		t.Errorf("Escape does not restore:\n%s\nbefore:\n%s", b.text(), before)
	}
	b.keys("/rev\r")
	if b.m.shown != (tabRef{"S", "tab-2"}) || b.m.search != nil {
		t.Errorf("Enter shows %v", b.m.shown)
	}
	b.keys("x")
	if got := string(b.typed["S/tab-2/pane-1"]); got != "x" {
		t.Errorf("the tab got %q", got)
	}
}

func TestSearchFindsTheLiveTitle(t *testing.T) {
	w := twoTasks()
	w.Tasks[0].Panes["tab-1/pane-1"] = workspace.PaneView{State: workspace.PaneAlive, Title: "compiling kernel"}
	b := newBench(t, 100, 20)
	b.send(WorldMsg(w))
	b.keys("\x01/krnl\r")
	if b.m.shown != (tabRef{"A", "tab-1"}) {
		t.Errorf("shown %v", b.m.shown)
	}
}

func TestSearchLooksRight(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "L")
		b.keys("/re")
		b.golden("search")
	}
}

func TestOtherClientsChangeNothingOfASearch(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.keys("/login")
	w := twoProjects()
	w.Tasks[0].Title = "other"
	b.send(WorldMsg(w))
	if got := b.order(); got != "[harbour] login .agent .tests" {
		t.Errorf("the search shows %s", got)
	}
}

func TestWhatNeedsYouIsVisitedInTheInboxsOrder(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "D")
	for _, want := range []tabRef{{"L", "tab-1"}, {"S", "tab-1"}, {"L", "tab-1"}} {
		b.keys("\x1b[18~")
		if b.m.shown != want {
			t.Fatalf("shown %v, not %v", b.m.shown, want)
		}
	}
	b.keys("\x1b[18;2~")
	if b.m.shown != (tabRef{"S", "tab-1"}) {
		t.Errorf("back: shown %v", b.m.shown)
	}
}

func TestADigitJumpsAndTheLastTaskComesBack(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.keys("2")
	if b.m.shown.task != "S" {
		t.Errorf("shown %v", b.m.shown)
	}
	b.keys("\x01l")
	if b.m.shown.task != "L" {
		t.Errorf("back: shown %v", b.m.shown)
	}
}

func TestOnANarrowScreenTheRecentTasksAreInARow(t *testing.T) {
	b := inWorld(t, Size{60, 20}, twoProjects(), "L")
	b.follow(b.m.show("D", ""))
	b.follow(b.m.show("S", ""))
	b.keys("\x01s")
	b.golden("recent")
	x := strings.Index(strings.Split(b.text(), "\n")[1], "notes")
	b.keys("\x1b[<0;" + itoa(x+1) + ";2M")
	if b.m.shown.task != "D" {
		t.Errorf("a click shows %v", b.m.shown)
	}
}
