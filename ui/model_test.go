package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moorage/ptyhost/vt"
	"moorage/ui/keymap"
	"moorage/ui/paint"
	"moorage/workspace"
	"moorage/workspace/split"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"pgregory.net/rapid"
)

// bench is a model with an outside that answers at once: a daemon that edits a
// world of its own, screens that are real emulators, an output that is read
// back by another emulator.
type bench struct {
	t     testing.TB
	m     *Model
	out   *vt.Terminal
	world World
	terms map[string]*vt.Terminal
	typed map[string][]byte
	shown map[string]bool
	looks []string
	held  bool // the output takes nothing
	raw   []byte
	queue []Event

	files    map[bool]workspace.FilesView // by whether only changes were asked for
	place    workspace.TabRef
	notify   workspace.Notify
	told     []string // items that the terminal was told of, those looked at with a + before them
	selected []workspace.TabSelect
	tabs     []workspace.TabAdd
	policies []workspace.TabPolicy
	report   workspace.Report
	exits    []workspace.ExitRecord
	made     []string
	moves    []string
	sets     []workspace.TaskSet
	git      gitBench
	taken    bool // another client has the floor
	floors   int  // how often this one took it, and did not leave it
	consents []workspace.Consent
	refuse   error    // of what the daemon is told
	standing Standing // of every screen
	problem  string
}

type benchScreen struct {
	b   *bench
	key string
	m   vt.Mirror
}

func (s *benchScreen) Read(f func(*vt.Mirror)) {
	update, _ := s.b.terms[s.key].AppendUpdate(nil, s.m.Rev())
	if err := s.m.Apply(update); err != nil {
		s.b.t.Fatal(err)
	}
	f(&s.m)
}
func (s *benchScreen) Rev() uint64                { return s.b.terms[s.key].Rev() }
func (s *benchScreen) Life() uint64               { return 1 }
func (s *benchScreen) Status() (Standing, string) { return s.b.standing, s.b.problem }

func (s *benchScreen) Input(p []byte) bool {
	s.b.typed[s.key] = append(s.b.typed[s.key], p...)
	return true
}

func (s *benchScreen) Typist() bool { return len(s.b.typed[s.key]) > 0 }

func (s *benchScreen) Rows(_ context.Context, first uint64, count int) ([]byte, error) {
	if s.b.standing != Attached {
		return nil, errBench
	}
	return s.b.terms[s.key].AppendRows(nil, first, count), nil
}

func (b *bench) Show(_ workspace.Task, tab, pane string, size Size) (Screen, error) {
	key := sessionKey(tabRef{b.m.shown.task, tab}, pane)
	if b.terms[key] == nil {
		b.terms[key] = vt.New(vt.Options{Cols: size.Cols, Rows: size.Rows, Scrollback: 1000})
	}
	b.shown[key] = true
	return &benchScreen{b: b, key: key}, nil
}
func (b *bench) Hide(key string) { delete(b.shown, key) }
func (b *bench) Retry(string)    {}
func (b *bench) Look(tab string, sizes map[string]Size) {
	b.looks = append(b.looks, tab)
	for key, s := range sizes {
		b.terms[key].Resize(s.Cols, s.Rows)
	}
}
func (b *bench) Lay(map[string]Size)                          {}
func (b *bench) Warning() string                              { return "" }
func (b *bench) Act()                                         {}
func (b *bench) Busy(context.Context, string) (string, error) { return "", nil }
func (b *bench) SetColors(fg, bg vt.Color)                    {}
func (b *bench) Events() []Event {
	q := b.queue
	b.queue = nil
	return q
}

func (b *bench) Take() bool {
	b.floors++
	return !b.taken
}
func (b *bench) Leave() { b.floors-- }

func (b *bench) Hooks(_ context.Context, p workspace.Hooks) (workspace.Hooks, error) {
	b.consents = append(b.consents, p.Consent)
	return p, b.refuse
}

func (b *bench) Ready(bool) bool { return !b.held }
func (b *bench) Hurry()          {}
func (b *bench) Submit(frame []byte) []byte {
	b.raw = append(b.raw, frame...)
	_, _ = b.out.Write(frame)
	return nil
}

var errBench = errors.New("the bench's daemon does nothing")

