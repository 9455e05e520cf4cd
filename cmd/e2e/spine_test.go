//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestAFirstAttachShowsTheSidebarAndAShell(t *testing.T) {
	in := start(t)
	c := in.attach(80, 24).ready()
	c.sees("moorage")
	c.sees("scratch")
	c.run("echo $((6*7))")
	c.seesMatch(`42$`)
	c.send("\x11") // ctrl+q: to the sidebar
	c.sees("enter open")
	c.send("\x11")
	if code := c.gone(); code != 0 {
		t.Errorf("exit status %d", code)
	}
}

func TestTwoClientsShareATabAndNothingElse(t *testing.T) {
	in := start(t)
	a := in.attach(120, 40).ready()
	b := in.attach(90, 30).ready()
	a.run("seq 1 100")
	a.seesMatch(`│100$`)
	b.seesMatch(`│100$`)
	b.ready()
	seen := b.screen()
	a.send("\x14") // ctrl+t: a new tab, in A
	a.seesMatch(` 2 .*`)
	a.seesMatch(`│\$ *$`)
	a.losesSight("100")
	a.send("\x01z") // zoom
	a.send("\x1b[5;5~")
	b.sees(" 2 ")
	if got := b.screen(); panePart(got) != panePart(seen) {
		t.Errorf("B's view moved:\n%s\nwas\n%s", got, seen)
	}
	// A scrolls in the shared tab: B stays at the end.
	a.send("\x011")
	a.seesMatch(`│100$`)
	a.send("\x1b[5;5~")
	a.seesMatch(`\d+/\d+ *$`)
	if got := b.screen(); panePart(got) != panePart(seen) {
		t.Errorf("B's view scrolled:\n%s", got)
	}
}

// panePart is a screen without the sidebar, the strip and the status line.
func panePart(screen string) string {
	lines := strings.Split(screen, "\n")
	var out []string
	for _, l := range lines[1 : len(lines)-1] {
		if _, right, ok := strings.Cut(l, "│"); ok {
			out = append(out, strings.TrimRight(right, " "))
		}
	}
	return strings.Join(out, "\n")
}

// counter starts a program in the client's pane that counts into a file and
// onto the screen, beside the prompt.
func (c *client) counter(file string) {
	c.t.Helper()
	c.run(fmt.Sprintf(`clear; (i=0; while :; do i=$((i+1)); echo "n $i"; echo $i >> %s; sleep 0.02; done) &`, file))
	c.seesMatch(`n \d\d`)
}

// unbroken fails unless the file counts without a gap, and returns its last
// number.
func unbroken(t *testing.T, file string) int {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(b)) {
		i, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil || i != n+1 {
			t.Fatalf("after %d comes %q", n, line)
		}
		n = i
	}
	return n
}

