//go:build unix

package worktree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moorage/workspace"
)

// repoKind is a way in which people keep repositories.
type repoKind struct {
	name  string
	make  func(t *testing.T) (open, checkout string) // where it is opened, and where work lands; "" when there is no such place
	trunk string
	empty bool
}

var repoKinds = []repoKind{
	{name: "plain", trunk: "main", make: func(t *testing.T) (string, string) {
		dir := plainRepo(t)
		return dir, dir
	}},
	{name: "from a folder below", trunk: "main", make: func(t *testing.T) (string, string) {
		dir := plainRepo(t)
		write(t, dir, "sub/dir/file", "x")
		return filepath.Join(dir, "sub", "dir"), dir
	}},
	{name: "from a worktree", trunk: "main", make: func(t *testing.T) (string, string) {
		dir := plainRepo(t)
		return task(t, mustOpen(t, dir), "earlier"), dir
	}},
	{name: "with submodules", trunk: "main", make: func(t *testing.T) (string, string) {
		dir := plainRepo(t)
		sh(t, dir, "submodule", "--quiet", "add", "--", plainRepo(t), "libs/inner")
		sh(t, dir, "commit", "-q", "-m", "add a submodule")
		return dir, dir
	}},
	{name: "a submodule itself", trunk: "main", make: func(t *testing.T) (string, string) {
		dir := plainRepo(t)
		sh(t, dir, "submodule", "--quiet", "add", "--", plainRepo(t), "inner")
		return filepath.Join(dir, "inner"), filepath.Join(dir, "inner")
	}},
	{name: "bare with worktrees", trunk: "trunk", make: func(t *testing.T) (string, string) {
		source := plainRepo(t)
		sh(t, source, "branch", "-m", "trunk")
		root := tempDir(t)
		sh(t, root, "clone", "-q", "--bare", "--", source, ".bare")
		write(t, root, ".git", "gitdir: ./.bare\n")
		sh(t, root, "worktree", "add", "-q", "checkout", "trunk")
		return root, filepath.Join(root, "checkout")
	}},
	{name: "clone with trunk", trunk: "trunk", make: func(t *testing.T) (string, string) {
		source := plainRepo(t)
		sh(t, source, "branch", "-m", "trunk")
		dir, err := Cloning{source, tempDir(t), "1"}.Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		sh(t, dir, "branch", "main") // which is not what the remote says
		return dir, dir
	}},
	{name: "empty", trunk: "main", empty: true, make: func(t *testing.T) (string, string) {
		dir := tempDir(t)
		sh(t, dir, "init", "-q")
		return dir, ""
	}},
	{name: "empty and bare", trunk: "main", empty: true, make: func(t *testing.T) (string, string) {
		dir := tempDir(t)
		sh(t, dir, "init", "-q", "--bare")
		return dir, ""
	}},
	{name: "newline in its path", trunk: "main", make: func(t *testing.T) (string, string) {
		dir := filepath.Join(tempDir(t), "-a\nb \x1b[1m\xff")
		sh(t, filepath.Dir(dir), "init", "-q", "-b", "main", "--", dir)
		commit(t, dir, "README", "one\n")
		return dir, dir
	}},
}

