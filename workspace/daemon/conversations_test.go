package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

// store is a home with conversations of Codex and Claude Code.
type store struct {
	t    *testing.T
	home string
}

// codex writes a conversation that was begun in a directory and has changed some time ago.
func (s store) codex(id, dir string, ago time.Duration) {
	s.t.Helper()
	s.write(".codex/sessions/2026/11/30/rollout-2026-11-30T10-00-00-"+id+".jsonl", ago,
		fmt.Sprintf(`{"type":"session_meta","payload":{"id":%q,"cwd":%q}}`, id, dir),
		fmt.Sprintf(`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"first of %s"}]}}`, id))
}

func (s store) claude(id, dir string, ago time.Duration) {
	s.t.Helper()
	folder := strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(dir)
	s.write(".claude/projects/"+folder+"/"+id+".jsonl", ago,
		`{"type":"mode"}`, fmt.Sprintf(`{"type":"user","cwd":%q,"message":{"content":"first of %s"}}`, dir, id))
}

func (s store) write(name string, ago time.Duration, rows ...string) {
	s.t.Helper()
	path := filepath.Join(s.home, name)
	ok(s.t, os.MkdirAll(filepath.Dir(path), 0o700))
	ok(s.t, os.WriteFile(path, []byte(strings.Join(rows, "\n")+"\n"), 0o600))
	when := time.Now().Add(-ago)
	ok(s.t, os.Chtimes(path, when, when))
}

// launched is what a pane's shell is told to run, without what carries hooks.
func (s store) launched(c *daemonclient.Client, ref workspace.PaneRef, dir string, command ...string) []string {
	s.t.Helper()
	out := must(c.Launch(s.t.Context(), workspace.Launch{PaneRef: ref, Command: command, Dir: dir, Env: []string{"HOME=" + s.home}}))(s.t)
	return out.Argv
}

// conversation is what is stored of a pane's.
func (r *rig) conversation(ref workspace.PaneRef) string {
	r.t.Helper()
	s := must(r.client().Subscribe(r.t.Context()))(r.t)
	for _, task := range s.Tasks {
		if pane, found := task.Pane(ref.Tab, ref.Pane); found && task.ID == ref.Task {
			return pane.Conversation
		}
	}
	return ""
}

func TestAnUnknownConversationIsFoundAmongThoseThatNoPaneHas(t *testing.T) {
	r := newEngineRig(t)
	c := r.client()
	s := store{t, t.TempDir()}
	dir := t.TempDir()
	add := func(dir string) workspace.PaneRef {
		a := must(c.AddTask(t.Context(), workspace.TaskAdd{Dir: dir, Command: []string{"codex"}}))(t)
		return workspace.PaneRef{Task: a.Task.ID, Tab: a.Tab, Pane: a.Pane}
	}
	one := add(dir)
	inner := filepath.Join(dir, "inner")
	ok(t, os.Mkdir(inner, 0o700))
	within := add(inner)
	b := must(c.AddTab(t.Context(), workspace.TabAdd{Task: one.Task, Command: []string{"codex"}}))(t)
	two := workspace.PaneRef{Task: one.Task, Tab: b.Tab, Pane: b.Pane}

	s.codex("aaaa", dir, -time.Second)
	s.codex("bbbb", filepath.Join(dir, "deep", "er"), -3*time.Second)
	s.codex("cccc", inner, -4*time.Second)
	s.codex("dddd", t.TempDir(), -5*time.Second)
	// An engine that is started for the first time begins a conversation of its own.
	for _, ref := range []workspace.PaneRef{one, two, within} {
		if got := s.launched(c, ref, dir, "codex"); !slices.Equal(got, []string{"codex"}) {
			t.Errorf("at first %v runs %q", ref, got)
		}
	}
	for _, tc := range []struct {
		ref  workspace.PaneRef
		dir  string
		want string
	}{
		{one, dir, "aaaa"}, // of the very directory, though others have changed since
		{one, dir, "aaaa"}, // it is its own now
		{two, dir, "bbbb"}, // what no pane has
		{within, inner, "cccc"},
	} {
		if got := s.launched(c, tc.ref, tc.dir, "codex"); !slices.Equal(got, []string{"codex", "resume", tc.want}) {
			t.Errorf("%v runs %q, want %s", tc.ref, got, tc.want)
		}
		if got := r.conversation(tc.ref); got != tc.want {
			t.Errorf("%v has %q, want %s", tc.ref, got, tc.want)
		}
	}
	// One that is gone is looked for too, also among older ones; where there is none, a new one begins.
	ok(t, os.Remove(filepath.Join(s.home, ".codex/sessions/2026/11/30/rollout-2026-11-30T10-00-00-aaaa.jsonl")))
	if got := s.launched(c, one, dir, "codex"); !slices.Equal(got, []string{"codex"}) {
		t.Errorf("without any it runs %q", got)
	}
	s.codex("eeee", dir, time.Hour)
	if got := s.launched(c, one, dir, "codex"); !slices.Equal(got, []string{"codex", "resume", "eeee"}) {
		t.Errorf("it runs %q", got)
	}
}