func TestTheProgramOutlivesEveryKill(t *testing.T) {
	in := start(t)
	file := filepath.Join(in.user, "count")
	c := in.attach(100, 30).ready()
	c.counter(file)
	pid := in.sessions()[0].PID

	grows := func(what string) {
		t.Helper()
		from := unbroken(t, file)
		in.eventually("the counter goes on after "+what, func() bool { return unbroken(t, file) > from+5 })
		if s := in.sessions(); len(s) != 1 || s[0].PID != pid {
			t.Fatalf("after %s the sessions are %+v", what, s)
		}
	}

	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.gone()
	grows("kill -9 of ssh")

	c = in.attach(100, 30)
	c.seesMatch(`n \d+`)
	in.kill(syscall.SIGKILL)
	c.gone()
	in.serve()
	grows("kill -9 of sshd")

	c = in.attach(100, 30)
	c.seesMatch(`n \d+`)
	daemon := in.pid("daemon")
	if err := syscall.Kill(daemon, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	grows("kill -9 of the daemon")
	// The client is still there, and what it types arrives.
	typed := filepath.Join(in.user, "typed")
	c.run("echo yes > " + typed)
	in.eventually("the pane takes what is typed", func() bool {
		b, _ := os.ReadFile(typed)
		return string(b) == "yes\n"
	})
	in.eventually("another daemon", func() bool { p := in.pid("daemon"); return p != 0 && p != daemon })
	c.send("\x14")
	c.seesMatch(` 2 `)
}

func TestAClientOfAKilledDaemonKeepsTyping(t *testing.T) {
	in := start(t)
	c := in.attach(100, 30).ready()
	daemon := in.pid("daemon")
	// Stopped, not killed: nobody starts another one meanwhile.
	if err := syscall.Kill(daemon, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	c.run("echo typed while it was away")
	c.seesMatch(`^[^$]*typed while it was away`)
	if err := syscall.Kill(daemon, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
}

func TestSplitsZoomAndFocus(t *testing.T) {
	in := start(t)
	c := in.attach(140, 40).ready()
	c.run("echo le\"ft\"")
	c.sees("left")
	c.send("\x1c") // ctrl+\
	c.seesMatch(`left.*│`)
	c.seesMatch(`│.*│\$ *$`)
	c.run("stty size")
	c.seesMatch(`38 5\d`)
	c.send("\x01-")
	c.sees("├")
	c.run("echo lo\"wer\"")
	c.sees("lower")
	c.send("\x01\x1b[A") // the pane above
	c.run("echo up\"per\"")
	c.sees("upper")
	c.send("\x01z")
	c.losesSight("lower")
	c.sees("zoom")
	c.send("\x01z")
	c.sees("lower")
	c.send("\x01\x1b[D") // the pane to the left
	c.run("exit")
	c.losesSight("left")
	c.sees("upper")
	c.sees("lower")
}

func TestClosingAsksOnlyWhileSomethingRuns(t *testing.T) {
	in := start(t)
	c := in.attach(100, 30).ready()
	c.send("\x14")
	c.seesMatch(` 2 `)
	c.seesMatch(`│\$ *$`)
	c.run("sleep 1000")
	in.eventually("it runs", func() bool {
		for _, s := range in.sessions() {
			if strings.Contains(s.Key, "tab-2") {
				b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", s.PID, s.PID))
				return len(b) > 0
			}
		}
		return false
	})
	c.send("\x17") // ctrl+w
	c.sees("Running: sleep")
	c.send("n")
	c.losesSight("Running")
	c.send("\x03")
	c.seesMatch(`│\$ *$`)
	c.send("\x17")
	c.losesSight(" 2 shell")
}

func TestRenameReorderAndDelete(t *testing.T) {
	in := start(t)
	c := in.attach(100, 30).ready()
	c.send("\x1bOQ") // F2
	c.sees("Rename tab")
	c.send("my tab\r")
	c.sees("my tab")
	c.send("\x11N") // sidebar, new scratch task
	in.eventually("two tasks", func() bool { return len(in.tasks()) == 2 })
	c.seesMatch(`│\$ *$`)
	c.send("\x11")
	c.sees("enter open")
	c.send("g")
	c.send("r\x15second\r")
	c.sees("second")
	first := in.tasks()[0].Title
	c.send("J")
	in.eventually("the order changes", func() bool { return in.tasks()[1].Title == first })
	c.send("d")
	c.sees("Delete task")
	c.send("y")
	in.eventually("one task", func() bool { return len(in.tasks()) == 1 })
	in.eventually("its sessions end", func() bool { return len(in.sessions()) == 1 })
}

type taskInfo struct {
	ID    string
	Title string
	Dir   string
	Tabs  []struct{ ID, Name string }
}

func (in *instance) tasks() []taskInfo {
	in.t.Helper()
	var r struct{ Tasks []taskInfo }
	in.api(&r, "list")
	return r.Tasks
}

func TestALayoutSurvivesTheDaemon(t *testing.T) {
	in := start(t)
	c := in.attach(140, 40).ready()
	c.send("\x1c")
	c.seesMatch(`│.*│\$ *$`)
	c.send("\x1bOQ")
	c.sees("Rename tab")
	c.send("kept\r")
	c.sees("kept")
	pids := pidsOf(in.sessions())
	daemon := in.pid("daemon")
	if err := syscall.Kill(daemon, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	in.eventually("another daemon", func() bool { p := in.pid("daemon"); return p != 0 && p != daemon })
	d := in.attach(140, 40)
	d.sees("kept")
	d.seesMatch(`│.*│\$ *$`)
	if got := pidsOf(in.sessions()); got != pids {
		t.Errorf("pids %s, were %s", got, pids)
	}
}

func pidsOf(list []hosted) string {
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprint(s.PID))
	}
	return strings.Join(out, " ")
}

func TestTheOnlyTabsShellIsRecycledAndAnExtraTabCloses(t *testing.T) {
	in := start(t)
	dir := filepath.Join(in.user, "project")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	in.api(nil, "add", dir)
	c := in.attach(100, 30).ready()
	c.send("\x14")
	c.seesMatch(` 2 `)
	c.seesMatch(`│\$ *$`)
	c.run("exit")
	in.eventually("the extra tab closes", func() bool { return len(in.tasks()[0].Tabs) == 1 })
	pid := in.sessions()[0].PID
	c.run("exit")
	in.eventually("the only tab gets a fresh shell", func() bool {
		s := in.sessions()
		return len(s) == 1 && s[0].PID != pid && s[0].State == "live"
	})
	c.seesMatch(`│\$ *$`)
	c.run("pwd")
	c.sees(dir)
}

func TestADirectoryGivenOnTheCommandLineOpensItsTask(t *testing.T) {
	in := start(t)
	dir := filepath.Join(in.user, "a place")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var added struct{ Task taskInfo }
	in.api(&added, "add", dir)
	if added.Task.Dir != dir {
		t.Fatalf("added %+v", added)
	}
	c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+added.Task.ID).ready()
	c.run("pwd")
	c.sees(dir)
}

func TestTheAPIRunsOverSSH(t *testing.T) {
	in := start(t)
	in.attach(100, 30).ready()
	out, err := in.ssh("api", "list")
	if err != nil || !regexp.MustCompile(`"tasks"`).MatchString(out) {
		t.Errorf("got %s, %v", out, err)
	}
	out, err = in.ssh("nonsense")
	if err == nil {
		t.Errorf("an unknown verb succeeds: %s", out)
	}
}

func TestWhoComesBackIsWhereHeLeft(t *testing.T) {
	in := start(t)
	for _, name := range []string{"one", "two", "three"} {
		dir := filepath.Join(in.user, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		in.addTask(dir)
	}
	c := in.attach(100, 30)
	c.seesMatch(`▎▾ one`)
	c.send("\x01s")
	c.send("jjl") // one's tab, two, and open it
	c.seesMatch(`▎▾ two`)
	c.atPrompt()
	c.send("\x14")
	c.sees("2 shell")
	c.send("\x11\x11")
	c.gone()
	c = in.attach(100, 30)
	c.seesMatch(`▎▾ two`)
	c.seesMatch(`▎ ● shell`)
	c.send("\x11\x11")
	c.gone()
	in.shutdown()
	c = in.attach(100, 30)
	c.seesMatch(`▎▾ two`)
}
