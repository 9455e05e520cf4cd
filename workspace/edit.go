package workspace

import (
	"slices"
	"strconv"

	"moorage/workspace/split"
)

// The methods of this file edit a Task in place, by the rules of tabs and panes. The caller edits a Clone, stores it and
// publishes it; none of them starts or ends a session.

// AddTab appends a tab with one pane, which runs command in dir (empty: the login shell, the task's directory). It becomes
// the active tab only when there was none.
func (t *Task) AddTab(tab Tab, dir string) *Tab {
	t.NextTab = max(t.NextTab, 1)
	tab.ID = "tab-" + strconv.Itoa(t.NextTab)
	t.NextTab++
	tab.Panes = nil
	pane := tab.addPane(Pane{Command: tab.Command, Dir: dir})
	tab.Layout = split.Leaf(pane.ID)
	t.Tabs = append(t.Tabs, tab)
	if t.ActiveTab == "" {
		t.ActiveTab = tab.ID
	}
	return &t.Tabs[len(t.Tabs)-1]
}

// CloseTab takes the tab out of the strip. If it was the active one, the tab that moves into its place is, else the last.
func (t *Task) CloseTab(id string) bool {
	at := t.tabIndex(id)
	if at < 0 {
		return false
	}
	t.Tabs = slices.Delete(t.Tabs, at, at+1)
	if t.ActiveTab == id {
		t.ActiveTab = ""
		if len(t.Tabs) > 0 {
			t.ActiveTab = t.Tabs[min(at, len(t.Tabs)-1)].ID
		}
	}
	return true
}

// MoveTab puts the tab at index to of the strip; an index beyond an end means that end.
func (t *Task) MoveTab(id string, to int) bool {
	at := t.tabIndex(id)
	if at < 0 {
		return false
	}
	tab := t.Tabs[at]
	t.Tabs = slices.Delete(t.Tabs, at, at+1)
	t.Tabs = slices.Insert(t.Tabs, min(max(to, 0), len(t.Tabs)), tab)
	return true
}

// SplitPane divides a pane and returns the new one, which runs command in dir.
func (t *Task) SplitPane(tab, pane string, d split.Direction, fresh Pane) (Pane, error) {
	tb, ok := t.Tab(tab)
	if !ok {
		return Pane{}, NoTab(t.ID, tab)
	}
	if _, ok := tb.Pane(pane); !ok {
		return Pane{}, NoPane(t.ID, tab, pane)
	}
	if !d.Valid() {
		return Pane{}, Fail(CodeInvalid, `say "right" or "down"`, "%q is no direction of a split", d)
	}
	fresh = tb.addPane(fresh)
	tb.Layout, _ = tb.Layout.Split(pane, fresh.ID, d)
	return fresh, nil
}

// ClosePane takes a pane out of its tree, and with its last pane the tab out of the strip. The caller, who was asked to close it,
// then looks whether Ended holds.
func (t *Task) ClosePane(tab, pane string) bool {
	tb, ok := t.Tab(tab)
	if !ok {
		return false
	}
	layout, ok := tb.Layout.Remove(pane)
	if !ok {
		return false
	}
	tb.Layout = layout
	tb.dropPane(pane)
	if layout.Empty() {
		return t.CloseTab(tab)
	}
	return true
}

// MovePane takes a pane out of its tab and puts it into another one, or into a new tab behind its own when to is "". The pane gets an id of
// that tab; its old tab goes when it was the last one there. The session's key changes with it: the caller sees to that.
func (t *Task) MovePane(from, pane, to string, d split.Direction) (Key, error) {
	tab, ok := t.Tab(from)
	if !ok {
		return Key{}, NoTab(t.ID, from)
	}
	old, ok := tab.Pane(pane)
	if !ok {
		return Key{}, NoPane(t.ID, from, pane)
	}
	moved := *old
	switch {
	case to == from, to == "" && len(tab.Panes) == 1:
		return Key{}, Fail(CodeInvalid, "name another tab", "%s is in %s alone or already", pane, from)
	case to == "":
		at := t.tabIndex(from)
		fresh := t.AddTab(Tab{Command: slices.Clone(moved.Command), Policy: tab.Policy}, moved.Dir)
		to, moved.ID = fresh.ID, fresh.Panes[0].ID
		t.MoveTab(to, at+1)
	default:
		target, ok := t.Tab(to)
		if !ok {
			return Key{}, NoTab(t.ID, to)
		}
		panes := target.Layout.Panes()
		moved = target.addPane(moved)
		target.Layout, _ = target.Layout.Split(panes[len(panes)-1], moved.ID, d)
	}
	t.ClosePane(from, pane)
	return Key{t.ID, to, moved.ID}, nil
}

