//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestABadgeFollowsItsEngine(t *testing.T) {
	for _, tc := range []struct{ name, engine, profile string }{
		{"claude, by status and hooks", "claude", ""},
		{"claude, by hooks and titles alone", "claude", "export FAKE_7501=never"},
		{"codex", "codex", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := start(t, "[hooks]", "codex_trust = true")
			in.engines(tc.profile)
			in.allowHooks()
			task := in.addTask(in.project("p"), "--", tc.engine)
			tab := in.engineRuns(task, "tab-1")
			if tab.LiveEngine != tc.engine || tab.Kind != "engine" {
				t.Errorf("%+v", tab)
			}
			in.becomes(task, "tab-1", "idle")

			in.types(task, "tab-1", "work 30")
			first := in.becomes(task, "tab-1", "working")
			in.becomes(task, "tab-1", "finished")
			if got := in.pendingOf(task, "tab-1"); got != "finished" {
				t.Errorf("pending: %q", got)
			}
			if first.Conversation == "" {
				t.Error("its conversation is not known")
			}

			in.types(task, "tab-1", "perm")
			if asks := in.becomes(task, "tab-1", "needs_input"); !strings.Contains(asks.Why, "approve Bash: touch x") {
				t.Errorf("why: %q", asks.Why)
			}
			if got := in.pendingOf(task, "tab-1"); got != "needs_input" {
				t.Errorf("pending: %q", got)
			}
			in.types(task, "tab-1", "")
			in.becomes(task, "tab-1", "finished")

			in.types(task, "tab-1", "slow 60")
			in.becomes(task, "tab-1", "working")
			eventually(t, "it is interrupted", func() bool { // a title has to be seen at work first
				in.api(nil, "send-keys", task+"/tab-1", "Escape")
				return in.engineTab(task, "tab-1").Activity == "idle"
			}, func() string { return fmt.Sprintf("%+v", in.engineTab(task, "tab-1")) })
			if got := in.pendingOf(task, "tab-1"); got != "" {
				t.Errorf("pending: %q", got)
			}

			in.types(task, "tab-1", "limit")
			in.becomes(task, "tab-1", "rate_limited")
			if p := in.pending(); len(p) != 1 || p[0].Kind != "rate_limited" || time.Until(p[0].Resets) < time.Hour {
				t.Errorf("pending: %+v", p)
			}
			in.types(task, "tab-1", "fail")
			in.becomes(task, "tab-1", "error")
			if tc.engine == "claude" {
				in.types(task, "tab-1", "sub")
				in.becomes(task, "tab-1", "finished")
				in.types(task, "tab-1", "idle")
				in.types(task, "tab-1", "bg")
				in.becomes(task, "tab-1", "working")
				in.becomes(task, "tab-1", "finished")
			}

			in.types(task, "tab-1", "/clear")
			in.types(task, "tab-1", "say it")
			eventually(t, "another conversation", func() bool {
				now := in.engineTab(task, "tab-1")
				return now.Activity == "finished" && now.Conversation != first.Conversation
			}, func() string { return fmt.Sprintf("%+v", in.engineTab(task, "tab-1")) })

			in.types(task, "tab-1", "crash")
			dead := in.becomes(task, "tab-1", "dead")
			if dead.EngineAlive == nil || *dead.EngineAlive || dead.Kind != "shell" || dead.Alive == nil || !*dead.Alive {
				t.Errorf("%+v", dead)
			}
			if got := in.pendingOf(task, "tab-1"); got != "engine_died" {
				t.Errorf("pending: %q", got)
			}
			out, err := in.cli("exits", "--json")
			if err != nil || !strings.Contains(out, `"layer": "engine"`) || !strings.Contains(out, `"code": 137`) || !strings.Contains(out, `"parent_alive": true`) {
				t.Errorf("exits: %v\n%s", err, out)
			}
			in.eventually("the shell says so and goes on", func() bool {
				var r struct{ Lines []string }
				in.api(&r, "read-screen", task+"/tab-1")
				return strings.Contains(strings.Join(r.Lines, "\n"), "Engine exited (code 137)")
			})
			// Typed by hand it is recognised too.
			in.types(task, "tab-1", tc.engine)
			in.engineRuns(task, "tab-1")
			in.types(task, "tab-1", "/exit")
			eventually(t, "a shell again", func() bool {
				now := in.engineTab(task, "tab-1")
				return now.Kind == "shell" && now.EngineAlive != nil && !*now.EngineAlive && now.Activity != "dead"
			}, func() string { return fmt.Sprintf("%+v", in.engineTab(task, "tab-1")) })
		})
	}
}

