//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// git runs git as the user would, and returns what it printed.
func (in *instance) git(dir string, args ...string) string {
	in.t.Helper()
	out, err := in.tryGit(dir, args...)
	if err != nil {
		in.t.Fatalf("git %v in %s: %v\n%s", args, dir, err, out)
	}
	return out
}

func (in *instance) tryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(in.env, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// repository makes one with a commit on that branch.
func (in *instance) repository(name, branch string) string {
	in.t.Helper()
	if err := os.WriteFile(filepath.Join(in.user, ".gitconfig"), []byte("[user]\nname = A B\nemail = a@b\n[advice]\ndetachedHead = false\n"), 0o600); err != nil {
		in.t.Fatal(err)
	}
	dir := filepath.Join(in.user, name)
	in.git(in.user, "init", "-q", "-b", branch, name)
	in.write(dir, "readme", "one\n")
	in.git(dir, "add", ".")
	in.git(dir, "commit", "-qm", "first")
	return dir
}

func (in *instance) write(dir, name, text string) {
	in.t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
		in.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		in.t.Fatal(err)
	}
}

// managed is a task as the API tells it.
type managed struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Dir    string `json:"dir"`
	Branch string `json:"branch"`
	Made   bool   `json:"made"`
	Work   *struct {
		What   string `json:"what"`
		Failed string `json:"failed"`
	} `json:"work"`
}

func (in *instance) managed() map[string]managed {
	in.t.Helper()
	var s struct{ Tasks []managed }
	in.api(&s, "list")
	all := make(map[string]managed)
	for _, t := range s.Tasks {
		all[t.ID] = t
	}
	return all
}

func (in *instance) addManaged(project, title string) managed {
	in.t.Helper()
	var added struct{ Task managed }
	in.api(&added, "add", "--project", project, "--title", title)
	return added.Task
}

// refused runs an api verb that must fail, and returns the code.
func (in *instance) refused(args ...string) string {
	in.t.Helper()
	out, err := in.cli(append([]string{"api"}, args...)...)
	var r struct {
		Error struct{ Code, Message string }
	}
	if jsonErr := json.Unmarshal([]byte(out), &r); err == nil || jsonErr != nil {
		in.t.Fatalf("api %v: %v, %v\n%s", args, err, jsonErr, out)
	}
	return r.Error.Code
}

func TestATaskIsMadeWorkedOnLandedAndDeleted(t *testing.T) {
	in := start(t)
	repo := in.repository("site", "trunk")
	in.write(repo, ".moorage/init.sh", "export FROM_INIT=yes\necho preparing\n")
	in.git(repo, "add", ".")
	in.git(repo, "commit", "-qm", "init script")
	if out, err := in.cli("add", repo); err != nil || !strings.Contains(out, "site") {
		t.Fatalf("add: %v\n%s", err, out)
	}
	task := in.addManaged("site", "Fix the log-in page")
	if task.Kind != "managed" || task.Made || !strings.HasSuffix(task.Branch, "fix-the-log-in-page") || !strings.HasPrefix(task.Dir, filepath.Join(in.home, "worktrees")) {
		t.Fatalf("added %+v", task)
	}
	if _, err := os.Stat(task.Dir); err == nil {
		t.Error("the worktree is there before anybody opened the task")
	}
	// A second one of the same title waits for another name.
	if other := in.addManaged("site", "Fix the log-in page"); other.Branch == task.Branch || other.Dir == task.Dir {
		t.Errorf("two tasks with one name: %+v", other)
	}
	in.addTab(task.ID)
	if got := in.git(task.Dir, "rev-parse", "--abbrev-ref", "HEAD"); got != task.Branch {
		t.Errorf("the worktree is on %s", got)
	}
	pane := task.ID + "/tab-1"
	in.api(nil, "send-keys", pane, "echo $FROM_INIT-$((40+2)) $PWD", "Enter")
	in.eventually("its shell has the script's environment", func() bool {
		out, err := in.cli("api", "read-screen", pane)
		return err == nil && strings.Contains(out, "yes-42")
	})

	// Uncommitted work, then commits that are nowhere else, keep it.
	in.write(task.Dir, "login", "new\n")
	if code := in.refused("delete", task.ID); code != "uncommitted" {
		t.Errorf("a delete with uncommitted work: %s", code)
	}
	in.git(task.Dir, "add", ".")
	in.git(task.Dir, "commit", "-qm", "log in")
	if code := in.refused("delete", task.ID); code != "unpushed" {
		t.Errorf("a delete with unpushed work: %s", code)
	}
	if len(in.live()) != 1 {
		t.Errorf("a refused delete ended sessions: %v", in.live())
	}

	var landed struct {
		Into    string `json:"into"`
		Before  string `json:"before"`
		After   string `json:"after"`
		Commits int    `json:"commits"`
	}
	before := in.git(repo, "rev-parse", "HEAD")
	in.api(&landed, "land", "--dry-run", task.ID)
	if landed.Into != "trunk" || landed.Commits != 1 || landed.Before != before || landed.After != "" || in.git(repo, "rev-parse", "HEAD") != before {
		t.Errorf("dry run: %+v", landed)
	}
	in.write(repo, "readme", "changed\n")
	if code := in.refused("land", task.ID); code != "dirty_base" {
		t.Errorf("landing in a dirty checkout: %s", code)
	}
	in.git(repo, "checkout", "-q", "readme")
	in.api(nil, "land", task.ID)
	if got := in.git(repo, "log", "-1", "--format=%P"); len(strings.Fields(got)) != 2 {
		t.Errorf("the merge has parents %q", got)
	}
	if _, err := os.Stat(filepath.Join(repo, "login")); err != nil {
		t.Error(err)
	}

	in.api(nil, "delete", task.ID)
	if _, err := os.Stat(task.Dir); err == nil {
		t.Error("the worktree is still there")
	}
	if out := in.git(repo, "worktree", "list"); strings.Contains(out, task.Dir) {
		t.Errorf("git still has it:\n%s", out)
	}
	in.git(repo, "rev-parse", "--verify", "refs/heads/"+task.Branch) // the branch stays
	if _, there := in.managed()[task.ID]; there || len(in.live()) != 0 {
		t.Errorf("the task or its sessions are still there: %v", in.live())
	}
}

