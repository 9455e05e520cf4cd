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
