package ui

import (
	"context"
	"slices"
	"time"

	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// takeWorld takes what the daemon says now, and settles what the client looks
// at: what vanished is left for the nearest that is there.
func (m *Model) takeWorld(w World) tea.Cmd {
	old := m.world
	m.world = w
	if !w.Up && len(w.Tasks) == 0 {
		m.world.Tasks = old.Tasks // the last that was seen
	}
	m.takeRisen(w)
	m.known = m.known || w.Up
	if working(&m.world) {
		m.side.spin++
	}
	why := others
	if m.settle(old) {
		why = acted
	}
	m.side.settle(m.sidebarRows(), m.shown)
	m.relayout(why)
	var closed tea.Cmd
	if w.Up {
		closed = tea.Batch(m.closeOrphans(), m.followNotes())
		m.dropDrafts()
	}
	if w.Up && !m.greeted {
		return m.greet()
	}
	return tea.Batch(closed, m.catchUp())
}

// working reports whether something is being done to any task.
func working(w *World) bool {
	return slices.ContainsFunc(w.Tasks, func(t workspace.TaskView) bool { return t.Work != nil && t.Work.Failed == "" }) ||
		slices.ContainsFunc(w.Clones, func(c workspace.Clone) bool { return c.Failed == "" })
}

// placeMsg is what is remembered of the client.
type placeMsg workspace.Place

// takePlace shows a new client what it looked at when it left, if it has not
// gone elsewhere meanwhile.
func (m *Model) takePlace(at placeMsg) tea.Cmd {
	m.placing = false
	m.notifications.remembered(at.Notify)
	if m.shown.task != "" || m.wanted.task != "" {
		return nil
	}
	if _, ok := m.world.Task(at.Task); ok {
		return m.show(at.Task, at.Tab)
	}
	if len(m.world.Tasks) > 0 {
		return m.show(m.world.Tasks[0].ID, "")
	}
	return nil
}

// greet chooses what a new client is shown: the task it asked for, else what
// it looked at last, else the first; where there is none yet, a scratch task.
func (m *Model) greet() tea.Cmd {
	if m.cfg.View && len(m.world.Tasks) == 0 {
		return nil // the first that comes is shown
	}
	m.greeted = true
	if _, ok := m.world.Task(m.cfg.Open); ok {
		return tea.Batch(m.show(m.cfg.Open, ""), m.askPlace())
	}
	if len(m.world.Tasks) > 0 {
		return m.askPlace()
	}
	// Of several clients that come at once into an empty workspace one makes it.
	return tea.Batch(m.addTask(workspace.TaskAdd{Scratch: true, First: true}), m.askPlace())
}

// placeLimit is how long a client waits to be told where it was last.
const placeLimit = 2 * time.Second

// askPlace asks what is remembered of the client. Not knowing is as good as
// nothing.
func (m *Model) askPlace() tea.Cmd {
	daemon, client := m.cfg.Daemon, m.cfg.Client
	if client == "" {
		return m.takePlace(placeMsg{})
	}
	m.placing = true
	return within(placeLimit, func(ctx context.Context) tea.Msg {
		at, err := daemon.Place(ctx, client)
		if err != nil {
			return placeMsg{}
		}
		return placeMsg(at)
	})
}

// settle moves the view off what is gone and on to what was asked for. It
// reports whether the client now looks at another tab.
func (m *Model) settle(old World) (moved bool) {
	before := m.shown
	if m.wanted.project != "" {
		for i := range m.world.Tasks {
			if t := &m.world.Tasks[i]; t.Project == m.wanted.project && t.Kind == workspace.KindMain {
				m.wanted = wanted{tabRef: tabRef{task: t.ID}}
				break
			}
		}
	}
	if m.wanted.task != "" {
		if task, ok := m.world.Task(m.wanted.task); ok {
			tab, ok := task.Tab(m.wanted.tab)
			if ok && m.wanted.pane != "" {
				ok = tab.Layout.Has(m.wanted.pane)
			}
			if ok || m.wanted.tab == "" {
				m.look(m.wanted.tabRef)
				if m.wanted.pane != "" {
					m.focus[m.wanted.tabRef] = m.wanted.pane
				}
				m.region = inPanes
				m.wanted = wanted{}
			}
		}
	}
	if m.shown.task == "" {
		return m.shown != before
	}
	task, ok := m.world.Task(m.shown.task)
	switch {
	case !ok:
		if to, moved := m.movedTo(m.shown); moved {
			m.look(to)
		} else {
			m.look(tabRef{task: nearestTask(old, m.world, m.shown.task)})
		}
	case m.shown.tab != "":
		if _, ok := task.Tab(m.shown.tab); !ok {
			m.look(tabRef{m.shown.task, nearestTab(old, task, m.shown)})
		}
	case len(task.Tabs) > 0:
		m.look(tabRef{task: m.shown.task})
	}
	if m.shown.task == "" {
		m.region = inSidebar
	}
	return m.shown != before
}

// movedTo finds where the programs of a tab have gone whose task was folded into
// another one.
func (m *Model) movedTo(from tabRef) (tabRef, bool) {
	was := workspace.TabRef{Task: from.task, Tab: from.tab}
	for _, t := range m.world.Tasks {
		for _, tab := range t.Tabs {
			if slices.ContainsFunc(tab.Panes, func(p workspace.Pane) bool { return slices.Contains(p.Former, was) }) {
				return tabRef{t.ID, tab.ID}, true
			}
		}
	}
	return tabRef{}, false
}

// nearestTask is the task that stood below the one that is gone, else above.
func nearestTask(old, now World, gone string) string {
	before := inOrder(&old)
	i := max(slices.IndexFunc(before, func(t *workspace.TaskView) bool { return t.ID == gone }), 0)
	for _, t := range before[i:] {
		if _, ok := now.Task(t.ID); ok {
			return t.ID
		}
	}
	for _, t := range slices.Backward(before[:i]) {
		if _, ok := now.Task(t.ID); ok {
			return t.ID
		}
	}
	if tasks := inOrder(&now); len(tasks) > 0 {
		return tasks[0].ID
	}
	return ""
}

// nearestTab is the tab that stood left of the one that is gone, else right.
func nearestTab(old World, now workspace.TaskView, gone tabRef) string {
	before, _ := old.Task(gone.task)
	i := slices.IndexFunc(before.Tabs, func(t workspace.Tab) bool { return t.ID == gone.tab })
	for _, t := range slices.Backward(before.Tabs[:max(i, 0)]) {
		if _, ok := now.Tab(t.ID); ok {
			return t.ID
		}
	}
	if len(now.Tabs) > 0 {
		return now.Tabs[min(max(i, 0), len(now.Tabs)-1)].ID
	}
	return ""
}

// look turns the view to a tab of a task; without one, to the tab that the
// client last saw there, else the task's own.
func (m *Model) look(r tabRef) {
	task, ok := m.world.Task(r.task)
	if !ok {
		m.shown = tabRef{}
		return
	}
	for _, id := range []string{r.tab, m.lastTab[r.task], task.ActiveTab} {
		if _, ok := task.Tab(id); ok {
			r.tab = id
			break
		}
		r.tab = ""
	}
	if r.tab == "" && len(task.Tabs) > 0 {
		r.tab = task.Tabs[0].ID
	}
	m.shown = r
	m.visited(r.task)
	if r.tab != "" {
		m.lastTab[r.task] = r.tab
	}
}

// show turns to a task's tab and gives it the keys.
func (m *Model) show(task, tab string) tea.Cmd {
	before := m.shown
	m.look(tabRef{task, tab})
	m.region = inPanes
	m.side.to(m.sidebarRows(), m.shown)
	m.relayout(acted)
	making := m.makeShown(false)
	if m.shown == before && !m.pending(m.shown) || m.shown.tab == "" || m.cfg.View {
		return making
	}
	shown := m.shown
	return tea.Batch(making, m.ask("remember the tab", func(ctx context.Context) (outcome, error) {
		return outcome{}, m.cfg.Daemon.SelectTab(ctx, workspace.TabSelect{TabRef: workspace.TabRef{Task: shown.task, Tab: shown.tab}, Client: m.cfg.Client})
	}))
}

// shownTab returns the task and tab that the client looks at.
func (m *Model) shownTab() (workspace.TaskView, workspace.Tab, bool) {
	task, ok := m.world.Task(m.shown.task)
	if !ok {
		return workspace.TaskView{}, workspace.Tab{}, false
	}
	tab, ok := task.Tab(m.shown.tab)
	if !ok {
		return task, workspace.Tab{}, false
	}
	return task, *tab, true
}

// focusedPane is the pane of the shown tab that gets the keys; "" when there
// is none.
func (m *Model) focusedPane() string {
	_, tab, ok := m.shownTab()
	if !ok {
		return ""
	}
	if p := m.focus[m.shown]; tab.Layout.Has(p) {
		return p
	}
	panes := tab.Layout.Panes()
	if len(panes) == 0 {
		return ""
	}
	m.focus[m.shown] = panes[0]
	return panes[0]
}

// current returns the pane that gets the keys, if it is shown.
func (m *Model) current() *pane { return m.panes[sessionKey(m.shown, m.focusedPane())] }

// setFocus gives the keys to a pane of the shown tab.
func (m *Model) setFocus(id string) {
	if m.focus[m.shown] == id && m.region == inPanes {
		return
	}
	m.focusReport(false)
	m.focus[m.shown] = id
	m.region = inPanes
	m.focusReport(true)
	if m.zoomed[m.shown] || m.layout.narrow {
		m.relayout(acted)
		return
	}
	m.touch()
}

// focusReport tells the focused pane's program that it has lost or got the
// focus, if it asked and the client's terminal has it.
func (m *Model) focusReport(in bool) {
	if p := m.current(); p != nil && m.terminal.focused {
		p.focus(in)
	}
}
