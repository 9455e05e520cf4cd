package worktree

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"moorage/workspace"
)

// Repo is one repository with all its worktrees.
type Repo struct {
	Common  string // the directory of refs and objects, absolute and without links: what makes two checkouts one repository
	Top     string // the worktree that Open was asked about, "" in a bare repository
	Main    string // the main worktree, "" when the repository is bare
	Default string // the branch that work begins at; it may not exist yet
	Empty   bool   // there is no branch with a commit
}

// Open finds the repository of a directory. It fails with CodeNotRepository when git looked and found none, with CodeDirGone without
// a directory, and with CodeGitAbsent or CodeGitFailed when it could not look.
func Open(ctx context.Context, dir string) (Repo, error) {
	r, err := open(ctx, dir)
	if err != nil {
		return Repo{}, fmt.Errorf("open repository %s: %w", Display(dir), err)
	}
	return r, nil
}

func open(ctx context.Context, dir string) (Repo, error) {
	g := looking(dir)
	dirs, err := g.paths(ctx, "--git-common-dir", "--absolute-git-dir")
	if err != nil {
		return Repo{}, err
	}
	common, own := dirs[0], dirs[1]
	r := Repo{Common: common}
	inside, err := g.text(ctx, "rev-parse", "--is-inside-work-tree")
	if err != nil {
		return Repo{}, err
	}
	if inside == "true" {
		if r.Top, err = g.path(ctx, "--show-toplevel"); err != nil {
			return Repo{}, err
		}
	}
	if own == common {
		r.Main = r.Top
	}
	if r.Main == "" {
		if r.Main, err = mainOf(ctx, common); err != nil {
			return Repo{}, err
		}
	}
	if r.Default, err = r.defaultBranch(ctx); err != nil {
		return Repo{}, err
	}
	refs, err := r.git().text(ctx, "for-each-ref", "--count=1", "--format=x", "refs/heads", "refs/remotes")
	r.Empty = refs == ""
	return r, err
}

// Places returns where the files of dir's worktree begin, and where git keeps its index and head: beside the files, or, of a linked worktree,
// in the repository that it belongs to.
func Places(ctx context.Context, dir string) (top, gitDir string, err error) {
	paths, err := looking(dir).paths(ctx, "--show-toplevel", "--absolute-git-dir")
	if err != nil {
		return "", "", fmt.Errorf("find the worktree of %s: %w", Display(dir), err)
	}
	return paths[0], paths[1], nil
}

// path asks rev-parse for one path and returns it absolute and without links.
func (g git) path(ctx context.Context, which string) (string, error) {
	path, err := g.text(ctx, "rev-parse", which)
	if err != nil {
		return "", err
	}
	return g.absolute(path)
}

// paths asks for several at once.
func (g git) paths(ctx context.Context, which ...string) ([]string, error) {
	out, err := g.text(ctx, append([]string{"rev-parse"}, which...)...)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(out, "\n")
	sure := len(lines) == len(which) // else one of them has a newline in it
	paths := make([]string, len(which))
	for i := range which {
		if sure {
			paths[i], err = g.absolute(lines[i])
		} else {
			paths[i], err = g.path(ctx, which[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return paths, nil
}

func (g git) absolute(path string) (string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(g.dir, path)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// mainOf returns the main worktree of a common directory, "" when it is bare.
func mainOf(ctx context.Context, common string) (string, error) {
	bare, err := looking(common).text(ctx, "config", "--type=bool", "--get", "core.bare")
	if err != nil && exitOf(err) != 1 {
		return "", err
	}
	if bare == "true" {
		return "", nil
	}
	if filepath.Base(common) == ".git" {
		return filepath.Dir(common), nil
	}
	// The repository of a submodule, or one with its directory elsewhere: it knows its worktree.
	top, err := looking(common).text(ctx, "config", "--get", "core.worktree")
	if exitOf(err) == 1 {
		return "", nil
	}
	if err == nil && !filepath.IsAbs(top) {
		top = filepath.Join(common, top)
	}
	return top, err
}

// git is a git that looks at the repository as a whole, whatever becomes of its worktrees.
func (r Repo) git() git { return looking(r.Common) }

// writing is a git that changes the repository as a whole.
func (r Repo) writing() git { return git{dir: r.Common} }

// Title is what the repository is called: its directory without what git adds to it.
func (r Repo) Title() string {
	path := r.Main
	if path == "" {
		path = r.Common
	}
	for {
		name := strings.TrimSuffix(filepath.Base(path), ".git")
		if name != "" && !strings.HasPrefix(name, ".") || path == filepath.Dir(path) {
			return name
		}
		path = filepath.Dir(path)
	}
}

// defaultBranch is the remote's, else the configured one, else the only one of the usual names, else what is checked out in the
// main worktree. A bare repository's HEAD is nobody's state, so it comes right after the remote's.
func (r Repo) defaultBranch(ctx context.Context) (string, error) {
	remote, err := r.git().text(ctx, "symbolic-ref", "-q", "refs/remotes/origin/HEAD")
	if err == nil {
		if has, err := r.has(ctx, remote); err != nil || has {
			return strings.TrimPrefix(remote, "refs/remotes/origin/"), err
		}
	} else if exitOf(err) != 1 {
		return "", err
	}
	head, err := r.git().text(ctx, "symbolic-ref", "-q", "HEAD")
	if err != nil && exitOf(err) != 1 {
		return "", err
	}
	head = strings.TrimPrefix(head, "refs/heads/")
	if r.Main == "" && head != "" {
		return head, nil
	}
	set, err := r.git().text(ctx, "config", "--get", "init.defaultBranch")
	if err != nil && exitOf(err) != 1 {
		return "", err
	}
	if set != "" {
		if has, err := r.has(ctx, "refs/heads/"+set); err != nil || has {
			return set, err
		}
	}
	var usual []string
	for _, name := range []string{"main", "master", "trunk"} {
		has, err := r.has(ctx, "refs/heads/"+name)
		if err != nil {
			return "", err
		}
		if has {
			usual = append(usual, name)
		}
	}
	if len(usual) == 1 {
		return usual[0], nil
	}
	return head, nil
}

// has reports whether a ref is there and resolves.
func (r Repo) has(ctx context.Context, ref string) (bool, error) {
	found, err := r.git().ask(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{object}")
	return found == Yes, err
}

// commit resolves a ref, a short name or an id to a commit. It fails with CodeMissingRef when there is none.
func (g git) commit(ctx context.Context, ref string) (string, error) {
	id, err := g.text(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if exitOf(err) == 1 || exitOf(err) == 128 && said(err, "Needed a single revision") || err == nil && id == "" {
		return "", workspace.Fail(workspace.CodeMissingRef, "choose another base; `git branch -a` lists what there is", "no commit is called %s", Display(ref))
	}
	return id, err
}
