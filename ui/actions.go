package ui

import (
	"context"
	"slices"

	"moorage/ui/keymap"
	"moorage/workspace"
	"moorage/workspace/split"

	tea "charm.land/bubbletea/v2"
)

// act does what a key, a click or the help page names.
func (m *Model) act(a keymap.Action) tea.Cmd {
	if n := a.TabNumber(); n > 0 {
		return m.showNumber(n)
	}
	if n := a.TaskNumber(); n > 0 {
		return m.jump(n)
	}
	if p := a.Preset(); p != "" && m.allows(a) {
		m.preset = split.Preset(p)
		return m.arrange(m.preset)
	}
	if !m.allows(a) {
		return m.say(viewOnly, false)
	}
	do, ok := actions[a]
	if !ok {
		return nil
	}
	return do(m)
}

// actions is filled in by init: some of them name the table's own users.
var actions map[keymap.Action]func(*Model) tea.Cmd

func init() {
	pure := func(f func(*Model)) func(*Model) tea.Cmd {
		return func(m *Model) tea.Cmd {
			f(m)
			m.touch()
			return nil
		}
	}
	to := func(s split.Side) func(*Model) tea.Cmd { return func(m *Model) tea.Cmd { return m.toSide(s) } }
	grow := func(s split.Side) func(*Model) tea.Cmd { return func(m *Model) tea.Cmd { return m.grow(s) } }
	actions = map[keymap.Action]func(*Model) tea.Cmd{
		keymap.Back:        (*Model).back,
		keymap.Quit:        (*Model).quit,
		keymap.NewTab:      (*Model).newTab,
		keymap.Close:       (*Model).askClose,
		keymap.SplitRight:  func(m *Model) tea.Cmd { return m.split(split.Right) },
		keymap.SplitDown:   func(m *Model) tea.Cmd { return m.split(split.Down) },
		keymap.Help:        pure(func(m *Model) { m.dialog = newHelp(m.cfg.Keys, m.terminal.kitty) }),
		keymap.Rename:      (*Model).askRename,
		keymap.NextPane:    (*Model).nextPane,
		keymap.NextRegion:  pure((*Model).otherRegion),
		keymap.Sidebar:     pure((*Model).toSidebar),
		keymap.Reset:       (*Model).askReset,
		keymap.PrevTab:     func(m *Model) tea.Cmd { return m.stepTab(-1) },
		keymap.NextTab:     func(m *Model) tea.Cmd { return m.stepTab(1) },
		keymap.MoveTabLeft: func(m *Model) tea.Cmd { return m.moveTab(-1) },
		keymap.MoveTabRite: func(m *Model) tea.Cmd { return m.moveTab(1) },
		keymap.ScrollUp:    func(m *Model) tea.Cmd { return m.scrollPage(-1) },
		keymap.ScrollDown:  func(m *Model) tea.Cmd { return m.scrollPage(1) },
		keymap.ScrollEnd: pure(func(m *Model) {
			if p := m.current(); p != nil {
				p.live()
			}
		}),
		keymap.Zoom:       pure((*Model).zoom),
		keymap.PaneLeft:   to(split.ToLeft),
		keymap.PaneRight:  to(split.ToRight),
		keymap.PaneUp:     to(split.ToUp),
		keymap.PaneDown:   to(split.ToDown),
		keymap.GrowLeft:   grow(split.ToLeft),
		keymap.GrowRight:  grow(split.ToRight),
		keymap.GrowUp:     grow(split.ToUp),
		keymap.GrowDown:   grow(split.ToDown),
		keymap.Verbatim:   pure(func(m *Model) { m.verbatim = true }),
		keymap.Open:       (*Model).openRow,
		keymap.NewTask:    (*Model).askNewTask,
		keymap.Status:     (*Model).askStatus,
		keymap.Land:       (*Model).askLand,
		keymap.Worktrees:  (*Model).openWorktrees,
		keymap.Menu:       (*Model).openMenu,
		keymap.Inbox:      (*Model).openInbox,
		keymap.Compose:    (*Model).openComposer,
		keymap.Notify:     (*Model).askNotify,
		keymap.Dismiss:    pure((*Model).dismiss),
		keymap.NewScratch: (*Model).addScratch,
		keymap.Search:     (*Model).startSearch,
		keymap.Pin:        (*Model).togglePin,
		keymap.LastTask:   (*Model).lastTask,
		keymap.NextCall:   func(m *Model) tea.Cmd { return m.nextCall(1) },
		keymap.PrevCall:   func(m *Model) tea.Cmd { return m.nextCall(-1) },
		keymap.DeleteTask: (*Model).askDelete,
		keymap.Up:         pure(func(m *Model) { m.side.move(m.sidebarRows(), -1) }),
		keymap.Down:       pure(func(m *Model) { m.side.move(m.sidebarRows(), 1) }),
		keymap.First:      pure(func(m *Model) { m.side.move(m.sidebarRows(), -1<<20) }),
		keymap.Last:       pure(func(m *Model) { m.side.move(m.sidebarRows(), 1<<20) }),
		keymap.Fold:       pure(func(m *Model) { m.side.fold(m.sidebarRows(), true) }),
		keymap.Unfold:     pure(func(m *Model) { m.side.fold(m.sidebarRows(), false) }),
		keymap.SwapPrev:   func(m *Model) tea.Cmd { return m.swap(-1) },
		keymap.SwapNext:   func(m *Model) tea.Cmd { return m.swap(1) },
		keymap.Rotate:     func(m *Model) tea.Cmd { return m.arrange(workspace.ArrangeRotate) },
		keymap.RotateBack: func(m *Model) tea.Cmd { return m.arrange(workspace.ArrangeRotateBack) },
		keymap.Even:       func(m *Model) tea.Cmd { return m.arrange(workspace.ArrangeEven) },
		keymap.Break:      (*Model).breakPane,
		keymap.Join:       (*Model).askJoin,
		keymap.NextPreset: (*Model).nextPreset,
		keymap.AskTab:     (*Model).askNewTab,
		keymap.Policy:     (*Model).askPolicy,
		keymap.Restore:    func(m *Model) tea.Cmd { return m.restore(false) },
		keymap.Report:     (*Model).lastReport,
		keymap.Exits:      (*Model).openExits,
		keymap.Files:      (*Model).openFiles,
		keymap.SetRoot:    (*Model).setRoot,
		keymap.MoveUp:     func(m *Model) tea.Cmd { return m.moveRow(-1) },
		keymap.MoveDown:   func(m *Model) tea.Cmd { return m.moveRow(1) },

		keymap.Conversations: (*Model).openConversations,
	}
}

