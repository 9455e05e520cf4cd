//go:build unix

package worktree

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moorage/workspace"
)

func TestASlugIsMadeOfPlainLetters(t *testing.T) {
	for title, want := range map[string]string{
		"Fix the login page":  "fix-the-login-page",
		"  Über-größe: ÆØÅ  ": "uber-grosse-aeoa",
		"Zażółć gęślą jaźń":   "zazolc-gesla-jazn",
		"don't panic":         "dont-panic",
		"修复 bug 17":           "bug-17",
		"修复":                  "",
		"Привет":              "",
		"2024":                "",
		"../../etc/passwd":    "etc-passwd",
		"--force":             "force",
		"e\u0301te\u0301":     "ete",
		"a very long title that goes on and on and on until it is cut": "a-very-long-title-that-goes-on-and-on-and-on",
		strings.Repeat("x", 100): strings.Repeat("x", 48),
	} {
		if got := Slug(title); got != want {
			t.Errorf("%q is %q, want %q", title, got, want)
		}
	}
}

func TestEverySlugIsFitForABranchAndAFolder(t *testing.T) {
	form := regexp.MustCompile(`^([a-z0-9]+(-[a-z0-9]+)*)?$`)
	rapid.Check(t, func(t *rapid.T) {
		if slug := Slug(rapid.String().Draw(t, "title")); !form.MatchString(slug) || len(slug) > maxSlug {
			t.Fatalf("%q", slug)
		}
	})
}

func TestBranchesFollowTheHabitOfTheRepository(t *testing.T) {
	for _, c := range []struct {
		branches []string // the oldest first
		wish     Wish
		want     string
	}{
		{nil, Wish{Title: "Do it"}, "do-it"},
		{[]string{"feature/a"}, Wish{Title: "Do it"}, "do-it"},
		{[]string{"feature/a", "feature/b"}, Wish{Title: "Do it"}, "feature/do-it"},
		{[]string{"ann/a", "bob/b", "ann/c"}, Wish{Title: "Do it"}, "ann/do-it"},
		{[]string{"feature/a", "feature/b", "c", "d"}, Wish{Title: "Do it"}, "do-it"},
		{[]string{"feature/a", "feature/b"}, Wish{Title: "Do it", Prefix: "ann"}, "ann/do-it"},
		{[]string{"feature/a", "feature/b"}, Wish{Title: "Do it", Prefix: "/"}, "do-it"},
		{[]string{"feature/a", "feature/b"}, Wish{Title: "fix/Do it"}, "fix/do-it"},
		{[]string{"ann/a"}, Wish{Title: "ann/Do it"}, "ann/do-it"},
		{nil, Wish{Title: "read/write lock"}, "read-write-lock"},
		{nil, Wish{Title: "修复", ID: "01HZXYABCDEFGHJKMNPQRSTVWX"}, "task-pqrstvwx"},
		{[]string{"do-it"}, Wish{Title: "Do it"}, "do-it-2"},
		{[]string{"do-it", "do-it-2"}, Wish{Title: "Do it"}, "do-it-3"},
		{[]string{"DO-IT"}, Wish{Title: "Do it"}, "do-it-2"},
		{[]string{"do-it/x"}, Wish{Title: "Do it"}, "do-it-2"},
		{[]string{"feature"}, Wish{Title: "Do it", Prefix: "feature"}, "do-it"},
	} {
		repo := plainRepo(t)
		for _, branch := range c.branches {
			sh(t, repo, "branch", branch)
		}
		r := mustOpen(t, repo)
		c.wish.Root = tempDir(t)
		name, err := r.Name(t.Context(), c.wish)
		if err != nil {
			t.Fatal(err)
		}
		if name.Branch != c.want {
			t.Errorf("%v with %v is %q, want %q", c.wish, c.branches, name.Branch, c.want)
		}
		if dir := filepath.Dir(name.Dir); !regexp.MustCompile(`^cafe-repo-[0-9a-f]{8}$`).MatchString(filepath.Base(dir)) || filepath.Dir(dir) != c.wish.Root {
			t.Errorf("its directory is %s", name.Dir)
		}
	}
}

func TestANameMustBeFreeAsBranchOnRemotesAndAsDirectory(t *testing.T) {
	repo, _ := pushedTask(t)
	sh(t, repo, "push", "-q", "origin", "main:refs/heads/far")
	sh(t, repo, "fetch", "-q")
	r := mustOpen(t, repo)
	root := tempDir(t)
	name, err := r.Name(t.Context(), Wish{Title: "far", Root: root})
	if err != nil || name.Branch != "far-2" {
		t.Fatalf("%+v, %v", name, err)
	}
	if err := os.MkdirAll(name.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if name, err = r.Name(t.Context(), Wish{Title: "far", Root: root}); err != nil || name.Branch != "far-3" || filepath.Base(name.Dir) != "far-3" {
		t.Fatalf("%+v, %v", name, err)
	}
	// An entry whose directory is gone holds its place too.
	if err := r.Create(t.Context(), Plan{Dir: name.Dir, Branch: "elsewhere"}, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(name.Dir); err != nil {
		t.Fatal(err)
	}
	if name, err = r.Name(t.Context(), Wish{Title: "far", Root: root}); err != nil || name.Branch != "far-4" {
		t.Fatalf("%+v, %v", name, err)
	}
	dir, err := r.DirFor(t.Context(), root, "far/3")
	if err != nil || filepath.Base(dir) != "far-3-2" {
		t.Fatalf("%s, %v", dir, err)
	}
}

func TestBasesComeRecentFirst(t *testing.T) {
	repo, dir := pushedTask(t)
	sh(t, repo, "tag", "-a", "-m", "a tag", "v1", "main")
	sh(t, repo, "tag", "tree", "main^{tree}")
	write(t, dir, "feature.txt", "newer\n")
	t.Setenv("GIT_COMMITTER_DATE", "2099-06-01T00:00:00Z")
	sh(t, dir, "commit", "-q", "-a", "-m", "newer")
	r := mustOpen(t, repo)
	bases, err := r.Bases(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Base{}
	for _, b := range bases {
		got[b.Name] = b
	}
	if bases[0].Name != "task" || bases[0].Time.Year() < 2099 || bases[0].Kind != BaseLocal {
		t.Errorf("first is %+v", bases[0])
	}
	if len(bases) != 5 || got["origin/task"].Kind != BaseRemote || got["v1"].Kind != BaseTag || got["v1"].Commit != sh(t, repo, "rev-parse", "main") {
		t.Errorf("got %+v", bases)
	}
	if bases, err = r.Bases(t.Context(), 2); err != nil || len(bases) != 2 {
		t.Errorf("%d, %v", len(bases), err)
	}
	wantCode(t, r.Create(t.Context(), Plan{Dir: filepath.Join(tempDir(t), "x"), Branch: "x", Base: "refs/tags/tree"}, nil), workspace.CodeMissingRef)
}
