//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cwd is where a session's program is, as the host says.
func (in *instance) cwd(key string) string {
	in.t.Helper()
	for _, s := range in.sessions() {
		if s.Key == key {
			return s.CWD
		}
	}
	return ""
}

func TestTwoPanesSitInTwoDirectoriesAndEachSplitOpensInItsOwn(t *testing.T) {
	in := start(t)
	repo := in.repository("site", "main")
	in.write(repo, "docs/guide", "x\n")
	elsewhere := in.project("else where")
	task := in.addTask(repo)
	c := in.attach(140, 40)
	c.atPrompt()
	c.run("cd docs; clear")
	c.seesMatch(`~/site/docs *$`) // the status line, told without a word of the shell
	c.send("\x1c")
	second := task + "/tab-1/pane-2"
	in.eventually("the split is where the first pane is", func() bool { return in.cwd(second) == filepath.Join(repo, "docs") })
	c.run("cd '" + elsewhere + "'; clear")
	c.seesMatch(`~/else where *$`)
	c.send("\x1bOR") // the other pane says its own
	c.seesMatch(`~/site/docs *$`)

	// Files are still about the root.
	c.send("\x01f")
	c.sees("guide")
	c.sees("readme")
	c.send("q")
	c.losesSight("readme")

	kept := func(dir string) bool {
		b, err := os.ReadFile(filepath.Join(in.home, "freeze.db"))
		return err == nil && strings.Contains(string(b), `"cwd":"`+dir+`"`)
	}
	in.eventually("the store has both", func() bool { return kept(filepath.Join(repo, "docs")) && kept(elsewhere) })
	in.reboot()
	c = in.attach(140, 40)
	c.seesMatch(`│.*│\$ *$`)
	first := task + "/tab-1/pane-1"
	in.eventually("both shells are where they were", func() bool {
		return len(in.live()) == 2 && in.cwd(first) == filepath.Join(repo, "docs") && in.cwd(second) == elsewhere
	})
	for i, dir := range []string{filepath.Join(repo, "docs"), elsewhere} {
		var added struct {
			Pane string `json:"pane"`
		}
		in.api(&added, "split", "--direction", "down", task+"/tab-1/pane-"+string(rune('1'+i)))
		in.eventually("a split of each opens there", func() bool { return in.cwd(task+"/tab-1/"+added.Pane) == dir })
	}
	if got := in.managed()[task]; got.Dir != repo {
		t.Errorf("the root is %s", got.Dir)
	}
}

func TestTheRootMovesOnlyWhenItIsAskedFor(t *testing.T) {
	in := start(t)
	repo := in.repository("site", "main")
	in.write(repo, "docs/guide", "x\n")
	in.git(repo, "add", ".")
	in.git(repo, "commit", "-qm", "docs")
	in.cli("add", repo)
	managed := in.addManaged("site", "words")
	in.addTab(managed.ID)
	notes := in.project("notes")
	directory := in.addTask(in.project("first"))

	a, b := in.attach(120, 30), in.attach(120, 30)
	show := func(c *client, title string) {
		c.send("\x01/" + title + "\r")
		c.seesMatch(`▎▾ ` + title)
	}
	for _, c := range []*client{a, b} {
		c.sees("site has no tab")
		show(c, "first")
	}
	a.run("cd '" + notes + "'; clear")
	a.seesMatch(`~/notes *$`)
	a.send("\x01.")
	a.sees("the root of first is ~/notes now")
	in.eventually("the task is about the other directory", func() bool { return in.managed()[directory].Dir == notes })
	b.send("\x01f")
	b.sees("All files  ~/notes")
	b.send("q")

	// A managed task's root stays within its worktree.
	show(a, "words")
	a.run("cd docs; clear")
	a.seesMatch(`/docs *$`)
	a.send("\x01.")
	a.sees("the root of words is ")
	a.send("\x01f")
	a.sees("guide")
	a.losesSight("readme")
	a.send("q")
	a.losesSight("guide")
	a.run("cd '" + notes + "'; clear")
	a.seesMatch(`~/notes *$`)
	a.send("\x01.")
	a.sees("is outside of")
	in.api(nil, "delete", managed.ID) // its worktree is what it was
	if _, err := os.Stat(managed.Dir); err == nil {
		t.Error("the worktree is still there")
	}
}

func TestAScratchTaskWithAnEngineInARepositoryStays(t *testing.T) {
	in := start(t)
	in.engines()
	in.allowHooks()
	repo := in.repository("site", "main")
	in.cli("add", repo)
	sub := filepath.Join(repo, "docs")
	in.write(repo, "docs/guide", "x\n")
	var main string
	for id, task := range in.managed() {
		if task.Kind == "main" {
			main = id
		}
	}
	scratch := func(command string) string {
		var added struct{ Task managed }
		in.api(&added, "add", "--scratch")
		in.types(added.Task.ID, "tab-1", command)
		return added.Task.ID
	}
	// Typed by hand, in a directory of the project that has no task.
	one := scratch("cd " + sub + " && claude")
	in.eventually("it is the task of that directory, with the project", func() bool {
		task := in.managed()[one]
		return task.Kind == "directory" && task.Dir == sub
	})
	in.engineRuns(one, "tab-1")
	// In the checkout, which has a task: its tab goes there, with the engine.
	two := scratch("cd " + repo + " && claude")
	in.eventually("it is folded into the checkout's task", func() bool { _, there := in.managed()[two]; return !there })
	tab := in.engineRuns(main, "tab-1")
	if tab.LiveEngine != "claude" || len(in.live()) != 2 {
		t.Errorf("%+v, live %v", tab, in.live())
	}
	in.types(main, "tab-1", "say it")
	in.eventually("it goes on", func() bool {
		out, err := in.cli("api", "read-screen", main+"/tab-1")
		return err == nil && strings.Contains(out, "the answer")
	})
	// Outside of a repository it stays scratch.
	three := scratch("mkdir -p /tmp/../" + in.user + "/plain && cd " + in.user + "/plain && claude")
	in.engineRuns(three, "tab-1")
	if task := in.managed()[three]; task.Kind != "scratch" {
		t.Errorf("outside of a repository: %+v", task)
	}
	// A client that looks at it goes with it.
	c := in.attach(120, 30)
	c.sees("scratch")
	c.send("\x01s")
	c.sees("enter open")
	c.send("N")
	c.atPrompt()
	c.run("cd " + repo + " && codex")
	c.sees("codex is ready")
	c.sees("▎▾ site")
	c.run("say it")
	c.sees("the answer")
	if out, err := in.cli("remove", "site"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, there := in.managed()[one]; !there {
		t.Error("a directory's task went with the project that it stood with")
	}
}