// outcome is what a command's success means for the view.
type outcome struct {
	wanted wanted // look there as soon as the world shows it
	from   string // unless the client has left this task; "" for whatever it did
	make   string // a task whose worktree is to be made now
	made   string // a task whose worktree was asked for
	say    string
}

// sentence is an error with its next step.
func sentence(err error) string {
	if e := workspace.AsError(err); e.Next != "" {
		return e.Message + " (" + e.Next + ")"
	}
	return err.Error()
}

func (m *Model) back() tea.Cmd {
	if m.region == inSidebar {
		return m.quit()
	}
	m.toSidebar()
	return nil
}

func (m *Model) toSidebar() {
	if m.region == inSidebar {
		return
	}
	m.focusReport(false)
	m.region = inSidebar
	m.side.to(m.sidebarRows(), m.shown)
	m.relayout(others)
}

func (m *Model) toPanes() {
	if m.region == inPanes {
		return
	}
	m.region = inPanes
	m.relayout(others)
	m.focusReport(true)
}

func (m *Model) otherRegion() {
	if m.region == inSidebar {
		m.toPanes()
		return
	}
	m.toSidebar()
}

// target is the task that an action means: the sidebar's while it has the
// keys, else the one shown.
func (m *Model) target() tabRef {
	if m.region == inSidebar {
		if row, ok := m.side.current(m.sidebarRows()); ok {
			return row.tabRef
		}
	}
	return m.shown
}

// emptyTask reports whether the shown task has no tab.
func (m *Model) emptyTask() bool {
	task, ok := m.world.Task(m.shown.task)
	return ok && len(task.Tabs) == 0
}

func (m *Model) addScratch() tea.Cmd { return m.addTask(workspace.TaskAdd{Scratch: true}) }

func (m *Model) addTask(p workspace.TaskAdd) tea.Cmd {
	p.Size = m.paneSize()
	return m.open("new task", func(ctx context.Context) (outcome, error) {
		added, err := m.cfg.Daemon.AddTask(ctx, p)
		return arrived(added), err
	})
}

