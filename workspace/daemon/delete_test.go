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

func TestWorkOfAMissingDirectoryIsNamedBeforeAnythingEnds(t *testing.T) {
	r := newRig(t)
	c := r.client()
	project := must(c.AddProject(t.Context(), gitRepo(t)))(t)
	task := must(c.AddTask(t.Context(), workspace.TaskAdd{Project: project.ID, Title: "away"}))(t).Task
	ok(t, c.MakeTask(t.Context(), task.ID))
	tab := must(c.AddTab(t.Context(), workspace.TabAdd{Task: task.ID}))(t)
	must(c.OpenPane(t.Context(), workspace.PaneOpen{PaneRef: pane(tab)}))(t)
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
