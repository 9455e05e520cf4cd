//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kinds are the sorts of repositories that there are: how each is made, where a task of it lands, and what keeps it from landing.
var kinds = []struct {
	name    string
	make    func(in *instance) (dir string)
	branch  string // that it lands in
	refused string // what is said instead
}{
	{"plain", func(in *instance) string { return in.repository("harbour", "main") }, "main", ""},
	{"with worktrees", func(in *instance) string {
		dir := in.repository("harbour", "main")
		in.git(dir, "worktree", "add", "-q", "-b", "side", filepath.Join(in.user, "side tree"))
		in.git(dir, "worktree", "add", "-q", "--detach", filepath.Join(in.user, "loose"))
		return dir
	}, "main", ""},
	{"with a submodule", func(in *instance) string {
		part := in.repository("part", "main")
		dir := in.repository("harbour", "main")
		in.git(dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", part, "part")
		in.git(dir, "commit", "-qm", "a part")
		return dir
	}, "main", ""},
	{"default branch trunk", func(in *instance) string { return in.repository("harbour", "trunk") }, "trunk", ""},
	{"cloned bare", func(in *instance) string {
		dir := in.repository("source", "main")
		in.git(in.user, "clone", "-q", "--bare", dir, "harbour.git")
		return filepath.Join(in.user, "harbour.git")
	}, "", "there is no checkout to land in"},
	{"empty", func(in *instance) string {
		in.repository("unused", "main") // who the user is
		in.git(in.user, "init", "-q", "-b", "main", "harbour")
		return filepath.Join(in.user, "harbour")
	}, "", "has no commit to land on"},
}

func TestATaskOfEachKindOfRepositoryIsMadeWorkedOnLandedAndDeletedByKeys(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			in := start(t)
			repo := kind.make(in)
			before, _ := in.tryGit(repo, "worktree", "list")
			c := in.attach(110, 34).ready()
			c.send("\x01Nr")
			c.sees("Save a repository")
			c.send("\x15" + repo + "\r")
			c.sees("harbour ──")
			c.send("\x01Np")
			c.sees("New task in a project")
			c.sees("Base")
			c.losesSight("asking git")
			c.send("Deepen the fairway\r")
			var task managed
			in.eventually("its worktree is made", func() bool {
				for _, task = range in.managed() {
					if task.Kind == "managed" && task.Made {
						return true
					}
				}
				return false
			})
			c.sees("▎▾ Deepen the fairw")
			c.atPrompt()
			c.run("echo deep > fairway; git add .; git commit -qm deeper; clear; git log --format=%s-$((40+2))")
			c.sees("deeper-42")
			tip := in.git(task.Dir, "rev-parse", "HEAD")

			c.send("\x01s")
			c.sees("enter open")
			c.send("L")
			if kind.refused != "" {
				c.sees(kind.refused)
				c.send("\r") // it does nothing
				c.send("\x1b")
				c.losesSight(kind.refused)
			} else {
				c.sees("1 commit from " + task.Branch + " into " + kind.branch)
				c.send("\r")
				c.sees("landed 1 commit")
				c.send("\r")
				c.losesSight("landed 1 commit from")
				if got := in.git(repo, "log", "-1", "--format=%P"); len(strings.Fields(got)) != 2 || !strings.HasSuffix(got, tip) {
					t.Errorf("the merge has the parents %q, the branch was at %s", got, tip)
				}
				if got := in.git(repo, "status", "--porcelain", "--branch"); got != "## "+kind.branch {
					t.Errorf("the checkout is %q", got)
				}
				if got := in.git(repo, "show", "HEAD:fairway"); got != "deep" {
					t.Errorf("it has %q", got)
				}
			}

			c.send("d")
			c.sees("Delete task")
			if kind.refused != "" { // nobody else has its commit
				c.sees("refused")
				c.send("f")
				c.sees("refs/moorage/salvage/")
			} else {
				c.sees("y: ")
			}
			c.send("y")
			in.eventually("the task is gone", func() bool { _, there := in.managed()[task.ID]; return !there })
			if got := in.git(repo, "rev-parse", "refs/heads/"+task.Branch); got != tip {
				t.Errorf("its branch is at %s, not %s", got, tip)
			}
			if after, _ := in.tryGit(repo, "worktree", "list"); withoutHeads(after) != withoutHeads(before) {
				t.Errorf("git has the worktrees\n%s\nand had\n%s", after, before)
			}
			if _, err := os.Stat(task.Dir); err == nil {
				t.Error("its directory is still there")
			}
			if out, err := in.tryGit(repo, "fsck", "--strict"); err != nil {
				t.Errorf("fsck: %v\n%s", err, out)
			}
		})
	}
}