// arrived turns to a task that was added, and makes its worktree if that is
// still to be done.
func arrived(added workspace.Added) outcome {
	o := outcome{wanted: wanted{tabRef: tabRef{added.Task.ID, added.Tab}, pane: added.Pane}}
	if unmade(&added.Task) {
		o.make = added.Task.ID
	}
	return o
}

// paneSize is the size of a tab with one pane on this client.
func (m *Model) paneSize() workspace.Size {
	area := paneArea(m.size)
	return workspace.Size{Cols: area.W, Rows: area.H}
}

func (m *Model) newTab() tea.Cmd {
	task := m.target().task
	if task == "" && len(m.world.Tasks) == 0 {
		return m.addScratch()
	}
	if t, ok := m.world.Task(task); !ok {
		return m.say("choose a task for the tab first", false)
	} else if unmade(&t.Task) {
		return m.say("its worktree is not made yet: Enter makes it", false)
	}
	size := m.paneSize()
	return m.open("new tab", func(ctx context.Context) (outcome, error) {
		added, err := m.cfg.Daemon.AddTab(ctx, workspace.TabAdd{Task: task, Size: size})
		return outcome{wanted: wanted{tabRef: tabRef{task, added.Tab}, pane: added.Pane}}, err
	})
}

// split divides the focused pane; where that leaves too little, it is a new
// tab.
func (m *Model) split(d split.Direction) tea.Cmd {
	p := m.current()
	if p == nil {
		return m.newTab()
	}
	r := splitRect(p.rect)
	if m.zoomed[m.shown] {
		if _, tab, ok := m.shownTab(); ok {
			r, _ = tab.Layout.Layout(splitRect(paneArea(m.size))).Pane(p.ref.Pane)
		}
		delete(m.zoomed, m.shown)
	}
	if !split.CanSplit(r, d) {
		return tea.Batch(m.say("too little room to split: a new tab instead", false), m.newTab())
	}
	ref := p.ref
	size := workspace.Size{Cols: max(r.W/2, 1), Rows: r.H}
	if d == split.Down {
		size = workspace.Size{Cols: r.W, Rows: max(r.H/2, 1)}
	}
	return m.open("split", func(ctx context.Context) (outcome, error) {
		added, err := m.cfg.Daemon.SplitPane(ctx, workspace.PaneSplit{PaneRef: ref, Direction: d, Size: size})
		return outcome{wanted: wanted{tabRef: tabRef{ref.Task, ref.Tab}, pane: added.Pane}}, err
	})
}

func (m *Model) nextPane() tea.Cmd {
	_, tab, ok := m.shownTab()
	if !ok {
		return nil
	}
	if next, ok := tab.Layout.Next(m.focusedPane()); ok {
		m.setFocus(next)
	}
	return nil
}

func (m *Model) toSide(side split.Side) tea.Cmd {
	_, tab, ok := m.shownTab()
	if !ok {
		return nil
	}
	if m.zoomed[m.shown] {
		m.zoom()
	}
	if next, ok := tab.Layout.Neighbour(m.focusedPane(), side, splitRect(m.layout.panes)); ok {
		m.setFocus(next)
	}
	return nil
}

// grow moves the focused pane's border on that side.
func (m *Model) grow(side split.Side) tea.Cmd {
	_, tab, ok := m.shownTab()
	if !ok {
		return nil
	}
	const cells = 2
	area := splitRect(m.layout.panes)
	grown, ok := tab.Layout.ResizePane(m.focusedPane(), side, cells, area)
	if !ok {
		return nil
	}
	return m.storeRatios(tab.Layout, grown)
}

// storeRatios stores the one ratio in which two trees of the same shape differ.
func (m *Model) storeRatios(old, now split.Tree) tea.Cmd {
	path, ratio, ok := changedRatio(old.Root(), now.Root(), "")
	if !ok {
		return nil
	}
	return m.storeRatio(path, ratio)
}

func (m *Model) storeRatio(path split.Path, ratio float64) tea.Cmd {
	shown := m.shown
	return m.ask("resize", func(ctx context.Context) (outcome, error) {
		return outcome{}, m.cfg.Daemon.SetRatio(ctx, workspace.SplitRatio{Task: shown.task, Tab: shown.tab, Path: path, Ratio: ratio})
	})
}

