package worktree

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"moorage/workspace"
)

// Worktree is one entry of a repository's list.
type Worktree struct {
	Dir      string // absolute
	Branch   string // short; "" when the head is detached or the entry bare
	Head     string // the commit; "" on a branch without one
	Main     bool   // the first one, which cannot be removed
	Bare     bool
	Detached bool
	Locked   bool
	Reason   string // why it is locked, in the user's words
	Prunable string // why git would forget it
}

// Worktrees lists the worktrees, the main one or the bare repository first.
func (r Repo) Worktrees(ctx context.Context) ([]Worktree, error) {
	out, err := r.git().run(ctx, "worktree", "list", "--porcelain", "-z")
	end := "\x00"
	if oldGit(err) {
		out, err = r.git().run(ctx, "worktree", "list", "--porcelain")
		end = "\n"
	}
	if err != nil {
		return nil, fmt.Errorf("list worktrees of %s: %w", Display(r.Common), err)
	}
	list := parseWorktrees(string(out), end)
	if len(list) > 0 {
		list[0].Main = true
		if r.Main != "" {
			list[0].Dir = r.Main // git shows the repository's own directory for a submodule
		}
	}
	return list, nil
}

// parseWorktrees reads the porcelain format of `git worktree list` (its manual, "PORCELAIN FORMAT").
func parseWorktrees(out, end string) []Worktree {
	var list []Worktree
	for line := range strings.SplitSeq(out, end) {
		name, value, _ := strings.Cut(line, " ")
		if name == "worktree" {
			list = append(list, Worktree{Dir: filepath.Clean(value)})
		}
		if len(list) == 0 {
			continue
		}
		w := &list[len(list)-1]
		switch name {
		case "HEAD":
			if strings.Trim(value, "0") != "" {
				w.Head = value
			}
		case "branch":
			w.Branch = strings.TrimPrefix(value, "refs/heads/")
		case "bare":
			w.Bare = true
		case "detached":
			w.Detached = true
		case "locked":
			w.Locked, w.Reason = true, value
		case "prunable":
			w.Prunable = value
		}
	}
	return list
}

// worktree finds the entry of a directory, which may be gone.
func (r Repo) worktree(ctx context.Context, dir string) (Worktree, error) {
	list, err := r.Worktrees(ctx)
	if err != nil {
		return Worktree{}, err
	}
	want := resolve(dir)
	for _, w := range list {
		if resolve(w.Dir) == want {
			return w, nil
		}
	}
	return Worktree{}, workspace.Fail(workspace.CodeNotFound, "`git worktree list` shows those that there are", "%s is no worktree of %s", Display(dir), Display(r.Common))
}

// resolve makes paths comparable, also of what is gone: links are followed as far as the path exists.
func resolve(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolve(parent), filepath.Base(path))
}