func TestWhatAnEngineThatPinsItsIDsHasLostIsNotLookedFor(t *testing.T) {
	r := newEngineRig(t)
	c := r.client()
	s := store{t, t.TempDir()}
	a := directory(t, c)
	ref := pane(a)
	first := s.launched(c, ref, a.Task.Dir, "claude")
	s.claude("aaaa", a.Task.Dir, -time.Second)
	if got := s.launched(c, ref, a.Task.Dir, "claude"); !slices.Equal(got, first) || got[1] != "--session-id" {
		t.Errorf("it runs %q, at first %q", got, first)
	}
	if r.conversation(ref) != first[2] {
		t.Errorf("it has %q", r.conversation(ref))
	}
}

func TestAFoundConversationIsNotReportedAsResumed(t *testing.T) {
	r := newEngineRig(t)
	c := r.client()
	s := store{t, t.TempDir()}
	ref, _ := r.engine(c, "codex")
	dir := must(c.TaskState(t.Context(), ref.Task))(t).Dir
	s.launched(c, ref, dir, "codex")
	s.codex("aaaa", dir, -time.Second)
	r.losing(nil)
	begun := must(c.Restore(t.Context(), workspace.Restore{All: true}))(t)
	r.eventually("it is started", func() bool { return slices.Contains(r.host.live(), ref.Key().String()) })
	s.launched(c, ref, dir, "codex")
	pid := r.runs(ref, "codex")
	r.tells(c, ref, pid, "codex", map[string]any{"hook_event_name": "SessionStart", "session_id": "aaaa", "source": "resume"})
	report := begun
	for report.Running() {
		report = must(c.Report(t.Context(), workspace.ReportRef{ID: begun.ID, Seen: report.Changes}))(t)
	}
	line := report.Lines[0]
	if line.Outcome != workspace.OutcomeRelaunched || !strings.Contains(line.Reason, "took up aaaa") {
		t.Errorf("%+v", line)
	}
}

func TestConversationsAreListedAndTakenUp(t *testing.T) {
	r := newEngineRig(t)
	c := r.client()
	s := store{t, t.TempDir()}
	a := directory(t, c)
	dir := a.Task.Dir
	s.claude("c1", dir, time.Hour)
	s.codex("x1", dir, 2*time.Hour)
	s.codex("x2", t.TempDir(), time.Minute)
	s.launched(c, pane(a), dir, "claude") // it says where the stores are
	list := must(c.Conversations(t.Context(), a.Task.ID))(t).List
	if len(list) != 2 || list[0].ID != "c1" || list[1].ID != "x1" || list[0].First != "first of c1" || list[0].Size == 0 || !list[0].Forks {
		t.Fatalf("%+v", list)
	}
	take := func(id, name string, how workspace.TakeUp, to string) workspace.PaneRef {
		t.Helper()
		added := must(c.TakeUp(t.Context(), workspace.ConversationOpen{Task: a.Task.ID, Engine: name, ID: id, How: how, To: to}))(t)
		return workspace.PaneRef{Task: added.Task.ID, Tab: added.Tab, Pane: added.Pane}
	}
	on := take("c1", "claude", workspace.Continue, "")
	if got := s.launched(c, on, dir, "claude"); !slices.Equal(got, []string{"claude", "--resume", "c1"}) {
		t.Errorf("continued by %q", got)
	}
	if again := take("c1", "claude", workspace.Continue, ""); again != on {
		t.Errorf("it is in %v, and was opened again in %v", on, again)
	}
	if list := must(c.Conversations(t.Context(), a.Task.ID))(t).List; list[0].Tab.Tab != on.Tab {
		t.Errorf("%+v", list[0])
	}
	fork := take("c1", "claude", workspace.ForkOff, "")
	got := s.launched(c, fork, dir, "claude")
	if len(got) != 6 || !slices.Equal(got[:5], []string{"claude", "--resume", "c1", "--fork-session", "--session-id"}) {
		t.Errorf("forked by %q", got)
	}
	s.claude(got[5], dir, 0)
	if again := s.launched(c, fork, dir, "claude"); !slices.Equal(again, []string{"claude", "--resume", got[5]}) {
		t.Errorf("the fork comes back by %q", again)
	}
	hand := take("c1", "claude", workspace.HandOver, "codex")
	got = s.launched(c, hand, dir, "codex")
	if len(got) != 2 || !strings.Contains(got[1], list[0].Transcript) || !strings.Contains(got[1], "first of c1") {
		t.Errorf("handed over by %q", got)
	}
	if got := s.launched(c, hand, dir, "codex"); len(got) != 1 {
		t.Errorf("the brief is given again: %q", got)
	}
	for what, p := range map[string]workspace.ConversationOpen{
		"unknown":    {Task: a.Task.ID, Engine: "claude", ID: "zz", How: workspace.Continue},
		"elsewhere":  {Task: a.Task.ID, Engine: "codex", ID: "x2", How: workspace.Continue},
		"no way":     {Task: a.Task.ID, Engine: "codex", ID: "x1", How: "sideways"},
		"no engine":  {Task: a.Task.ID, Engine: "codex", ID: "x1", How: workspace.HandOver, To: "nobody"},
		"takes none": {Task: a.Task.ID, Engine: "codex", ID: "x1", How: workspace.HandOver, To: "kimi"},
		"in no task": {Task: "none", Engine: "codex", ID: "x1", How: workspace.Continue},
	} {
		if _, err := c.TakeUp(t.Context(), p); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