func changedRatio(a, b *split.Node, path split.Path) (split.Path, float64, bool) {
	if a == nil || b == nil || a.First == nil || b.First == nil {
		return "", 0, false
	}
	if a.Ratio != b.Ratio {
		return path, b.Ratio, true
	}
	if p, r, ok := changedRatio(a.First, b.First, path+"0"); ok {
		return p, r, true
	}
	return changedRatio(a.Second, b.Second, path+"1")
}

func (m *Model) zoom() {
	if m.zoomed[m.shown] {
		delete(m.zoomed, m.shown)
	} else {
		m.zoomed[m.shown] = true
	}
	m.relayout(acted)
}

func (m *Model) showNumber(n int) tea.Cmd {
	task, _, _ := m.shownTab()
	if n > len(task.Tabs) {
		return m.say("no such tab", false)
	}
	return m.show(task.ID, task.Tabs[n-1].ID)
}

func (m *Model) stepTab(by int) tea.Cmd {
	task, _, ok := m.shownTab()
	if !ok {
		return nil
	}
	for i, t := range task.Tabs {
		if t.ID == m.shown.tab {
			n := len(task.Tabs)
			return m.show(task.ID, task.Tabs[(i+by+n)%n].ID)
		}
	}
	return nil
}

func (m *Model) moveTab(by int) tea.Cmd {
	task, _, ok := m.shownTab()
	if !ok {
		return nil
	}
	for i, t := range task.Tabs {
		to := i + by
		if t.ID != m.shown.tab || to < 0 || to >= len(task.Tabs) {
			continue
		}
		return m.ask("move tab", func(ctx context.Context) (outcome, error) {
			return outcome{}, m.cfg.Daemon.MoveTab(ctx, workspace.TabRef{Task: task.ID, Tab: t.ID}, to)
		})
	}
	return nil
}

func (m *Model) moveRow(by int) tea.Cmd {
	row, ok := m.side.current(m.sidebarRows())
	if !ok || row.view == nil {
		return nil
	}
	at := slices.IndexFunc(inGroup(&m.world, row.task), func(t *workspace.TaskView) bool { return t.ID == row.task })
	tasks := inGroup(&m.world, row.task)
	if at+by < 0 || at+by >= len(tasks) || standing(tasks[at]) != standing(tasks[at+by]) {
		return nil
	}
	to := slices.IndexFunc(m.world.Tasks, func(t workspace.TaskView) bool { return t.ID == tasks[at+by].ID })
	return m.ask("move task", func(ctx context.Context) (outcome, error) {
		return outcome{}, m.cfg.Daemon.MoveTask(ctx, row.task, to)
	})
}

// inGroup lists the tasks of the group that a task is in.
func inGroup(w *World, task string) []*workspace.TaskView {
	for _, g := range groupsOf(w) {
		if slices.ContainsFunc(g.tasks, func(t *workspace.TaskView) bool { return t.ID == task }) {
			return g.tasks
		}
	}
	return nil
}

// openRow shows what the sidebar's cursor is on.
func (m *Model) openRow() tea.Cmd {
	row, ok := m.side.current(m.sidebarRows())
	if !ok {
		return m.act(keymap.NewScratch)
	}
	if row.kind == rowClone {
		return m.openMenu()
	}
	if row.kind == rowHead {
		m.side.folded[row.group] = !m.side.folded[row.group]
		m.touch()
		return nil
	}
	if unmade(&row.view.Task) {
		show := m.show(row.task, row.tab)
		return tea.Batch(show, m.makeShown(true))
	}
	if task, ok := m.world.Task(row.task); ok && len(task.Tabs) == 0 {
		m.look(row.tabRef)
		return m.act(keymap.NewTab)
	}
	return m.show(row.task, row.tab)
}

// restart starts a pane's program again where it has ended or failed.
func (m *Model) restart(p *pane) tea.Cmd {
	ref := p.ref
	size := workspace.Size{Cols: p.rect.W, Rows: p.rect.H}
	key := p.key
	return m.ask("start", func(ctx context.Context) (outcome, error) {
		err := m.cfg.Daemon.ResetPane(ctx, workspace.PaneOpen{PaneRef: ref, Restart: true, Size: size})
		if err == nil {
			m.cfg.Screens.Retry(key)
		}
		return outcome{}, err
	})
}
