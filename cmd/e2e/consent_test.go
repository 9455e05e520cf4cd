//go:build unix

package e2e

import (
	"strings"
	"syscall"
	"testing"
)

func TestTheFirstLaunchAsksOnceHoweverManyClientsThereAre(t *testing.T) {
	in := start(t)
	in.engines()
	const question = "Give Claude Code hooks at its launches?"
	task := in.addTask(in.project("p"), "--", "claude")
	in.engineRuns(task, "tab-1") // it does not wait for the answer
	var clients []*client
	for range 3 {
		c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+task)
		c.sees("claude is ready")
		clients = append(clients, c)
	}
	asked := func() (who []*client) {
		for _, c := range clients {
			if strings.Contains(c.screen(), question) {
				who = append(who, c)
			}
		}
		return who
	}
	in.eventually("one is asked", func() bool { return len(asked()) == 1 })
	first := asked()[0]
	first.sees("--settings")
	// It goes without an answer: another one is asked.
	_ = first.cmd.Process.Signal(syscall.SIGKILL)
	first.gone()
	var rest []*client
	for _, c := range clients {
		if c != first {
			rest = append(rest, c)
		}
	}
	clients = rest
	in.eventually("another one is asked", func() bool { return len(asked()) == 1 })
	asked()[0].send("\x1b")
	in.eventually("later", func() bool { return len(asked()) == 0 })
	if out, err := in.cli("hooks", "status"); err != nil || !strings.Contains(out, "not asked yet") {
		t.Errorf("%v: %s", err, out)
	}
	// The next launch asks again.
	other := in.addTab(task, "--", "claude")
	in.eventually("one is asked again", func() bool { return len(asked()) == 1 })
	who := asked()[0]
	who.send("\x1b[B\r") // from "later" to "allow"
	in.eventually("answered", func() bool { return len(asked()) == 0 })
	in.eventually("stored", func() bool {
		out, err := in.cli("hooks", "status")
		return err == nil && strings.HasPrefix(out, "allowed")
	})
	fallen := in.signal("daemon", syscall.SIGKILL)
	in.eventually("there is another one", func() bool {
		_, err := in.cli("api", "list")
		return err == nil && in.pid("daemon") != fallen
	})
	third := in.addTab(task, "--", "claude")
	in.engineRuns(task, third)
	in.types(task, third, "say it")
	in.eventually("its hooks tell", func() bool { return strings.Contains(in.engineTab(task, third).Why, "the answer (hook") })
	in.types(task, other, "say it")
	in.becomes(task, other, "finished")
	if why := in.engineTab(task, other).Why; strings.Contains(why, "(hook") {
		t.Errorf("the one that was started before has hooks: %s", why)
	}
	if len(asked()) != 0 {
		t.Error("it asks after the answer")
	}
}

func TestAClientThatDeniesIsNotAskedAgain(t *testing.T) {
	in := start(t)
	in.engines()
	task := in.addTask(in.project("p"), "--", "claude")
	c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+task)
	c.sees("Give Claude Code hooks")
	c.send("\x1b[A\r") // from "later" to "deny"
	c.losesSight("Give Claude Code hooks")
	in.eventually("stored", func() bool {
		out, err := in.cli("hooks", "status")
		return err == nil && strings.HasPrefix(out, "denied")
	})
	tab := in.addTab(task, "--", "claude")
	in.engineRuns(task, tab)
	c.send("\x012")
	c.sees("claude is ready")
	c.send("say hello\r")
	c.sees("the answer")
	if strings.Contains(c.screen(), "Give Claude Code hooks") {
		t.Error("it asks again")
	}
}

func TestTheShellThatAnEngineLeavesIsClosedWithoutAsking(t *testing.T) {
	in := start(t)
	in.engines()
	in.allowHooks()
	task := in.addTask(in.project("p"), "--", "claude")
	in.addTab(task, "--", "sleep", "1000")
	c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+task)
	c.send("\x011")
	c.sees("claude is ready")
	c.send("\x17")
	c.sees("Running: claude") // while it runs
	c.send("n")
	c.losesSight("Running: claude")
	c.send("/exit\r")
	c.atPrompt()
	c.run("sleep 1000")
	in.eventually("it runs", func() bool {
		var r struct {
			Foreground string `json:"foreground"`
		}
		in.api(&r, "peek", task+"/tab-1")
		return r.Foreground == "sleep"
	})
	c.send("\x17")
	c.sees("Running: sleep")
	c.send("n")
	c.losesSight("Running: sleep")
	c.send("\x03")
	c.atPrompt()
	c.send("\x17")
	in.eventually("the tab is closed", func() bool { return in.engineTab(task, "tab-1").ID == "" })
	c.sees("sleep")
	c.send("\x17")
	c.sees("Running: sleep") // a command that is none of a shell's
}