func (b *bench) RenameTask(context.Context, workspace.TaskRename) error { return errBench }
func (b *bench) MoveTask(_ context.Context, task string, to int) error {
	b.moves = append(b.moves, fmt.Sprintf("%s to %d", task, to))
	return nil
}

func (b *bench) AddTab(_ context.Context, p workspace.TabAdd) (workspace.Added, error) {
	b.tabs = append(b.tabs, p)
	return workspace.Added{}, errBench
}
func (b *bench) CloseTab(context.Context, workspace.TabRef) error     { return errBench }
func (b *bench) RenameTab(context.Context, workspace.TabRename) error { return errBench }
func (b *bench) MoveTab(context.Context, workspace.TabRef, int) error { return errBench }
func (b *bench) Seen(context.Context, workspace.TabRef) error         { return nil }
func (b *bench) SelectTab(_ context.Context, p workspace.TabSelect) error {
	b.selected = append(b.selected, p)
	return nil
}

func (b *bench) Place(context.Context, string) (workspace.Place, error) {
	return workspace.Place{TabRef: b.place, Notify: b.notify}, nil
}

func (b *bench) SetNotify(_ context.Context, p workspace.NotifySet) error {
	b.notify = p.Notify
	return nil
}

func (b *bench) SplitPane(context.Context, workspace.PaneSplit) (workspace.Added, error) {
	return workspace.Added{}, errBench
}
func (b *bench) ClosePane(context.Context, workspace.PaneRef) error  { return errBench }
func (b *bench) ResetPane(context.Context, workspace.PaneOpen) error { return errBench }
func (b *bench) SetRatio(context.Context, workspace.SplitRatio) error {
	return errBench
}

func (b *bench) SwapPanes(context.Context, workspace.PaneSwap) error { return errBench }
func (b *bench) MovePane(context.Context, workspace.PaneMove) (workspace.Added, error) {
	return workspace.Added{}, errBench
}
func (b *bench) ArrangeTab(context.Context, workspace.TabArrange) error { return errBench }

func (b *bench) SetPolicy(_ context.Context, p workspace.TabPolicy) error {
	b.policies = append(b.policies, p)
	return nil
}

func (b *bench) Restore(_ context.Context, p workspace.Restore) (workspace.Report, error) {
	b.report.All = p.All
	return b.report, nil
}

func (b *bench) Report(_ context.Context, p workspace.ReportRef) (workspace.Report, error) {
	if p.Seen < 0 {
		return b.report, nil
	}
	r := b.report
	r.Ended = r.Started.Add(time.Second)
	r.Lines = slices.Clone(r.Lines)
	for i := range r.Lines {
		if r.Lines[i].Outcome == workspace.OutcomePending {
			r.Lines[i].Outcome = workspace.OutcomeRelaunched
		}
	}
	return r, nil
}
func (b *bench) Exits(context.Context) ([]workspace.ExitRecord, error) { return b.exits, nil }

// twoTasks is a world of two tasks: one with a split tab and another tab, one
// with a single shell.
func twoTasks() World {
	tree, _ := split.Leaf("pane-1").Split("pane-1", "pane-2", split.Right)
	tasks := []workspace.Task{
		{ID: "A", Title: "website", Kind: workspace.KindDirectory, Dir: "/w", Position: 1, ActiveTab: "tab-1", Tabs: []workspace.Tab{
			{ID: "tab-1", Layout: tree, Panes: []workspace.Pane{{ID: "pane-1"}, {ID: "pane-2"}}},
			{ID: "tab-2", Name: "logs", Layout: split.Leaf("pane-1"), Panes: []workspace.Pane{{ID: "pane-1"}}},
		}},
		{ID: "B", Title: "scratch", Kind: workspace.KindScratch, Position: 2, Tabs: []workspace.Tab{
			{ID: "tab-1", Layout: split.Leaf("pane-1"), Panes: []workspace.Pane{{ID: "pane-1"}}},
		}},
	}
	w := World{Up: true}
	for _, t := range tasks {
		v := workspace.TaskView{Task: t, Panes: map[string]workspace.PaneView{}}
		for _, tab := range t.Tabs {
			for _, p := range tab.Panes {
				v.Panes[tab.ID+"/"+p.ID] = workspace.PaneView{State: workspace.PaneAlive}
			}
		}
		w.Tasks = append(w.Tasks, v)
	}
	return w
}

