package ui

import (
	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// entry is something that a menu offers, with the key that does it at once.
type entry struct {
	key, label string
	do         func() tea.Cmd
}

// menu offers what can be done, or chosen.
type menu struct {
	title   string
	entries []entry
	at      int
	place   *Size // where it was called; nil: in the middle
	of      tabRef
}

func newMenu(title string, entries ...entry) *menu {
	return &menu{title: workspace.Clean(title, workspace.MaxTitle), entries: entries}
}

func (d *menu) about() tabRef { return d.of }

func (d *menu) anchor() *Size { return d.place }

func (d *menu) size(within Size) Size {
	w := paint.StringWidth(d.title)
	for _, e := range d.entries {
		w = max(w, 4+paint.StringWidth(e.label))
	}
	return Size{min(w, within.Cols), min(len(d.entries)+2, within.Rows)}
}

// first is the entry in the list's first row.
func (d *menu) first(h int) int { return max(min(d.at-h+1, len(d.entries)-h), 0) }

func (d *menu) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	f.Text(r.X, r.Y, r.W, cut(d.title, r.W), theme.Title)
	h := r.H - 2
	for y := 0; y < h; y++ {
		i := d.first(h) + y
		if i >= len(d.entries) {
			break
		}
		key, label := theme.Key, theme.Text
		row := paint.Rect{X: r.X, Y: r.Y + 2 + y, W: r.W, H: 1}
		if i == d.at {
			f.Fill(row, vtBlank(theme.Selected))
			key.Attr |= vt.AttrInverse
			label.Attr |= vt.AttrInverse
		}
		f.Text(row.X, row.Y, min(3, r.W), d.entries[i].key, key)
		f.Text(row.X+4, row.Y, max(r.W-4, 0), d.entries[i].label, label)
	}
	return vt.Cursor{}
}

func (d *menu) key(k input.Key) (tea.Cmd, bool) {
	for i, e := range d.entries {
		if e.key != "" && k.Typed() == e.key {
			return d.choose(i)
		}
	}
	n := len(d.entries)
	switch {
	case k.Code == input.Escape, k.Typed() == "q", k.Matches(input.Key{Code: 'c', Mods: input.Ctrl}):
		return nil, true
	case k.Code == input.Up, k.Typed() == "k":
		d.at = (d.at + n - 1) % n
	case k.Code == input.Down, k.Code == input.Tab, k.Typed() == "j":
		d.at = (d.at + 1) % n
	case k.Code == input.Enter:
		return d.choose(d.at)
	}
	return nil, false
}

func (d *menu) choose(i int) (tea.Cmd, bool) { return d.entries[i].do(), true }

func (d *menu) click(_, y int, r paint.Rect) (tea.Cmd, bool) {
	if i := d.first(r.H-2) + y - 2; y >= 2 && i < len(d.entries) {
		return d.choose(i)
	}
	return nil, false
}

func (*menu) paste(string) {}

