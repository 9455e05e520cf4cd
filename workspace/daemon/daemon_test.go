package daemon

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
	"go.uber.org/goleak"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
	"moorage/workspace/split"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// directory adds a directory task.
func directory(t *testing.T, c *daemonclient.Client) workspace.Added {
	t.Helper()
	return must(c.AddTask(t.Context(), workspace.TaskAdd{Dir: t.TempDir()}))(t)
}

func tab(a workspace.Added) workspace.TabRef { return workspace.TabRef{Task: a.Task.ID, Tab: a.Tab} }

func pane(a workspace.Added) workspace.PaneRef {
	return workspace.PaneRef{Task: a.Task.ID, Tab: a.Tab, Pane: a.Pane}
}

func TestADirectoryHasOneTaskHoweverItIsNamed(t *testing.T) {
	r := newRig(t)
	c := r.client()
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	ok(t, os.Symlink(dir, link))
	first := must(c.AddTask(t.Context(), workspace.TaskAdd{Dir: dir}))(t)
	for _, name := range []string{dir, dir + "/", link} {
		again := must(c.AddTask(t.Context(), workspace.TaskAdd{Dir: name}))(t)
		if again.Task.ID != first.Task.ID || !again.Existing || again.Pane != "pane-1" {
			t.Errorf("%s: got %+v", name, again)
		}
	}
	if got := r.host.keys(); !slices.Equal(got, []string{pane(first).Key().String()}) {
		t.Errorf("sessions %v", got)
	}
}

func TestATaskNeedsADirectoryThatIsThere(t *testing.T) {
	c := newRig(t).client()
	file := filepath.Join(t.TempDir(), "file")
	ok(t, os.WriteFile(file, nil, 0o600))
	for dir, want := range map[string]workspace.Code{
		"relative": workspace.CodeInvalid, "": workspace.CodeInvalid, file: workspace.CodeInvalid,
		filepath.Join(t.TempDir(), "gone"): workspace.CodeNotFound,
	} {
		if _, err := c.AddTask(t.Context(), workspace.TaskAdd{Dir: dir}); workspace.CodeOf(err) != want {
			t.Errorf("%q: %v", dir, err)
		}
	}
}

func TestTheNextDaemonFindsEverythingAsItWas(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	ok(t, c.RenameTask(t.Context(), workspace.TaskRename{Task: a.Task.ID, Title: "renamed\x1b"}))
	second := must(c.AddTab(t.Context(), workspace.TabAdd{Task: a.Task.ID, Name: "second", Command: []string{"top"}}))(t)
	must(c.SplitPane(t.Context(), workspace.PaneSplit{PaneRef: pane(second), Direction: split.Down}))(t)
	ok(t, c.SetRatio(t.Context(), workspace.SplitRatio{Task: a.Task.ID, Tab: second.Tab, Ratio: 0.25}))
	ok(t, c.MoveTab(t.Context(), tab(second), 0))
	ok(t, c.SelectTab(t.Context(), workspace.TabSelect{TabRef: tab(second)}))
	before := must(c.Subscribe(t.Context()))(t)
	r.halt()
	r.run()
	after := r.until("host is up", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostUp })
	task, got := before.Tasks[0], after.Tasks[0]
	if got.Title != "renamed" || got.ActiveTab != second.Tab || got.Tabs[0].ID != second.Tab || got.Tabs[0].Name != "second" ||
		got.Tabs[0].Layout.Root().Ratio != 0.25 || got.NextTab != 3 || !slices.Equal(got.Keys(), task.Keys()) {
		t.Errorf("before %+v\nafter  %+v", task, got)
	}
	for key, p := range got.Panes {
		if p.State != workspace.PaneAlive {
			t.Errorf("%s is %s", key, p.State)
		}
	}
}

