package daemon

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

// managed makes a task of a project, with a worktree and a session.
func (r *rig) managed(c *daemonclient.Client) (workspace.Project, workspace.Task) {
	r.t.Helper()
	ctx := r.t.Context()
	project := must(c.AddProject(ctx, gitRepo(r.t)))(r.t)
	task := must(c.AddTask(ctx, workspace.TaskAdd{Project: project.ID, Title: "away"}))(r.t).Task
	ok(r.t, c.MakeTask(ctx, task.ID))
	tab := must(c.AddTab(ctx, workspace.TabAdd{Task: task.ID}))(r.t)
	must(c.OpenPane(ctx, workspace.PaneOpen{PaneRef: pane(tab)}))(r.t)
	return project, task
}

func TestWorkOfAMissingDirectoryIsNamedBeforeAnythingEnds(t *testing.T) {
	r := newRig(t)
	c := r.client()
	project, task := r.managed(c)
	before := r.host.keys()
	ok(t, os.WriteFile(filepath.Join(task.Dir, "staged"), []byte("only here"), 0o600))
	git(t, task.Dir, "add", "staged")
	git(t, task.Dir, "checkout", "-q", "--detach")
	git(t, task.Dir, "commit", "-q", "--allow-empty", "-m", "adrift", "--only")
	ok(t, os.RemoveAll(task.Dir))
	loss := must(c.TaskLoss(t.Context(), task.ID))(t)
	if !loss.Gone || loss.Adrift != 1 || strings.Join(loss.Changed, " ") != "staged" || !strings.Contains(loss.Refused, "staged: staged; 1 commit") || loss.Forced != "" {
		t.Errorf("would be lost: %+v", loss)
	}
	wantCode(t, c.DeleteTask(t.Context(), workspace.TaskDelete{Task: task.ID}), workspace.CodeUncommitted)
	if live := r.host.keys(); !slices.Equal(live, before) {
		t.Errorf("the refused delete has left the sessions %v", live)
	}
	ok(t, c.DeleteTask(t.Context(), workspace.TaskDelete{Task: task.ID, Force: true}))
	out, err := exec.Command("git", "-C", project.Dir, "for-each-ref", "--format=%(refname)", "refs/moorage").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "refs/moorage/salvage/") {
		t.Errorf("kept: %s, %v", out, err)
	}
}

func TestADeleteOfAnotherTasksBranchTouchesNothing(t *testing.T) {
	r := newRig(t)
	c := r.client()
	_, task := r.managed(c)
	before := r.host.keys()
	wantCode(t, c.DeleteTask(t.Context(), workspace.TaskDelete{Task: task.ID, DeleteBranch: "main", Force: true}), workspace.CodeInvalid)
	if live := r.host.keys(); !slices.Equal(live, before) {
		t.Errorf("the refused delete has left the sessions %v", live)
	}
	if _, err := os.Stat(task.Dir); err != nil {
		t.Error(err)
	}
}

func TestABranchThatCannotBeDeletedStaysAndIsSaid(t *testing.T) {
	r := newRig(t)
	c := r.client()
	project, task := r.managed(c)
	git(t, project.Dir, "worktree", "add", "-q", "-f", filepath.Join(t.TempDir(), "other"), task.Branch)
	err := c.DeleteTask(t.Context(), workspace.TaskDelete{Task: task.ID, DeleteBranch: task.Branch})
	if err == nil || !strings.Contains(err.Error(), "the task was deleted, its branch "+task.Branch+" stays: ") {
		t.Errorf("it says %v", err)
	}
	if s := must(c.Subscribe(t.Context()))(t); slices.ContainsFunc(s.Tasks, func(v workspace.TaskView) bool { return v.ID == task.ID }) {
		t.Error("the task is still there")
	}
}

func TestADeleteThatIsCutOffIsSaidAndDoneAgain(t *testing.T) {
	r := newRig(t)
	c := r.client()
	_, task := r.managed(c)
	stuck := make(chan struct{})
	r.host.mu.Lock()
	r.host.stuck = stuck
	r.host.mu.Unlock()
	cutOff := make(chan error)
	go func() { cutOff <- c.DeleteTask(t.Context(), workspace.TaskDelete{Task: task.ID}) }()
	<-stuck
	r.halt()
	if <-cutOff == nil {
		t.Error("the delete went well")
	}
	r.host.mu.Lock()
	r.host.stuck = nil
	r.host.mu.Unlock()
	r.run()
	c = r.client()
	s := must(c.Subscribe(t.Context()))(t)
	if view, _ := s.Task(task.ID); view.Work == nil || view.Work.What != deleting || !strings.Contains(view.Work.Failed, "the daemon ended") {
		t.Errorf("after the restart it says %+v", view.Work)
	}
	ok(t, c.DeleteTask(t.Context(), workspace.TaskDelete{Task: task.ID}))
	if _, err := os.Stat(task.Dir); !os.IsNotExist(err) {
		t.Errorf("its directory: %v", err)
	}
}
