//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// falls kills the daemon, lets something happen while none runs, and waits for the next one's first look at the processes.
func (in *instance) falls(meanwhile func(), task, tab string) {
	in.t.Helper()
	fallen := in.signal("daemon", syscall.SIGKILL)
	in.eventually("it is gone", func() bool { return !runs(fallen) && in.pid("daemon") == 0 })
	if meanwhile != nil {
		meanwhile()
		if pid := in.pid("daemon"); pid != 0 {
			in.t.Fatalf("a daemon ran meanwhile: %d", pid)
		}
	}
	in.eventually("there is another one", func() bool {
		_, err := in.cli("api", "list")
		return err == nil
	})
	in.eventually("it has looked", func() bool { return in.engineTab(task, tab).EngineAlive != nil })
}

func TestADaemonThatFallsAtAnyStepKnowsWhereItsEngineStands(t *testing.T) {
	for name, profile := range map[string]string{"by status and hooks": "", "by hooks and titles alone": "export FAKE_7501=never"} {
		t.Run(name, func(t *testing.T) {
			in := start(t)
			in.engines(profile)
			in.allowHooks()
			task := in.addTask(in.project("p"), "--", "claude")
			in.engineRuns(task, "tab-1")
			key := task + "/tab-1/pane-1"
			types := func(text string) { in.api(nil, "send-keys", key, "--literal", text) } // needs no daemon
			shows := func(text string, n int) {
				in.t.Helper()
				in.eventually(text, func() bool {
					var r struct{ Lines []string }
					in.api(&r, "read-screen", key)
					return strings.Count(strings.Join(r.Lines, "\n"), text) >= n
				})
			}
			stands := func(activity, pending string) {
				in.t.Helper()
				in.falls(nil, task, "tab-1")
				in.becomes(task, "tab-1", activity)
				if got := in.pendingOf(task, "tab-1"); got != pending {
					t.Errorf("%s: %q is pending, want %q", activity, got, pending)
				}
			}
			in.becomes(task, "tab-1", "idle")
			stands("idle", "")
			types("slow 100\r")
			in.becomes(task, "tab-1", "working")
			stands("working", "")
			eventually(t, "it is interrupted", func() bool { // a title has to be seen at work first
				types("\x1b")
				return in.engineTab(task, "tab-1").Activity == "idle"
			}, func() string { return fmt.Sprintf("%+v", in.engineTab(task, "tab-1")) })
			stands("idle", "")
			types("perm\r")
			in.becomes(task, "tab-1", "needs_input")
			stands("needs_input", "needs_input")
			types("\r")
			in.becomes(task, "tab-1", "finished")
			stands("finished", "finished")
			// What happens while no daemon runs.
			types("perm\r")
			in.becomes(task, "tab-1", "needs_input")
			in.falls(func() { types("\r"); shows("the answer", 2) }, task, "tab-1")
			in.becomes(task, "tab-1", "finished")
			types("work 15\r")
			in.becomes(task, "tab-1", "working")
			in.falls(func() { shows("the answer", 3) }, task, "tab-1")
			in.becomes(task, "tab-1", "finished")
			if got := in.pendingOf(task, "tab-1"); got != "finished" {
				t.Errorf("%q is pending", got)
			}
			// Seen stays seen.
			c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+task)
			c.sees("the answer")
			in.eventually("it was seen", func() bool { return in.pendingOf(task, "tab-1") == "" })
			_ = c.cmd.Process.Kill()
			c.gone()
			seen := func() bool {
				var r struct {
					Panes map[string]struct{ Engine struct{ Seen bool } }
				}
				in.api(&r, "inspect", task+"/tab-1")
				return r.Panes["pane-1"].Engine.Seen
			}
			in.eventually("it is seen", seen)
			stands("finished", "")
			if !seen() {
				t.Error("it is unseen again")
			}
			types("limit\r")
			in.becomes(task, "tab-1", "rate_limited")
			stands("rate_limited", "rate_limited")
			if !strings.Contains(in.engineTab(task, "tab-1").Why, "resets") {
				t.Errorf("nobody knows any more when it ends: %s", in.engineTab(task, "tab-1").Why)
			}
			types("fail\r")
			in.becomes(task, "tab-1", "error")
			stands("error", "failed")
			types("crash\r")
			in.becomes(task, "tab-1", "dead")
			stands("dead", "engine_died")
			// A deleted task raises nothing.
			other := in.addTask(in.project("q"), "--", "claude")
			in.engineRuns(other, "tab-1")
			in.types(other, "tab-1", "perm")
			in.becomes(other, "tab-1", "needs_input")
			in.falls(nil, other, "tab-1")
			in.api(nil, "delete", other)
			in.eventually("its sessions have ended", func() bool { return len(in.live()) == 1 })
			for range 2 {
				for _, i := range in.pending() {
					if i.Task == other {
						t.Errorf("a deleted task wants something: %+v", i)
					}
				}
				in.falls(nil, task, "tab-1")
			}
		})
	}
}
