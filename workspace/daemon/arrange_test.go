package daemon

import (
	"slices"
	"testing"

	"moorage/workspace"
	"moorage/workspace/split"
)

func TestAPaneMovesWithItsSession(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	ref := workspace.PaneRef{Task: a.Task.ID, Tab: a.Tab, Pane: a.Pane}
	second := must(c.SplitPane(t.Context(), workspace.PaneSplit{PaneRef: ref, Direction: split.Right}))(t)
	pid := func(key string) int {
		r.host.mu.Lock()
		defer r.host.mu.Unlock()
		return r.host.sessions[key].PID
	}
	before := pid(a.Task.ID + "/" + a.Tab + "/" + second.Pane)

	// Into a tab of its own, behind the one it was in.
	ref.Pane = second.Pane
	out := must(c.MovePane(t.Context(), workspace.PaneMove{PaneRef: ref}))(t)
	if got := pid(a.Task.ID + "/" + out.Tab + "/" + out.Pane); got != before || len(out.Task.Tabs) != 2 || out.Task.Tabs[1].ID != out.Tab {
		t.Fatalf("pid %d of %d, tabs %+v", got, before, out.Task.Tabs)
	}
	// And back, beside the other one: its tab goes.
	back := must(c.MovePane(t.Context(), workspace.PaneMove{
		PaneRef: workspace.PaneRef{Task: a.Task.ID, Tab: out.Tab, Pane: out.Pane}, To: a.Tab, Direction: split.Down,
	}))(t)
	if got := pid(a.Task.ID + "/" + a.Tab + "/" + back.Pane); got != before || len(back.Task.Tabs) != 1 || back.Pane == second.Pane {
		t.Fatalf("pid %d of %d, tabs %+v", got, before, back.Task.Tabs)
	}
	if keys := r.host.keys(); len(keys) != 2 {
		t.Errorf("the host has %v", keys)
	}
	s := r.until("both are alive", func(s workspace.Snapshot) bool {
		task := s.Tasks[0]
		return task.PaneView(a.Tab, a.Pane).State == workspace.PaneAlive && task.PaneView(a.Tab, back.Pane).State == workspace.PaneAlive
	})
	if err := s.Tasks[0].Check(); err != nil {
		t.Error(err)
	}
	for what, p := range map[string]workspace.PaneMove{
		"alone into a new tab": {PaneRef: workspace.PaneRef{Task: a.Task.ID, Tab: "tab-9", Pane: "pane-1"}},
		"into its own tab":     {PaneRef: workspace.PaneRef{Task: a.Task.ID, Tab: a.Tab, Pane: a.Pane}, To: a.Tab},
		"into none":            {PaneRef: workspace.PaneRef{Task: a.Task.ID, Tab: a.Tab, Pane: a.Pane}, To: "tab-77"},
	} {
		if _, err := c.MovePane(t.Context(), p); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

func TestATabIsArrangedForAll(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	ref := workspace.PaneRef{Task: a.Task.ID, Tab: a.Tab, Pane: a.Pane}
	for range 2 {
		must(c.SplitPane(t.Context(), workspace.PaneSplit{PaneRef: ref, Direction: split.Down}))(t)
	}
	panes := func() []string {
		s := must(r.client().Subscribe(t.Context()))(t)
		return s.Tasks[0].Tabs[0].Layout.Panes()
	}
	before := panes()
	ok(t, c.SwapPanes(t.Context(), workspace.PaneSwap{PaneRef: ref, With: before[2]}))
	if got := panes(); got[0] != before[2] || got[2] != before[0] {
		t.Errorf("swapped: %v, were %v", got, before)
	}
	ok(t, c.SwapPanes(t.Context(), workspace.PaneSwap{PaneRef: ref, With: before[2]}))
	ok(t, c.ArrangeTab(t.Context(), workspace.TabArrange{Task: a.Task.ID, Tab: a.Tab, How: workspace.ArrangeRotate}))
	if got := panes(); !slices.Equal(got, []string{before[2], before[0], before[1]}) {
		t.Errorf("rotated: %v, were %v", got, before)
	}
	for _, how := range append(slices.Clone(split.Presets), workspace.ArrangeEven, workspace.ArrangeRotateBack) {
		ok(t, c.ArrangeTab(t.Context(), workspace.TabArrange{Task: a.Task.ID, Tab: a.Tab, How: how}))
	}
	err := c.ArrangeTab(t.Context(), workspace.TabArrange{Task: a.Task.ID, Tab: a.Tab, How: "spiral"})
	if workspace.CodeOf(err) != workspace.CodeInvalid {
		t.Errorf("%v", err)
	}
}