// KeyMove is a session that gets another key.
type KeyMove struct{ From, To Key }

// Take appends all tabs of another task, with new ids, and returns how the keys of their sessions change.
func (t *Task) Take(other Task) []KeyMove {
	var moves []KeyMove
	for _, tab := range other.Clone().Tabs {
		old := tab.ID
		t.NextTab = max(t.NextTab, 1)
		tab.ID = "tab-" + strconv.Itoa(t.NextTab)
		t.NextTab++
		for _, pane := range tab.Panes {
			moves = append(moves, KeyMove{Key{other.ID, old, pane.ID}, Key{t.ID, tab.ID, pane.ID}})
		}
		t.Tabs = append(t.Tabs, tab)
		if t.ActiveTab == "" {
			t.ActiveTab = tab.ID
		}
	}
	return moves
}

// Arrange lays a tab's panes out anew; see TabArrange.
func (t *Tab) Arrange(how split.Preset) error {
	switch how {
	case ArrangeEven:
		t.Layout = t.Layout.Even()
	case ArrangeRotate:
		t.Layout = t.Layout.Rotate(1)
	case ArrangeRotateBack:
		t.Layout = t.Layout.Rotate(-1)
	default:
		layout, ok := t.Layout.Arrange(how)
		if !ok {
			return Fail(CodeInvalid, "say even, rotate, rotate-back, even-horizontal, even-vertical, main-left, main-top or tiled", "%q is no arrangement", how)
		}
		t.Layout = layout
	}
	return nil
}

// Ended reports whether the task is over: a scratch task is with its last tab, any other kind stays with none.
func (t *Task) Ended() bool { return t.Kind == KindScratch && len(t.Tabs) == 0 }

// PaneExited applies the end of a pane's program: the pane leaves its tree, a tab without panes closes itself, but the only tab of a
// task that is not scratch gets a fresh pane that runs the task's command instead, which is returned.
func (t *Task) PaneExited(tab, pane string) (fresh *Pane, ok bool) {
	tb, ok := t.Tab(tab)
	if !ok {
		return nil, false
	}
	if !tb.Layout.Has(pane) {
		return nil, false
	}
	last := len(t.Tabs) == 1 && len(tb.Panes) == 1
	if !last || t.Kind == KindScratch {
		return nil, t.ClosePane(tab, pane)
	}
	tb.Command = slices.Clone(t.Command)
	tb.LastTitle = ""
	made := tb.addPane(Pane{Command: tb.Command})
	tb.Layout, _ = tb.Layout.Replace(pane, made.ID)
	tb.dropPane(pane)
	return &made, true
}

// Adopt takes a live session in that the layout does not know, under the very ids that its key has. A missing tab is made, a
// missing pane divides the tab's last one.
func (t *Task) Adopt(key Key, command []string, dir string) bool {
	tabNumber, paneNumber := number(key.Tab, "tab"), number(key.Pane, "pane")
	if _, known := t.Pane(key.Tab, key.Pane); known || key.Task != t.ID || tabNumber == 0 || paneNumber == 0 {
		return false
	}
	pane := Pane{ID: key.Pane, Command: command, Dir: dir, Adopted: true}
	tb, ok := t.Tab(key.Tab)
	if !ok {
		t.Tabs = append(t.Tabs, Tab{ID: key.Tab, Command: command, Layout: split.Leaf(key.Pane)})
		tb = &t.Tabs[len(t.Tabs)-1]
		t.NextTab = max(t.NextTab, tabNumber+1)
		if t.ActiveTab == "" {
			t.ActiveTab = key.Tab
		}
	} else {
		panes := tb.Layout.Panes()
		tb.Layout, _ = tb.Layout.Split(panes[len(panes)-1], key.Pane, split.Right)
	}
	tb.Panes = append(tb.Panes, pane)
	tb.NextPane = max(tb.NextPane, paneNumber+1)
	return true
}
