//go:build unix

package worktree

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moorage/workspace"
)

func TestFilesAreWhatGitTracksOrDoesNotIgnore(t *testing.T) {
	_, dir := pushedTask(t)
	want := []string{"README", ".gitignore", "feature.txt"}
	for i, name := range nastyNames {
		write(t, dir, name, "x")
		if i%2 == 0 {
			sh(t, dir, "--literal-pathspecs", "add", "--", name)
		}
		want = append(want, name)
	}
	for _, name := range []string{"a/z/file", "a/b", "zoo/x"} {
		write(t, dir, name, "x")
		want = append(want, name)
	}
	write(t, dir, "x.log", "ignored")
	commit(t, dir, "removed", "x")
	if err := os.Remove(filepath.Join(dir, "removed")); err != nil {
		t.Fatal(err)
	}
	list, err := Files(t.Context(), dir, 0)
	if err != nil || list.Cut {
		t.Fatal(err)
	}
	got := slices.Clone(list.Files)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if first := list.Files[:4]; !slices.Equal(first, []string{"a/z/file", "a/b", "zoo/x", " lead"}) {
		t.Errorf("begins with %q", first)
	}
	if list, err = Files(t.Context(), dir, 3); err != nil || !list.Cut || len(list.Files) != 3 {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err = Files(t.Context(), filepath.Join(dir, "a"), 0); err != nil || !slices.Equal(list.Files, []string{"z/file", "b"}) {
		t.Errorf("of a folder: %+v, %v", list, err)
	}
}

func TestFilesOfADirectoryWithoutGit(t *testing.T) {
	dir := tempDir(t)
	write(t, dir, "b/c", "x")
	write(t, dir, "a", "x")
	for _, path := range []string{os.Getenv("PATH"), ""} {
		t.Setenv("PATH", path)
		list, err := Files(t.Context(), dir, 0)
		if err != nil || !slices.Equal(list.Files, []string{"b/c", "a"}) {
			t.Errorf("%+v, %v", list, err)
		}
	}
	_, err := Files(t.Context(), filepath.Join(dir, "gone"), 0)
	wantCode(t, err, workspace.CodeDirGone)
}

func TestChangesAreThoseToTheHeadElseToTheBase(t *testing.T) {
	repo, dir := pushedTask(t)
	commit(t, repo, "elsewhere", "not of this branch\n")
	c, err := ListChanges(t.Context(), dir, "main", ScopeAuto)
	if err != nil || c.Scope != ScopeBase || c.Name != "main" || len(c.List) != 1 || c.List[0] != (Change{Path: "feature.txt", Status: 'A', Lines: Lines{true, 1, 0}}) {
		t.Fatalf("%+v, %v", c, err)
	}
	sh(t, dir, "mv", "--", "README", "-moved\n")
	write(t, dir, "feature.txt", "changed\n\x00")
	write(t, dir, "untracked", "x")
	c, err = ListChanges(t.Context(), dir, "main", ScopeAuto)
	want := []Change{
		{Path: "-moved\n", From: "README", Status: 'R', Lines: Lines{Known: true}},
		{Path: "feature.txt", Status: 'M'},
		{Path: "untracked", Status: '?'},
	}
	if err != nil || c.Scope != ScopeHead || c.Name != "HEAD" || !slices.Equal(c.List, want) {
		t.Fatalf("%+v, %v", c, err)
	}
	if c, err = ListChanges(t.Context(), dir, "main", ScopeBase); err != nil || len(c.List) != 3 || c.List[1].Status != 'A' {
		t.Fatalf("%+v, %v", c, err)
	}
	_, err = ListChanges(t.Context(), dir, "nothing", ScopeBase)
	wantCode(t, err, workspace.CodeMissingRef)
	_, err = ListChanges(t.Context(), tempDir(t), "", ScopeAuto)
	wantCode(t, err, workspace.CodeNotRepository)
}

func TestChangesOfAConflictAreOneEach(t *testing.T) {
	repo, dir := pushedTask(t)
	commit(t, repo, "feature.txt", "other\n")
	if out, err := tryGit(dir, "merge", "main"); err == nil {
		t.Fatalf("no conflict: %s", out)
	}
	c, err := ListChanges(t.Context(), dir, "main", ScopeHead)
	if err != nil || len(c.List) != 1 || c.List[0].Status != 'U' {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestChangesAndDiffsBeforeTheFirstCommit(t *testing.T) {
	dir := tempDir(t)
	sh(t, dir, "init", "-q")
	write(t, dir, "staged", "one\n")
	sh(t, dir, "add", "staged")
	write(t, dir, "new", "two\n")
	c, err := ListChanges(t.Context(), dir, "", ScopeAuto)
	if err != nil || len(c.List) != 2 {
		t.Fatalf("%+v, %v", c, err)
	}
	for _, change := range c.List {
		if diff, _, err := Diff(t.Context(), c, change); err != nil || !bytes.Contains(diff, []byte("\n+")) {
			t.Errorf("%s: %q, %v", change.Path, diff, err)
		}
	}
}

func TestADiffIsOfOneFileWhateverItsName(t *testing.T) {
	_, dir := pushedTask(t)
	for i, name := range nastyNames {
		if i%2 == 0 {
			write(t, dir, name, "old\n")
			sh(t, dir, "--literal-pathspecs", "add", "--", name)
		}
	}
	sh(t, dir, "commit", "-q", "-m", "nasty names")
	for _, name := range nastyNames {
		write(t, dir, name, "new of "+quote(name)+"\n")
	}
	c, err := ListChanges(t.Context(), dir, "main", ScopeHead)
	if err != nil || len(c.List) != len(nastyNames) {
		t.Fatalf("%d changes, %v", len(c.List), err)
	}
	for _, change := range c.List {
		diff, cut, err := Diff(t.Context(), c, change)
		if err != nil || cut || strings.Count(string(diff), "\n+new of ") != 1 || !strings.Contains(string(diff), "\n+new of "+quote(change.Path)) {
			t.Errorf("%q: %q, %v", change.Path, diff, err)
		}
	}
	write(t, dir, "feature.txt", strings.Repeat("long\n", maxDiff/4))
	diff, cut, err := Diff(t.Context(), c, Change{Path: "feature.txt", Status: 'M'})
	if err != nil || !cut || len(diff) != maxDiff {
		t.Errorf("%d bytes, cut %v, %v", len(diff), cut, err)
	}
}
