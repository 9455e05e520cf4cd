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