func TestTasksAreMovedAndNumberedAnew(t *testing.T) {
	c := newRig(t).client()
	a, b, d := directory(t, c), directory(t, c), directory(t, c)
	ok(t, c.MoveTask(t.Context(), d.Task.ID, 0))
	ok(t, c.MoveTask(t.Context(), a.Task.ID, 99))
	var got []string
	for _, task := range must(c.Subscribe(t.Context()))(t).Tasks {
		got = append(got, task.ID)
	}
	if want := []string{d.Task.ID, b.Task.ID, a.Task.ID}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

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

func TestTheUserMayCloseTheLastTabAndTheTaskStays(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	ok(t, c.ClosePane(t.Context(), pane(a)))
	s := must(c.Subscribe(t.Context()))(t)
	if len(s.Tasks) != 1 || len(s.Tasks[0].Tabs) != 0 {
		t.Errorf("got %+v", s.Tasks)
	}
	again := must(c.AddTab(t.Context(), workspace.TabAdd{Task: a.Task.ID}))(t)
	if again.Tab != "tab-2" {
		t.Errorf("reopened as %s", again.Tab)
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

func TestAnUnreadableIndexEndsNothing(t *testing.T) {
	r := newRig(t)
	a := directory(t, r.client())
	r.halt()
	ok(t, os.WriteFile(r.home.Path("index.db"), []byte("no index at all"), 0o600))
	for range 2 { // the daemon after that one must not end them either
		r.run()
		s := r.until("the session is shown", func(s workspace.Snapshot) bool {
			return len(s.Tasks) == 1 && s.Tasks[0].PaneView(a.Tab, a.Pane).State == workspace.PaneAlive
		})
		if s.Tasks[0].ID != a.Task.ID {
			t.Errorf("recovered as %+v", s.Tasks[0])
		}
		r.halt()
	}
	if got := r.host.keys(); !slices.Equal(got, a.Task.Keys()) {
		t.Errorf("sessions %v", got)
	}
	aside, _ := filepath.Glob(r.home.Path("index.db.corrupt-*"))
	if len(aside) != 1 {
		t.Errorf("set aside: %v", aside)
	}
}

func TestAShellThatDiedMeanwhileKeepsItsDeadBadge(t *testing.T) {
	r := newRig(t)
	a := directory(t, r.client())
	r.halt()
	r.host.exit(pane(a).Key().String(), 4)
	r.run()
	s := r.until("the badge is known", func(s workspace.Snapshot) bool {
		return s.Tasks[0].TabState(a.Tab) == workspace.PaneExited
	})
	if p := s.Tasks[0].PaneView(a.Tab, a.Pane); p.Exit == nil || p.Exit.Code != 4 {
		t.Errorf("badge %+v", p)
	}
}

func TestTheHostIsStartedOnlyWhenASessionIsNeeded(t *testing.T) {
	r := newRig(t)
	r.until("the host is off", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostOff })
	if r.host.starts != 0 {
		t.Error("started for nothing")
	}
	directory(t, r.client())
	r.until("the host is up", func(s workspace.Snapshot) bool {
		return s.Host.State == workspace.HostUp && s.Host.Build == "host-build" && s.Host.PID == 77
	})
}

func TestALostHostIsSaidAndFoundAgain(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	s := must(c.Subscribe(t.Context()))(t)
	r.host.stop(false)
	away := false
	for !away || s.Host.State != workspace.HostUp {
		s = s.Apply(must(c.Next(t.Context()))(t))
		if s.Host.State == workspace.HostAway {
			away = true
		}
		// A look that comes late may miss the absence, never the return.
		if s.Host.State == workspace.HostUp && s.Tasks[0].TabState(a.Tab) == workspace.PaneAlive {
			break
		}
	}
	r.host.stop(true)
	s = r.until("it is off", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostOff })
	if got := s.Tasks[0].TabState(a.Tab); got != workspace.PaneNone {
		t.Errorf("badge %s", got)
	}
	if got := must(c.OpenPane(t.Context(), workspace.PaneOpen{PaneRef: pane(a)}))(t); !got.Alive() {
		t.Error("no replacement")
	}
}

func TestAHostThatDoesNotAnswerIsSaidAndEndsNothing(t *testing.T) {
	r := newRig(t)
	r.halt()
	r.cfg.Answer = 30 * time.Millisecond
	r.run()
	c := r.client()
	a := directory(t, c)
	r.host.set(&r.host.wedged, true)
	_, err := c.AddTab(t.Context(), workspace.TabAdd{Task: a.Task.ID})
	if workspace.CodeOf(err) != workspace.CodeHostUnresponsive {
		t.Errorf("error %v", err)
	}
	s := r.until("it is unresponsive", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostUnresponsive })
	if got := s.Tasks[0].PaneView(a.Tab, a.Pane).State; got != workspace.PaneUnknown {
		t.Errorf("badge %s", got)
	}
	r.host.set(&r.host.wedged, false)
	r.until("it is up again with its session", func(s workspace.Snapshot) bool {
		return s.Host.State == workspace.HostUp && s.Tasks[0].PaneView(a.Tab, a.Pane).State == workspace.PaneAlive
	})
	if r.host.starts != 1 {
		t.Errorf("it was started %d times", r.host.starts)
	}
}