func newBench(t testing.TB, cols, rows int) *bench {
	keys, err := keymap.New("ctrl+a", nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{
		t: t, out: vt.New(vt.Options{Cols: cols, Rows: rows}), world: twoTasks(),
		standing: Attached, terms: make(map[string]*vt.Terminal), typed: make(map[string][]byte), shown: make(map[string]bool),
	}
	b.m = New(Config{
		Daemon: b, Screens: b, Output: b, Floor: b, Keys: keys,
		Caps: paint.Caps{Profile: colorprofile.TrueColor, ECH: true, BCE: true}, Size: Size{cols, rows}, Tick: noTime,
		Told: func(item string, looking bool) {
			if looking {
				item = "+" + item
			}
			b.told = append(b.told, item)
		},
	})
	b.m.Init()
	b.send(WorldMsg(b.world))
	return b
}

// send gives the model a message and what its commands answer. No time passes.
func (b *bench) send(msg tea.Msg) {
	_, cmd := b.m.Update(msg)
	b.m.View()
	b.follow(cmd)
}

func (b *bench) follow(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, tea.QuitMsg:
	case tea.BatchMsg:
		for _, c := range msg {
			b.follow(c)
		}
	default:
		b.send(msg)
	}
}

func noTime(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }

func (b *bench) keys(s string) { b.send(InputMsg(s)) }

func (b *bench) print(key, s string) {
	_, _ = b.terms[key].Write([]byte(s))
	b.send(ScreenMsg{})
}

func (b *bench) screen() string { return strings.Join(b.out.ScreenText(), "\n") }

func TestThePanesAndTheSidebarAreDrawn(t *testing.T) {
	b := newBench(t, 100, 12)
	b.print("A/tab-1/pane-1", "left text")
	b.print("A/tab-1/pane-2", "right text")
	want := ` moorage            2 │ 1 shell  2 logs
 ▾ scratch            │left text                             │right text
  ● shell             │                                      │
▎▾ website            │                                      │
▎ ● shell             │                                      │
  ● logs              │                                      │`
	got := b.screen()
	for i, line := range strings.Split(want, "\n") {
		if have := strings.Split(got, "\n")[i]; have != line {
			t.Errorf("row %d is\n%s\nnot\n%s", i, have, line)
		}
	}
}

func TestTheCursorIsThePrograms(t *testing.T) {
	b := newBench(t, 100, 12)
	b.print("A/tab-1/pane-1", "$ ab\x1b[5 q")
	if c := b.out.Cursor(); c.X != 23+4 || c.Y != 1 || !c.Visible {
		t.Errorf("cursor %+v", c)
	}
	b.keys("\x11") // to the sidebar: no cursor
	if c := b.out.Cursor(); c.Visible {
		t.Errorf("cursor %+v", c)
	}
}

func TestKeysGoToTheFocusedPane(t *testing.T) {
	b := newBench(t, 100, 12)
	b.keys("ls\r")
	b.keys("\x1bOR") // F3
	b.keys("pwd\r")
	if got := string(b.typed["A/tab-1/pane-1"]); got != "ls\r" {
		t.Errorf("the first got %q", got)
	}
	if got := string(b.typed["A/tab-1/pane-2"]); got != "pwd\r" {
		t.Errorf("the second got %q", got)
	}
}

func TestThePrefixTwiceIsSent(t *testing.T) {
	b := newBench(t, 100, 12)
	b.keys("\x01\x01x")
	if got := string(b.typed["A/tab-1/pane-1"]); got != "\x01x" {
		t.Errorf("sent %q", got)
	}
	b.keys("\x01q\x17") // the next key as it is: a bare ctrl+w
	if got := string(b.typed["A/tab-1/pane-1"]); got != "\x01x\x17" {
		t.Errorf("sent %q", got)
	}
}

func TestAPasteIsBracketedOnlyForWhoAsked(t *testing.T) {
	b := newBench(t, 100, 12)
	b.keys("\x1b[200~one\ntwo\x1b[201~")
	b.print("A/tab-1/pane-1", "\x1b[?2004h")
	b.keys("\x1b[200~three\x1b[201~")
	if got := string(b.typed["A/tab-1/pane-1"]); got != "one\rtwo\x1b[200~three\x1b[201~" {
		t.Errorf("sent %q", got)
	}
}

