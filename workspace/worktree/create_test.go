//go:build unix

package worktree

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moorage/workspace"
)

func TestACreateThatFailsLeavesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		plan   Plan
		spoil  func(t *testing.T, repo, dir string)
		script string // of a git before the real one
		want   workspace.Code
	}{
		"missing base":      {plan: Plan{Branch: "new", Base: "refs/heads/nothing"}, want: workspace.CodeMissingRef},
		"option as base":    {plan: Plan{Branch: "new", Base: "--all"}, want: workspace.CodeMissingRef},
		"bad name":          {plan: Plan{Branch: "a..b"}, want: workspace.CodeInvalid},
		"option as name":    {plan: Plan{Branch: "-D"}, want: workspace.CodeInvalid},
		"expanding name":    {plan: Plan{Branch: "@{-1}"}, want: workspace.CodeInvalid},
		"branch is there":   {plan: Plan{Branch: "main"}, want: workspace.CodeConflict},
		"checked out":       {plan: Plan{Branch: "main", Existing: true}, want: workspace.CodeConflict},
		"no such branch":    {plan: Plan{Branch: "nothing", Existing: true}, want: workspace.CodeMissingRef},
		"directory there":   {plan: Plan{Branch: "new"}, want: workspace.CodeConflict, spoil: func(t *testing.T, _, dir string) { write(t, dir, "mine", "x") }},
		"file above":        {plan: Plan{Branch: "new"}, want: workspace.CodeRefused, spoil: func(t *testing.T, _, dir string) { write(t, filepath.Dir(filepath.Dir(dir)), "sub", "x") }},
		"checkout fails":    {plan: Plan{Branch: "new"}, want: workspace.CodeGitFailed, script: `case " $* " in *" worktree add "*) "$REAL" "$@"; echo 'fatal: disk full' >&2; exit 128;; esac`},
		"add fails at once": {plan: Plan{Branch: "new"}, want: workspace.CodeGitFailed, script: `case " $* " in *" worktree add "*) exit 128;; esac`},
		"remote's branch":   {plan: Plan{Branch: "far", Existing: true}, want: workspace.CodeGitFailed, script: `case " $* " in *" worktree add "*) exit 128;; esac`},
	} {
		t.Run(name, func(t *testing.T) {
			repo, _ := pushedTask(t)
			sh(t, repo, "push", "-q", "origin", "main:refs/heads/far")
			sh(t, repo, "fetch", "-q")
			r := mustOpen(t, repo)
			root := tempDir(t)
			plan := c.plan
			plan.Dir = filepath.Join(root, "sub", "new")
			if c.spoil != nil {
				c.spoil(t, repo, plan.Dir)
			}
			before, files, config := picture(t, repo), tree(t, root), read(t, repo, ".git/config")
			if c.script != "" {
				fakeGit(t, c.script)
			}
			err := r.Create(t.Context(), plan, nil)
			wantCode(t, err, c.want)
			if got := picture(t, repo); got != before {
				t.Errorf("the repository is another one:\n%s\nbefore:\n%s", got, before)
			}
			if got := tree(t, root); got != files {
				t.Errorf("left behind: %s, before: %s", got, files)
			}
			if got := read(t, repo, ".git/config"); got != config {
				t.Errorf("configuration: %s, before: %s", got, config)
			}
		})
	}
}

// tree names all that lies below dir.
func tree(t testing.TB, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, "\n")
}

func TestOfTwoCreatesOfOneBranchOneWins(t *testing.T) {
	repo := plainRepo(t)
	r := mustOpen(t, repo)
	dirs := []string{filepath.Join(tempDir(t), "a"), filepath.Join(tempDir(t), "b")}
	errs := make(chan error, len(dirs))
	for _, dir := range dirs {
		go func() { errs <- r.Create(context.Background(), Plan{Dir: dir, Branch: "one"}, nil) }()
	}
	one, two := <-errs, <-errs
	if (one == nil) == (two == nil) {
		t.Fatalf("%v and %v", one, two)
	}
	if n := strings.Count(sh(t, repo, "worktree", "list", "--porcelain"), "worktree "); n != 2 {
		t.Errorf("%d worktrees", n)
	}
}

