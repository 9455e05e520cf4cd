//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"moorage/persistence"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
	"moorage/workspace/split"
)

// flood is a command line that prints without end. It is one process: a loop
// of short ones in bash loses an interrupt that comes between two of them.
const flood = `seq -f %.1f 1000000000 9999999999`

// echoes types n markers into a client and fails unless each comes back soon:
// it is what somebody who types would notice.
func (v *view) echoes(n int) {
	v.t.Helper()
	const soon = 5 * time.Second // of a slow machine under the race detector
	for i := range n {
		marker := fmt.Sprintf("m%dark", i)
		from := time.Now()
		v.run("clear; echo m" + fmt.Sprint(i) + `"ark"`)
		v.sees(marker)
		if took := time.Since(from); took > soon {
			v.t.Errorf("echo %d took %v", i, took)
		}
	}
}

// B01, B14, B15: clients that stop reading under a flood delay nobody, cost
// bounded memory, and see the newest screen when they read again.
func TestClientsThatStopReadingDelayNobody(t *testing.T) {
	t.Parallel()
	in := start(t)
	a := in.attach(120, 40).ready()
	unread := in.attach(120, 40).ready()
	var stopped []*client
	for range 4 {
		stopped = append(stopped, in.attach(100, 30).ready())
	}
	b := in.attach(90, 30).ready()
	b.send("\x14")
	b.sees(" 2 shell")
	b.atPrompt()
	a.run(flood)
	a.seesMatch(`│\d{10}\.\d+`)

	server, host := in.server.Process.Pid, in.pid("ptyhost")
	resume := []func(){unread.pause()}
	for _, c := range append(stopped, a) {
		resume = append(resume, stop(t, c.cmd.Process.Pid))
	}
	b.echoes(3)
	before := [2]int{rss(server), rss(host)}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		b.echoes(5)
	}
	after := [2]int{rss(server), rss(host)}
	for i, name := range []string{"sshd", "host"} {
		if after[i]-before[i] > grown() {
			t.Errorf("%s grew from %d to %d MB while clients did not read", name, before[i], after[i])
		}
	}
	in.attach(80, 24).seesMatch(`│\d{10}\.\d+`) // another one is let in at once

	// The flood ends while they do not look; what they see then is its end.
	c := in.attach(120, 40)
	c.seesMatch(`│\d{10}\.\d+`)
	c.send("\x03")
	c.atPrompt()
	c.run(`echo the "newest" screen`)
	c.sees("the newest screen")
	for _, f := range resume {
		f()
	}
	for _, v := range append(stopped, a, unread) {
		v.sees("the newest screen")
	}
	a.echoes(1)
}

// B02: window changes to a client whose channel is full are not lost, and
// neither is the client.
func TestFortyWindowChangesToAStalledClientEndInTheLastSize(t *testing.T) {
	t.Parallel()
	for _, deaf := range []bool{false, true} {
		t.Run(fmt.Sprintf("deaf=%v", deaf), func(t *testing.T) {
			in := start(t)
			r := in.attachRaw(200, 50, deaf)
			r.atPrompt()
			r.run(`seq 1000 999999999`)
			r.seesMatch(`\d{4}`)
			resume := r.pause()
			time.Sleep(3 * time.Second) // nothing tells when a window is full
			r.sized(111, 33)
			for i := range 40 {
				r.window(60+i, 20+i%10)
			}
			r.window(111, 33)
			resume()
			in.eventually("the terminal has the last size", func() bool {
				s := in.session("tab-1/pane-1")
				return s.Cols == 111-22-1 && s.Rows == 31
			})
			r.send("\x03")
			r.atPrompt()
			r.run("clear; stty size")
			r.seesMatch(`│31 88$`)
		})
	}
}