func TestAForcedDeleteKeepsWhatWasNotCommitted(t *testing.T) {
	in := start(t)
	repo := in.repository("site", "main")
	in.cli("add", repo)
	task := in.addManaged("site", "half done")
	in.api(nil, "make", task.ID)
	in.write(task.Dir, "notes", "precious\n")
	in.write(task.Dir, "readme", "one\ntwo\n")
	in.write(task.Dir, "passing", "x\n")
	in.git(task.Dir, "add", "passing")
	if err := os.Remove(filepath.Join(task.Dir, "passing")); err != nil { // staged and changed: named once
		t.Fatal(err)
	}
	var loss struct {
		Worktree           string
		Changed, Untracked []string
		Refused            string
	}
	in.api(&loss, "loss", task.ID)
	if loss.Worktree != task.Dir || len(loss.Changed) != 2 || len(loss.Untracked) != 1 || loss.Refused == "" {
		t.Errorf("loss %+v", loss)
	}
	in.api(nil, "delete", "--force", task.ID)
	ref := in.git(repo, "for-each-ref", "--format=%(refname)", "refs/moorage/salvage")
	if got := in.git(repo, "show", ref+":notes"); got != "precious" {
		t.Errorf("%s has notes %q", ref, got)
	}
	if got := in.git(repo, "show", ref+":readme"); got != "one\ntwo" {
		t.Errorf("%s has readme %q", ref, got)
	}
}

func TestAFailedWorktreeKeepsItsRowAndMayBeTriedAgain(t *testing.T) {
	in := start(t, "")
	repo := in.repository("site", "main")
	in.cli("add", repo)
	task := in.addManaged("site", "will fail")
	if err := os.WriteFile(filepath.Join(in.home, "worktrees"), nil, 0o600); err != nil { // in the way
		t.Fatal(err)
	}
	in.refused("tab-add", task.ID)
	if now := in.managed()[task.ID]; now.Work == nil || now.Work.Failed == "" || now.Made {
		t.Fatalf("after the failure: %+v", now)
	}
	os.Remove(filepath.Join(in.home, "worktrees"))
	in.addTab(task.ID)
	if now := in.managed()[task.ID]; now.Work != nil || !now.Made {
		t.Errorf("after the second try: %+v", now)
	}
	// A worktree that somebody removed is made anew of its branch.
	in.git(task.Dir, "commit", "-q", "--allow-empty", "-m", "mine")
	tip := in.git(task.Dir, "rev-parse", "HEAD")
	in.api(nil, "tab-close", task.ID+"/tab-1")
	if err := os.RemoveAll(task.Dir); err != nil {
		t.Fatal(err)
	}
	in.addTab(task.ID)
	if got := in.git(task.Dir, "rev-parse", "HEAD"); got != tip {
		t.Errorf("the new worktree is at %s, its branch at %s", got, tip)
	}
}

