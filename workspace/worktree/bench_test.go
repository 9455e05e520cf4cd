//go:build unix

package worktree

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// manyFiles is a task's worktree with 10 000 tracked files, 100 changed and 100 untracked ones.
func manyFiles(b *testing.B) string {
	b.Helper()
	repo := plainRepo(b)
	name := func(i int) string { return fmt.Sprintf("dir%02d/sub%d/file%04d.go", i%50, i%7, i) }
	for i := range 10_000 {
		path := filepath.Join(repo, name(i))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, fmt.Appendf(nil, "file %d\n", i), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	sh(b, repo, "add", "-A")
	sh(b, repo, "commit", "-q", "-m", "many files")
	dir := task(b, mustOpen(b, repo), "task")
	commit(b, dir, "feature.txt", "x\n")
	for i := range 100 {
		write(b, dir, name(i*97), "changed\n")
		write(b, dir, fmt.Sprintf("new/%d", i), "x\n")
	}
	return dir
}

func BenchmarkLookAt10000Files(b *testing.B) {
	dir := manyFiles(b)
	for b.Loop() {
		if s := Look(b.Context(), dir, "main"); len(s.Problems) > 0 || s.Unstaged.Count != 100 {
			b.Fatalf("%+v", s)
		}
	}
}

func BenchmarkListOf10000Files(b *testing.B) {
	dir := manyFiles(b)
	for b.Loop() {
		if list, err := Files(b.Context(), dir, 0); err != nil || len(list.Files) != 10_102 {
			b.Fatal(len(list.Files), err)
		}
	}
}

func BenchmarkChangesOf10000Files(b *testing.B) {
	dir := manyFiles(b)
	for b.Loop() {
		if c, err := ListChanges(b.Context(), dir, "main", ScopeAuto); err != nil || len(c.List) != 200 {
			b.Fatal(len(c.List), err)
		}
	}
}