// B03: a channel that ends on a connection that lives on takes its session
// with it.
func TestAMultiplexedSessionEndsWithItsChannel(t *testing.T) {
	t.Parallel()
	in := start(t)
	control := filepath.Join(in.user, "cm")
	mux := []string{"-o", "ControlMaster=auto", "-o", "ControlPath=" + control, "-o", "ControlPersist=60"}
	first := in.attach(100, 30, mux...).ready()
	second := in.attach(80, 24, mux...).ready()
	second.run("stty size")
	second.seesMatch(`│22 57$`)
	t.Cleanup(func() { // the connection itself outlives both clients
		if out, err := exec.Command("ssh", in.sshArgs(append(mux, "-O", "exit")...)...).CombinedOutput(); err != nil {
			t.Errorf("end the connection: %v: %s", err, out)
		}
	})
	// The master sleeps on its client's end until something comes from us, at
	// the latest the next question whether it is there.
	second.run(flood)
	first.seesMatch(`│\d{10}\.\d+`)
	if err := second.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// Its say in the size ends with it.
	in.eventually("the other client has the size", func() bool { return in.session("tab-1/pane-1").Cols == 77 })
	first.send("\x03")
	first.atPrompt()
	quiet(t, in, 2*time.Second)
	first.echoes(1)
}

// quiet fails if one of the three processes computes while nothing happens.
func quiet(t *testing.T, in *instance, span time.Duration) {
	t.Helper()
	pids := map[string]int{"sshd": in.server.Process.Pid, "daemon": in.pid("daemon"), "ptyhost": in.pid("ptyhost")}
	before := make(map[string]int)
	for name, pid := range pids {
		before[name] = wakes(t, pid)
	}
	time.Sleep(span)
	for name, pid := range pids {
		if n := wakes(t, pid) - before[name]; n > int(100*span.Seconds()) {
			t.Errorf("%s woke %d times in %v of quiet", name, n, span)
		}
	}
}

// B04: a window change between pty-req and shell counts.
func TestAWindowChangeBeforeTheShellCounts(t *testing.T) {
	t.Parallel()
	in := start(t)
	r := session(t, in.dial(), 120, 40)
	r.terminal("xterm-256color", 80, 24)
	if !r.ask("window-change", windowChange{Cols: 120, Rows: 40}) {
		t.Error("the window change is refused")
	}
	r.shell().atPrompt()
	r.run("stty size")
	r.seesMatch(`│38 95$`)
}

// B05: what comes without a terminal is told so, and leaves nothing.
func TestWithoutATerminalOneLineSaysWhy(t *testing.T) {
	t.Parallel()
	in := start(t)
	b := in.attach(90, 30).ready()
	before := files(t, in.server.Process.Pid)
	for _, command := range []string{"", "foo"} {
		cmd := exec.Command("ssh", in.sshArgs("-T")...)
		if command != "" {
			cmd.Args = append(cmd.Args, command)
		}
		var stdout, stderr bytes.Buffer
		cmd.Env, cmd.Stdout, cmd.Stderr = in.env, &stdout, &stderr
		err := cmd.Run()
		if err == nil || cmd.ProcessState.ExitCode() > 2 {
			t.Errorf("%q ends with %v", command, err)
		}
		if n := strings.Count(stderr.String(), "\n"); n < 1 || n > 3 || !strings.Contains(stderr.String(), "moorage") || stdout.Len() > 0 {
			t.Errorf("%q says %q and %q", command, stdout.String(), stderr.String())
		}
	}
	b.echoes(1)
	in.eventually("their files are closed", func() bool { return files(t, in.server.Process.Pid) <= before })
}

// B06: a size of 0x0 is 80x24 until there is a real one.
func TestASizeOfZeroIsEightyByTwentyFour(t *testing.T) {
	t.Parallel()
	in := start(t)
	r := session(t, in.dial(), 80, 24)
	r.terminal("xterm-256color", 0, 0)
	r.shell().atPrompt()
	r.run("stty size")
	r.seesMatch(`│22 57$`)
	r.window(0, 0)
	r.echoes(1)
	r.sized(100, 30)
	r.window(100, 30)
	r.run("clear; stty size")
	r.seesMatch(`│28 77$`)
}

// restored are the sequences that give a terminal back.
var restored = []string{"\x1b[?1049l", "\x1b[?25h", "\x1b[?2004l", "\x1b[?1002l", "\x1b[?1004l", "\x1b[?2026l"}

func (v *view) isRestored() {
	v.t.Helper()
	raw := string(v.sentBytes())
	for _, seq := range restored {
		if !strings.Contains(raw[max(len(raw)-1000, 0):], seq) {
			v.t.Errorf("the terminal did not get %q; the end was %q", seq, raw[max(len(raw)-300, 0):])
		}
	}
}