// TestATaskLivesInEveryKindOfRepository creates, works, lands and removes. git says what came of it.
func TestATaskLivesInEveryKindOfRepository(t *testing.T) {
	for _, kind := range repoKinds {
		t.Run(kind.name, func(t *testing.T) {
			at, checkout := kind.make(t)
			r := mustOpen(t, at)
			if r.Default != kind.trunk || r.Empty != kind.empty {
				t.Fatalf("opened as %+v", r)
			}
			if checkout != "" && r.Main != "" && r.Main != checkout {
				t.Errorf("its main worktree is %q, want %q", r.Main, checkout)
			}
			root := filepath.Join(tempDir(t), "worktrees")
			name, err := r.Name(t.Context(), Wish{Title: "Fix the thing!", Root: root})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Create(t.Context(), Plan{Dir: name.Dir, Branch: name.Branch}, nil); err != nil {
				t.Fatal(err)
			}
			if got := sh(t, name.Dir, "symbolic-ref", "--short", "HEAD"); got != "fix-the-thing" {
				t.Errorf("it is on %q", got)
			}
			if out := sh(t, name.Dir, "status", "--porcelain"); out != "" {
				t.Errorf("it begins with %q", out)
			}
			state := Look(t.Context(), name.Dir, kind.base())
			if err := state.Refusal(false); err != nil {
				t.Errorf("a new one must not be removed: %v", err)
			}
			commit(t, name.Dir, "work", "done\n")
			tip := sh(t, name.Dir, "rev-parse", "HEAD")
			if checkout != "" {
				landed, err := r.Land(t.Context(), Landing{Checkout: checkout, Branch: name.Branch})
				if err != nil {
					t.Fatal(err)
				}
				if got := sh(t, checkout, "rev-parse", kind.trunk+"^2"); got != tip || landed.Into != kind.trunk || read(t, checkout, "work") != "done\n" {
					t.Errorf("landed as %+v, second parent %s", landed, got)
				}
				state = Look(t.Context(), name.Dir, kind.base())
				if state.Merged != Yes || state.Unpushed != No || len(state.Problems) > 0 {
					t.Errorf("after landing: %+v", state)
				}
			}
			if _, err := r.Remove(t.Context(), name.Dir, kind.base(), checkout == ""); err != nil {
				t.Fatal(err)
			}
			if list := sh(t, r.Common, "worktree", "list", "--porcelain"); strings.Contains(list, name.Dir) {
				t.Errorf("still there: %s", list)
			}
			if got := sh(t, r.Common, "rev-parse", "refs/heads/"+name.Branch); got != tip {
				t.Errorf("the branch is at %s", got)
			}
			if there, _ := exists(name.Dir); there != No {
				t.Error("the directory is there")
			}
		})
	}
}

func (k repoKind) base() string {
	if k.empty {
		return ""
	}
	return k.trunk
}

func TestWhatIsNoRepositoryIsToldFromWhatCouldNotBeLookedAt(t *testing.T) {
	none := tempDir(t)
	_, err := Open(t.Context(), none)
	wantCode(t, err, workspace.CodeNotRepository)
	_, err = Open(t.Context(), filepath.Join(none, "gone"))
	wantCode(t, err, workspace.CodeDirGone)
	write(t, none, "broken/.git", "gitdir: /nowhere\n")
	_, err = Open(t.Context(), filepath.Join(none, "broken"))
	wantCode(t, err, workspace.CodeGitFailed)
	t.Run("absent", func(t *testing.T) {
		t.Setenv("PATH", none)
		_, err = Open(t.Context(), none)
		wantCode(t, err, workspace.CodeGitAbsent)
	})
}

func TestVariablesOfAnotherRepositoryAreNotFollowed(t *testing.T) {
	repo, other := plainRepo(t), plainRepo(t)
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other, "index"))
	r, err := Open(t.Context(), repo)
	if err != nil || r.Top != repo {
		t.Fatalf("%+v, %v", r, err)
	}
}

