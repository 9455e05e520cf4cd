package worktree

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"moorage/workspace"
)

// Left is the work that git still has of a worktree whose directory is gone, and that nothing else keeps.
type Left struct {
	Staged   Paths
	Commits  int    // on no branch, tag or remote
	Underway string // "merge", "rebase" or the like, that was not finished: it may have set work aside
}

// Refusal says why the entry of the worktree must not go without force, nil if it may. Its code is CodeUncommitted.
func (l Left) Refusal() error {
	var what []string
	if l.Staged.Any == Yes {
		what = append(what, "staged: "+some(l.Staged))
	}
	if l.Commits > 0 {
		what = append(what, workspace.Plural(l.Commits, "commit"))
	}
	if l.Underway != "" {
		what = append(what, "a "+l.Underway+" that is not finished")
	}
	if len(what) == 0 {
		return nil
	}
	return workspace.Fail(workspace.CodeUncommitted, "bring the directory back, or force it; then it is kept under "+salvageRefs,
		"its directory is gone, but git still has work of it that is on no branch: %s", strings.Join(what, "; "))
}

// Left looks what git still has of the worktree that was at dir. Of one that is not in its list, that is nothing. An error is why the entry must
// not go even by force: CodeLocked, CodeBusy, CodeCouldNotLook, or git's own.
func (r Repo) Left(ctx context.Context, dir string) (Left, error) {
	w, err := r.worktree(ctx, dir)
	switch {
	case workspace.CodeOf(err) == workspace.CodeNotFound:
		return Left{}, nil
	case err != nil:
		return Left{}, err
	case w.Locked:
		return Left{}, w.lockedRefusal()
	}
	admin, err := r.entryOf(w.Dir)
	if err != nil {
		return Left{}, err
	}
	return r.left(ctx, w, admin)
}

func (r Repo) left(ctx context.Context, w Worktree, admin string) (left Left, err error) {
	busy, err := exists(filepath.Join(admin, "index.lock"))
	if err != nil {
		return left, workspace.Fail(workspace.CodeCouldNotLook, "see to it that the repository can be read", "%v", err)
	}
	if busy == Yes {
		return left, (&State{IndexLock: Yes}).Refusal(false)
	}
	if left.Underway, _, err = doing(admin); err != nil {
		return left, workspace.Fail(workspace.CodeCouldNotLook, "see to it that the repository can be read", "%v", err)
	}
	if err := submodulesSafe(ctx, filepath.Join(admin, "modules")); err != nil {
		return left, err
	}
	args := []string{"diff-index", "--cached", "--name-only", "-z", "--ignore-submodules=none", w.Head, "--"}
	if w.Head == "" {
		args = []string{"ls-files", "--cached", "-z"}
	}
	staged, err := r.git().with("GIT_DIR="+admin).run(ctx, args...)
	if err != nil {
		return left, err
	}
	left.Staged.Any = No
	for _, path := range slices.Compact(records(staged)) {
		left.Staged.add(path)
	}
	if w.Detached && w.Head != "" {
		count, err := r.git().text(ctx, "rev-list", "--count", w.Head, "--not", "--glob=*", "--")
		if err != nil {
			return left, err
		}
		left.Commits, err = strconv.Atoi(count)
		return left, err
	}
	return left, nil
}

// submodulesSafe fails when the repositories of submodules below dir have what is nowhere else: no salvage keeps that.
func submodulesSafe(ctx context.Context, dir string) error {
	var inside Paths
	work, err := storedWork(ctx, dir, inside.add)
	switch work {
	case Yes:
		return workspace.Fail(workspace.CodeUncommitted, "push it from there, or bring the directory back",
			"its directory is gone, but %s still has commits that are nowhere else: %s", Display(dir), some(inside))
	case No:
		return nil
	}
	return workspace.Fail(workspace.CodeCouldNotLook, "see to it that the repository can be read", "%v", err)
}

// removeGone removes the entry of a worktree whose directory is gone. What git still has of it is work too.
func (r Repo) removeGone(ctx context.Context, w Worktree, force bool) (Removal, error) {
	done := Removal{Gone: true}
	admin, err := r.entryOf(w.Dir)
	if err != nil {
		return done, err
	}
	left, err := r.left(ctx, w, admin)
	if err != nil {
		return done, err
	}
	refusal := left.Refusal()
	if refusal != nil && !force {
		return done, refusal
	}
	if refusal != nil {
		if done.Salvage, err = r.salvage(ctx, r.git().with("GIT_DIR="+admin), admin, salvageName(w), true); err != nil {
			return done, err
		}
	}
	return done, r.drop(ctx, w, true)
}

// entryOf finds where the repository keeps what it knows of a linked worktree (gitrepository-layout's manual, on worktrees).
func (r Repo) entryOf(dir string) (string, error) {
	all := filepath.Join(r.Common, "worktrees")
	entries, err := os.ReadDir(all)
	if err != nil {
		return "", workspace.Fail(workspace.CodeCouldNotLook, "see to it that the repository can be read", "%v", err)
	}
	for _, e := range entries {
		admin := filepath.Join(all, e.Name())
		data, err := os.ReadFile(filepath.Join(admin, "gitdir"))
		if err != nil {
			continue
		}
		link := strings.TrimSuffix(string(data), "\n")
		if !filepath.IsAbs(link) {
			link = filepath.Join(admin, link)
		}
		if resolve(filepath.Dir(link)) == resolve(dir) {
			return admin, nil
		}
	}
	return "", workspace.Fail(workspace.CodeCouldNotLook, "`git worktree prune` removes the entry", "git's entry of it was not found")
}
