package daemon

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moorage/workspace"
)

// gitRepo makes a repository with a commit.
func gitRepo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"commit", "-q", "--allow-empty", "-m", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}

func TestAFailedCloneStaysUntilItIsTriedAgainOrDismissed(t *testing.T) {
	r := newRig(t)
	c := r.client()
	parent, source := t.TempDir(), filepath.Join(t.TempDir(), "harbour")
	url := "file://me:secret@" + source // git ignores who it is
	_, err := c.CloneProject(t.Context(), workspace.ProjectClone{URL: url, Parent: parent})
	if err == nil {
		t.Fatal("nothing was cloned, and well")
	}
	s := r.until("it has failed", func(s workspace.Snapshot) bool { return len(s.Clones) == 1 && s.Clones[0].Failed != "" })
	if text := fmt.Sprintf("%+v", s.Clones); strings.Contains(text, "secret") {
		t.Errorf("clients are told %s", text)
	}
	id := s.Clones[0].ID
	_, err = c.CloneProject(t.Context(), workspace.ProjectClone{Again: id})
	if err == nil {
		t.Error("the second time went well")
	}
	if err := os.Rename(gitRepo(t), source); err != nil {
		t.Fatal(err)
	}
	url = "file://" + source
	_, err = c.CloneProject(t.Context(), workspace.ProjectClone{URL: url, Parent: parent})
	if err != nil {
		t.Fatal(err)
	}
	s = r.until("only the failed one is left", func(s workspace.Snapshot) bool { return len(s.Clones) == 1 && len(s.Projects) == 1 })
	ok(t, c.DropClone(t.Context(), workspace.CloneRef{ID: id}))
	wantCode(t, c.DropClone(t.Context(), workspace.CloneRef{ID: id}), workspace.CodeNotFound)
	r.until("it is dismissed", func(s workspace.Snapshot) bool { return len(s.Clones) == 0 })
}

func TestWhatFailedOfATaskIsShownUntilItIsDismissed(t *testing.T) {
	r := newRig(t)
	c := r.client()
	project := must(c.AddProject(t.Context(), gitRepo(t)))(t)
	task := must(c.AddTask(t.Context(), workspace.TaskAdd{Project: project.ID, Title: "fails"}))(t).Task
	ok(t, os.WriteFile(r.home.Path("worktrees"), nil, 0o600)) // in the way
	if c.MakeTask(t.Context(), task.ID) == nil {
		t.Fatal("it was made")
	}
	failed := func(s workspace.Snapshot) bool {
		view, _ := s.Task(task.ID)
		return view.Work != nil && view.Work.Failed != "" && !view.Begun
	}
	r.until("it has failed", failed)
	ok(t, c.ClearWork(t.Context(), task.ID))
	r.until("it is dismissed", func(s workspace.Snapshot) bool { return !failed(s) })
	wantCode(t, c.ClearWork(t.Context(), task.ID), workspace.CodeInvalid)
}
