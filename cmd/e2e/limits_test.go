//go:build unix

package e2e

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestALimitShowsWhenItEnds(t *testing.T) {
	in := start(t)
	in.engines()
	in.allowHooks()
	task := in.addTask(in.project("p"), "--", "claude")
	c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+task)
	c.sees("claude is ready")
	in.types(task, "tab-1", "limit")
	limited := in.becomes(task, "tab-1", "rate_limited")
	at := time.Now().Add(2 * time.Hour)
	near := func(text string) bool { // a minute may pass meanwhile, and a day is told by its date
		for _, at := range []time.Time{at, at.Add(-time.Minute)} {
			if strings.Contains(text, at.Format("15:04")) || strings.Contains(text, at.Format("2 Jan")) {
				return true
			}
		}
		return false
	}
	if !strings.Contains(limited.Why, "resets") || !near(limited.Why) {
		t.Errorf("why: %s", limited.Why)
	}
	c.sees("until ")
	if line := c.lines()[0]; !near(line) {
		t.Errorf("the tab says %q", line)
	}
	in.types(task, "tab-1", "say it")
	c.losesSight("until ")
}

func TestAnEngineGoesOnAfterALimitOnlyWhereTheTaskSaysSo(t *testing.T) {
	in := start(t)
	in.engines()
	in.allowHooks()
	task := in.addTask(in.project("p"), "--", "claude")
	quiet := in.addTask(in.project("q"), "--", "claude")
	busy := in.addTask(in.project("r"), "--", "claude")
	for _, id := range []string{task, quiet, busy} {
		in.engineRuns(id, "tab-1")
	}
	c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+busy)
	c.sees("claude is ready")
	in.api(nil, "set", task, "--resume-after-limit=true")
	c.send("\x01s") // in the sidebar, by the menu
	c.send("gG")
	c.send("\x1b[A") // the row of the task
	c.send("m")
	c.sees("continue after rate limits")
	c.send("l")
	c.sees("its engines are told `continue`")
	c.send("\x1bOS") // back to the pane
	for _, id := range []string{task, quiet, busy} {
		in.types(id, "tab-1", "limit 3")
		in.becomes(id, "tab-1", "rate_limited")
	}
	// The daemon may fall meanwhile.
	fallen := in.signal("daemon", syscall.SIGKILL)
	in.eventually("there is another one", func() bool {
		_, err := in.cli("api", "list")
		return err == nil && in.pid("daemon") != fallen
	})
	goesOn := func() int { return strings.Count(in.file("prompts"), `"continue"`) }
	eventually(t, "one goes on", func() bool {
		c.send("x") // somebody types into the other one
		return goesOn() == 1
	}, func() string { return in.file("prompts") })
	in.becomes(task, "tab-1", "finished")
	in.eventually("the refusal is in the inbox", func() bool { // the client that looks there has opened it
		return strings.Contains(in.told(busy, "tab-1").Text, "it was not told to go on: somebody types")
	})
	fallen = in.signal("daemon", syscall.SIGKILL)
	in.eventually("there is another one", func() bool {
		_, err := in.cli("api", "list")
		return err == nil && in.pid("daemon") != fallen
	})
	in.becomes(quiet, "tab-1", "rate_limited")
	in.becomes(busy, "tab-1", "rate_limited")
	in.engineRuns(busy, "tab-1")
	in.engineRuns(quiet, "tab-1")
	// Another turn is proof that nothing else was sent before it.
	in.types(quiet, "tab-1", "say it")
	in.becomes(quiet, "tab-1", "finished")
	if n := goesOn(); n != 1 {
		t.Errorf("%d engines were told to go on:\n%s", n, in.file("prompts"))
	}
}