func TestARecordThatMoorageDidNotWriteIsLeftAloneWithItsSessions(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a, b := directory(t, c), directory(t, c)
	r.halt()
	ix, err := openIndex(r.home.Path("index.db"))
	ok(t, err)
	ok(t, ix.store.Update(func(tx *bolt.Tx) error {
		return tx.Bucket(tasksBucket).Put([]byte(a.Task.ID), []byte(`{"id":"x","tabs":[{"id":"tab-1"}]}`))
	}))
	ok(t, ix.close())
	r.run()
	s := r.until("the host is up", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostUp })
	if len(s.Tasks) != 1 || s.Tasks[0].ID != b.Task.ID {
		t.Errorf("tasks %+v", s.Tasks)
	}
	ok(t, r.client().DeleteTask(t.Context(), workspace.TaskDelete{Task: b.Task.ID}))
	r.eventually("only the deleted one's session is gone", func() bool { return slices.Equal(r.host.keys(), a.Task.Keys()) })
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

func TestASecondDaemonIsRefusedAndNamesTheFirst(t *testing.T) {
	r := newRig(t)
	r.client()
	if err := Run(t.Context(), r.cfg); workspace.CodeOf(err) != workspace.CodeRunning {
		t.Errorf("error %v", err)
	}
	must(r.client().Status(t.Context()))(t)
}

func TestADaemonStopsAfterItsLastClientUnlessASessionLives(t *testing.T) {
	r := newRig(t)
	r.halt()
	r.cfg.Grace = 30 * time.Millisecond
	r.run()
	c := r.client()
	a := directory(t, c)
	c.Close()
	select {
	case <-r.gone:
		t.Fatal("stopped under a live session")
	case <-time.After(10 * r.cfg.Grace):
	}
	ok(t, func() error {
		c := r.client()
		defer c.Close()
		return c.DeleteTask(t.Context(), workspace.TaskDelete{Task: a.Task.ID})
	}())
	select {
	case err := <-r.gone:
		ok(t, err)
		close(r.gone)
	case <-time.After(patience):
		t.Error("it stays for nobody")
	}
}

