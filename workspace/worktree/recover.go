package worktree

import (
	"context"
	"fmt"
	"os"

	"moorage/workspace"
)

// initializing is why git itself locks a worktree: as long as `git worktree add` is at it (builtin/worktree.c, add_worktree).
const initializing = "initializing"

// Recover goes on where a Create of the same plan was cut off by the end of its process. whole says that git has come to its end all the same,
// and the worktree is there. Otherwise what was left of it is taken away, but for the branch, and the plan is what is still to be created.
// It is for who knows that Create had begun and that no git works at it any more.
func (r Repo) Recover(ctx context.Context, plan Plan) (rest Plan, whole bool, err error) {
	if rest, whole, err = r.recover(ctx, plan); err != nil {
		err = fmt.Errorf("take away what is left of worktree %s: %w", Display(plan.Branch), err)
	}
	return rest, whole, err
}

func (r Repo) recover(ctx context.Context, plan Plan) (rest Plan, whole bool, err error) {
	w, err := r.worktree(ctx, plan.Dir)
	switch {
	case workspace.CodeOf(err) == workspace.CodeNotFound:
		_ = os.Remove(plan.Dir) // fails where there is something in it, and then nobody knows whose that is
	case err != nil:
		return plan, false, err
	case w.Locked && w.Reason == initializing:
		if err := r.dropHalf(ctx, plan.Dir); err != nil {
			return plan, false, err
		}
	case w.Branch == plan.Branch && w.Prunable == "":
		return plan, true, nil
	}
	there, err := r.has(ctx, "refs/heads/"+plan.Branch)
	plan.Existing = plan.Existing || there
	return plan, false, err
}

// dropHalf removes a worktree that was not finished, and its entry.
func (r Repo) dropHalf(ctx context.Context, dir string) error {
	if _, err := r.writing().run(ctx, "worktree", "remove", "--force", "--force", "--", dir); err == nil {
		return nil
	}
	// git had not come so far that it would know it for a worktree.
	admin, err := r.entryOf(dir)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return workspace.Fail(workspace.CodeRefused, "remove the directory by hand", "%v", err)
	}
	return os.RemoveAll(admin)
}
