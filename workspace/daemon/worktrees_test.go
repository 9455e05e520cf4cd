package daemon

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moorage/workspace"
)

// git runs git in dir.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func TestThePageOfWorktreesLooksIntoSubmodules(t *testing.T) {
	r := newRig(t)
	c := r.client()
	repo := gitRepo(t)
	git(t, repo, "submodule", "--quiet", "add", "--", gitRepo(t), "inner")
	git(t, repo, "commit", "-q", "-m", "add a submodule")
	project := must(c.AddProject(t.Context(), repo))(t)
	task := must(c.AddTask(t.Context(), workspace.TaskAdd{Project: project.ID, Title: "inside"}))(t).Task
	ok(t, c.MakeTask(t.Context(), task.ID))
	git(t, task.Dir, "submodule", "--quiet", "update", "--init")
	dirty := func() string {
		rows := must(c.Worktrees(t.Context()))(t)
		i := slices.IndexFunc(rows, func(row workspace.WorktreeRow) bool { return row.Task == task.ID })
		if i < 0 {
			t.Fatalf("the page has %+v", rows)
		}
		return rows[i].Dirty
	}
	if got := dirty(); got != "no" {
		t.Errorf("as it was made: dirty %s", got)
	}
	inner := filepath.Join(task.Dir, "inner")
	ok(t, os.WriteFile(filepath.Join(inner, "new"), nil, 0o600))
	if got := dirty(); got != "yes" {
		t.Errorf("with a new file inside: dirty %s", got)
	}
	git(t, inner, "add", "new")
	git(t, inner, "commit", "-q", "-m", "only here")
	git(t, task.Dir, "commit", "-q", "-a", "-m", "move the submodule")
	if got := dirty(); got != "yes" {
		t.Errorf("with an unpushed commit inside: dirty %s", got)
	}
	loss := must(c.TaskLoss(t.Context(), task.ID))(t)
	if loss.Refused == "" || loss.Forced == "" {
		t.Errorf("a delete would be refused by %q and %q", loss.Refused, loss.Forced)
	}
}

func TestADirectoryThatIsNotUTF8IsRefusedAsSuch(t *testing.T) {
	r := newRig(t)
	c := r.client()
	repo := gitRepo(t)
	project := must(c.AddProject(t.Context(), repo))(t)
	odd := filepath.Join(t.TempDir(), "caf\xe9")
	if err := os.Mkdir(odd, 0o700); err != nil {
		t.Skip(err) // this system has none
	}
	git(t, odd, "init", "-q")
	link := filepath.Join(t.TempDir(), "link")
	ok(t, os.Symlink(odd, link))
	tree := filepath.Join(t.TempDir(), "tree\n\xe9")
	git(t, repo, "worktree", "add", "-q", "-b", "odd", tree)
	for _, dir := range []string{odd, link} {
		_, err := c.AddTask(t.Context(), workspace.TaskAdd{Dir: dir})
		wantCode(t, err, workspace.CodeInvalid)
		_, err = c.AddProject(t.Context(), dir)
		wantCode(t, err, workspace.CodeInvalid)
	}
	rows := must(c.Worktrees(t.Context()))(t)
	if len(rows) != 2 || !strings.HasSuffix(rows[1].Show, `tree\n\xe9`) {
		t.Fatalf("the page has %+v", rows)
	}
	ref := workspace.WorktreeRef{Project: project.ID, Dir: rows[1].Dir}
	_, err := c.WorktreeLoss(t.Context(), ref)
	wantCode(t, err, workspace.CodeInvalid)
	wantCode(t, c.DropWorktree(t.Context(), workspace.WorktreeDrop{WorktreeRef: ref}), workspace.CodeInvalid)
	results := must(c.AdoptWorktrees(t.Context(), workspace.WorktreeAdopt{Project: project.ID, Dirs: []string{rows[1].Dir}}))(t)
	if len(results) != 1 || !strings.Contains(results[0].Error, "not UTF-8") {
		t.Errorf("adopted: %+v", results)
	}
}

func TestAProjectThatCannotBeLookedAtIsNotOneWithoutWorktrees(t *testing.T) {
	r := newRig(t)
	c := r.client()
	project := must(c.AddProject(t.Context(), gitRepo(t)))(t)
	t.Setenv("PATH", t.TempDir())
	rows := must(c.Worktrees(t.Context()))(t)
	if len(rows) != 1 || rows[0].Project != project.ID || !strings.Contains(rows[0].Problem, "no git on the PATH; install git") || rows[0].Dirty != "unknown" {
		t.Errorf("the page has %+v", rows)
	}
}

// Landings that are asked for at once come one after the other, and each is there in the end.
func TestLandingsAtOnceLoseNothing(t *testing.T) {
	r := newRig(t)
	c := r.client()
	project := must(c.AddProject(t.Context(), gitRepo(t)))(t)
	names := []string{"one", "two", "three", "four"}
	var tasks []workspace.Task
	for _, name := range names {
		task := must(c.AddTask(t.Context(), workspace.TaskAdd{Project: project.ID, Title: name}))(t).Task
		ok(t, c.MakeTask(t.Context(), task.ID))
		ok(t, os.WriteFile(filepath.Join(task.Dir, name), []byte(name), 0o600))
		git(t, task.Dir, "add", name)
		git(t, task.Dir, "commit", "-q", "-m", name)
		tasks = append(tasks, task)
	}
	git(t, project.Dir, "config", "user.name", "a")
	git(t, project.Dir, "config", "user.email", "a@b")
	landed := make(chan error)
	for i, task := range tasks {
		go func() {
			_, err := c.LandTask(t.Context(), workspace.TaskLand{Task: task.ID, Squash: i%2 == 0})
			landed <- err
		}()
	}
	for range tasks {
		if err := <-landed; err != nil {
			t.Error(err)
		}
	}
	for _, name := range names {
		git(t, project.Dir, "cat-file", "-e", "HEAD:"+name)
	}
	out, err := exec.Command("git", "-C", project.Dir, "status", "--porcelain").CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("the checkout is left with %s, %v", out, err)
	}
}