func TestWhatATabTellsIsNoOtherTabs(t *testing.T) {
	in := start(t)
	in.engines()
	in.allowHooks()
	dir := in.project("p")
	task := in.addTask(dir, "--", "claude")
	other := in.addTab(task, "--", "claude")
	one, two := in.engineRuns(task, "tab-1"), in.engineRuns(task, other)
	if one.Conversation == two.Conversation || one.Conversation == "" {
		t.Errorf("the conversations are %q and %q", one.Conversation, two.Conversation)
	}
	in.types(task, "tab-1", "say done")
	var done engineTab
	in.eventually("its hook has said so too", func() bool {
		done = in.engineTab(task, "tab-1")
		return done.Activity == "finished" && strings.HasPrefix(done.Why, "the answer (hook")
	})
	for _, words := range []string{"work 3", "perm", "limit", "/clear", "say more"} {
		in.types(task, other, words)
		if words == "perm" {
			in.becomes(task, other, "needs_input")
			in.types(task, other, "")
		}
	}
	in.becomes(task, other, "finished")
	if now := in.engineTab(task, "tab-1"); now.Activity != "finished" || now.Why != done.Why || now.Conversation != done.Conversation {
		t.Errorf("the first tab was %+v and is %+v", done, now)
	}
	// A third names the first: nobody believes it.
	liar := in.addTab(task, "--", "sh", "-c", "FAKE_TAB=tab-1 FAKE_7501=never exec "+filepath.Join(in.user, "bin", "claude")+" --settings "+filepath.Join(in.home, "engines", "claude-settings.json"))
	in.types(task, liar, "perm")
	in.eventually("what it tells is the task's", func() bool {
		out, err := in.cli("api", "list")
		return err == nil && strings.Contains(out, `"loose"`) && strings.Contains(out, "approve Bash: touch x")
	})
	if now := in.engineTab(task, "tab-1"); now.Activity != "finished" || now.Why != done.Why {
		t.Errorf("the first tab was %+v and is %+v", done, now)
	}
	// Closing a tab takes back what it wanted.
	in.types(task, other, "perm")
	in.becomes(task, other, "needs_input")
	in.api(nil, "tab-close", task+"/"+other)
	in.eventually("nothing of it is pending", func() bool { return in.pendingOf(task, other) == "" })
}