// rowMenu offers what can be done to a row of the sidebar, or to a tab of the
// strip. The entries are the actions that have keys of their own.
func (m *Model) rowMenu(row sideRow, at *Size) tea.Cmd {
	ask := func(key, label string, do func(*Model) tea.Cmd) entry {
		return entry{key, label, func() tea.Cmd { return do(m) }}
	}
	var d *menu
	switch {
	case row.kind == rowClone:
		d = m.cloneMenu(row.clone)
	case row.kind == rowHead && row.project == "":
		d = newMenu(row.title, ask("n", "new task", (*Model).askNewTask), ask("f", "fold or unfold", (*Model).openRow))
	case row.kind == rowHead:
		d = newMenu(row.title,
			ask("n", "new task in it", func(m *Model) tea.Cmd { return m.askProjectTask(row.project) }),
			ask("a", "adopt worktrees", func(m *Model) tea.Cmd { return m.askAdopt(row.project) }),
			ask("x", "worktrees", (*Model).openWorktrees),
			ask("f", "fold or unfold", (*Model).openRow),
			ask("R", "remove from the list", func(m *Model) tea.Cmd { return m.askRemoveProject(row.project) }))
	case row.kind == rowTask:
		t := row.view
		d = newMenu(t.Title, ask("o", "open", (*Model).openRow), ask("t", "new tab", (*Model).newTab))
		d.entries = append(d.entries, ask("r", "rename", (*Model).askRename), ask("s", "status", (*Model).askStatus))
		pin := "pin"
		if t.Pinned {
			pin = "unpin"
		}
		resume := "continue after rate limits"
		if t.Resume {
			resume = "stop at rate limits"
		}
		d.entries = append(d.entries, ask("p", pin, (*Model).togglePin), ask("l", resume, (*Model).toggleResume))
		if t.Kind == workspace.KindManaged {
			d.entries = append(d.entries, ask("L", "land", (*Model).askLand))
		}
		d.entries = append(d.entries,
			ask("K", "move up", func(m *Model) tea.Cmd { return m.moveRow(-1) }),
			ask("J", "move down", func(m *Model) tea.Cmd { return m.moveRow(1) }),
			ask("d", "delete", (*Model).askDelete))
		if w := t.Work; w != nil && w.Failed != "" {
			d.entries = append(d.entries, ask("c", "dismiss that "+workspace.Clean(w.What, 40)+" failed", func(m *Model) tea.Cmd { return m.clearWork(t.ID) }))
		}
	default:
		d = newMenu(row.view.TabLabel(row.tab, ""),
			ask("o", "open", func(m *Model) tea.Cmd { return m.show(row.task, row.tab) }),
			ask("r", "rename", (*Model).askRename), ask("P", "relaunch policy", (*Model).askPolicy),
			ask(".", "set the task's root: its directory", (*Model).setRoot),
			ask("t", "new tab", (*Model).newTab), ask("w", "close", (*Model).askClose))
	}
	d.place, d.of = at, row.tabRef
	m.dialog = d
	m.touch()
	return nil
}

// openMenu opens the menu of the sidebar's row, or of the shown tab.
func (m *Model) openMenu() tea.Cmd {
	if m.region == inSidebar {
		if row, ok := m.side.current(m.sidebarRows()); ok {
			y := m.sideList().Y + m.side.find(m.sidebarRows()) - m.side.top
			return m.rowMenu(row, &Size{m.layout.sidebar.X + 4, y + 1})
		}
		return m.askNewTask()
	}
	return m.tabMenu(m.shown, nil)
}

// tabMenu opens the menu of a tab that the client turns to.
func (m *Model) tabMenu(r tabRef, at *Size) tea.Cmd {
	t, ok := m.world.Task(r.task)
	if _, there := t.Tab(r.tab); !ok || !there {
		return m.say("there is no tab here", false)
	}
	show := m.show(r.task, r.tab)
	return tea.Batch(show, m.rowMenu(sideRow{rowRef: rowRef{tabRef: r}, kind: rowTab, view: &t}, at))
}

// askStatus labels the task that an action means.
func (m *Model) askStatus() tea.Cmd {
	t, ok := m.world.Task(m.target().task)
	if !ok {
		return m.say("choose a task to label", false)
	}
	set := func(key, label string, s workspace.Status) entry {
		return entry{key, label, func() tea.Cmd { return m.setStatus(t.ID, s) }}
	}
	d := newMenu("Status of "+t.Title,
		set("b", statusNames[workspace.StatusBacklog], workspace.StatusBacklog),
		set("p", statusNames[workspace.StatusInProgress], workspace.StatusInProgress),
		set("r", statusNames[workspace.StatusInReview], workspace.StatusInReview),
		set("d", statusNames[workspace.StatusDone], workspace.StatusDone),
		set("c", statusNames[workspace.StatusCanceled], workspace.StatusCanceled),
		set("e", statusNames[workspace.StatusError], workspace.StatusError),
		set("n", "none", ""))
	d.of = tabRef{task: t.ID}
	m.dialog = d
	m.touch()
	return nil
}