func TestASubmoduleWithWorkIsNotRemoved(t *testing.T) {
	for name, work := range map[string]func(t *testing.T, inner string){
		"untracked": func(t *testing.T, inner string) { write(t, inner, "new", "x") },
		"commit":    func(t *testing.T, inner string) { commit(t, inner, "new", "x") },
		"branch": func(t *testing.T, inner string) {
			sh(t, inner, "checkout", "-q", "-b", "side")
			commit(t, inner, "new", "x")
			sh(t, inner, "checkout", "-q", "--detach", "origin/main")
		},
		"not checked out any more": func(t *testing.T, inner string) {
			sh(t, inner, "checkout", "-q", "-b", "side")
			commit(t, inner, "new", "x")
			sh(t, inner, "checkout", "-q", "--detach", "origin/main")
			sh(t, filepath.Dir(inner), "submodule", "--quiet", "deinit", "inner")
		},
		"stash": func(t *testing.T, inner string) {
			write(t, inner, "README", "stashed\n")
			sh(t, inner, "stash", "-q")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, dir := withSubmodule(t)
			inner := filepath.Join(dir, "inner")
			look := func() Answer {
				state := Look(t.Context(), dir, "main")
				return state.Uncommitted()
			}
			if got := look(); got != No {
				t.Fatalf("without work: %v", got)
			}
			work(t, inner)
			if out := sh(t, dir, "status", "--porcelain"); strings.Contains(out, "M inner") && name == "commit" {
				sh(t, dir, "commit", "-q", "-a", "-m", "move the submodule")
				sh(t, r.Main, "merge", "-q", "task") // so that only the submodule's commit is nowhere else
			}
			if got := look(); got != Yes {
				t.Errorf("uncommitted: %v", got)
			}
			before := sh(t, inner, "status", "--porcelain") + sh(t, inner, "rev-list", "--all")
			for _, force := range []bool{false, true} {
				_, err := r.Remove(t.Context(), dir, "main", force)
				wantCode(t, err, workspace.CodeUncommitted)
			}
			if sh(t, inner, "status", "--porcelain")+sh(t, inner, "rev-list", "--all") != before {
				t.Error("the submodule is another one")
			}
		})
	}
	for _, gone := range []bool{false, true} {
		r, dir := withSubmodule(t)
		if gone {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := r.Remove(t.Context(), dir, "main", false); err != nil {
			t.Errorf("without work: %v", err)
		}
	}
}

// withSubmodule makes a worktree with a submodule checked out at inner.
func withSubmodule(t *testing.T) (r Repo, dir string) {
	t.Helper()
	repo := plainRepo(t)
	sh(t, repo, "submodule", "--quiet", "add", "--", plainRepo(t), "inner")
	sh(t, repo, "commit", "-q", "-m", "add a submodule")
	r = mustOpen(t, repo)
	dir = task(t, r, "task")
	sh(t, dir, "submodule", "--quiet", "update", "--init")
	return r, dir
}

func TestCommitsOfASubmoduleOutliveTheDirectory(t *testing.T) {
	r, dir := withSubmodule(t)
	commit(t, filepath.Join(dir, "inner"), "new", "only here")
	modules := filepath.Join(sh(t, dir, "rev-parse", "--absolute-git-dir"), "modules", "inner")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for _, force := range []bool{false, true} {
		_, err := r.Remove(t.Context(), dir, "main", force)
		wantCode(t, err, workspace.CodeUncommitted)
	}
	if there, _ := exists(modules); there != Yes {
		t.Error("it is gone")
	}
}

func TestWorktreesAreListedWithTheirState(t *testing.T) {
	for _, old := range []bool{false, true} {
		repo, dir := pushedTask(t)
		r := mustOpen(t, repo)
		locked, gone := task(t, r, "locked"), task(t, r, "gone")
		sh(t, repo, "worktree", "lock", "--reason", "a\nreason", locked)
		if err := os.RemoveAll(gone); err != nil {
			t.Fatal(err)
		}
		if old {
			fakeGit(t, `case " $* " in *" worktree list "*" -z "*) exit 129;; esac`)
		}
		list, err := r.Worktrees(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]Worktree{}
		for _, w := range list {
			got[w.Dir] = w
		}
		if w := got[repo]; !w.Main || w.Branch != "main" {
			t.Errorf("main: %+v", w)
		}
		if w := got[dir]; w.Branch != "task" || w.Head != sh(t, dir, "rev-parse", "HEAD") {
			t.Errorf("task: %+v", w)
		}
		if w := got[locked]; !w.Locked || w.Reason == "" {
			t.Errorf("locked: %+v", w)
		}
		if w := got[gone]; w.Prunable == "" {
			t.Errorf("gone: %+v", w)
		}
	}
}
