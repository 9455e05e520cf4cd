package daemon

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// losing lets the host lose every program: what is left is thawed, as after a reboot. exits are the ends that had been seen before.
func (r *rig) losing(exits map[string]wire.Exit) {
	r.t.Helper()
	h := r.host
	h.mu.Lock()
	frozen := maps.Clone(h.sessions)
	h.mu.Unlock()
	h.stop(true)
	h.mu.Lock()
	for key, s := range frozen {
		s.State, s.PID = wire.SessionThawed, 0
		if exit, ok := exits[key]; ok {
			s.Exit = &exit
		} else {
			s.Lost = time.Now()
		}
		h.nextID++
		s.ID = h.nextID
		h.sessions[key] = s
	}
	h.running = true
	h.mu.Unlock()
}

// followed is a restore from its beginning to its end.
func (r *rig) followed(p workspace.Restore) workspace.Report {
	r.t.Helper()
	c := r.client()
	defer c.Close()
	report := must(c.Restore(r.t.Context(), p))(r.t)
	for report.Running() {
		report = must(c.Report(r.t.Context(), workspace.ReportRef{ID: report.ID, Seen: report.Changes}))(r.t)
	}
	return report
}

// outcomes are a report's by tab.
func outcomes(r workspace.Report) map[string]workspace.Outcome {
	by := make(map[string]workspace.Outcome)
	for _, line := range r.Lines {
		key, _ := workspace.ParseKey(line.Key)
		by[key.Tab] = line.Outcome
	}
	return by
}

// policies is a task with a tab for each policy, in that order; the first one is the default's.
func (r *rig) policies(policies ...workspace.Policy) workspace.Task {
	r.t.Helper()
	c := r.client()
	defer c.Close()
	task := must(c.AddTask(r.t.Context(), workspace.TaskAdd{Dir: r.t.TempDir()}))(r.t).Task
	for _, p := range policies {
		must(c.AddTab(r.t.Context(), workspace.TabAdd{Task: task.ID, Policy: p, Command: []string{"job"}}))(r.t)
	}
	return task
}

func TestARestoreBringsBackWhatItsPolicySays(t *testing.T) {
	r := newRig(t)
	task := r.policies(workspace.PolicyReattachOnly, workspace.PolicyAlways, workspace.PolicyIfLost, workspace.PolicyIfLost)
	key := func(tab int) string { return fmt.Sprintf("%s/tab-%d/pane-1", task.ID, tab) }
	r.losing(map[string]wire.Exit{key(3): {Code: 3, Time: time.Now()}, key(4): {Code: 4, Time: time.Now()}})
	r.host.mu.Lock()
	r.host.refuse = map[string]string{key(5): "directory gone: /nowhere"}
	r.host.mu.Unlock()

	plan := r.followed(workspace.Restore{DryRun: true})
	if got := len(r.host.live()); got != 0 {
		t.Errorf("a dry run started %d sessions", got)
	}
	want := map[string]workspace.Outcome{
		"tab-1": workspace.OutcomePending, "tab-2": workspace.OutcomeSkipped, "tab-3": workspace.OutcomePending,
		"tab-4": workspace.OutcomeSkipped, "tab-5": workspace.OutcomePending,
	}
	if got := outcomes(plan); !maps.Equal(got, want) {
		t.Errorf("planned %v, want %v", got, want)
	}

	report := r.followed(workspace.Restore{})
	want["tab-1"], want["tab-3"], want["tab-5"] = workspace.OutcomeRelaunched, workspace.OutcomeRelaunched, workspace.OutcomeFailed
	if got := outcomes(report); !maps.Equal(got, want) {
		t.Errorf("restored %v, want %v: %+v", got, want, report.Lines)
	}
	if got := report.Lines[4].Reason; got != "directory gone: /nowhere" {
		t.Errorf("the reason of a failure is %q", got)
	}

	r.host.mu.Lock() // as a reset does: nothing of it is left
	delete(r.host.sessions, key(1))
	r.host.put(wire.SessionRemoved, wire.Session{Key: key(1), ID: 1 << 60})
	r.host.mu.Unlock()
	r.eventually("the daemon knows", func() bool {
		return outcomes(r.followed(workspace.Restore{DryRun: true}))["tab-1"] == workspace.OutcomeSkipped
	})

	report = r.followed(workspace.Restore{All: true})
	want = map[string]workspace.Outcome{
		"tab-1": workspace.OutcomeRelaunched, "tab-2": workspace.OutcomeRelaunched, "tab-3": workspace.OutcomeReattached,
		"tab-4": workspace.OutcomeRelaunched, "tab-5": workspace.OutcomeFailed,
	}
	if got := outcomes(report); !maps.Equal(got, want) {
		t.Errorf("restored all as %v, want %v", got, want)
	}
}