func TestAWorktreeBeginsAtItsBaseAndTracksNothing(t *testing.T) {
	repo, task := pushedTask(t)
	r := mustOpen(t, repo)
	sh(t, repo, "tag", "v1", "task")
	for _, base := range []string{"refs/remotes/origin/task", "refs/tags/v1", "refs/heads/task", "task"} {
		dir := filepath.Join(tempDir(t), "w")
		branch := "from-" + Slug(base)
		if err := r.Create(t.Context(), Plan{Dir: dir, Branch: branch, Base: base}, nil); err != nil {
			t.Fatal(err)
		}
		if got, want := sh(t, dir, "rev-parse", "HEAD"), sh(t, task, "rev-parse", "HEAD"); got != want {
			t.Errorf("%s: at %s, want %s", base, got, want)
		}
		if out, err := tryGit(dir, "config", "branch."+branch+".merge"); err == nil {
			t.Errorf("%s: tracks %s", base, out)
		}
	}
}

func TestABranchOfARemoteIsAdoptedWithItsUpstream(t *testing.T) {
	repo, _ := pushedTask(t)
	sh(t, repo, "push", "-q", "origin", "main:refs/heads/far")
	r := mustOpen(t, repo)
	dir := filepath.Join(tempDir(t), "w")
	if err := r.Create(t.Context(), Plan{Dir: dir, Branch: "far", Existing: true}, nil); err != nil {
		t.Fatal(err)
	}
	if got := sh(t, dir, "rev-parse", "--abbrev-ref", "@{upstream}"); got != "origin/far" {
		t.Errorf("upstream %s", got)
	}
}

func TestACloneTellsItsProgressAndLeavesNothingWhenItFails(t *testing.T) {
	source, parent := plainRepo(t), tempDir(t)
	var lines []string
	dir, err := Cloning{"file://" + source, filepath.Join(parent, "new"), "1"}.Run(t.Context(), func(line string) { lines = append(lines, line) })
	if err != nil {
		t.Fatal(err)
	}
	if dir != filepath.Join(parent, "new", "Café Repo") || read(t, dir, "README") == "" {
		t.Errorf("cloned into %s", dir)
	}
	if !strings.Contains(strings.Join(lines, "\n"), "Receiving objects: 100%") {
		t.Errorf("progress: %q", lines)
	}
	again := Cloning{"file://" + source, filepath.Join(parent, "new"), "1"}
	if dir2, err := again.Run(t.Context(), nil); err != nil || dir2 != dir {
		t.Errorf("its own clone is not known: %s, %v", dir2, err)
	}
	if err := again.Clear(); err != nil {
		t.Fatal(err)
	}
	_, err = again.Run(t.Context(), nil)
	wantCode(t, err, workspace.CodeConflict)
	_, err = Cloning{"file:///nowhere/at-all.git", filepath.Join(parent, "other"), "1"}.Run(t.Context(), nil)
	wantCode(t, err, workspace.CodeGitFailed)
	for _, url := range []string{"", "--upload-pack=touch pwned", "..", "/"} {
		_, err = Cloning{url, parent, "1"}.Run(t.Context(), nil)
		wantCode(t, err, workspace.CodeInvalid)
	}
	if there, _ := exists(filepath.Join(parent, "other")); there != No {
		t.Error("something is left")
	}
}

func TestACancelledCloneEndsGitAndLeavesNothing(t *testing.T) {
	parent := tempDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	fakeGit(t, `for a in "$@"; do if [ "$a" = clone ]; then echo 'Cloning' >&2; while :; do sleep 1; done; fi; done`)
	_, err := Cloning{"https://somebody:secret@localhost/x.git", parent, "1"}.Run(ctx, func(string) { cancel() })
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
	if got := tree(t, parent); got != parent {
		t.Errorf("left: %s", got)
	}
}