func TestAConversationComesBackAfterAllThreeProcessesWereKilled(t *testing.T) {
	in := start(t)
	in.engines()
	in.allowHooks()
	dir := in.project("p")
	task := in.addTask(dir, "--", "claude")
	fresh := in.addTab(task, "--", "claude")
	codex := in.addTab(task, "--", "codex")
	in.engineRuns(task, "tab-1")
	never := in.engineRuns(task, fresh)
	in.engineRuns(task, codex)
	in.types(task, "tab-1", "say one")
	in.types(task, codex, "say one")
	was := in.becomes(task, "tab-1", "finished")
	in.becomes(task, codex, "finished")
	in.reboot()
	report := in.restore("--all")
	outcomes := make(map[string]string)
	for _, l := range report.Lines {
		outcomes[strings.Split(l.Key, "/")[1]] = l.Outcome + " " + l.Reason
	}
	// Codex says so at its next prompt only, and without its hooks' review not even then; the second had nothing to resume.
	if outcomes["tab-1"] != "resumed " || outcomes[fresh] != "relaunched " {
		t.Errorf("outcomes: %v", outcomes)
	}
	now := in.engineRuns(task, "tab-1")
	if now.Conversation != was.Conversation || now.Activity != "finished" {
		t.Errorf("it was %+v and is %+v", was, now)
	}
	if now := in.engineRuns(task, fresh); now.Conversation != never.Conversation {
		t.Errorf("the one without a prompt was %+v and is %+v", never, now)
	}
	in.eventually("it is back in the same conversation", func() bool {
		var r struct{ Lines []string }
		in.api(&r, "read-screen", task+"/tab-1")
		return strings.Contains(strings.Join(r.Lines, "\n"), "resumed "+was.Conversation)
	})
	in.types(task, "tab-1", "perm")
	in.becomes(task, "tab-1", "needs_input")
}

func TestAnEngineTypedByHandIsDeadWithTheHost(t *testing.T) {
	in := start(t)
	in.engines()
	in.allowHooks() // else its first client is asked
	task := in.addTask(in.project("p"))
	in.types(task, "tab-1", "claude")
	in.engineRuns(task, "tab-1")
	in.types(task, "tab-1", "say the last of it")
	in.becomes(task, "tab-1", "finished")
	c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+task)
	c.sees("the answer")
	key := task + "/tab-1/pane-1"
	first := in.live()[key]
	in.signal("ptyhost", syscall.SIGTERM)
	in.eventually("a shell is there again", func() bool { pid := in.live()[key]; return pid != 0 && pid != first })
	dead := in.becomes(task, "tab-1", "dead")
	if !strings.HasPrefix(dead.Why, "ended with the PTY host (exit") || dead.Kind != "shell" {
		t.Errorf("%+v", dead)
	}
	in.eventually("its end is recorded, with its own screen", func() bool {
		out, err := in.cli("exits", "--lines", "40")
		return err == nil && strings.Contains(out, "claude  ended with the PTY host") && strings.Contains(out, "the answer") &&
			!strings.Contains(out, "code unknown") && !strings.HasSuffix(strings.TrimSpace(out), "$")
	})
}

func TestARestoreSaysWhatIsNotConfirmed(t *testing.T) {
	in := start(t)
	in.engines()
	task := in.addTask(in.project("p"), "--", "claude") // without hooks nothing confirms it
	in.engineRuns(task, "tab-1")
	in.types(task, "tab-1", "say one")
	in.becomes(task, "tab-1", "finished")
	in.reboot()
	if r := in.restore("--all"); len(r.Lines) != 1 || r.Lines[0].Outcome != "unconfirmed" {
		t.Errorf("%+v", r.Lines)
	}
	out, err := in.cli("report")
	if err != nil || !strings.Contains(out, "resume command run, not confirmed") {
		t.Errorf("report: %v\n%s", err, out)
	}
}

