package daemon

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/split"
)

func TestClosingEndsTheSessionsAndTheyStayEnded(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	b := must(c.AddTab(t.Context(), workspace.TabAdd{Task: a.Task.ID}))(t)
	must(c.SplitPane(t.Context(), workspace.PaneSplit{PaneRef: pane(b), Direction: split.Right}))(t)
	ok(t, c.CloseTab(t.Context(), tab(b)))
	r.eventually("only the first tab's session is left", func() bool { return slices.Equal(r.host.keys(), a.Task.Keys()) })
	ok(t, c.DeleteTask(t.Context(), workspace.TaskDelete{Task: a.Task.ID}))
	r.eventually("no session is left", func() bool { return len(r.host.keys()) == 0 })
	r.halt()
	r.run()
	s := r.until("host is up", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostUp })
	if len(s.Tasks) != 0 || len(r.host.keys()) != 0 {
		t.Errorf("back came %+v, %v", s.Tasks, r.host.keys())
	}
}

func TestWhatWasClosedWhileTheHostDidNotListenEndsLater(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	b := must(c.AddTab(t.Context(), workspace.TabAdd{Task: a.Task.ID}))(t)
	r.host.set(&r.host.deaf, true)
	ok(t, c.CloseTab(t.Context(), tab(b)))
	if got := r.host.keys(); len(got) != 2 {
		t.Fatalf("sessions %v", got)
	}
	r.halt()
	r.host.set(&r.host.deaf, false)
	r.run()
	r.eventually("the closed tab's session is gone", func() bool { return slices.Equal(r.host.keys(), a.Task.Keys()) })
	s := must(r.client().Subscribe(t.Context()))(t)
	if len(s.Tasks[0].Tabs) != 1 {
		t.Errorf("the closed tab came back: %+v", s.Tasks[0].Tabs)
	}
}

func TestAnExitedPaneLeavesAndItsTabWithIt(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	b := must(c.AddTab(t.Context(), workspace.TabAdd{Task: a.Task.ID}))(t)
	split := must(c.SplitPane(t.Context(), workspace.PaneSplit{PaneRef: pane(b), Direction: split.Right}))(t)
	r.host.exit(pane(b).Key().String(), 0)
	r.until("one pane is left", func(s workspace.Snapshot) bool {
		tab, _ := s.Tasks[0].Tab(b.Tab)
		return tab != nil && slices.Equal(tab.Layout.Panes(), []string{split.Pane})
	})
	r.host.exit(pane(split).Key().String(), 3)
	r.until("the tab is gone", func(s workspace.Snapshot) bool { return len(s.Tasks[0].Tabs) == 1 })
	r.eventually("their records are dropped", func() bool { return slices.Equal(r.host.keys(), a.Task.Keys()) })
}

func TestTheOnlyTabGetsAFreshShell(t *testing.T) {
	r := newRig(t)
	a := directory(t, r.client())
	r.host.exit(pane(a).Key().String(), 0)
	r.until("a fresh pane lives", func(s workspace.Snapshot) bool {
		return s.Tasks[0].PaneView("tab-1", "pane-2").State == workspace.PaneAlive
	})
	r.eventually("the old record is dropped", func() bool {
		return slices.Equal(r.host.keys(), []string{a.Task.ID + "/tab-1/pane-2"})
	})
}

func TestAFreshShellThatDiesAtOnceIsLeftDead(t *testing.T) {
	r := newRig(t)
	a := directory(t, r.client())
	r.host.set(&r.host.mortal, true)
	r.host.exit(pane(a).Key().String(), 0)
	s := r.until("the fresh pane is dead", func(s workspace.Snapshot) bool {
		return s.Tasks[0].PaneView("tab-1", "pane-2").State == workspace.PaneExited
	})
	if p := s.Tasks[0].PaneView("tab-1", "pane-2"); p.Exit == nil || p.Exit.Code != 1 {
		t.Errorf("badge %+v", p)
	}
	r.host.set(&r.host.mortal, false)
	ref := workspace.PaneRef{Task: a.Task.ID, Tab: "tab-1", Pane: "pane-2"}
	if got := must(r.client().OpenPane(t.Context(), workspace.PaneOpen{PaneRef: ref}))(t); got.Alive() {
		t.Error("it was restarted unasked")
	}
	if got := must(r.client().OpenPane(t.Context(), workspace.PaneOpen{PaneRef: ref, Restart: true}))(t); !got.Alive() {
		t.Error("it was not restarted")
	}
}

func TestAScratchTaskEndsWithItsShell(t *testing.T) {
	r := newRig(t)
	a := must(r.client().AddTask(t.Context(), workspace.TaskAdd{Scratch: true}))(t)
	if home, _ := os.UserHomeDir(); a.Task.Dir != home {
		t.Errorf("it is in %s", a.Task.Dir)
	}
	r.host.exit(pane(a).Key().String(), 0)
	r.until("the task is gone", func(s workspace.Snapshot) bool { return len(s.Tasks) == 0 })
}