// B07: a client whose input ends is detached, with its terminal restored.
func TestTheEndOfInputDetaches(t *testing.T) {
	t.Parallel()
	in := start(t)
	r := in.attachRaw(100, 30, false)
	r.atPrompt()
	r.send("echo the last wo\"rds\"\r")
	if err := r.ch.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if status := r.exit(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	r.isRestored()
	in.attach(100, 30).sees("the last words") // what came before the end was typed
}

// B08, B09: a signal to the server ends it in order and soon, whoever does not
// read, and the shells go on.
func TestAStoppingServerRestoresTerminalsAndDoesNotWaitForTheStalled(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			in := start(t)
			healthy := []*client{in.attach(100, 30).ready(), in.attach(80, 24).ready()}
			stalled := in.attach(120, 40).ready()
			stalled.run(flood)
			for _, c := range healthy {
				c.seesMatch(`│\d{10}\.\d+`)
			}
			pid := in.session("tab-1/pane-1").PID
			stop(t, stalled.cmd.Process.Pid)
			from := time.Now()
			in.kill(sig)
			if took := time.Since(from); took > 8*time.Second {
				t.Errorf("it took %v to stop", took)
			}
			if code := in.server.ProcessState.ExitCode(); code != 0 {
				t.Errorf("exit status %d: %s", code, in.log)
			}
			for _, c := range healthy {
				c.gone()
				c.isRestored()
				if !strings.Contains(c.screen(), "sessions go on") {
					t.Errorf("the client is not told why:\n%s", c.screen())
				}
			}
			if !runs(pid) {
				t.Error("the shell has ended")
			}
		})
	}
}

// B10: one goroutine writes to a client, so that a flood and notifications
// never mix: each sequence arrives whole, outside of frames.
func TestAFloodAndNotificationsDoNotMix(t *testing.T) {
	t.Parallel()
	in := start(t)
	var clients []*client
	for range 4 {
		clients = append(clients, in.attach(100, 30).ready())
	}
	clients[0].send("\x14")
	clients[0].sees(" 2 shell")
	clients[0].atPrompt()
	clients[0].run(`while :; do printf '\033]9;ping\a'; sleep 0.005; done`)
	clients[1].run(flood)
	for _, c := range clients[1:] {
		eventually(t, "the notifications come", func() bool { return bytes.Count(c.sentBytes(), []byte("]9;ping")) >= 3 }, c.screen)
	}
	for i, c := range clients[1:] {
		c.seesMatch(`│\d{10}\.\d+`)
		raw := c.sentBytes()
		if i := insideFrame(raw, []byte("\x1b]9;ping")); i >= 0 {
			t.Errorf("a notification inside a frame: %q", raw[max(i-200, 0):i+20])
		}
		if whole := bytes.Count(raw, []byte("\x1b]9;ping\x1b\\")); whole != bytes.Count(raw, []byte("]9;ping")) {
			t.Error("a notification is broken")
		}
		select {
		case <-c.done:
			t.Errorf("client %d was cut off", i+1)
		default:
		}
	}
}

// insideFrame finds a text within a synchronised frame; -1 if there is none.
func insideFrame(raw, text []byte) int {
	at := 0
	for frame := range bytes.SplitSeq(raw, []byte("\x1b[?2026h")) {
		inside, _, _ := bytes.Cut(frame, []byte("\x1b[?2026l"))
		if i := bytes.Index(inside, text); i >= 0 && at > 0 {
			return at + i
		}
		at += len(frame) + len("\x1b[?2026h")
	}
	return -1
}