func TestTheWheelScrollsAndTypingComesBack(t *testing.T) {
	b := newBench(t, 100, 12)
	for i := range 100 {
		b.print("A/tab-1/pane-1", fmt.Sprintf("row %d\r\n", i))
	}
	b.keys("\x1b[<64;30;5M")
	if s := b.screen(); !strings.Contains(s, "row 88") || strings.Contains(s, "row 99") {
		t.Errorf("after the wheel:\n%s", s)
	}
	before := b.screen()
	b.print("A/tab-1/pane-1", "more\r\nmore\r\n")
	if panes(b.screen()) != panes(before) {
		t.Errorf("output moved the scrolled view:\n%s", b.screen())
	}
	b.keys("x")
	if s := b.screen(); !strings.Contains(s, "more") {
		t.Errorf("after typing:\n%s", s)
	}
}

// panes is a screen without the scroll mark, which counts.
func panes(s string) string {
	lines := strings.Split(s, "\n")
	return strings.Join(append(lines[2:3:3], lines[3:len(lines)-1]...), "\n")
}

func TestAProgramThatAskedGetsThePointerInItsOwnCoordinates(t *testing.T) {
	b := newBench(t, 100, 12)
	b.print("A/tab-1/pane-2", "\x1b[?1002h\x1b[?1006h")
	x := 0
	for key, p := range b.m.panes {
		if key == "A/tab-1/pane-2" {
			x = p.rect.X
		}
	}
	b.keys(fmt.Sprintf("\x1b[<0;%d;%dM", x+3, 5)) // columns and rows from 1
	b.keys(fmt.Sprintf("\x1b[<32;%d;%dM", 1, 1))  // dragged far outside
	b.keys(fmt.Sprintf("\x1b[<0;%d;%dm", 1, 1))
	if got := string(b.typed["A/tab-1/pane-2"]); got != "\x1b[<0;3;4M\x1b[<32;1;1M\x1b[<0;1;1m" {
		t.Errorf("got %q", got)
	}
}

func TestADragSelectsAndCopies(t *testing.T) {
	b := newBench(t, 100, 12)
	b.print("A/tab-1/pane-1", "hello world\r\nsecond row")
	b.keys("\x1b[<0;30;2M\x1b[<32;29;3M\x1b[<0;29;3m")
	if want := "\x1b]52;c;d29ybGQKc2Vjb25k"; !strings.Contains(string(b.raw), want) {
		t.Errorf("no copy of %q in %q", "world\\nsecond", b.raw)
	}
}

func TestWhatVanishedIsLeftForTheNearest(t *testing.T) {
	b := newBench(t, 100, 12)
	b.keys("\x012") // tab 2
	if b.m.shown != (tabRef{"A", "tab-2"}) {
		t.Fatalf("shown %v", b.m.shown)
	}
	w := twoTasks()
	w.Tasks[0].Tabs = w.Tasks[0].Tabs[:1]
	b.send(WorldMsg(w))
	if b.m.shown != (tabRef{"A", "tab-1"}) {
		t.Errorf("the tab vanished: shown %v", b.m.shown)
	}
	w = twoTasks()
	w.Tasks = w.Tasks[1:]
	b.send(WorldMsg(w))
	if b.m.shown != (tabRef{"B", "tab-1"}) {
		t.Errorf("the task vanished: shown %v", b.m.shown)
	}
}

func TestAClientGoesWithATabThatIsFoldedIntoAnotherTask(t *testing.T) {
	b := newBench(t, 100, 12)
	b.follow(b.m.show("B", "tab-1"))
	w := twoTasks()
	w.Tasks = w.Tasks[:1]
	w.Tasks[0].Tabs = append(w.Tasks[0].Tabs, workspace.Tab{ID: "tab-3", Layout: split.Leaf("pane-1"), Panes: []workspace.Pane{
		{ID: "pane-1", Former: []workspace.TabRef{{Task: "B", Tab: "tab-1"}}},
	}})
	b.send(WorldMsg(w))
	if b.m.shown != (tabRef{"A", "tab-3"}) || b.m.region != inPanes {
		t.Errorf("shown %v", b.m.shown)
	}
}