func TestClientsThatComeAndGoLeaveNothingBehind(t *testing.T) {
	r := newRig(t)
	c := r.client()
	must(c.Status(t.Context()))(t) // its connection is served from here on
	before := runtime.NumGoroutine()
	for range 20 {
		var wave sync.WaitGroup
		for range 25 {
			wave.Go(func() {
				cfg := daemonclient.Config{Home: r.home, Build: "test", Role: "test"}
				client, err := daemonclient.Dial(t.Context(), cfg)
				if err != nil {
					t.Error(err)
					return
				}
				defer client.Close()
				if _, err := client.Subscribe(t.Context()); err != nil {
					t.Error(err)
				}
				waiting, cancel := context.WithCancel(t.Context())
				wave.Go(func() { client.Next(waiting) }) // it is still waiting when the client goes
				cancel()
			})
		}
		wave.Wait()
	}
	r.eventually("one client is left", func() bool { return must(c.Status(t.Context()))(t).Clients == 1 })
	r.eventually("no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

func TestStopEndsTheDaemonAndNoSession(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	ok(t, c.Stop(t.Context()))
	r.eventually("it is gone", func() bool {
		_, err := daemonclient.Dial(t.Context(), daemonclient.Config{Home: r.home, Build: "test", Role: "test"})
		return err != nil && wire.IsAbsent(err)
	})
	if got := r.host.keys(); !slices.Equal(got, a.Task.Keys()) {
		t.Errorf("sessions %v", got)
	}
}

func TestAWatcherIsShownThatTheDaemonWentAndCameBack(t *testing.T) {
	r := newRig(t)
	a := directory(t, r.client())
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	pictures := make(chan daemonclient.Picture)
	ended := make(chan error, 1)
	go func() {
		cfg := daemonclient.Config{Home: r.home, Build: "test", Role: "test"}
		ended <- daemonclient.Watch(ctx, cfg, func(p daemonclient.Picture) {
			select {
			case pictures <- p:
			case <-ctx.Done():
			}
		})
	}()
	expect := func(there bool) {
		t.Helper()
		for {
			select {
			case p := <-pictures:
				if (p.Client != nil) == there && len(p.Snapshot.Tasks) == 1 && p.Snapshot.Tasks[0].ID == a.Task.ID {
					return
				}
			case <-ctx.Done():
				t.Fatalf("never shown: daemon there: %v", there)
			}
		}
	}
	expect(true)
	r.halt()
	expect(false)
	r.run()
	expect(true)
	cancel()
	<-ended
}

func TestAHostThatDoesNotAnswerIsReplacedOnlyWhenItHoldsNothing(t *testing.T) {
	r := newRig(t)
	r.halt()
	var mu sync.Mutex
	asked, holds := 0, true
	r.cfg.Answer = 30 * time.Millisecond
	r.cfg.ReplaceHost = func(context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		asked++
		if holds {
			return workspace.Fail(workspace.CodeHostUnresponsive, "kill -CONT 77", "it holds 2 live sessions")
		}
		r.host.stop(true)
		r.host.set(&r.host.wedged, false)
		return nil
	}
	r.run()
	c := r.client()
	a := directory(t, c)
	r.host.set(&r.host.wedged, true)
	_, err := c.AddTab(t.Context(), workspace.TabAdd{Task: a.Task.ID})
	if workspace.CodeOf(err) != workspace.CodeHostUnresponsive {
		t.Errorf("error %v", err)
	}
	s := r.until("it is said what keeps it", func(s workspace.Snapshot) bool {
		return s.Host.State == workspace.HostUnresponsive && strings.Contains(s.Host.Error, "2 live sessions")
	})
	if len(s.Tasks) != 1 {
		t.Errorf("tasks %+v", s.Tasks)
	}
	mu.Lock()
	if asked == 0 {
		t.Error("nobody looked whether it can be replaced")
	}
	holds = false
	mu.Unlock()
	r.eventually("a new tab gets its session of the next host", func() bool {
		_, err := c.AddTab(t.Context(), workspace.TabAdd{Task: a.Task.ID})
		return err == nil
	})
}

func TestOfTwoWhoRenameTheSameTheFirstWinsAndTheSecondIsTold(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	was, name := a.Task.Title, ""
	ok(t, c.RenameTask(t.Context(), workspace.TaskRename{Task: a.Task.ID, Title: "alpha", Was: &was}))
	err := c.RenameTask(t.Context(), workspace.TaskRename{Task: a.Task.ID, Title: "beta", Was: &was})
	if workspace.CodeOf(err) != workspace.CodeConflict || !strings.Contains(err.Error(), `"alpha"`) || !strings.Contains(err.Error(), `"beta"`) {
		t.Errorf("the second is told %v", err)
	}
	tab := workspace.TabRename{Task: a.Task.ID, Tab: a.Tab, Name: "one", Was: &name}
	ok(t, c.RenameTab(t.Context(), tab))
	tab.Name = "two"
	wantCode(t, c.RenameTab(t.Context(), tab), workspace.CodeConflict)
	s := r.until("the first names are there", func(s workspace.Snapshot) bool { return s.Tasks[0].Tabs[0].Name != "" })
	if s.Tasks[0].Title != "alpha" || s.Tasks[0].Tabs[0].Name != "one" {
		t.Errorf("%q, %q", s.Tasks[0].Title, s.Tasks[0].Tabs[0].Name)
	}
}
