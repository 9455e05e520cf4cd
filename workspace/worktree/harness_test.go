//go:build unix

package worktree

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"moorage/workspace"
)

// TestMain gives git a home of its own, so that nobody's configuration and hooks take part.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "moorage-worktree-test-")
	if err != nil {
		panic(err)
	}
	config := filepath.Join(home, "gitconfig")
	text := "[user]\n\tname = Somebody\n\temail = somebody@localhost\n[protocol \"file\"]\n\tallow = always\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		panic(err)
	}
	for name, value := range map[string]string{"HOME": home, "GIT_CONFIG_GLOBAL": config, "GIT_CONFIG_NOSYSTEM": "1"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	_ = os.RemoveAll(home)
	os.Exit(code)
}

// realGit is called by the tests themselves, whatever PATH they give to the code.
var realGit, _ = exec.LookPath("git")

// sh calls git in dir and returns what it says.
func sh(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := tryGit(dir, args...)
	if err != nil {
		t.Fatalf("git %q in %s: %v\n%s", args, dir, err, out)
	}
	return strings.TrimSuffix(out, "\n")
}

func tryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command(realGit, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func commit(t testing.TB, dir, name, text string) {
	t.Helper()
	write(t, dir, name, text)
	sh(t, dir, "add", "--", name)
	sh(t, dir, "commit", "-q", "-m", "change "+name)
}

// tempDir is a directory without links in its path.
func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// templates are made once and copied: most of what tests take is git being started.
var templates struct {
	once          sync.Once
	plain, pushed string
}

func prepare(t testing.TB) {
	t.Helper()
	templates.once.Do(func() {
		root := filepath.Join(os.Getenv("HOME"), "templates")
		templates.plain, templates.pushed = filepath.Join(root, "plain"), filepath.Join(root, "pushed")
		if err := os.MkdirAll(root, 0o755); err != nil {
			t.Fatal(err)
		}
		sh(t, root, "init", "-q", "-b", "main", "--", templates.plain)
		commit(t, templates.plain, "README", "one\ntwo\nthree\n")

		repo, origin := filepath.Join(templates.pushed, "repo"), filepath.Join(templates.pushed, "origin.git")
		copyDir(t, templates.plain, repo)
		sh(t, repo, "init", "-q", "--bare", "-b", "main", "--", origin)
		commit(t, repo, ".gitignore", "*.log\nbuild/\n")
		sh(t, repo, "remote", "add", "origin", origin)
		sh(t, repo, "push", "-q", "-u", "origin", "main")
		sh(t, repo, "checkout", "-q", "-b", "task")
		commit(t, repo, "feature.txt", "committed and pushed\n")
		sh(t, repo, "push", "-q", "-u", "origin", "task")
		sh(t, repo, "checkout", "-q", "main")
	})
	if templates.pushed == "" {
		t.Fatal("no templates")
	}
}

func copyDir(t testing.TB, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// plainRepo is a repository with a commit on main.
func plainRepo(t testing.TB) string {
	t.Helper()
	prepare(t)
	dir := filepath.Join(tempDir(t), "Café Repo")
	copyDir(t, templates.plain, dir)
	return dir
}

// pushedTask is a repository with a remote, and a worktree whose branch has one commit that is pushed.
func pushedTask(t testing.TB) (repo, dir string) {
	t.Helper()
	prepare(t)
	root := tempDir(t)
	copyDir(t, templates.pushed, root)
	repo, dir = filepath.Join(root, "repo"), filepath.Join(root, "worktrees", "task")
	write(t, repo, ".git/config", strings.ReplaceAll(read(t, repo, ".git/config"), templates.pushed, root))
	sh(t, repo, "worktree", "add", "-q", dir, "task")
	return repo, dir
}

func mustOpen(t testing.TB, dir string) Repo {
	t.Helper()
	r, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// task makes a worktree on a new branch.
func task(t testing.TB, r Repo, branch string) string {
	t.Helper()
	dir := filepath.Join(tempDir(t), "worktrees", Slug(branch))
	if err := r.Create(t.Context(), Plan{Dir: dir, Branch: branch}, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

func wantCode(t testing.TB, err error, want workspace.Code) {
	t.Helper()
	if got := workspace.CodeOf(err); got != want {
		t.Fatalf("got %q (%v), want %q", got, err, want)
	}
	if err != nil && workspace.AsError(err).Next == "" {
		t.Errorf("no next step in %v", err)
	}
}

// blob is the id that git gives to bytes.
func blob(text string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))
	return hex.EncodeToString(sum[:])
}

// kept fails unless each of these bytes is in a file of the worktree or in what some ref keeps.
func kept(t testing.TB, repo, worktree string, work map[string]string) {
	t.Helper()
	tips := []string{"rev-list", "--objects", "--all", "--indexed-objects"}
	// What a rebase set aside is named by a file of its own as long as the worktree is there.
	if aside, err := filepath.Glob(filepath.Join(repo, ".git/worktrees/*/rebase-merge/autostash")); err == nil && len(aside) == 1 {
		tips = append(tips, strings.TrimSpace(read(t, filepath.Dir(aside[0]), "autostash")))
	}
	objects := sh(t, repo, tips...)
	for name, text := range work {
		data, err := os.ReadFile(filepath.Join(worktree, name))
		if err == nil && string(data) == text {
			continue
		}
		if !strings.Contains(objects, blob(text)) {
			t.Errorf("%q is lost", name)
			continue
		}
		if got := sh(t, repo, "cat-file", "blob", blob(text)); got != strings.TrimSuffix(text, "\n") {
			t.Errorf("%q reads back as %q", name, got)
		}
	}
}

// fakeGit puts a git before the real one that runs the script; "$REAL" is the real one.
func fakeGit(t testing.TB, script string) {
	t.Helper()
	dir := tempDir(t)
	text := "#!/bin/sh\nREAL='" + realGit + "'\n" + script + "\nexec \"$REAL\" \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

// failingVerb is a git that fails at one of its commands.
func failingVerb(t testing.TB, verb string) {
	t.Helper()
	fakeGit(t, `for a in "$@"; do if [ "$a" = '`+verb+`' ]; then echo 'fatal: the disk is on fire' >&2; exit 128; fi; done`)
}

// oldMergeTree is a git before 2.38.
func oldMergeTree(t testing.TB) {
	t.Helper()
	fakeGit(t, `for a in "$@"; do if [ "$a" = --write-tree ]; then echo usage >&2; exit 129; fi; done`)
}

// picture is all that a landing that failed must leave alone.
func picture(t testing.TB, dir string) string {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(sh(t, dir, "rev-parse", "HEAD") + sh(t, dir, "symbolic-ref", "HEAD"))
	b.WriteString(sh(t, dir, "ls-files", "-s"))
	b.WriteString(sh(t, dir, "status", "--porcelain=v2", "--ignored", "--untracked-files=all"))
	b.WriteString(sh(t, dir, "worktree", "list", "--porcelain"))
	b.WriteString(sh(t, dir, "for-each-ref"))
	var files []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == ".git" {
			return filepath.SkipDir
		}
		if entry.Type().IsRegular() {
			data, err := os.ReadFile(path)
			files = append(files, path+"\x00"+string(data))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return b.String() + strings.Join(files, "\n")
}
