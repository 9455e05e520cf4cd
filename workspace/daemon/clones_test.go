package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

// gitRepo makes a repository with a commit.
func gitRepo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
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

// unmakeable adds a task and fails to make its worktree, as long as there is a file where the home has the folder of worktrees.
func (r *rig) unmakeable(c *daemonclient.Client) workspace.Task {
	r.t.Helper()
	ctx := r.t.Context()
	project := must(c.AddProject(ctx, gitRepo(r.t)))(r.t)
	task := must(c.AddTask(ctx, workspace.TaskAdd{Project: project.ID, Title: "fails"}))(r.t).Task
	ok(r.t, os.WriteFile(r.home.Path("worktrees"), nil, 0o600))
	if c.MakeTask(ctx, task.ID) == nil {
		r.t.Fatal("it was made")
	}
	return task
}

func TestWhatFailedOfATaskIsShownUntilItIsDismissed(t *testing.T) {
	r := newRig(t)
	c := r.client()
	task := r.unmakeable(c)
	failed := func(s workspace.Snapshot) bool {
		view, _ := s.Task(task.ID)
		return view.Work != nil && view.Work.Failed != "" && !view.Begun
	}
	r.until("it has failed", failed)
	ok(t, c.ClearWork(t.Context(), task.ID))
	r.until("it is dismissed", func(s workspace.Snapshot) bool { return !failed(s) })
	wantCode(t, c.ClearWork(t.Context(), task.ID), workspace.CodeInvalid)
}

func TestWhatFailedOutlivesTheDaemon(t *testing.T) {
	r := newRig(t)
	c := r.client()
	task := r.unmakeable(c)
	if _, err := c.CloneProject(t.Context(), workspace.ProjectClone{URL: "file:///nowhere/at/all", Parent: t.TempDir()}); err == nil {
		t.Fatal("it was cloned")
	}
	why := func(s workspace.Snapshot) string {
		view, _ := s.Task(task.ID)
		if view.Work == nil || len(s.Clones) != 1 {
			return ""
		}
		return view.Work.Failed + "\n" + s.Clones[0].Failed
	}
	before := why(must(c.Subscribe(t.Context()))(t))
	r.halt()
	r.run()
	c = r.client()
	s := must(c.Subscribe(t.Context()))(t)
	if after := why(s); after != before || before == "" {
		t.Errorf("it said %q, and after the restart %q", before, after)
	}
	ok(t, os.Remove(r.home.Path("worktrees")))
	ok(t, c.MakeTask(t.Context(), task.ID))
	ok(t, c.DropClone(t.Context(), workspace.CloneRef{ID: s.Clones[0].ID}))
	r.halt()
	r.run()
	s = must(r.client().Subscribe(t.Context()))(t)
	if view, _ := s.Task(task.ID); view.Work != nil || len(s.Clones) != 0 {
		t.Errorf("made and dismissed, and after one more restart %+v, %+v", view.Work, s.Clones)
	}
}

// fallen leaves in an index what a daemon that was killed leaves.
func (r *rig) fallen(change change) {
	r.t.Helper()
	r.halt()
	ix := must(openIndex(r.home.Path("index.db")))(r.t)
	ok(r.t, ix.write(change))
	ok(r.t, ix.close())
	r.run()
}

func TestWhatADaemonWasAtWhenItFellIsSaidAndTriedAgain(t *testing.T) {
	r := newRig(t)
	c := r.client()
	source, parent := gitRepo(t), t.TempDir()
	project := must(c.AddProject(t.Context(), gitRepo(t)))(t)
	task := must(c.AddTask(t.Context(), workspace.TaskAdd{Project: project.ID, Title: "half"}))(t).Task
	task.Begun = true
	half := cloning{URL: source, View: workspace.Clone{ID: "HALF", URL: source, Parent: parent}}
	other := cloning{URL: source, View: workspace.Clone{ID: "OTHER", URL: source, Parent: parent}}
	for _, c := range []cloning{half, other} {
		ok(t, os.MkdirAll(filepath.Join(c.at().Half(), ".git"), 0o755))
	}
	elsewhere := t.TempDir()
	whole := cloning{URL: source, View: workspace.Clone{ID: "WHOLE", URL: source, Parent: elsewhere}}
	must(whole.at().Run(t.Context(), nil))(t) // it was not saved
	r.fallen(change{put: []workspace.Task{task}, clones: &[]cloning{half, other, whole}})
	c = r.client()
	s := must(c.Subscribe(t.Context()))(t)
	if view, _ := s.Task(task.ID); view.Work == nil || view.Work.Failed != "the daemon ended while it was being made" {
		t.Errorf("of the task it says %+v", view.Work)
	}
	if len(s.Clones) != 3 || s.Clones[0].Failed != "the daemon ended while it was being cloned" {
		t.Fatalf("of the clones it says %+v", s.Clones)
	}
	ok(t, c.MakeTask(t.Context(), task.ID))
	got := must(c.CloneProject(t.Context(), workspace.ProjectClone{Again: "HALF"}))(t)
	if want := filepath.Join(parent, filepath.Base(source)); got.Dir != want {
		t.Errorf("it was cloned into %s, not %s", got.Dir, want)
	}
	ok(t, c.DropClone(t.Context(), workspace.CloneRef{ID: "OTHER"}))
	got = must(c.CloneProject(t.Context(), workspace.ProjectClone{Again: "WHOLE"}))(t)
	if want := filepath.Join(elsewhere, filepath.Base(source)); got.Dir != want {
		t.Errorf("it was cloned into %s, not %s", got.Dir, want)
	}
	r.eventually("nothing but the clone is left", func() bool {
		left := append(must(os.ReadDir(parent))(t), must(os.ReadDir(elsewhere))(t)...)
		return len(left) == 2 && left[0].Name() == filepath.Base(source) && left[1].Name() == filepath.Base(source)
	})
	s = must(c.Subscribe(t.Context()))(t)
	if view, _ := s.Task(task.ID); view.Work != nil || !view.Made || len(s.Clones) != 0 {
		t.Errorf("in the end %+v, %+v", view.Work, s.Clones)
	}
}
