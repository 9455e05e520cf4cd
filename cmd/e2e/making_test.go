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

// gitSSH makes git's ssh a script that leaves the pid of its git in the file git.pid, and is told by a pipe what it does: "go" goes on, anything
// else fails.
func (in *instance) gitSSH() (tell func(word string)) {
	in.t.Helper()
	pipe, script := filepath.Join(in.user, "pipe"), filepath.Join(in.user, "ssh")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		in.t.Fatal(err)
	}
	text := "#!/bin/sh\necho $PPID > " + filepath.Join(in.user, "git.pid") + "\nread -r word < " + pipe + "\n[ \"$word\" = go ] || { echo the harbour is closed >&2; exit 1; }\n" +
		"for last; do :; done\nexec sh -c \"$last\"\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		in.t.Fatal(err)
	}
	in.git(in.user, "config", "--global", "core.sshCommand", script)
	return func(word string) {
		in.t.Helper()
		if err := os.WriteFile(pipe, []byte(word+"\n"), 0); err != nil { // it waits for the reader
			in.t.Fatal(err)
		}
	}
}

func TestACloneIsShownFailsAndIsTriedAgain(t *testing.T) {
	in := start(t)
	repo := in.repository("site", "trunk")
	tell := in.gitSSH()
	projects := in.project("projects")
	a := in.attach(120, 30).ready()
	b := in.attach(120, 30).ready()
	a.send("\x01Nc")
	a.sees("Clone a repository")
	a.send("me@harbour:" + repo + "\t\x15" + projects + "\r")
	for _, c := range []*client{a, b} {
		c.sees("site Cloning into") // git's own words
	}
	tell("stop")
	for _, c := range []*client{a, b} {
		c.seesMatch(`✗ site `)
	}
	if _, err := os.Stat(filepath.Join(projects, "site")); err == nil {
		t.Error("a failed clone left its directory")
	}
	b.send("\x01sg") // the other client tries again
	b.sees("the harbour is closed; Could not read from remote repository")
	b.send("\r")
	b.sees("try again")
	b.send("a")
	tell("go")
	b.losesSight("✗ site")
	a.losesSight("✗ site")
	a.sees("site ──")
	if got := in.git(filepath.Join(projects, "site"), "rev-parse", "--abbrev-ref", "HEAD"); got != "trunk" {
		t.Errorf("the clone is on %s", got)
	}
}

func TestACloneThatWasCutOffByAPowerCutSaysSoAndIsTriedAgain(t *testing.T) {
	in := start(t)
	repo := in.repository("site", "trunk")
	tell := in.gitSSH()
	projects := in.project("projects")
	a := in.attach(120, 30).ready()
	a.send("\x01Nc")
	a.sees("Clone a repository")
	a.send("me@harbour:" + repo + "\t\x15" + projects + "\r")
	a.sees("site Cloning into")
	var git int
	in.eventually("git asks its ssh", func() bool {
		b, err := os.ReadFile(filepath.Join(in.user, "git.pid"))
		_, scanned := fmt.Sscan(string(b), &git)
		return err == nil && scanned == nil
	})
	daemon := in.pid("daemon")
	for _, pid := range []int{daemon, git} {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	in.eventually("nothing of it is left", func() bool { return !runs(daemon) && !runs(git) })
	tell("stop") // git's ssh has outlived it
	halves, err := filepath.Glob(filepath.Join(projects, ".moorage-clone-*", "site", ".git"))
	if err != nil || len(halves) != 1 {
		t.Fatalf("what is half made: %v, %v", halves, err)
	}
	a.seesMatch(`✗ site `)
	a.send("\x01sg")
	a.sees("the daemon ended while it was being cloned")
	a.send("\r")
	a.sees("try again")
	a.send("a")
	tell("go")
	a.losesSight("✗ site")
	a.sees("site ──")
	if left, err := os.ReadDir(projects); err != nil || len(left) != 1 {
		t.Errorf("beside the clone there is %v, %v", left, err)
	}
	if got := in.git(filepath.Join(projects, "site"), "status", "--porcelain", "--branch"); got != "## trunk...origin/trunk" {
		t.Errorf("the clone is %s", got)
	}
}

// ancestor is the parent of a process.
func ancestor(t *testing.T, pid int) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		t.Fatal(err)
	}
	return parent
}

func TestAWorktreeThatWasCutOffByAPowerCutIsMadeAtTheNextOpen(t *testing.T) {
	in := start(t)
	repo := in.repository("site", "main")
	in.write(repo, ".gitattributes", "slow filter=slow\n")
	in.write(repo, "slow", "slow text\n")
	in.git(repo, "add", ".")
	in.git(repo, "commit", "-qm", "slow")
	in.cli("add", repo)
	// Checking out waits for ever at one file, and says whose filter it is.
	mark := filepath.Join(in.user, "mark")
	in.git(repo, "config", "filter.slow.smudge", "echo $PPID $$ > "+mark+".new; mv "+mark+".new "+mark+"; exec tail -f /dev/null")
	task := in.addManaged("site", "half way")
	c := in.attach(120, 30)
	c.sees("has no")
	c.send("\x01/half\r")
	c.sees("making the worktree")
	var inner, filter int
	in.eventually("git checks out", func() bool {
		b, err := os.ReadFile(mark)
		_, scanned := fmt.Sscan(string(b), &inner, &filter)
		return err == nil && scanned == nil
	})
	daemon, outer := in.pid("daemon"), ancestor(t, inner)
	for _, pid := range []int{daemon, outer, inner, filter} {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	in.eventually("nothing of it is left", func() bool { return !runs(daemon) && !runs(outer) && !runs(inner) })
	if out := in.git(repo, "worktree", "list", "--porcelain"); !strings.Contains(out, "locked initializing") {
		t.Fatalf("git was not cut off:\n%s", out)
	}
	in.git(repo, "config", "--remove-section", "filter.slow")
	c.sees("the daemon ended while it was being made")
	in.addTab(task.ID)
	if now := in.managed()[task.ID]; !now.Made || now.Work != nil {
		t.Errorf("after the next open: %+v", now)
	}
	if out := in.git(repo, "worktree", "list", "--porcelain"); strings.Contains(out, "locked") || !strings.Contains(out, "worktree "+task.Dir+"\n") {
		t.Errorf("git has\n%s", out)
	}
	if got := in.git(task.Dir, "status", "--porcelain", "--branch"); got != "## "+task.Branch {
		t.Errorf("the worktree is %s", got)
	}
}
