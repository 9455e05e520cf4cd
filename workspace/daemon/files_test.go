package daemon

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"moorage/workspace"
)

func TestFilesAreListedAnewWhenSomethingChanged(t *testing.T) {
	r := newRig(t)
	c := r.client()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		ok(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		ok(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	write("src/main.go", "one\n")
	git("add", ".")
	git("commit", "-qm", "first")
	task := must(c.AddTask(t.Context(), workspace.TaskAdd{Dir: dir}))(t).Task
	all := must(c.Files(t.Context(), workspace.FilesQuery{Task: task.ID}))(t)
	if len(all.Entries) != 1 || all.Entries[0].Show != "src/main.go" || all.Still {
		t.Fatalf("files %+v", all)
	}
	changes := must(c.Files(t.Context(), workspace.FilesQuery{Task: task.ID, Changes: true}))(t)
	if len(changes.Entries) != 0 || changes.Scope != "head" {
		t.Errorf("changes %+v", changes)
	}
	write("src/deep/er/new\x1b[31m", "two\n") // in folders that were not there
	write("src/main.go", "one\ntwo\n")
	for len(changes.Entries) < 2 {
		changes = must(c.Files(t.Context(), workspace.FilesQuery{Task: task.ID, Changes: true, Seen: changes.Version}))(t)
	}
	shown := map[string]string{}
	for _, e := range changes.Entries {
		shown[e.Show] = e.Status
	}
	if shown["src/main.go"] != "M" || shown[`src/deep/er/new\x1b[31m`] != "?" {
		t.Errorf("shown %v", shown)
	}
}

func TestACommitInALinkedWorktreeIsNoticedAndSoIsAChangeBesideTheRoot(t *testing.T) {
	r := newRig(t)
	c := r.client()
	repo := gitRepo(t)
	dir := filepath.Join(must(filepath.EvalSymlinks(t.TempDir()))(t), "linked")
	git := func(at string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = at
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git(repo, "worktree", "add", "-q", "-b", "linked", dir)
	below := filepath.Join(dir, "below")
	ok(t, os.Mkdir(below, 0o700))
	task := must(c.AddTask(t.Context(), workspace.TaskAdd{Dir: below}))(t).Task
	query := workspace.FilesQuery{Task: task.ID, Changes: true, Scope: "head"}
	view := must(c.Files(t.Context(), query))(t)
	until := func(what string, n int) {
		t.Helper()
		for range 5 { // each answer waits for a change
			if len(view.Entries) == n {
				return
			}
			query.Seen = view.Version
			view = must(c.Files(t.Context(), query))(t)
		}
		t.Fatalf("%s: %+v", what, view)
	}
	ok(t, os.WriteFile(filepath.Join(dir, "beside"), []byte("x"), 0o600))
	until("a file beside the root", 1)
	if view.Root != dir || string(view.Entries[0].Path) != "beside" {
		t.Errorf("%s in %s", view.Entries[0].Path, view.Root)
	}
	git(dir, "add", ".")
	git(dir, "commit", "-qm", "it")
	until("the commit", 0)
}