// withoutHeads is git's list of worktrees without the commits that they are at.
func withoutHeads(list string) string {
	var dirs []string
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		dirs = append(dirs, fields[0]+" "+fields[len(fields)-1])
	}
	return strings.Join(dirs, "\n")
}

func TestWorktreesAreAdoptedAndLandedByKeys(t *testing.T) {
	in := start(t)
	repo := in.repository("harbour", "trunk")
	for _, name := range []string{"buoys", "lamps", "left alone"} {
		dir := filepath.Join(in.user, name)
		in.git(repo, "worktree", "add", "-q", "-b", strings.ReplaceAll(name, " ", "-"), dir)
		in.write(dir, name, "new\n")
		in.git(dir, "add", ".")
		in.git(dir, "commit", "-qm", name)
	}
	in.cli("add", repo)
	c := in.attach(120, 34)
	c.sees("harbour ──")
	c.send("\x01Na")
	c.sees("buoys")
	c.sees("lamps")
	c.send(" ") // the first
	c.sees("[x] ")
	c.send("\x1b[B ")
	c.seesMatch(`\[x\] lamps`)
	c.send("\r")
	c.sees("Enter: go to the first")
	c.send("\r")
	c.sees("buoys has no tab")
	c.send("\x01s")
	c.sees("enter open")
	c.send("L")
	c.sees("1 commit from buoys into trunk")
	c.send("\r")
	c.sees("landed 1 commit")
	if got := in.git(repo, "show", "trunk:buoys"); got != "new" {
		t.Errorf("trunk has %q", got)
	}
	branches := map[string]bool{}
	for _, task := range in.managed() {
		branches[task.Branch] = task.Kind == "managed"
	}
	if !branches["buoys"] || !branches["lamps"] || branches["left-alone"] {
		t.Errorf("adopted %v", branches)
	}
}

func TestOfTwoClientsWhatOneDeletesTheOtherLeavesForTheNearest(t *testing.T) {
	in := start(t)
	for _, name := range []string{"first", "second", "third"} {
		in.addTask(in.project(name))
	}
	a, b := in.attach(110, 30), in.attach(110, 30)
	for _, c := range []*client{a, b} {
		c.sees("▾ third")
		c.send("\x01/second\r")
		c.sees("▎▾ second")
	}
	a.send("\x01s")
	a.sees("enter open")
	a.send("d")
	a.sees("Delete task")
	a.send("y")
	for _, c := range []*client{a, b} {
		c.sees("▎▾ third")
		c.losesSight("▾ second")
	}
	b.run("echo it goes $((40+2))") // the other client's keys go where it looks now
	b.sees("it goes 42")

	// Both rename the same task at once: one title wins, for both, and nothing is lost.
	for i, c := range []*client{a, b} {
		c.send("\x01s")
		c.sees("enter open")
		c.send("h") // to the task itself
		c.send("r")
		c.sees("Enter: take it")
		c.send("\x15" + []string{"alpha", "beta"}[i])
	}
	a.send("\r")
	b.send("\r")
	a.seesMatch(`[▸▾] (alpha|beta)`)
	won, lost := "alpha", "beta"
	loser := b
	if strings.Contains(a.screen(), "▸ beta") {
		won, lost, loser = lost, won, a
	}
	b.sees("▸ " + won)
	loser.sees(`somebody has called it "` + won + `" meanwhile; yours was "` + lost + `"`)
	if len(in.live()) != 2 {
		t.Errorf("live %v", in.live())
	}
}
