//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"moorage/ptyhost/vt"

	"github.com/creack/pty"
)

// The benchmarks drive the OpenSSH client, with tmux over a private OpenSSH
// server beside moorage where both are there. Both are measured in turns in
// the same run: what counts is the ratio (x-tmux), below 1 where moorage is
// the quicker one.

// typist is a client whose keys are timed until they show.
type typist struct {
	b   *testing.B
	tty *os.File

	mu      sync.Mutex
	term    *vt.Terminal
	watch   byte          // what to look for in what comes; 0 for nothing
	text    string        // what to look for on the screen; "" for nothing
	seen    chan struct{} // one slot
	flooder int           // a process that floods another pane; 0 for none
	column  int
	times   []time.Duration
	bytes   int    // that came
	end     func() // ends the client; more than once does no harm
}

func newTypist(b *testing.B, cmd *exec.Cmd, cols, rows int) *typist {
	b.Helper()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		b.Fatal(err)
	}
	c := &typist{b: b, tty: tty, seen: make(chan struct{}, 1), term: vt.New(vt.Options{Cols: cols, Rows: rows})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 64<<10)
		for {
			n, err := tty.Read(buf)
			c.take(buf[:n])
			if err != nil {
				return
			}
		}
	}()
	c.end = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		tty.Close()
		<-done
	})
	b.Cleanup(c.end)
	return c
}

func (c *typist) take(p []byte) {
	c.mu.Lock()
	c.bytes += len(p)
	if c.watch != 0 && bytes.IndexByte(p, c.watch) >= 0 {
		c.watch = 0
		c.seen <- struct{}{}
	}
	_, _ = c.term.Write(p)
	reply := c.term.TakeReplies(nil)
	if c.text != "" && strings.Contains(strings.Join(c.term.ScreenText(), "\n"), c.text) {
		c.text = ""
		c.seen <- struct{}{}
	}
	c.mu.Unlock()
	_, _ = c.tty.Write(reply) // the client may be gone
}

// took is how many bytes have come.
func (c *typist) took() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

func (c *typist) send(keys string) {
	c.b.Helper()
	if _, err := c.tty.WriteString(keys); err != nil {
		c.b.Fatal(err)
	}
}

// sees types and waits until text is on the screen.
func (c *typist) sees(keys, text string) {
	c.b.Helper()
	c.mu.Lock()
	c.text = text
	c.mu.Unlock()
	c.send(keys)
	c.wait(text)
}

func (c *typist) wait(what string) {
	c.b.Helper()
	select {
	case <-c.seen:
	case <-time.After(wait):
		c.mu.Lock()
		defer c.mu.Unlock()
		c.b.Fatalf("%q is never shown\n%s", what, strings.Join(c.term.ScreenText(), "\n"))
	}
}

// echo makes the pane one that shows each key, and nothing else.
func (c *typist) echo() {
	c.b.Helper()
	c.sees("stty raw -echo; echo ECHO''ER; exec cat\r", "ECHOER")
	c.send("\r\n")
	time.Sleep(100 * time.Millisecond) // nothing that was typed is still to be drawn
}

// keys are no letters of a control sequence, and nothing that a flood prints.
const keys = "{}&%"

// key types one key and notes how long it takes to show.
func (c *typist) key() {
	c.b.Helper()
	if c.column == 41 { // not a multiple of the keys: each shows where another stood
		c.send("\r")
		c.column = 0
		time.Sleep(20 * time.Millisecond)
	}
	c.column++
	k := keys[len(c.times)%len(keys)]
	c.mu.Lock()
	c.watch = k
	c.mu.Unlock()
	start := time.Now()
	c.send(string(k))
	c.wait(string(k))
	c.times = append(c.times, time.Since(start))
}

// flooder is what a pane runs to flood, until it is stopped; its first line says
// which process to stop.
func flooder(pidFile string) string {
	return fmt.Sprintf("echo $$ > %s; exec seq -f 'flood 01 %%.0f 2026-11-30 yes yes' 1 1000000000", pidFile)
}

// flooding lets the client's other pane flood, or holds it.
func (c *typist) flooding(on bool) {
	if c.flooder == 0 {
		return
	}
	sig := syscall.SIGSTOP
	if on {
		sig = syscall.SIGCONT
	}
	_ = syscall.Kill(c.flooder, sig)
	time.Sleep(50 * time.Millisecond) // what it had begun is over, or it runs again
}

