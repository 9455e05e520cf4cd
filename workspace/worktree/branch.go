package worktree

import (
	"context"
	"fmt"

	"moorage/workspace"
)

// DeleteBranch deletes a local branch and returns the commit that it was at, by which it can be made again. Without force its
// commits must be on a remote or, in substance, in base; a base of "" is the default branch. A branch that a worktree has is not deleted.
func (r Repo) DeleteBranch(ctx context.Context, branch, base string, force bool) (string, error) {
	id, err := r.deleteBranch(ctx, branch, base, force)
	if err != nil {
		return "", fmt.Errorf("delete branch %s: %w", Display(branch), err)
	}
	return id, nil
}

func (r Repo) deleteBranch(ctx context.Context, branch, base string, force bool) (string, error) {
	if err := r.checkBranch(ctx, branch); err != nil {
		return "", err
	}
	id, err := r.git().commit(ctx, "refs/heads/"+branch)
	if err != nil {
		return "", err
	}
	list, err := r.Worktrees(ctx)
	if err != nil {
		return "", err
	}
	for _, w := range list {
		if w.Branch == branch {
			return "", workspace.Fail(workspace.CodeRefused, "remove that worktree or check out another branch first", "it is checked out in %s", Display(w.Dir))
		}
	}
	if !force {
		if err := r.merged(ctx, branch, id, base); err != nil {
			return "", err
		}
	}
	_, err = r.writing().run(ctx, "branch", "-D", "--", branch)
	if err != nil {
		return "", err
	}
	return id, nil
}

// merged fails with CodeUnpushed unless the commits of a branch are somewhere else.
func (r Repo) merged(ctx context.Context, branch, id, base string) error {
	if base == "" {
		var err error
		if base, err = r.defaultRef(ctx); err != nil {
			return err
		}
	}
	if base == branch || base == "refs/heads/"+branch {
		return workspace.Fail(workspace.CodeSameBranch, "name another base, or force it", "it would be compared with itself")
	}
	at, err := r.git().commit(ctx, base)
	if err != nil {
		return err
	}
	only, err := r.git().text(ctx, "rev-list", "--max-count=1", id, "--not", "--remotes", at, "--")
	if err != nil || only == "" {
		return err
	}
	in, err := r.git().contains(ctx, r.Common, at, id)
	if err != nil || in == Yes {
		return err
	}
	return workspace.Fail(workspace.CodeUnpushed, "push or land it, or force it", "it has commits that are neither on a remote nor in %s", Display(base))
}
