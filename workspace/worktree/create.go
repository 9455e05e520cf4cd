package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"moorage/workspace"
)

// Plan is a worktree to be made.
type Plan struct {
	Dir    string // absolute; nothing may lie there
	Branch string
	// Existing takes a branch that is there, or one of a remote that gets a local branch which tracks it. Otherwise the branch is new.
	Existing bool
	// Base is the ref that a new branch begins at, best in full; "" is the default branch. An empty repository has
	// none: the branch begins without a commit.
	Base string
}

// Create makes a worktree and, unless the plan says otherwise, its branch. progress, which may be nil, gets git's own lines from another
// goroutine. When it fails, what it made is gone again: the directory, the entry in git's list and the new branch; what was there before is
// untouched. A branch or a directory that somebody else made meanwhile is CodeConflict.
func (r Repo) Create(ctx context.Context, plan Plan, progress func(string)) error {
	if err := r.create(ctx, plan, progress); err != nil {
		return fmt.Errorf("create worktree %s: %w", Display(plan.Branch), err)
	}
	return nil
}

func (r Repo) create(ctx context.Context, plan Plan, progress func(string)) error {
	if err := r.checkBranch(ctx, plan.Branch); err != nil {
		return err
	}
	var undo undoing
	err := r.make(ctx, plan, progress, &undo)
	if err == nil {
		return nil
	}
	clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanLimit)
	defer cancel()
	if left := undo.run(clean); left != nil {
		return fmt.Errorf("%w (and not all of it is gone again: %w)", err, left)
	}
	return err
}

// undoing takes back steps, the last one first.
type undoing struct{ steps []func(context.Context) error }

func (u *undoing) add(step func(context.Context) error) { u.steps = append(u.steps, step) }

func (u *undoing) run(ctx context.Context) error {
	var errs []error
	for i := len(u.steps) - 1; i >= 0; i-- {
		errs = append(errs, u.steps[i](ctx))
	}
	return errors.Join(errs...)
}

func (r Repo) make(ctx context.Context, plan Plan, progress func(string), undo *undoing) error {
	branch, err := r.branchFor(ctx, plan, undo)
	if err != nil {
		return err
	}
	if err := claim(plan.Dir, undo); err != nil {
		return err
	}
	g := r.writing()
	g.progress = progress
	undo.add(func(ctx context.Context) error {
		_, err := r.writing().run(ctx, "worktree", "remove", "--force", "--force", "--", plan.Dir)
		if err != nil && said(err, "is not a working tree") {
			return nil // git had not come so far, or has taken it back itself
		}
		return err
	})
	if branch == "" {
		return r.addUnborn(ctx, g, plan)
	}
	_, err = g.run(ctx, "worktree", "add", "--", plan.Dir, branch)
	return err
}

// branchFor makes the branch of a plan or finds it. It is "" where there is no commit to begin at.
func (r Repo) branchFor(ctx context.Context, plan Plan, undo *undoing) (string, error) {
	ref := "refs/heads/" + plan.Branch
	there, err := r.has(ctx, ref)
	if err != nil {
		return "", err
	}
	if plan.Existing && there {
		return plan.Branch, r.free(ctx, plan.Branch)
	}
	if there {
		return "", workspace.Fail(workspace.CodeConflict, "give it another name, or adopt the branch that there is", "the branch is there already")
	}
	start, track := plan.Base, "--no-track"
	if plan.Existing {
		if start, err = r.remoteOf(ctx, plan.Branch); err != nil {
			return "", err
		}
		track = "--track"
	}
	if r.Empty && !plan.Existing {
		return "", r.free(ctx, plan.Branch)
	}
	if start == "" {
		if start, err = r.defaultRef(ctx); err != nil {
			return "", err
		}
	}
	id, err := r.git().commit(ctx, start)
	if err != nil {
		return "", err
	}
	if track == "--no-track" {
		start = id
	}
	// The branch is made apart from the worktree, so that it is certain whose it is.
	if _, err := r.writing().run(ctx, "branch", track, "--", plan.Branch, start); err != nil {
		if said(err, "already exists") {
			return "", workspace.Fail(workspace.CodeConflict, "give it another name", "the branch is there already")
		}
		return "", err
	}
	undo.add(func(ctx context.Context) error {
		// Only as long as it points where we put it. -D would also ask whether a worktree has it; that one is gone by now.
		_, err := r.writing().run(ctx, "update-ref", "-d", ref, id)
		if err == nil && track == "--track" {
			_, err = r.writing().run(ctx, "config", "--remove-section", "branch."+plan.Branch)
		}
		return err
	})
	return plan.Branch, nil
}

