package worktree

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"moorage/workspace"
)

// Scope says what files are compared with.
type Scope string

// The scopes.
const (
	ScopeAuto Scope = ""     // the head if anything differs from it, else the base
	ScopeHead Scope = "head" // the last commit
	ScopeBase Scope = "base" // where the branch left its base
)

// Changes are the differences of a worktree's files to a commit.
type Changes struct {
	Scope  Scope  // head or base
	Name   string // of what was compared with, for a header: "HEAD" or the base
	Commit string // "" before the first commit
	Root   string // the worktree's top, which the paths begin at
	List   []Change
}

// Change is one file that differs.
type Change struct {
	Path   string // as bytes, relative to the worktree's top
	From   string // its name before, when it was moved or copied
	Status byte   // as git says it: A added, M modified, D deleted, R moved, C copied, T another type, U unmerged, ? untracked
	Lines  Lines  // not Known for binary and untracked files
}

// ListChanges compares the files of the worktree that dir is in. base may be "": then only the head can be compared with.
func ListChanges(ctx context.Context, dir, base string, scope Scope) (Changes, error) {
	c, err := listChanges(ctx, dir, base, scope)
	if err != nil {
		return Changes{}, fmt.Errorf("list changes of %s: %w", Display(dir), err)
	}
	return c, nil
}

func listChanges(ctx context.Context, dir, base string, scope Scope) (Changes, error) {
	if !slices.Contains([]Scope{ScopeAuto, ScopeHead, ScopeBase}, scope) {
		return Changes{}, workspace.Fail(workspace.CodeInvalid, "say head or base", "nothing is compared with %q", scope)
	}
	g, err := top(ctx, dir)
	if err != nil {
		return Changes{}, err
	}
	if scope != ScopeBase {
		c := Changes{Scope: ScopeHead, Name: "HEAD", Root: g.dir}
		if c.Commit, err = g.commit(ctx, "HEAD"); err != nil && workspace.CodeOf(err) != workspace.CodeMissingRef {
			return c, err
		}
		if err = c.fill(ctx, g); err != nil || len(c.List) > 0 || scope == ScopeHead || base == "" {
			return c, err
		}
	}
	c := Changes{Scope: ScopeBase, Name: base, Root: g.dir}
	if c.Commit, err = forkPoint(ctx, g, base); err != nil {
		return c, err
	}
	return c, c.fill(ctx, g)
}

// top is a git that looks from the top of dir's worktree.
func top(ctx context.Context, dir string) (git, error) {
	path, err := looking(dir).path(ctx, "--show-toplevel")
	return looking(path), err
}

// forkPoint is the commit at which the head's branch left base; base itself when they have nothing in common.
func forkPoint(ctx context.Context, g git, base string) (string, error) {
	id, err := g.commit(ctx, base)
	if err != nil {
		return "", err
	}
	fork, err := g.text(ctx, "merge-base", id, "HEAD")
	if exitOf(err) == 1 || said(err, "Not a valid object name HEAD") {
		return id, nil
	}
	return fork, err
}

// fill lists what differs from the commit, with the counts of lines, and what is untracked.
func (c *Changes) fill(ctx context.Context, g git) error {
	against := c.Commit
	if against == "" {
		var err error
		if against, err = g.reading("").text(ctx, "hash-object", "-t", "tree", "--stdin"); err != nil {
			return err
		}
		// The empty tree need not be stored; git knows it.
	}
	out, err := g.run(ctx, "diff", "--name-status", "-z", "-M", "--no-ext-diff", "--ignore-submodules=dirty", against, "--")
	if err != nil {
		return err
	}
	list := records(out)
	for i := 0; i+1 < len(list); i += 2 {
		change := Change{Status: list[i][0], Path: list[i+1]}
		if (change.Status == 'R' || change.Status == 'C') && i+2 < len(list) {
			change.From, change.Path = list[i+1], list[i+2]
			i++
		}
		if n := len(c.List); n > 0 && c.List[n-1].Path == change.Path {
			continue // an unmerged file may come twice
		}
		c.List = append(c.List, change)
	}
	if err := c.count(ctx, g, against); err != nil {
		return err
	}
	// "? path" for what is untracked, and "M mode id stage<tab>path" for each side of a conflict.
	out, err = g.run(ctx, "ls-files", "-t", "-z", "--others", "--unmerged", "--exclude-standard")
	if err != nil {
		return err
	}
	unmerged := map[string]bool{}
	for _, line := range records(out) {
		if path, ok := strings.CutPrefix(line, "? "); ok {
			c.List = append(c.List, Change{Status: '?', Path: path})
		} else if _, path, ok := strings.Cut(line, "\t"); ok {
			unmerged[path] = true
		}
	}
	for i := range c.List {
		if unmerged[c.List[i].Path] {
			c.List[i].Status = 'U'
		}
	}
	return nil
}

// count adds the lines. `git diff --numstat -z` writes a moved file as an empty name, the old one and the new one.
func (c *Changes) count(ctx context.Context, g git, against string) error {
	out, err := g.run(ctx, "diff", "--numstat", "-z", "-M", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", against, "--")
	if err != nil {
		return err
	}
	lines := map[string]Lines{}
	list := records(out)
	for i := 0; i < len(list); i++ {
		one := list[i]
		if strings.HasSuffix(one, "\t") && i+2 < len(list) {
			one, i = one+list[i+2], i+2
		}
		for path, n := range parseNumstat([]byte(one)) {
			lines[path] = n
		}
	}
	for i := range c.List {
		c.List[i].Lines = lines[c.List[i].Path]
	}
	return nil
}