func TestAResetReplacesTheSessionAndNothingElse(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	b := must(c.AddTab(t.Context(), workspace.TabAdd{Task: a.Task.ID}))(t)
	fresh := must(c.ResetPane(t.Context(), workspace.PaneOpen{PaneRef: pane(b)}))(t)
	s := r.until("the fresh session is shown", func(s workspace.Snapshot) bool {
		return s.Tasks[0].PaneView(b.Tab, b.Pane).PID == fresh.PID
	})
	if len(s.Tasks[0].Tabs) != 2 || s.Tasks[0].TabState(b.Tab) != workspace.PaneAlive {
		t.Errorf("got %+v", s.Tasks[0])
	}
}

func TestASplitStartsWhereTheDividedPaneIs(t *testing.T) {
	r := newRig(t)
	c := r.client()
	somewhere := t.TempDir()
	a := directory(t, c)
	r.host.change(pane(a).Key().String(), func(s *wire.Session) { s.CWD = somewhere })
	r.until("the directory is known", func(s workspace.Snapshot) bool {
		return s.Tasks[0].PaneView(a.Tab, a.Pane).CWD == somewhere
	})
	b := must(c.SplitPane(t.Context(), workspace.PaneSplit{PaneRef: pane(a), Direction: split.Right}))(t)
	r.host.mu.Lock()
	defer r.host.mu.Unlock()
	if got := r.host.sessions[pane(b).Key().String()].Dir; got != somewhere {
		t.Errorf("it starts in %s", got)
	}
}

func TestASplitOfAPaneWhoseDirectoryIsGoneStartsAtTheRoot(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	r.host.change(pane(a).Key().String(), func(s *wire.Session) { s.CWD = filepath.Join(a.Task.Dir, "gone (deleted)") })
	b := must(c.SplitPane(t.Context(), workspace.PaneSplit{PaneRef: pane(a), Direction: split.Right}))(t)
	r.host.mu.Lock()
	defer r.host.mu.Unlock()
	if got := r.host.sessions[pane(b).Key().String()].Dir; got != a.Task.Dir {
		t.Errorf("it starts in %s", got)
	}
}

func TestTheSweepEndsWhatHasNoTaskAndAdoptsWhatHasNoPane(t *testing.T) {
	r := newRig(t)
	a := directory(t, r.client())
	r.halt()
	r.host.change("nobody/tab-1/pane-1", func(s *wire.Session) { s.State = wire.SessionLive })
	r.host.change(a.Task.ID+"/tab-7/pane-2", func(s *wire.Session) { s.State = wire.SessionLive; s.Dir = "/" })
	r.host.change("not-a-key", func(s *wire.Session) { s.State = wire.SessionLive })
	r.run()
	s := r.until("the lost one is adopted", func(s workspace.Snapshot) bool { return len(s.Tasks[0].Tabs) == 2 })
	lost, _ := s.Tasks[0].Pane("tab-7", "pane-2")
	if lost == nil || !lost.Adopted || s.Tasks[0].NextTab != 8 {
		t.Errorf("got %+v", s.Tasks[0].Tabs)
	}
	want := []string{pane(a).Key().String(), a.Task.ID + "/tab-7/pane-2", "not-a-key"}
	slices.Sort(want)
	r.eventually("nobody's session is ended and no other", func() bool { return slices.Equal(r.host.keys(), want) })
}

func TestASessionThatIsStartedForAClosedPaneEnds(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	b := must(c.AddTab(t.Context(), workspace.TabAdd{Task: a.Task.ID}))(t)
	ok(t, c.CloseTab(t.Context(), tab(b)))
	r.eventually("its session is gone", func() bool { return slices.Equal(r.host.keys(), a.Task.Keys()) })
	r.host.mu.Lock()
	r.host.open(wire.OpenRequest{Key: pane(b).Key().String()})
	r.host.mu.Unlock()
	r.eventually("the late one is gone too", func() bool { return slices.Equal(r.host.keys(), a.Task.Keys()) })
}

func TestTheLastTitleIsKept(t *testing.T) {
	r := newRig(t)
	a := directory(t, r.client())
	r.host.change(pane(a).Key().String(), func(s *wire.Session) { s.Title = "vim \x07notes" })
	r.until("the title is live", func(s workspace.Snapshot) bool { return s.Tasks[0].TabLabel(a.Tab, "") == "vim notes" })
	r.halt()
	r.host.stop(true)
	r.run()
	s := r.until("host is off", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostOff })
	if got := s.Tasks[0].TabLabel(a.Tab, ""); got != "vim notes" {
		t.Errorf("label %q", got)
	}
}
