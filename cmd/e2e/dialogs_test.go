//go:build unix

package e2e

import (
	"os"
	"testing"
)

func TestATaskOfAProjectIsMadeAndDeletedInTheClient(t *testing.T) {
	in := start(t)
	repo := in.repository("site", "trunk")
	if out, err := in.cli("add", repo); err != nil {
		t.Fatalf("add: %v\n%s", err, out)
	}
	c := in.attach(100, 30)
	c.seesMatch(`site ──`)
	c.send("\x01Np")
	c.sees("New task in a project")
	c.sees("the default: ")
	c.send("Fix the buoy\r")
	var task managed
	in.eventually("the worktree is made", func() bool {
		for _, t := range in.managed() {
			if t.Kind == "managed" && t.Made {
				task = t
			}
		}
		return task.Made
	})
	c.seesMatch(`▎▾ Fix the buoy`)
	c.atPrompt()
	c.run("basename $PWD")
	c.sees("fix-the-buoy")
	in.write(task.Dir, "notes", "found nowhere else\n")
	c.send("\x01s")
	c.sees("enter open")
	c.send("d")
	c.sees("untracked")
	c.sees("refused")
	c.send("y") // it is refused: nothing happens
	c.send("f")
	c.sees("refs/moorage/salvage/")
	if _, there := in.managed()[task.ID]; !there {
		t.Fatal("it was deleted before it was forced")
	}
	c.send("y")
	in.eventually("the task is gone", func() bool {
		_, there := in.managed()[task.ID]
		return !there
	})
	if _, err := os.Stat(task.Dir); err == nil {
		t.Error("its worktree is still there")
	}
	in.git(repo, "rev-parse", "--verify", "refs/heads/"+task.Branch)
	if kept := in.git(repo, "for-each-ref", "refs/moorage/salvage"); kept == "" {
		t.Error("nothing was kept of its work")
	}
}
