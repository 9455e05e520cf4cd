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

func (b *bench) Files(_ context.Context, p workspace.FilesQuery) (workspace.FilesView, error) {
	v := b.files[p.Changes]
	v.Still = true // nothing changes here: who waited for it would wait for ever
	return v, nil
}
