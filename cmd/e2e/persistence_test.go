//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// reboot ends all three processes as a power cut does, and everything that
// they hosted, and serves the home anew.
func (in *instance) reboot() {
	in.t.Helper()
	sessions := in.sessions()
	daemon, host := in.pid("daemon"), in.pid("ptyhost")
	for _, pid := range []int{host, daemon} {
		if pid > 0 {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may just have ended by itself
		}
	}
	in.kill(syscall.SIGKILL)
	for _, s := range sessions {
		if s.PID > 0 {
			_ = syscall.Kill(-s.PID, syscall.SIGKILL) // it may have ended with its terminal
		}
	}
	in.eventually("nothing of it is left", func() bool { return !runs(daemon) && !runs(host) })
	in.serve()
}

// signal sends a signal to one of the processes, which must run.
func (in *instance) signal(name string, sig syscall.Signal) (pid int) {
	in.t.Helper()
	in.eventually(name+" runs", func() bool { pid = in.pid(name); return pid > 0 })
	if err := syscall.Kill(pid, sig); err != nil {
		in.t.Fatal(err)
	}
	return pid
}

// shutdown is a reboot with a warning: each process is told to end.
func (in *instance) shutdown() {
	in.t.Helper()
	in.kill(syscall.SIGTERM)
	daemon, host := in.signal("daemon", syscall.SIGTERM), in.signal("ptyhost", syscall.SIGTERM)
	in.eventually("both have ended", func() bool { return in.pid("daemon") != daemon && in.pid("ptyhost") != host })
	in.serve()
}

func TestAfterAShutdownTheScreenIsThereAndItsShellBelow(t *testing.T) {
	in := start(t)
	file := filepath.Join(in.user, "starts")
	if err := os.WriteFile(filepath.Join(in.user, ".bash_profile"), []byte("PS1='$ '\nunset PROMPT_COMMAND HISTFILE\necho start >> "+file+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := in.attach(100, 30).ready()
	c.run("cd /tmp; echo the old sc\"\"reen")
	c.sees("the old screen")
	for round := range 2 { // twice in a row on the same home
		in.shutdown()
		a, b := in.attach(100, 30), in.attach(90, 25)
		a.sees("the old screen")
		b.sees("the old screen")
		a.seesMatch(`│\$ *·*$`) // B's window is smaller, and B came last
		s := in.sessions()
		if len(s) != 1 || s[0].State != "live" || s[0].CWD != "/tmp" {
			t.Fatalf("round %d: %+v", round, s)
		}
		a.run(fmt.Sprintf("echo round $((%d+40))", round))
		b.sees(fmt.Sprintf("round %d", round+40))
		starts, err := os.ReadFile(file)
		if n := strings.Count(string(starts), "start"); err != nil || n != round+2 {
			t.Errorf("round %d: the shell was started %d times", round, n)
		}
	}
}

func TestAfterAPowerCutNothingIsClaimedThatWasNotKept(t *testing.T) {
	in := start(t)
	c := in.attach(100, 30).ready()
	c.send("\x1c") // a second pane
	c.seesMatch(`│.*│\$ *$`)
	c.run("seq 1 20000") // more than the gate: frozen while it prints, or soon after
	c.seesMatch(`│20000 *$`)
	in.eventually("the store has it", func() bool {
		info, err := os.Stat(filepath.Join(in.home, "freeze.db"))
		return err == nil && info.Size() > 100<<10
	})
	in.reboot()
	d := in.attach(100, 30)
	d.seesMatch(`│\$ *$`)
	d.seesMatch(`\d{4,5}`)
	in.eventually("both panes have a shell again", func() bool {
		live := 0
		for _, s := range in.sessions() {
			if s.State == "live" {
				live++
			}
		}
		return live == 2
	})
}
