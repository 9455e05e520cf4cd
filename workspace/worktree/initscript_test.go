//go:build unix

package worktree

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func initIn(t *testing.T, script string) string {
	t.Helper()
	repo := plainRepo(t)
	commit(t, repo, InitScript, script)
	return task(t, mustOpen(t, repo), "task")
}

func TestAnInitScriptRunsOnceAndItsEnvironmentIsKept(t *testing.T) {
	dir := initIn(t, "echo preparing\nexport ADDED='two\nlines \xff' PATH=\"$PWD/bin:$PATH\"\nunset DROPPED\nLOCAL=no\necho x >>ran\n")
	env := []string{"PATH=" + os.Getenv("PATH"), "DROPPED=1", "SAME=1"}
	var lines []string
	first, err := RunInit(t.Context(), dir, env, func(line string) { lines = append(lines, line) })
	if err != nil || first.Failure != "" || !first.There || !first.Now {
		t.Fatalf("%+v, %v", first, err)
	}
	if want := []string{"ADDED=two\nlines \xff", "PATH=" + dir + "/bin:" + os.Getenv("PATH")}; !slices.Equal(first.Set, want) {
		t.Errorf("set %q, want %q", first.Set, want)
	}
	if !slices.Equal(first.Unset, []string{"DROPPED"}) || first.Output != "preparing\n" || !slices.Equal(lines, []string{"preparing"}) {
		t.Errorf("%+v, lines %q", first, lines)
	}
	again, err := RunInit(t.Context(), dir, env, nil)
	if err != nil || again.Now || !slices.Equal(again.Set, first.Set) || read(t, dir, "ran") != "x\n" {
		t.Errorf("a second time: %+v, %v, ran %q", again, err, read(t, dir, "ran"))
	}
	if out := sh(t, dir, "status", "--porcelain"); out != "?? ran" {
		t.Errorf("the worktree has %q", out)
	}
}

func TestAnInitScriptThatFailsIsNoError(t *testing.T) {
	for script, want := range map[string]string{
		"echo oops >&2; exit 3":     "exit status 3",
		"set -e; false; echo not":   "exit status 1",
		"kill -9 $$":                "signal: killed",
		"if then":                   "exit status 2",
		"exec 3>&-; exit 0":         "environment",
		"export X=1; trap : EXIT":   "",
		"export X=1; exit 0":        "",
		"(exit 4)":                  "exit status 4",
		"PATH=/nowhere; export X=1": "",
	} {
		dir := initIn(t, script+"\n")
		done, err := RunInit(t.Context(), dir, os.Environ(), nil)
		if err != nil || !done.There || (want == "") != (done.Failure == "") || !strings.Contains(done.Failure, want) {
			t.Errorf("%s: %+v, %v", script, done.Failure, err)
		}
		if want == "" && !slices.Contains(done.Set, "X=1") {
			t.Errorf("%s: set %q", script, done.Set)
		}
	}
}

func TestAnInitScriptIsEndedWithAllItStarted(t *testing.T) {
	for name, script := range map[string]string{
		"by its time":           "sleep 600 & echo $! >pid\ntrap '' TERM\nsleep 600\n",
		"after it went well":    "sleep 600 & echo $! >pid\n",
		"and its output closed": "sleep 600 >/dev/null 2>&1 & echo $! >pid\n",
	} {
		dir := initIn(t, script)
		done, err := runInit(t.Context(), dir, os.Environ(), nil, 2*time.Second)
		if err != nil || (done.Failure != "") != (name == "by its time") {
			t.Errorf("%s: %+v, %v", name, done, err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(read(t, dir, "pid")))
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, name+" leaves nothing", func() bool { return gone(pid) })
	}
}

// gone reports whether a process has ended; one that nobody waited for has.
func gone(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err == nil {
		return strings.Contains(string(stat), ") Z ")
	}
	return syscall.Kill(pid, 0) != nil
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not so after 20 s: %s", what)
		}
	}
}

func TestWithoutAnInitScriptNothingRuns(t *testing.T) {
	repo := plainRepo(t)
	done, err := RunInit(t.Context(), repo, nil, nil)
	if err != nil || done.There || done.Now {
		t.Errorf("%+v, %v", done, err)
	}
	commit(t, repo, InitScript, "export X=1\n") // it comes later, and runs then
	if done, err = RunInit(t.Context(), repo, os.Environ(), nil); err != nil || !done.Now {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestTheOutputOfAnInitScriptIsBounded(t *testing.T) {
	dir := initIn(t, "i=0; while [ $i -lt 3000 ]; do echo 'a line of some fifty bytes, so that it is too much'; i=$((i+1)); done; echo the end\n")
	done, err := RunInit(t.Context(), dir, os.Environ(), nil)
	if err != nil || len(done.Output) > maxInitWords || !strings.HasSuffix(done.Output, "the end\n") {
		t.Errorf("%d bytes, %v", len(done.Output), err)
	}
}
