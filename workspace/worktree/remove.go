package worktree

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"moorage/workspace"
)

// Removal says what a Remove did besides removing.
type Removal struct {
	Salvage string // the ref that keeps what was not committed, "" when there was nothing to keep
	Absent  bool   // neither a worktree nor a directory was there any more
	Gone    bool   // the directory was gone already, only git's entry was left
}

// Refusal says why a worktree in this state must not be removed, nil if it may. force takes the loss of ignored files and
// the keeping of uncommitted ones as agreed to.
//
// The codes: CodeLocked, CodeBusy (another git is at work, or something is written), CodeCouldNotLook, CodeUncommitted, CodeUnpushed.
func (s *State) Refusal(force bool) error {
	if s.Locked == Yes {
		why := ""
		if s.Reason != "" {
			why = ": " + s.Reason
		}
		return workspace.Fail(workspace.CodeLocked, "`git worktree unlock` it first", "it is locked%s", why)
	}
	if s.IndexLock == Yes {
		return workspace.Fail(workspace.CodeBusy, "wait for the other git to end; if none runs, remove index.lock", "another git is at work there")
	}
	must := []Answer{s.Locked, s.IndexLock, s.Dirty(), s.Untracked.Any, s.Ignored.Any, s.Nested.Any, s.Doing}
	if !force {
		must = append(must, s.Unpushed)
	}
	for _, a := range must {
		if a == Unknown {
			why, next := "git did not say", ""
			if len(s.Problems) > 0 {
				e := workspace.AsError(s.Problems[0])
				why, next = e.Message, e.Next
			}
			return workspace.Fail(workspace.CodeCouldNotLook, cmp.Or(next, "mend that, or remove the worktree by hand"), "it is not known what is in it: %s", why)
		}
	}
	if s.Nested.Any == Yes {
		return workspace.Fail(workspace.CodeUncommitted, "commit and push there, or move it away", "there is work in a repository inside of it: %s", some(s.Nested))
	}
	if force {
		return nil
	}
	var why []string
	for _, sort := range []struct {
		name  string
		paths Paths
	}{{"staged", s.Staged}, {"changed", s.Unstaged}, {"conflicted", s.Conflicted}, {"untracked", s.Untracked}, {"ignored", s.Ignored}} {
		if sort.paths.Any == Yes {
			why = append(why, sort.name+": "+some(sort.paths))
		}
	}
	if s.Doing == Yes {
		why = append(why, "a "+s.Underway+" is not finished")
	}
	if len(why) > 0 {
		return workspace.Fail(workspace.CodeUncommitted, "commit or move them, or force it; then what git does not ignore is kept under "+salvageRefs, "%s", strings.Join(why, "; "))
	}
	if s.Unpushed == Yes {
		return workspace.Fail(workspace.CodeUnpushed, "push or land the branch, or force it; the branch stays", "neither on a remote nor in %s: %s", orNothing(s.Base), workspace.Plural(s.Commits, "commit"))
	}
	return nil
}

func orNothing(base string) string {
	if base == "" {
		return "a base"
	}
	return Display(base)
}

// some names the first files of a sort.
func some(p Paths) string {
	var b strings.Builder
	for i, name := range p.Names {
		if i == 3 {
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(Display(name))
	}
	if p.Count > 3 {
		fmt.Fprintf(&b, " and %d more", p.Count-3)
	}
	return b.String()
}

// Remove removes the worktree at dir if Refusal lets it, compared with base. What force overrides is first kept as a commit under
// refs/moorage/salvage, without ignored files. Commits that no branch has are kept there too. The branch stays. Of a directory that is gone
// only its own entry is removed. On an error the worktree is there as it was, unless the error is that files were left behind.
func (r Repo) Remove(ctx context.Context, dir, base string, force bool) (Removal, error) {
	removal, err := r.remove(ctx, dir, base, force)
	if err != nil {
		return removal, fmt.Errorf("remove worktree %s: %w", Display(dir), err)
	}
	return removal, nil
}

func (r Repo) remove(ctx context.Context, dir, base string, force bool) (Removal, error) {
	var done Removal
	w, err := r.worktree(ctx, dir)
	if workspace.CodeOf(err) == workspace.CodeNotFound {
		if there, _ := exists(dir); there == No {
			return Removal{Absent: true}, nil
		}
	}
	if err != nil {
		return done, err
	}
	if w.Main {
		return done, workspace.Fail(workspace.CodeRefused, "forget the project instead", "it is the repository's main worktree")
	}
	if w.Locked {
		return done, w.lockedRefusal()
	}
	state := Look(ctx, w.Dir, base)
	if state.Gone == Yes {
		return r.removeGone(ctx, w, force)
	}
	if err := state.Refusal(force); err != nil {
		return done, err
	}
	lost, err := r.unreachable(ctx, w)
	if err != nil {
		return done, err
	}
	if lost || state.Doing == Yes || either(state.Dirty(), state.Untracked.Any) == Yes {
		gitDir, err := looking(w.Dir).path(ctx, "--absolute-git-dir")
		if err != nil {
			return done, err
		}
		if done.Salvage, err = r.salvage(ctx, looking(w.Dir), gitDir, salvageName(w), false); err != nil {
			return done, err
		}
	}
	return done, r.drop(ctx, w, force)
}

// lockedRefusal is why a locked worktree is not removed.
func (w Worktree) lockedRefusal() error {
	return (&State{Locked: Yes, Reason: workspace.Clean(w.Reason, workspace.MaxTitle)}).Refusal(false)
}

// drop lets git remove the worktree. Without force git looks once more by itself.
func (r Repo) drop(ctx context.Context, w Worktree, force bool) error {
	args := []string{"worktree", "remove"}
	if force {
		args = append(args, "--force")
	}
	_, err := r.writing().run(ctx, append(args, "--", w.Dir)...)
	if !force && said(err, "containing submodules") {
		// git does not look into submodules; Look has.
		_, err = r.writing().run(ctx, "worktree", "remove", "--force", "--", w.Dir)
	}
	if err != nil {
		return err
	}
	if there, err := exists(w.Dir); there != No {
		return workspace.Fail(workspace.CodeGitFailed, "remove the directory by hand", "git left files behind: %v", err)
	}
	return nil
}

// unreachable reports whether the worktree's head is on no branch or tag, so that nothing would keep its commits.
func (r Repo) unreachable(ctx context.Context, w Worktree) (bool, error) {
	if !w.Detached || w.Head == "" {
		return false, nil
	}
	out, err := r.git().text(ctx, "for-each-ref", "--count=1", "--format=x", "--contains", w.Head)
	return out == "", err
}

func salvageName(w Worktree) string {
	if w.Branch != "" {
		return w.Branch
	}
	if name := Slug(filepath.Base(w.Dir)); name != "" {
		return name
	}
	return "detached"
}
