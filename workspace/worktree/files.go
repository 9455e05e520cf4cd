package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moorage/workspace"
)

// Listing is what the files of a directory are.
type Listing struct {
	Files []string // as bytes, relative to the directory, in a tree's order: directories before files, each by name
	Cut   bool     // there are more
}

// Files lists the files below dir that git tracks or does not ignore, at most limit of them (0 is 50 000). A repository
// inside is one path; an untracked one ends in a slash. Without a repository all files are listed, links not followed.
func Files(ctx context.Context, dir string, limit int) (Listing, error) {
	if limit <= 0 {
		limit = 50_000
	}
	list, err := listGit(ctx, dir, limit)
	if code := workspace.CodeOf(err); code == workspace.CodeNotRepository || code == workspace.CodeGitAbsent {
		list, err = walk(ctx, dir, limit)
	}
	if err != nil {
		return Listing{}, fmt.Errorf("list files of %s: %w", Display(dir), err)
	}
	slices.SortFunc(list.Files, treeOrder)
	return list, nil
}

// errEnough ends a git that has more than is wanted.
var errEnough = errors.New("enough")

// listGit asks for tracked, removed and untracked files at once. Each line begins with a tag; a removed file comes as tracked, too.
func listGit(ctx context.Context, dir string, limit int) (Listing, error) {
	own, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := &taggedFiles{limit: limit, enough: func() { cancel(errEnough) }, seen: map[string]bool{}, removed: map[string]bool{}}
	err := looking(dir).stream(own, out, "ls-files", "-t", "-z", "--cached", "--deleted", "--others", "--exclude-standard")
	if err != nil && (ctx.Err() != nil || !errors.Is(err, errEnough)) {
		return Listing{}, err
	}
	list := Listing{Cut: out.cut, Files: make([]string, 0, len(out.files))}
	for _, path := range out.files {
		if !out.removed[path] {
			list.Files = append(list.Files, path)
		}
	}
	return list, nil
}

// taggedFiles reads what `git ls-files -t -z` writes.
type taggedFiles struct {
	limit   int
	enough  func()
	rest    []byte
	files   []string
	seen    map[string]bool
	removed map[string]bool
	cut     bool
}

func (t *taggedFiles) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	for !t.cut {
		at := bytes.IndexByte(t.rest, 0)
		if at < 0 {
			return len(p), nil
		}
		line := string(t.rest[:at])
		t.rest = t.rest[at+1:]
		tag, path, _ := strings.Cut(line, " ")
		if tag == "R" {
			t.removed[path] = true
		}
		if t.seen[path] { // a conflicted file comes once for each side
			continue
		}
		t.seen[path] = true
		if t.files = append(t.files, path); len(t.files) > t.limit {
			t.files, t.cut = t.files[:t.limit], true
			t.enough()
		}
	}
	return len(p), nil
}

// walk lists files without git.
func walk(ctx context.Context, dir string, limit int) (Listing, error) {
	var list Listing
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && path == dir:
			return err
		case err != nil:
			return nil // a directory that may not be read is left out
		case entry.IsDir():
			return nil
		case len(list.Files) == limit:
			list.Cut = true
			return filepath.SkipAll
		}
		name, err := filepath.Rel(dir, path)
		list.Files = append(list.Files, filepath.ToSlash(name))
		return err
	})
	if errors.Is(err, os.ErrNotExist) {
		err = workspace.Fail(workspace.CodeDirGone, "make the directory again, or remove what points to it", "%v", err)
	}
	return list, err
}

// treeOrder compares paths as a tree lists them.
func treeOrder(a, b string) int {
	from := 0 // where the first different name begins
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		if a[at] == '/' {
			from = at + 1
		}
		at++
	}
	nameA, dirA := firstName(a[from:])
	nameB, dirB := firstName(b[from:])
	if dirA != dirB {
		if dirA {
			return -1
		}
		return 1
	}
	return strings.Compare(nameA, nameB)
}

func firstName(path string) (name string, dir bool) {
	name, _, dir = strings.Cut(path, "/")
	return name, dir
}