// B16: a burst in many panes skips frames and cuts nobody off.
func TestABurstInManyPanesCutsNobodyOff(t *testing.T) {
	t.Parallel()
	in := start(t)
	profile := filepath.Join(in.user, ".bash_profile")
	script := "while [ ! -e ~/go ]; do sleep 0.1; done; yes 'many words in a row' | head -c 150000; echo; echo done >> ~/ended; PS1='$ '\n"
	if err := os.WriteFile(profile, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	const panes = 27
	c := in.attach(500, 200)
	in.eventually("a session", func() bool { return len(in.sessions()) == 1 })
	other := in.attach(100, 30)
	in.splitInto(panes)
	in.eventually("all panes", func() bool { return len(in.sessions()) == panes })
	if err := os.WriteFile(filepath.Join(in.user, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	eventually(t, "every pane's program ends", func() bool { return strings.Count(in.file("ended"), "done") == panes },
		func() string { return in.file("ended") + c.screen() })
	c.seesMatch(`│\$ `)
	c.echoes(1)
	select {
	case <-other.done:
		t.Error("the other client was cut off")
	default:
	}
}

// splitInto divides the only pane by the daemon's own protocol.
func (in *instance) splitInto(panes int) {
	in.t.Helper()
	home, err := persistence.OpenHome(in.home)
	if err != nil {
		in.t.Fatal(err)
	}
	d, err := daemonclient.Dial(in.t.Context(), daemonclient.Config{Home: home, Role: "tester"})
	if err != nil {
		in.t.Fatal(err)
	}
	defer d.Close()
	task := in.tasks()[0]
	queue := []string{"pane-1"} // the largest first
	for i := 1; i < panes; i++ {
		pane := queue[0]
		direction := split.Right
		if bits.Len(uint(i))%2 == 0 {
			direction = split.Down
		}
		added, err := d.SplitPane(in.t.Context(), workspace.PaneSplit{
			PaneRef:   workspace.PaneRef{Task: task.ID, Tab: task.Tabs[0].ID, Pane: pane},
			Direction: direction, Size: workspace.Size{Cols: 40, Rows: 20},
		})
		if err != nil {
			in.t.Fatal(err)
		}
		queue = append(queue[1:], pane, added.Pane)
	}
}

// B17: a host that does not answer is said to be so; nothing is started beside
// it, and it goes on where it was.
func TestAHostThatDoesNotAnswerIsShownAndNotReplaced(t *testing.T) {
	t.Parallel()
	in := start(t)
	a := in.attach(100, 30).ready()
	host, shell := in.pid("ptyhost"), in.session("tab-1/pane-1").PID
	resume := stop(t, host)
	b := in.attach(100, 30)
	b.sees("does not answer")
	b.sees("scratch") // the sidebar is there,
	b.send("\x11")
	b.sees("enter open") // and takes keys
	b.send("\x1bOQ")
	b.sees("Rename")
	b.send("renamed\r")
	a.sees("renamed")
	a.send("echo lost\r")
	a.sees("does not answer")
	if got := in.pid("ptyhost"); got != host {
		t.Errorf("host %d, was %d", got, host)
	}
	resume()
	a.losesSight("does not answer")
	b.losesSight("does not answer")
	b.send("\r")
	b.echoes(1)
	a.echoes(1)
	if got := in.session("tab-1/pane-1").PID; got != shell || in.pid("ptyhost") != host {
		t.Errorf("shell %d, was %d", got, shell)
	}
}

func TestWhatAHostMayNotHaveTakenIsSaid(t *testing.T) {
	t.Parallel()
	in := start(t)
	a := in.attach(100, 30).ready()
	shell := in.session("tab-1/pane-1").PID
	fresh := func() {
		in.eventually("a fresh shell is there", func() bool {
			list, err := in.cli("api", "pty-list") // it fails while there is no host
			return err == nil && strings.Contains(list, `"live"`) && !strings.Contains(list, fmt.Sprintf(`"pid": %d`, shell))
		})
		shell = in.session("tab-1/pane-1").PID
	}
	stop(t, in.pid("ptyhost"))
	a.send("echo lost\r")
	a.sees("does not answer")
	in.signal("ptyhost", syscall.SIGKILL)
	a.sees("not sent: perhaps the last 10 bytes: the PTY host has gone away")
	fresh()
	a.losesSight("gone away")
	a.echoes(1)
	in.signal("ptyhost", syscall.SIGKILL) // it had taken all
	fresh()
	a.losesSight("gone away")
	a.atPrompt()
	if text := a.screen(); strings.Contains(text, "not sent") {
		t.Errorf("what arrived is said not to have been sent:\n%s", text)
	}
}

func TestASilentHostWithoutSessionsIsReplaced(t *testing.T) {
	in := start(t)
	task := in.addTask(in.user)
	in.api(nil, "tab-close", task+"/tab-1")
	in.eventually("it holds nothing", func() bool { return len(in.sessions()) == 0 })
	old := in.signal("ptyhost", syscall.SIGSTOP)
	in.eventually("another host serves", func() bool {
		_, err := in.cli("api", "tab-add", task)
		return err == nil
	})
	if pid := in.pid("ptyhost"); pid == old || runs(old) || len(in.live()) != 1 {
		t.Errorf("host %d, before %d; live %v", pid, old, in.live())
	}
}
