//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// resets runs a reset beside an attached client.
func (in *instance) resets(args ...string) {
	in.t.Helper()
	if out, err := in.cli(append([]string{"reset", "--yes"}, args...)...); err != nil {
		in.t.Fatalf("reset %v: %v\n%s", args, err, out)
	}
}

func TestAClientLivesThroughAReset(t *testing.T) {
	in := start(t)
	c := in.attach(100, 30).ready()
	for _, wedged := range []bool{false, true} {
		c.run("echo the old sc\"\"reen")
		c.sees("the old screen")
		before := in.sessions()
		if wedged {
			if err := syscall.Kill(in.pid("ptyhost"), syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
		}
		in.resets()
		c.losesSight("the old screen")
		c.atPrompt()
		in.eventually("the client has a fresh shell", func() bool { return len(in.sessions()) == 1 })
		c.run("echo fresh $((40+2))")
		c.sees("fresh 42")
		after := in.sessions()
		in.eventually("the fresh shell has the client's line and nothing older", func() bool {
			screen, err := in.cli("api", "read-screen", after[0].Key)
			return err == nil && strings.Contains(screen, "fresh 42") && !strings.Contains(screen, "the old screen")
		})
		if len(before) != 1 || len(after) != 1 || before[0].PID == after[0].PID || runs(before[0].PID) {
			t.Fatalf("wedged %v: before %+v, after %+v", wedged, before, after)
		}
	}
}

func TestAClientLivesThroughAHardReset(t *testing.T) {
	in := start(t, "clock = true")
	dir := filepath.Join(in.user, "project")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	in.api(nil, "add", dir, "--title", "mine")
	c := in.attach(100, 30).ready()
	c.sees("mine")
	c.run("echo the old sc\"\"reen")
	c.sees("the old screen")
	in.resets("--hard")
	c.losesSight("mine")
	c.losesSight("the old screen")
	for _, task := range in.tasks() {
		if strings.Contains(task.Title, "mine") {
			t.Errorf("there is still %+v", task)
		}
	}
	if _, err := os.Stat(filepath.Join(in.home, "settings.toml")); !os.IsNotExist(err) {
		t.Errorf("the settings: %v", err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
	// The same client, whatever it shows now, can go on working.
	c.send("\x14") // a new tab
	c.seesMatch(`│\$ *$`)
	c.run("echo fresh $((40+2))")
	c.sees("fresh 42")
}