func TestOthersDoingsMoveNobody(t *testing.T) {
	b := newBench(t, 100, 12)
	b.keys("\x012")
	looks := len(b.looks)
	w := twoTasks()
	w.Tasks[0].ActiveTab = "tab-1"
	w.Tasks[0].Tabs = append(w.Tasks[0].Tabs, workspace.Tab{ID: "tab-3", Layout: split.Leaf("pane-1"), Panes: []workspace.Pane{{ID: "pane-1"}}})
	b.send(WorldMsg(w))
	if b.m.shown != (tabRef{"A", "tab-2"}) || len(b.looks) != looks {
		t.Errorf("shown %v, looks %v", b.m.shown, b.looks[looks:])
	}
}

func TestASlowOutputGetsTheNewestFrameWhenItCan(t *testing.T) {
	b := newBench(t, 100, 12)
	b.held = true
	for i := range 50 {
		b.print("A/tab-1/pane-1", fmt.Sprintf("\rstate %d", i))
	}
	n := len(b.raw)
	b.held = false
	b.send(ReadyMsg{})
	if got := string(b.raw[n:]); !strings.Contains(got, "49") || strings.Contains(got, "48") {
		t.Errorf("drawn %q", got)
	}
}

func TestNoSizeAndNoInputPanics(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t, rapid.IntRange(1, 120).Draw(rt, "cols"), rapid.IntRange(1, 40).Draw(rt, "rows"))
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			switch rapid.IntRange(0, 4).Draw(rt, "what") {
			case 0:
				s := Size{rapid.IntRange(1, 250).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h")}
				b.out.Resize(s.Cols, s.Rows)
				b.send(SizeMsg(s))
			case 1:
				b.keys(rapid.SampledFrom([]string{
					"\x11", "\x14", "\x17", "\x1c", "\x01z", "\x01-", "\x01|", "\x01\x1b[A", "\x01\x1b[C", "\x1bOP", "\x1bOQ", "\x1bOR",
					"\x1bOS", "\x1b[15~", "\x1b", "n", "d", "y", "\x1b[5;5~", "\x1b[6;5~", "jjkk\r", "q", "text", "\x1b[200~p\x1b[201~",
					"\x01e", "\x01I", "\x01/", "\x01N", "\x01W", "\x01m", "np", "nd", "nc", "na", "i", "x", "m", "s", "p", "L", "/", "\t", "\r",
					"\x1b[18~", "\x01l", "3", "\n", "\x1b[A", "\x1b[B", "\x7f",
					"\x01?", "\x01s", "hl", "\x01f", "V", "v", "c", "[", "]", "x", "S", "\x01.", "\x1b[I", "\x1b[O", "\x1b[?1u", "\x1b[?62c",
				}).Draw(rt, "keys"))
			case 2:
				b.keys(fmt.Sprintf("\x1b[<%d;%d;%d%s", rapid.SampledFrom([]int{0, 1, 2, 32, 35, 64, 65}).Draw(rt, "button"),
					rapid.IntRange(1, 260).Draw(rt, "x"), rapid.IntRange(1, 70).Draw(rt, "y"), rapid.SampledFrom([]string{"M", "m"}).Draw(rt, "end")))
			case 3:
				for key, term := range b.terms {
					_, _ = term.Write([]byte(rapid.SampledFrom([]string{
						"text\r\n", "日本語", "\x1b[?1049h", "\x1b[?1049l", "\x1b[?1003h\x1b[?1006h", "\x1b[>1u", "\x1b[5;5H", "👨\u200d👩\u200d👧", strings.Repeat("line\r\n", 80), "\x1b[?5h",
					}).Draw(rt, "output "+key)))
				}
				b.send(ScreenMsg{})
			case 4:
				w := twoTasks()
				if rapid.Bool().Draw(rt, "projects") {
					w = twoProjects()
				}
				n := rapid.IntRange(0, 2).Draw(rt, "tasks")
				w.Tasks = w.Tasks[:n]
				if n > 0 && rapid.Bool().Draw(rt, "no tabs") {
					w.Tasks[0].Tabs = nil
				}
				b.send(WorldMsg(w))
			}
		}
	})
}

func (b *bench) Files(_ context.Context, p workspace.FilesQuery) (workspace.FilesView, error) {
	v := b.files[p.Changes]
	v.Still = true // nothing changes here: who waited for it would wait for ever
	return v, nil
}
