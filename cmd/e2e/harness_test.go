//go:build unix

// Package e2e tests moorage as its users meet it: the real binary, the real
// OpenSSH client in a pseudo-terminal, real shells, several clients, and
// kill -9 at bad moments.
package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// binary is moorage, built once for all tests.
var binary string

func TestMain(m *testing.M) {
	if role() {
		return
	}
	dir, err := os.MkdirTemp("", "moorage-e2e-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "moorage")
	args := []string{"build", "-o", binary}
	if raceEnabled {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, "moorage/cmd/moorage")...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		os.Exit(1)
	}
	// Each instance is a handful of processes: two at once are enough, unless
	// the command line asks for more.
	_ = flag.Set("test.parallel", "2")
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// instance is one moorage in a home of its own.
type instance struct {
	t      testing.TB
	home   string // MOORAGE_HOME
	user   string // HOME
	port   int
	env    []string
	server *exec.Cmd
	log    *bytes.Buffer
}

// start makes a home and serves it on a free port.
func start(t testing.TB, settings ...string) *instance {
	t.Helper()
	dir, err := os.MkdirTemp("", "mo")
	if err != nil {
		t.Fatal(err)
	}
	in := &instance{t: t, home: filepath.Join(dir, "m"), user: filepath.Join(dir, "u")}
	for _, d := range []string{in.home, in.user} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if len(settings) > 0 {
		if err := os.WriteFile(filepath.Join(in.home, "settings.toml"), []byte(strings.Join(settings, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// A prompt that never moves, and nothing of the tester's own.
	if err := os.WriteFile(filepath.Join(in.user, ".bash_profile"), []byte("PS1='$ '\nunset PROMPT_COMMAND HISTFILE\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	in.env = []string{
		"HOME=" + in.user, "MOORAGE_HOME=" + in.home, "PATH=" + os.Getenv("PATH"), "SHELL=/bin/bash",
		"TERM=xterm-256color", "LANG=C.UTF-8", "USER=" + os.Getenv("USER"), "TMPDIR=" + os.TempDir(),
		"GORACE=atexit_sleep_ms=0", // else each process takes a second to end
	}
	t.Cleanup(func() {
		if t.Failed() {
			in.dumpScreens()
		}
		in.stopAll()
		if t.Failed() {
			in.dumpLogs()
		}
		os.RemoveAll(dir)
	})
	in.serve()
	return in
}

func freePort(t testing.TB) int {
	t.Helper()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().(*net.TCPAddr).Port
}

// serve starts sshd in the foreground of a process that the test owns: on a
// free port at first, on the same one later. It returns when sshd says that it
// listens. (Dialling would not tell: another test may have the port for a
// moment, and a dial to a port that nobody has can end in itself.)
func (in *instance) serve() {
	in.t.Helper()
	in.log = &bytes.Buffer{}
	in.server = exec.Command(binary, "serve", "--port", strconv.Itoa(in.port))
	in.server.Env = in.env
	in.server.Dir = in.user
	in.server.Stderr = in.log
	stdout, err := in.server.StdoutPipe()
	if err != nil {
		in.t.Fatal(err)
	}
	if err := in.server.Start(); err != nil {
		in.t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	_, port, ok := strings.Cut(line, "ssh -p ")
	if _, scanned := fmt.Sscan(port, &in.port); err != nil || !ok || scanned != nil {
		in.t.Fatalf("sshd says %q: %v\n%s", line, err, in.log)
	}
}

func (in *instance) addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(in.port)) }

// kill ends sshd with a signal and waits for it.
func (in *instance) kill(sig syscall.Signal) {
	in.t.Helper()
	if err := in.server.Process.Signal(sig); err != nil {
		in.t.Fatal(err)
	}
	_ = in.server.Wait()
}

// stopAll ends everything of the home: sshd, the daemon, the host, by the pids
// in their lock files.
func (in *instance) stopAll() {
	if in.server.ProcessState == nil {
		_ = in.server.Process.Signal(syscall.SIGTERM)
		_ = in.server.Wait()
	}
	for _, name := range []string{"daemon", "ptyhost"} {
		if pid := in.pid(name); pid > 0 {
			_ = syscall.Kill(pid, syscall.SIGTERM)
			for range 400 {
				if !runs(pid) {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// pid reads who holds a process's lock; 0 when nobody does.
func (in *instance) pid(name string) int {
	b, err := os.ReadFile(filepath.Join(in.home, "run", name+".sock.lock"))
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(b)))
	if !runs(pid) {
		return 0
	}
	return pid
}

// runs reports whether a process is there and more than a corpse that nobody
// has collected yet.
func runs(pid int) bool {
	if pid <= 0 || syscall.Kill(pid, 0) != nil {
		return false
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !bytes.Contains(b, []byte(") Z "))
}

// dumpScreens shows what the host holds, beside what a client saw.
func (in *instance) dumpScreens() {
	out, err := in.cli("api", "pty-list")
	var r struct{ Sessions []hosted }
	if err != nil || json.Unmarshal([]byte(out), &r) != nil {
		in.t.Logf("sessions: %v\n%s", err, out)
		return
	}
	for _, s := range r.Sessions {
		screen, _ := in.cli("api", "read-screen", s.Key)
		in.t.Logf("session %+v:\n%s", s, screen)
	}
}

func (in *instance) dumpLogs() {
	in.t.Logf("sshd stderr:\n%s", in.log)
	logs, _ := filepath.Glob(filepath.Join(in.home, "log", "*.log"))
	for _, l := range logs {
		b, _ := os.ReadFile(l)
		if len(b) > 6000 {
			b = b[len(b)-6000:]
		}
		in.t.Logf("%s:\n%s", filepath.Base(l), b)
	}
}

// sshArgs is how a user connects, with the key that moorage made.
func (in *instance) sshArgs(extra ...string) []string {
	args := []string{
		"-F", "none", "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-o", "LogLevel=ERROR",
		"-i", filepath.Join(in.home, "keys", "client_ed25519"),
		"-o", "UserKnownHostsFile=" + filepath.Join(in.home, "keys", "known_hosts"), "-o", "HostKeyAlias=moorage",
		"-p", strconv.Itoa(in.port),
	}
	return append(append(args, extra...), "localhost")
}

// cli runs a verb of the binary and returns what it printed.
func (in *instance) cli(args ...string) (string, error) {
	cmd := exec.Command(binary, args...)
	cmd.Env, cmd.Dir = in.env, in.user
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return string(out), fmt.Errorf("%w: %s", err, stderr.String())
	}
	return string(out), nil
}

// api runs an api verb and decodes its answer.
func (in *instance) api(into any, args ...string) {
	in.t.Helper()
	out, err := in.cli(append([]string{"api"}, args...)...)
	if err != nil {
		in.t.Fatalf("api %v: %v\n%s", args, err, out)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal([]byte(out), into); err != nil {
		in.t.Fatalf("api %v: %v\n%s", args, err, out)
	}
}

// hosted is what api pty-list says of a session.
type hosted struct {
	Key   string `json:"key"`
	PID   int    `json:"pid"`
	State string `json:"state"`
	Cols  int    `json:"cols"`
	Rows  int    `json:"rows"`
	Title string `json:"title"`
	CWD   string `json:"cwd"`
}

func (in *instance) sessions() []hosted {
	in.t.Helper()
	var r struct {
		Sessions []hosted `json:"sessions"`
	}
	in.api(&r, "pty-list")
	return r.Sessions
}

// wait is how long eventually waits: generous, for a busy machine.
const wait = 60 * time.Second

// eventually polls until cond holds.
func (in *instance) eventually(what string, cond func() bool) {
	in.t.Helper()
	eventually(in.t, what, cond, nil)
}

func eventually(t testing.TB, what string, cond func() bool, show func() string) {
	t.Helper()
	for end := time.Now().Add(wait); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if cond() {
			return
		}
	}
	state := ""
	if show != nil {
		state = "\n" + show()
	}
	t.Fatalf("not within %v: %s%s", wait, what, state)
}

// client is an OpenSSH client in a pseudo-terminal whose screen we follow.
type client struct {
	*view
	cmd *exec.Cmd
	tty *os.File
}

// attach connects a client of that size.
func (in *instance) attach(cols, rows int, extra ...string) *client {
	in.t.Helper()
	return in.attachAs("xterm-256color", cols, rows, extra...)
}

func (in *instance) attachAs(term string, cols, rows int, extra ...string) *client {
	in.t.Helper()
	cmd := exec.Command("ssh", in.sshArgs(append([]string{"-tt"}, extra...)...)...)
	cmd.Env = append(append([]string(nil), in.env...), "TERM="+term)
	return newClient(in.t, cmd, cols, rows)
}

// newClient runs a command in a pseudo-terminal.
func newClient(t testing.TB, cmd *exec.Cmd, cols, rows int) *client {
	t.Helper()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		t.Fatal(err)
	}
	c := &client{view: newView(t, tty, cols, rows), cmd: cmd, tty: tty}
	go c.follow()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-c.done
		_ = cmd.Wait()
		tty.Close()
	})
	return c
}

// resize changes the client's window.
func (c *client) resize(cols, rows int) {
	c.t.Helper()
	c.sized(cols, rows)
	if err := pty.Setsize(c.tty, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)}); err != nil {
		c.t.Fatal(err)
	}
}

// gone waits until the client's process has ended and returns its status.
func (c *client) gone() int {
	c.t.Helper()
	select {
	case <-c.done:
	case <-time.After(wait):
		c.t.Fatalf("the client does not end\n%s", c.screen())
	}
	_ = c.cmd.Wait()
	return c.cmd.ProcessState.ExitCode()
}

// ready waits until the client shows a shell at its prompt.
func (c *client) ready() *client {
	c.t.Helper()
	c.atPrompt()
	return c
}

// ssh runs a command line over SSH, without a terminal.
func (in *instance) ssh(command ...string) (string, error) {
	cmd := exec.Command("ssh", append(in.sshArgs("-T"), command...)...)
	cmd.Env = in.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return string(out), fmt.Errorf("%w: %s", err, stderr.String())
	}
	return string(out), nil
}