// percentile is the p-th of a client's times.
func (c *typist) percentile(p int) float64 {
	t := slices.Clone(c.times)
	slices.Sort(t)
	return float64(t[(len(t)-1)*p/100])
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// pidIn waits for a file with a process's number.
func pidIn(b *testing.B, file string) (pid int) {
	b.Helper()
	eventually(b, "a flood", func() bool {
		text, _ := os.ReadFile(file)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return pid != 0
	}, func() string { return "" })
	return pid
}

// ours is a client of moorage, beside a flooding pane if flooded.
func ours(b *testing.B, flooded bool) *typist {
	b.Helper()
	return start(b).typist(b, flooded)
}

func (in *instance) typist(b *testing.B, flooded bool) *typist {
	b.Helper()
	cmd := exec.Command("ssh", in.sshArgs("-tt")...)
	cmd.Env = in.env
	c := newTypist(b, cmd, 120, 40)
	c.sees("", "$")
	if flooded {
		file := filepath.Join(in.user, "flood")
		pane := in.sessions()[0].Key
		in.api(nil, "split", pane, "--direction", "down", "--", "sh", "-c", flooder(file))
		c.flooder = pidIn(b, file)
		c.flooding(false)
	}
	return c
}

// tmux is a private tmux server behind a private OpenSSH server; nil where
// they are not to be had.
type tmux struct {
	dir    string
	socket string
	port   int
	env    []string
	sshd   int // the process that listens
}

func newTmux(b *testing.B) *tmux {
	b.Helper()
	sshd := "/usr/sbin/sshd"
	if _, err := os.Stat(sshd); err != nil {
		return nil
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		return nil
	}
	dir, err := os.MkdirTemp("", "mt")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	x := &tmux{dir: dir, socket: filepath.Join(dir, "s"), port: freePort(b)}
	x.env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "SHELL=/bin/sh", "PS1=$ "}
	for _, name := range []string{"host", "id"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, name)).CombinedOutput(); err != nil {
			b.Fatalf("ssh-keygen: %v\n%s", err, out)
		}
	}
	config := fmt.Sprintf("Port %d\nListenAddress 127.0.0.1\nHostKey %s/host\nAuthorizedKeysFile %s/id.pub\nPidFile none\nUsePAM no\n"+
		"StrictModes no\nPermitRootLogin yes\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPrintMotd no\nPrintLastLog no\nUseDNS no\n",
		x.port, dir, dir)
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600); err != nil {
		b.Fatal(err)
	}
	if os.Getuid() == 0 {
		_ = os.MkdirAll("/run/sshd", 0o755) // sshd wants it, and says so if it is not there
	}
	server := exec.Command(sshd, "-D", "-e", "-f", filepath.Join(dir, "config"))
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	x.sshd = server.Process.Pid
	b.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	x.run(b, "new-session", "-d", "-s", "b", "-x", "120", "-y", "40")
	b.Cleanup(func() { _ = x.command("kill-server").Run() })
	return x
}

func (x *tmux) command(args ...string) *exec.Cmd {
	cmd := exec.Command("tmux", append([]string{"-u", "-S", x.socket, "-f", "/dev/null"}, args...)...)
	cmd.Env, cmd.Dir = x.env, x.dir
	return cmd
}

func (x *tmux) run(b *testing.B, args ...string) {
	b.Helper()
	if out, err := x.command(args...).CombinedOutput(); err != nil {
		b.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
}

// pids are the processes behind tmux's clients: its server, its clients, and
// what sshd runs for each connection.
func (x *tmux) pids(b *testing.B) (pids []int) {
	b.Helper()
	out, err := x.command("display-message", "-p", "#{pid}", ";", "list-clients", "-F", "#{client_pid}").Output()
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range strings.Fields(string(out)) {
		pid, _ := strconv.Atoi(f)
		pids = append(pids, pid)
		for p := parent(pid); p > 1 && p != os.Getpid(); p = parent(p) {
			if p != x.sshd && !slices.Contains(pids, p) {
				pids = append(pids, p)
			}
		}
	}
	return pids
}

// parent is a process's parent (proc(5), stat); 0 when it is gone.
func parent(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	p, _ := strconv.Atoi(strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))[1])
	return p
}

// client is a client of tmux, beside a flooding pane if flooded.
func (x *tmux) client(b *testing.B, flooded bool) *typist {
	b.Helper()
	args := []string{
		"-tt", "-F", "none", "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-o", "LogLevel=ERROR", "-i", filepath.Join(x.dir, "id"),
		"-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=" + filepath.Join(x.dir, "known"), "-o", "ConnectionAttempts=20",
		"-p", strconv.Itoa(x.port), "127.0.0.1", "exec tmux -u -S " + x.socket + " attach -t b",
	}
	cmd := exec.Command("ssh", args...)
	cmd.Env = x.env
	c := newTypist(b, cmd, 120, 40)
	c.sees("", "[b] 0:") // its status line
	if flooded {
		file := filepath.Join(x.dir, "flood")
		x.run(b, "split-window", "-d", "-v", "-t", "b", flooder(file))
		c.flooder = pidIn(b, file)
		c.flooding(false)
	}
	return c
}

func BenchmarkEchoIdle(b *testing.B)         { benchEcho(b, false) }
func BenchmarkEchoBesideAFlood(b *testing.B) { benchEcho(b, true) }

func benchEcho(b *testing.B, flooded bool) {
	block := 1 // keys in turn: what else the machine does hits both alike
	if flooded {
		block = 5 // a flood must get going
	}
	clients := []*typist{ours(b, flooded)}
	if x := newTmux(b); x != nil {
		clients = append(clients, x.client(b, flooded))
	}
	for _, c := range clients {
		c.echo()
	}
	turns := slices.Clone(clients)
	for b.Loop() {
		b.StopTimer() // the time asked for is for keys, not for pauses
		slices.Reverse(turns)
		for _, c := range turns {
			c.flooding(true)
			for range block {
				time.Sleep(12*time.Millisecond + time.Duration(len(c.times)%7)*time.Millisecond) // never in step with anything
				b.StartTimer()
				c.key()
				b.StopTimer()
			}
			c.flooding(false)
		}
		b.StartTimer()
	}
	mean := time.Duration(0)
	for _, t := range clients[0].times {
		mean += t
	}
	b.ReportMetric(float64(mean)/float64(len(clients[0].times)), "ns/op")
	for _, p := range []int{50, 95, 99} {
		own := clients[0].percentile(p)
		b.ReportMetric(own, fmt.Sprintf("p%d-ns", p))
		if len(clients) > 1 {
			b.ReportMetric(own/clients[1].percentile(p), fmt.Sprintf("p%d-x-tmux", p))
		}
	}
	b.ReportMetric(float64(len(clients[0].times)), "keys")
}
