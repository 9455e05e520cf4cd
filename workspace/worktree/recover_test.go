//go:build unix

package worktree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// cutOff runs a Create whose git is killed with all that it called while it checks out, and returns its plan. What is left is what a power cut
// leaves.
func cutOff(t *testing.T, repo string) (Repo, Plan) {
	t.Helper()
	write(t, repo, ".gitattributes", "slow filter=slow\n")
	write(t, repo, "slow", "x\n")
	sh(t, repo, "add", ".")
	sh(t, repo, "commit", "-qm", "slow")
	mark := filepath.Join(t.TempDir(), "mark")
	// The filter kills the two gits above itself, the outer one first, so that it cleans nothing up.
	sh(t, repo, "config", "filter.slow.smudge", "inner=$PPID; outer=$(ps -o ppid= -p $inner); kill -9 $outer $inner; : > "+mark)
	r := mustOpen(t, repo)
	plan := Plan{Dir: filepath.Join(tempDir(t), "half"), Branch: "half"}
	if out, err := tryGit(repo, "branch", plan.Branch); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Mkdir(plan.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := tryGit(repo, "worktree", "add", "--", plan.Dir, plan.Branch); err == nil {
		t.Fatalf("git was not killed: %s", out)
	}
	sh(t, repo, "config", "--remove-section", "filter.slow")
	list, err := r.Worktrees(t.Context())
	if err != nil || len(list) != 2 || !list[1].Locked || list[1].Reason != initializing {
		t.Fatalf("it left %+v, %v", list, err)
	}
	return r, plan
}

func TestAWorktreeThatWasCutOffIsMadeAnew(t *testing.T) {
	if _, err := exec.LookPath("ps"); err != nil {
		t.Skip(err)
	}
	for what, also := range map[string]func(dir string) error{
		"as it was left":              func(string) error { return nil },
		"with its directory gone":     os.RemoveAll,
		"before its link was written": func(dir string) error { return os.Remove(filepath.Join(dir, ".git")) },
	} {
		t.Run(what, func(t *testing.T) {
			r, plan := cutOff(t, plainRepo(t))
			if err := also(plan.Dir); err != nil {
				t.Fatal(err)
			}
			rest, whole, err := r.Recover(t.Context(), plan)
			if err != nil || whole || !rest.Existing {
				t.Fatalf("%+v, %v, %v", rest, whole, err)
			}
			if err := r.Create(t.Context(), rest, nil); err != nil {
				t.Fatal(err)
			}
			list, err := r.Worktrees(t.Context())
			if err != nil || len(list) != 2 || list[1].Locked || list[1].Branch != plan.Branch {
				t.Errorf("%+v, %v", list, err)
			}
			if out, err := tryGit(plan.Dir, "status", "--porcelain"); err != nil || strings.TrimSpace(out) != "" {
				t.Errorf("%v\n%s", err, out)
			}
			// Once more, it is there and whole.
			if _, whole, err := r.Recover(t.Context(), plan); err != nil || !whole {
				t.Errorf("whole %v, %v", whole, err)
			}
		})
	}
}

func TestNothingOfOthersIsTakenForALeftover(t *testing.T) {
	repo := plainRepo(t)
	r := mustOpen(t, repo)
	plan := Plan{Dir: filepath.Join(tempDir(t), "own"), Branch: "own"}
	if err := os.MkdirAll(plan.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, plan.Dir, "precious", "x")
	rest, whole, err := r.Recover(t.Context(), plan)
	if err != nil || whole || rest.Existing {
		t.Errorf("%+v, %v, %v", rest, whole, err)
	}
	if _, err := os.Stat(filepath.Join(plan.Dir, "precious")); err != nil {
		t.Error(err)
	}
	sh(t, repo, "worktree", "add", "-q", "--lock", "--reason", "on a stick", "-b", "locked", filepath.Join(plan.Dir, "locked"))
	if _, whole, err := r.Recover(t.Context(), Plan{Dir: filepath.Join(plan.Dir, "locked"), Branch: "locked"}); err != nil || !whole {
		t.Errorf("a worktree that the user locked: whole %v, %v", whole, err)
	}
}
