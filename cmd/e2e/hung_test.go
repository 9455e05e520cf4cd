//go:build unix

package e2e

import (
	"syscall"
	"testing"
)

// A daemon that is there and does not answer is named, panes go on, and what a client was told has failed is not done when it wakes.
func TestADaemonThatHangsIsNamedAndDoesNothingLate(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(120, 30).ready()
	pid := in.signal("daemon", syscall.SIGSTOP)
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
	c.send("\x14")
	c.sees("does not answer: panes go on")
	c.run("echo goes-$((40+2))")
	c.sees("goes-42")
	late := in.attach(120, 30)
	late.sees("goes-42") // who comes meanwhile is shown what there is
	c.sees("the daemon has not answered")
	_ = syscall.Kill(pid, syscall.SIGCONT)
	c.losesSight("does not answer")
	c.send("\x01,") // and is served again
	c.sees("Rename")
	if n := len(in.tasks()[0].Tabs); n != 1 {
		t.Errorf("the tab that could not be made was made late: %d tabs", n)
	}
}