func TestADaemonThatComesBackKnowsWhatItsEnginesDo(t *testing.T) {
	in := start(t)
	in.engines()
	in.allowHooks()
	task := in.addTask(in.project("p"), "--", "claude")
	other := in.addTab(task, "--", "claude")
	third := in.addTab(task, "--", "claude")
	for _, tab := range []string{"tab-1", other, third} {
		in.engineRuns(task, tab)
	}
	in.types(task, "tab-1", "say done")
	in.becomes(task, "tab-1", "finished")
	in.types(task, other, "perm")
	in.becomes(task, other, "needs_input")
	in.types(task, third, "slow 100")
	in.becomes(task, third, "working")
	fallen := in.signal("daemon", syscall.SIGKILL)
	in.eventually("it is gone", func() bool { return !runs(fallen) })
	// The third dies while no daemon runs.
	pid := in.engineProcess(task, third)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	in.eventually("it is dead", func() bool { return !runs(pid) })
	in.becomes(task, "tab-1", "finished")
	in.becomes(task, other, "needs_input")
	dead := in.becomes(task, third, "dead")
	if dead.Exit == nil || *dead.Exit != 137 {
		t.Errorf("%+v", dead)
	}
	in.types(task, other, "")
	in.becomes(task, other, "finished")
	for tab, want := range map[string]string{"tab-1": "finished", other: "finished", third: "engine_died"} {
		if got := in.pendingOf(task, tab); got != want {
			t.Errorf("%s has %q pending, want %q", tab, got, want)
		}
	}
	// Looking at a tab is seeing it, and stays so.
	c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+task)
	c.sees("claude is ready")
	in.eventually("it was seen", func() bool { return in.pendingOf(task, "tab-1") == "" })
	fallen = in.signal("daemon", syscall.SIGKILL)
	in.eventually("it is gone", func() bool { return !runs(fallen) })
	if got := in.pendingOf(task, "tab-1"); got != "" {
		t.Errorf("%q is pending again", got)
	}
}

func TestAPromptIsDeliveredWholeOnceOrRefused(t *testing.T) {
	in := start(t)
	in.engines()
	in.allowHooks() // else its first client is asked
	task := in.addTask(in.project("p"), "--", "claude")
	send := func(args ...string) (code string) {
		out, err := in.cli(append([]string{"api", "send", "--task-id", task}, args...)...)
		var r struct {
			Error struct{ Code string }
		}
		if json.Unmarshal([]byte(out), &r) != nil {
			t.Errorf("send %.80q: %v\n%s", args, err, out)
		}
		return r.Error.Code
	}
	prompts := func() (all []string) {
		for line := range strings.Lines(in.file("prompts")) {
			var text string
			if err := json.Unmarshal([]byte(line), &text); err != nil {
				t.Fatal(err)
			}
			all = append(all, text)
		}
		return all
	}
	// It is only booting: the prompt waits for it.
	long := "say " + strings.Repeat("ä long line\n", 9000) + "end"
	for i, prompt := range []string{"say hello", long} {
		if code := send("--prompt", prompt); code != "" {
			t.Fatalf("prompt %d: %s", i, code)
		}
		in.eventually("it is there", func() bool { return len(prompts()) > i })
		if got := prompts(); len(got) != i+1 || got[i] != prompt {
			t.Fatalf("%d prompts, the last of %d bytes, want %d", len(got), len(got[len(got)-1]), len(prompt))
		}
	}
	if code := send("--prompt", "say x\x1b[201~\rrm"); code != "invalid" {
		t.Errorf("one that ends its own paste: %q", code)
	}
	if code := send("--prompt", "x", "--tab", "tab-9"); code != "not_found" {
		t.Errorf("an unknown tab: %q", code)
	}
	// A person types.
	c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+task)
	c.sees("the answer")
	c.send("x")
	in.typed(task + "/tab-1")
	if code := send("--prompt", "say y"); code != "busy" {
		t.Errorf("while somebody types: %q", code)
	}
	c.send("\x03\x03")
	c.atPrompt()
	eventually(t, "the engine has ended", func() bool { return send("--prompt", "touch ran", "--tab", "tab-1") == "ENGINE_NOT_RUNNING" }, nil)
	in.addTab(task, "--", "sleep", "1000")
	if code := send("--prompt", "x", "--tab", "tab-2"); code != "NO_ENGINE_TAB" {
		t.Errorf("a tab without an engine: %q", code)
	}
	if _, err := os.Stat(filepath.Join(in.user, "p", "ran")); err == nil {
		t.Error("a shell ran a prompt")
	}
	if n := len(prompts()); n != 2 {
		t.Errorf("%d prompts arrived", n)
	}
	// After the host's end: a shell is what comes back of that tab; another one has an engine.
	tab := in.addTab(task, "--", "claude")
	in.engineRuns(task, tab)
	if code := send("--prompt", "say three", "--tab", tab); code != "" {
		t.Fatal(code)
	}
	in.eventually("it is there", func() bool { return len(prompts()) == 3 })
	in.reboot()
	if code := send("--prompt", "x", "--tab", tab); code != "TAB_RESTORED" {
		t.Errorf("a restored tab: %q", code)
	}
	if code := send("--prompt", "say four", "--tab", tab, "--respawn"); code != "" {
		t.Errorf("respawned: %q", code)
	}
	in.eventually("it is there", func() bool { p := prompts(); return len(p) == 4 && p[3] == "say four" })
}

