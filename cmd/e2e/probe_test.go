//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// file is what a program of the instance's wrote into the user's home.
func (in *instance) file(name string) string {
	b, _ := os.ReadFile(filepath.Join(in.user, name)) // not there yet: empty
	return string(b)
}

func (in *instance) fileHas(name, text string) bool { return strings.Contains(in.file(name), text) }

// session is the hosted session whose key ends so.
func (in *instance) session(suffix string) hosted {
	in.t.Helper()
	for _, s := range in.sessions() {
		if strings.HasSuffix(s.Key, suffix) {
			return s
		}
	}
	in.t.Fatalf("no session %s among %+v", suffix, in.sessions())
	return hosted{}
}

// ttyOf is the terminal device of a session's shell.
func (in *instance) ttyOf(suffix string) string {
	in.t.Helper()
	tty, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/0", in.session(suffix).PID))
	if err != nil {
		in.t.Fatal(err)
	}
	return tty
}

// stop halts a process until the test ends or the returned function is called.
func stop(t *testing.T, pid int) (resume func()) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	resume = func() { _ = syscall.Kill(pid, syscall.SIGCONT) } // it may be gone
	t.Cleanup(resume)
	return resume
}

// status reads a number from a process's /proc status; 0 when it is gone.
func status(pid int, field string) int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n
		}
	}
	return 0
}

// rss is a process's resident memory in MB.
func rss(pid int) int { return status(pid, "VmRSS") / 1024 }

// files counts a process's open files.
func files(t *testing.T, pid int) int {
	t.Helper()
	fds, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	return len(fds)
}

// grown is how much memory, in MB, a process may gain under load: the race
// detector multiplies what it uses.
func grown() int {
	if raceEnabled {
		return 200
	}
	return 40
}

// soak reports whether the test may take its full time.
func soak() bool { return os.Getenv("MOORAGE_SOAK") != "" }

// wakes counts how often a process's threads went to sleep by themselves.
func wakes(t *testing.T, pid int) (n int) {
	t.Helper()
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		id, _ := strconv.Atoi(task.Name())
		n += status(id, "voluntary_ctxt_switches")
	}
	return n
}