func TestWorktreesThatAreThereAreAdopted(t *testing.T) {
	in := start(t)
	repo := in.repository("site", "main")
	side := filepath.Join(in.user, "side tree")
	in.git(repo, "worktree", "add", "-q", "-b", "side", side)
	bare := filepath.Join(in.user, "bare.git")
	in.git(in.user, "clone", "-q", "--bare", repo, bare)
	in.cli("add", repo)
	in.cli("add", bare)
	var results []struct{ Dir, Task, Error string }
	in.api(&results, "adopt", "site", side, repo)
	if len(results) != 2 || results[0].Task == "" || results[1].Error == "" {
		t.Fatalf("adopted %+v", results)
	}
	in.addTab(results[0].Task)
	s := in.sessions()
	if len(s) != 1 || s[0].CWD != side {
		t.Errorf("sessions %+v", s)
	}
	// The bare one has no checkout; its tasks have worktrees all the same.
	task := in.addManaged("bare", "of the bare one")
	in.api(nil, "make", task.ID)
	if got := in.git(task.Dir, "rev-parse", "--abbrev-ref", "HEAD"); got != task.Branch {
		t.Errorf("the worktree is on %s", got)
	}
	if code := in.refused("land", task.ID); code != "refused" {
		t.Errorf("landing without a checkout: %s", code)
	}
	var rows []struct{ Dir, Task, Dirty string }
	in.api(&rows, "worktrees")
	if len(rows) != 3 {
		t.Errorf("worktrees %+v", rows)
	}
	if _, err := in.cli("remove", "site"); err == nil {
		t.Error("a project with tasks was forgotten")
	}
}

func TestAScratchTaskThatIsNamedBecomesTheTaskOfItsDirectory(t *testing.T) {
	in := start(t)
	dir := filepath.Join(in.user, "project")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	c := in.attach(100, 30).ready()
	for round, kept := range []string{"first", "second"} {
		if round == 1 {
			var added struct{ Task managed }
			in.api(&added, "add", "--scratch")
			in.api(nil, "send-keys", added.Task.ID+"/tab-1", "cd "+dir, "Enter")
			c.sees("scratch")
		} else {
			c.run("cd " + dir + "; clear; echo running $((40+2))")
			c.sees("running 42")
		}
		in.eventually("the host knows where it is", func() bool {
			for _, s := range in.sessions() {
				if s.CWD != dir {
					return false
				}
			}
			return true
		})
		before := in.live()
		c.send("\x01s")
		c.send("g") // scratch tasks are on top
		c.send("r\x15\x0b" + kept + "\r")
		if round == 0 {
			in.eventually("it is the task of its directory", func() bool {
				for _, task := range in.managed() {
					return task.Kind == "directory" && task.Dir == dir
				}
				return false
			})
		} else {
			in.eventually("its tab is in the task that has the directory", func() bool { return len(in.managed()) == 1 })
		}
		after := in.live()
		if len(after) != len(before) || len(after) != round+1 {
			t.Errorf("live %v, before %v", after, before)
		}
		c.send("\x1bOA") // nothing that matters: the client still answers
		c.send("\x1b[1;5A")
		if round == 0 {
			c.send("\r")
			c.sees("running 42")
		}
	}
}

func TestAChangeIsSeenAndItsDiffOpensInATab(t *testing.T) {
	in := start(t)
	repo := in.repository("site", "main")
	in.addTask(repo)
	c := in.attach(100, 30)
	c.atPrompt()
	c.send("\x01f")
	c.sees("readme")
	c.send("\t")
	c.sees("Changes against HEAD")
	in.write(repo, "readme", "one\nanother line\n") // while the page is open
	c.sees("M readme  +1 -0")
	c.send("d")
	c.sees("+another line")
	c.send("q")
	c.losesSight("+another line")
	c.atPrompt()
}
