package daemon

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// A daemon that has just begun has seen no change: the first client has it count everything once.
func TestAFreshDaemonCountsEveryTask(t *testing.T) {
	r := newRig(t)
	c := r.client()
	dir := gitRepo(t)
	must(c.AddProject(t.Context(), dir))(t)
	c.Close()
	r.halt()
	ok(t, os.WriteFile(filepath.Join(dir, "new"), nil, 0o600))
	r.run()
	r.until("the file that nobody knows of is counted", func(s workspace.Snapshot) bool {
		return len(s.Tasks) == 1 && s.Tasks[0].Counts != nil && s.Tasks[0].Counts.Dirty
	})
}

// countGit has every call of git noted, and returns how many there were.
func countGit(t *testing.T) (calls func() int) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no shell scripts there")
	}
	git := must(exec.LookPath("git"))(t)
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	script := "#!/bin/sh\necho >> '" + log + "'\nexec '" + git + "' \"$@\"\n"
	ok(t, os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o700))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return func() int {
		text, err := os.ReadFile(log)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return bytes.Count(text, []byte("\n"))
	}
}

// While a client looks on and nothing changes, git is left alone.
func TestGitIsCalledOnChangeOnly(t *testing.T) {
	calls := countGit(t)
	r := newRig(t)
	_, task := r.managed(r.client())
	last, since := calls(), time.Now()
	r.eventually("it is quiet for longer than counts are apart", func() bool {
		if now := calls(); now != last {
			last, since = now, time.Now()
		}
		return time.Since(since) > 2*lookEvery
	})
	if last == 0 {
		t.Fatal("it was never called")
	}
	for _, key := range r.host.keys() {
		r.host.change(key, func(s *wire.Session) { s.Title = "another" })
	}
	r.eventually("a program of "+task.Title+" tells another title, and git is asked again", func() bool { return calls() > last })
}