func TestAPromptForASuspendedEngineIsNotTypedIntoItsShell(t *testing.T) {
	in := start(t)
	in.engines()
	dir := in.project("p")
	task := in.addTask(dir)
	in.types(task, "tab-1", "claude")
	in.engineRuns(task, "tab-1")
	in.types(task, "tab-1", "say one")
	in.becomes(task, "tab-1", "finished")
	screen := func() string {
		var r struct{ Lines []string }
		in.api(&r, "read-screen", task+"/tab-1")
		return strings.Join(r.Lines, "\n")
	}
	pid := in.engineProcess(task, "tab-1")
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	in.eventually("the shell is in front", func() bool { return strings.Contains(screen(), "Stopped") })
	out, err := in.cli("api", "send", "--task-id", task, "--tab", "tab-1", "--prompt", "touch ran")
	if err == nil || !strings.Contains(out, "refused") {
		t.Errorf("sent: %v\n%s", err, out)
	}
	in.types(task, "tab-1", "echo l\"ook\"ed")
	in.eventually("the shell has done all", func() bool { return strings.Contains(screen(), "looked") })
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil || strings.Contains(screen(), "touch") {
		t.Errorf("a shell was given the prompt:\n%s", screen())
	}
}

func TestAFreshEngineIsStartedBesideFrozenTabsWhichAreNamed(t *testing.T) {
	in := start(t)
	in.engines()
	task := in.addTask(in.project("p"), "--", "claude")
	in.engineRuns(task, "tab-1")
	in.reboot()
	var sent struct {
		Key     string   `json:"key"`
		Started bool     `json:"started"`
		Frozen  []string `json:"frozen_tabs"`
	}
	in.api(&sent, "send", "--task-id", task, "--prompt", "say hello")
	if !sent.Started || len(sent.Frozen) != 1 || sent.Frozen[0] != "tab-1" || strings.Contains(sent.Key, "/tab-1/") {
		t.Errorf("%+v", sent)
	}
	in.eventually("it is there", func() bool { return in.fileHas("prompts", "say hello") })
	if !in.engineTab(task, "tab-1").Frozen {
		t.Error("the frozen one was started")
	}
}

func TestAnEngineWhoseSessionIsKilledIsTakenUpOnce(t *testing.T) {
	in := start(t)
	in.engines()
	in.allowHooks()
	task := in.addTask(in.project("p"), "--", "claude")
	other := in.addTab(task, "--", "claude")
	in.engineRuns(task, "tab-1")
	in.engineRuns(task, other)
	in.types(task, other, "say one")
	was := in.becomes(task, other, "finished")
	key := task + "/" + other + "/pane-1"
	first := in.live()[key]
	_ = syscall.Kill(-first, syscall.SIGKILL)
	in.eventually("it is started again", func() bool { pid := in.live()[key]; return pid != 0 && pid != first })
	if now := in.engineRuns(task, other); now.Conversation != was.Conversation {
		t.Errorf("it was %+v and is %+v", was, now)
	}
	_ = syscall.Kill(-in.live()[key], syscall.SIGKILL)
	in.eventually("the tab is closed", func() bool { return in.engineTab(task, other).ID == "" })
}