// free fails when a branch is checked out somewhere.
func (r Repo) free(ctx context.Context, branch string) error {
	list, err := r.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, w := range list {
		if w.Branch == branch && !w.Bare {
			return workspace.Fail(workspace.CodeConflict, "adopt that worktree, or take another branch", "the branch is checked out in %s", Display(w.Dir))
		}
	}
	return nil
}

// remoteOf returns the branch of a remote that goes by this name. There must be exactly one.
func (r Repo) remoteOf(ctx context.Context, branch string) (string, error) {
	out, err := r.git().text(ctx, "for-each-ref", "--format=%(refname)", "refs/remotes/*/"+branch)
	if err != nil {
		return "", err
	}
	refs := strings.Fields(out)
	switch len(refs) {
	case 1:
		return refs[0], nil
	case 0:
		return "", workspace.Fail(workspace.CodeMissingRef, "`git fetch` may bring it; `git branch -a` lists what there is", "there is no branch %s, here or on a remote", Display(branch))
	}
	return "", workspace.Fail(workspace.CodeInvalid, "make the branch by hand from the one that is meant", "%d remotes have a branch %s", len(refs), Display(branch))
}

// defaultRef is the default branch as a full ref: the local one, else origin's.
func (r Repo) defaultRef(ctx context.Context) (string, error) {
	for _, ref := range []string{"refs/heads/" + r.Default, "refs/remotes/origin/" + r.Default} {
		if has, err := r.has(ctx, ref); err != nil || has {
			return ref, err
		}
	}
	return "", workspace.Fail(workspace.CodeMissingRef, "choose a base", "the default branch %q has no commit", r.Default)
}

// addUnborn makes a worktree on a branch without a commit. git can do it from 2.42 on; before, the worktree begins at a
// commit that nobody keeps and forgets it.
func (r Repo) addUnborn(ctx context.Context, g git, plan Plan) error {
	_, err := g.run(ctx, "worktree", "add", "--orphan", "-b", plan.Branch, "--", plan.Dir)
	if !oldGit(err) {
		return err
	}
	tree, err := g.reading("").text(ctx, "hash-object", "-t", "tree", "-w", "--stdin")
	if err != nil {
		return err
	}
	start, err := g.with(ownIdentity...).text(ctx, "commit-tree", "-m", "nothing", tree)
	if err != nil {
		return err
	}
	if _, err := g.run(ctx, "worktree", "add", "--detach", "--no-checkout", "--", plan.Dir, start); err != nil {
		return err
	}
	_, err = git{dir: plan.Dir}.run(ctx, "symbolic-ref", "HEAD", "refs/heads/"+plan.Branch)
	return err
}

// claim makes a directory that nobody has, with the ones above it.
func claim(dir string, undo *undoing) error {
	var made []string
	for above := filepath.Dir(dir); ; above = filepath.Dir(above) {
		if there, err := exists(above); err != nil || there == Yes || above == filepath.Dir(above) {
			break
		}
		made = append(made, above)
	}
	err := os.MkdirAll(filepath.Dir(dir), 0o755)
	undo.add(func(context.Context) error {
		for _, above := range made {
			_ = os.Remove(above) // fails where somebody has put something in meanwhile, and then it stays
		}
		return nil
	})
	if err != nil {
		return unmakeable(dir, err)
	}
	if err := os.Mkdir(dir, 0o755); errors.Is(err, os.ErrExist) {
		return workspace.Fail(workspace.CodeConflict, "take another directory", "%s is there already", Display(dir))
	} else if err != nil {
		return unmakeable(dir, err)
	}
	undo.add(func(context.Context) error { return os.RemoveAll(dir) })
	return nil
}

// unmakeable says why a directory cannot be made, by what there is of the path to it.
func unmakeable(dir string, err error) error {
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		err = cause.Err
	}
	above := filepath.Dir(dir)
	for above != filepath.Dir(above) {
		if there, _ := exists(above); there == Yes {
			break
		}
		above = filepath.Dir(above)
	}
	return workspace.Fail(workspace.CodeRefused, "see to it that folders can be made in "+Display(above)+", or take another directory",
		"%s cannot be made in %s: %v", Display(dir), Display(above), err)
}