// live lists the keys of the sessions whose program runs.
func (h *fakeHost) live() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var keys []string
	for key, s := range h.sessions {
		if s.Alive() {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

func TestTwoRestoresAtOnceAreOne(t *testing.T) {
	r := newRig(t)
	r.policies(slices.Repeat([]workspace.Policy{workspace.PolicyIfLost}, 20)...)
	r.losing(nil)
	r.host.mu.Lock()
	before := r.host.nextID
	r.host.mu.Unlock()
	var wg sync.WaitGroup
	reports := make([]workspace.Report, 3)
	for i := range reports {
		wg.Go(func() { reports[i] = r.followed(workspace.Restore{}) })
	}
	wg.Wait()
	r.host.mu.Lock()
	started := r.host.nextID - before
	r.host.mu.Unlock()
	if started != 21 {
		t.Errorf("%d sessions were started for 21 panes", started)
	}
	for _, report := range reports {
		totals := report.Totals()
		if n := totals[workspace.OutcomeRelaunched] + totals[workspace.OutcomeReattached]; n != 21 || len(report.Lines) != 21 {
			t.Errorf("totals %v of %d lines", totals, len(report.Lines))
		}
	}
}

func TestWhatEndsAgainAtOnceIsNotCalledReturned(t *testing.T) {
	r := newRig(t)
	r.policies(workspace.PolicyIfLost)
	r.losing(nil)
	r.host.set(&r.host.mortal, true)
	report := r.followed(workspace.Restore{})
	if got := outcomes(report)["tab-2"]; got != workspace.OutcomeFailed {
		t.Errorf("a program that ended at once was %s", got)
	}
}

func TestAReportIsThereForTheNextDaemon(t *testing.T) {
	r := newRig(t)
	r.policies(workspace.PolicyReattachOnly)
	r.losing(nil)
	report := r.followed(workspace.Restore{})
	r.halt()
	r.run()
	c := r.client()
	if got := must(c.Report(t.Context(), workspace.ReportRef{Seen: -1}))(t); got.ID != report.ID || !maps.Equal(got.Totals(), report.Totals()) || got.Ended.IsZero() {
		t.Errorf("kept %+v of %+v", got, report)
	}
	if all := must(c.Reports(t.Context()))(t); len(all) != 1 {
		t.Errorf("%d reports", len(all))
	}
	_, err := c.Report(t.Context(), workspace.ReportRef{ID: "none"})
	if workspace.CodeOf(err) != workspace.CodeNotFound {
		t.Errorf("a report that is not there: %v", err)
	}
}

func TestAProgramThatIsAlwaysStartedAgainKeepsItsTab(t *testing.T) {
	r := newRig(t)
	task := r.policies(workspace.PolicyAlways)
	key := task.ID + "/tab-2/pane-1"
	r.host.exit(key, 0) // a clean end is an end
	r.until("the tab is closed", func(s workspace.Snapshot) bool { return len(s.Tasks[0].Tabs) == 1 })

	c := r.client()
	added := must(c.AddTab(t.Context(), workspace.TabAdd{Task: task.ID, Policy: workspace.PolicyAlways}))(t)
	key = task.ID + "/" + added.Tab + "/pane-1"
	r.host.exit(key, 3)
	r.eventually("its program runs again", func() bool { return slices.Contains(r.host.live(), key) })
	r.host.set(&r.host.mortal, true)
	r.host.exit(key, 3) // it is started again and dies at once: that is not repeated
	s := r.until("it is dead", func(s workspace.Snapshot) bool {
		return s.Tasks[0].PaneView(added.Tab, "pane-1").State == workspace.PaneExited
	})
	if len(s.Tasks[0].Tabs) != 2 {
		t.Errorf("%d tabs", len(s.Tasks[0].Tabs))
	}
}

func TestAPolicyMayBeChangedLater(t *testing.T) {
	r := newRig(t)
	task := r.policies(workspace.PolicyIfLost)
	c := r.client()
	ok(t, c.SetPolicy(t.Context(), workspace.TabPolicy{Task: task.ID, Tab: "tab-2", Policy: workspace.PolicyReattachOnly}))
	key := task.ID + "/tab-2/pane-1"
	r.eventually("the host knows", func() bool {
		r.host.mu.Lock()
		defer r.host.mu.Unlock()
		return r.host.sessions[key].Policy == string(workspace.PolicyReattachOnly)
	})
	r.losing(nil)
	if got := outcomes(r.followed(workspace.Restore{}))["tab-2"]; got != workspace.OutcomeSkipped {
		t.Errorf("it was %s", got)
	}
	err := c.SetPolicy(t.Context(), workspace.TabPolicy{Task: task.ID, Tab: "tab-2", Policy: "never"})
	if workspace.CodeOf(err) != workspace.CodeInvalid {
		t.Errorf("a policy that is none: %v", err)
	}
}

func TestEndsThatNobodyAskedForAreRecordedOnce(t *testing.T) {
	r := newRig(t)
	task := r.policies(workspace.PolicyIfLost, workspace.PolicyIfLost, workspace.PolicyIfLost)
	key := func(tab int) string { return fmt.Sprintf("%s/tab-%d/pane-1", task.ID, tab) }
	c := r.client()
	r.host.exit(key(2), 0)
	ok(t, c.CloseTab(t.Context(), workspace.TabRef{Task: task.ID, Tab: "tab-3"}))
	r.host.exit(key(4), 7)
	r.eventually("an end is recorded", func() bool { return len(must(c.Exits(t.Context()))(t)) > 0 })

	r.halt()
	r.host.mu.Lock() // the session as a host still tells it to the next daemon
	r.host.open(wire.OpenRequest{Key: key(1), Recycle: true})
	r.host.mu.Unlock()
	r.host.exit(key(1), 9)
	r.run()
	c = r.client()
	r.eventually("the one that nobody saw too", func() bool { return len(must(c.Exits(t.Context()))(t)) == 2 })
	r.host.stop(false) // the host tells everything anew
	r.until("the host is back", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostUp })
	exits := must(c.Exits(t.Context()))(t)
	if len(exits) != 2 || exits[0].Code != 9 || exits[1].Code != 7 || exits[1].Layer != workspace.LayerPTY {
		t.Errorf("recorded %+v", exits)
	}
}

func TestARestoreUnderWayIsAnotherOnlyIfItStartsAsMuch(t *testing.T) {
	everything, lost, one := workspace.Restore{All: true}, workspace.Restore{}, workspace.Restore{Task: "A"}
	for _, c := range []struct {
		asked, p workspace.Restore
		covers   bool
	}{
		{lost, lost, true},
		{lost, one, true},
		{lost, everything, false},
		{everything, lost, true},
		{everything, everything, true},
		{everything, workspace.Restore{Task: "A", All: true}, true},
		{one, one, true},
		{one, lost, false},
		{one, workspace.Restore{Task: "B"}, false},
		{one, workspace.Restore{Task: "A", All: true}, false},
	} {
		if r := (&restore{asked: c.asked}); r.covers(c.p) != c.covers {
			t.Errorf("%+v covers %+v: %v", c.asked, c.p, !c.covers)
		}
	}
}
