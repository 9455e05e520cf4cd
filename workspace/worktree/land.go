package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"moorage/workspace"
)

// Landing is a branch that is to go into the branch of a checkout.
type Landing struct {
	Checkout string // the worktree whose current branch takes it
	Branch   string
	Squash   bool   // one commit of its changes, instead of a merge commit
	Message  string // of the commit; "" is one that names the branch
	DryRun   bool   // say what would come of it, and change nothing
}

// Landed is what came of a landing, or would.
type Landed struct {
	Into      string   // the branch
	Before    string   // its commit before
	After     string   // and after; Before in a dry run and where nothing was changed
	Commits   int      // that the branch has and Into had not
	Conflicts []string // files that both changed, as bytes
}

// Land merges a branch (without fast-forward) or squashes it. The user's hooks run. It refuses by code: CodeDirtyBase (changed tracked
// files, something unfinished, or files in the way that git does not track), CodeDetached, CodeSameBranch, CodeNoCommits,
// CodeMissingRef, CodeBusy. A conflict is CodeConflict, with the files listed. After any error the checkout's head, index and
// files are what they were, or the error says that they are not.
func (r Repo) Land(ctx context.Context, landing Landing) (Landed, error) {
	l := lander{landing: landing, g: git{dir: landing.Checkout}, look: looking(landing.Checkout)}
	if err := l.land(ctx, r); err != nil {
		return l.done, fmt.Errorf("land %s: %w", Display(landing.Branch), err)
	}
	return l.done, nil
}

// lander is a landing underway.
type lander struct {
	landing Landing
	g       git // changes the checkout
	look    git // looks at it
	common  string
	gitDir  string
	tip     string
	done    Landed
}

func (l *lander) land(ctx context.Context, r Repo) error {
	if err := l.check(ctx, r); err != nil {
		return err
	}
	plan, err := l.rehearse(ctx)
	if err != nil {
		return err
	}
	if plan.conflict {
		l.done.Conflicts = plan.conflicts
		return l.conflict()
	}
	if l.landing.DryRun {
		return nil
	}
	before, err := l.snapshot(ctx)
	if err != nil {
		return err
	}
	message := l.landing.Message
	if message == "" {
		message = fmt.Sprintf("Merge branch '%s' into %s", l.landing.Branch, l.done.Into)
		if l.landing.Squash {
			message = fmt.Sprintf("Squash branch '%s' into %s", l.landing.Branch, l.done.Into)
		}
	}
	if l.landing.Squash {
		err = l.squash(ctx, message)
	} else {
		err = l.merge(ctx, message)
	}
	if err != nil {
		return l.putBack(ctx, before, err)
	}
	l.done.After, err = l.look.commit(ctx, "HEAD")
	return err
}

// check refuses what must not be landed.
func (l *lander) check(ctx context.Context, r Repo) error {
	dirs, err := l.look.paths(ctx, "--absolute-git-dir", "--git-common-dir")
	if err != nil {
		return err
	}
	if l.gitDir, l.common = dirs[0], dirs[1]; l.common != r.Common {
		return workspace.Fail(workspace.CodeInvalid, "name a worktree of the branch's repository", "%s belongs to another repository", Display(l.landing.Checkout))
	}
	if err := r.checkBranch(ctx, l.landing.Branch); err != nil {
		return err
	}
	if l.tip, err = l.look.commit(ctx, "refs/heads/"+l.landing.Branch); err != nil {
		return err
	}
	into, err := l.look.text(ctx, "symbolic-ref", "-q", "--short", "HEAD")
	if exitOf(err) == 1 {
		return workspace.Fail(workspace.CodeDetached, "check out a branch in "+Display(l.landing.Checkout), "no branch is checked out in %s", Display(l.landing.Checkout))
	}
	if err != nil {
		return err
	}
	l.done.Into = into
	if into == l.landing.Branch {
		return workspace.Fail(workspace.CodeSameBranch, "check out the branch that is to take it", "%s is checked out in %s itself", Display(into), Display(l.landing.Checkout))
	}
	if l.done.Before, err = l.look.commit(ctx, "HEAD"); workspace.CodeOf(err) == workspace.CodeMissingRef {
		return workspace.Fail(workspace.CodeNoCommits, "commit something on it first", "%s has no commit to land on", Display(into))
	} else if err != nil {
		return err
	}
	l.done.After = l.done.Before
	count, err := l.look.text(ctx, "rev-list", "--count", l.tip, "--not", l.done.Before, "--")
	if err != nil {
		return err
	}
	if l.done.Commits, err = strconv.Atoi(count); err != nil {
		return err
	}
	if l.done.Commits == 0 {
		return workspace.Fail(workspace.CodeNoCommits, "commit in the task's worktree first", "it has no commit that %s has not", Display(into))
	}
	return l.checkClean(ctx)
}

// checkClean refuses a checkout with work of its own.
func (l *lander) checkClean(ctx context.Context) error {
	state := looker{g: l.look, gitDir: l.gitDir}
	state.lookFiles()
	s := &state.s
	if state.lookStatus(ctx); len(s.Problems) > 0 {
		return workspace.Fail(workspace.CodeCouldNotLook, "mend that first", "%v", s.Problems[0])
	}
	if s.IndexLock == Yes {
		return s.Refusal(false)
	}
	if s.Doing == Yes {
		return workspace.Fail(workspace.CodeDirtyBase, "finish it or abort it in "+Display(l.landing.Checkout), "a %s is not finished in %s", s.Underway, Display(l.landing.Checkout))
	}
	for _, p := range []Paths{s.Conflicted, s.Staged, s.Unstaged} {
		if p.Any == Yes {
			return workspace.Fail(workspace.CodeDirtyBase, "commit or stash them in "+Display(l.landing.Checkout), "%s has changes of its own: %s", Display(l.landing.Checkout), some(p))
		}
	}
	return nil
}

func (l *lander) conflict() error {
	p := Paths{Names: l.done.Conflicts, Count: len(l.done.Conflicts)}
	return workspace.Fail(workspace.CodeConflict, "merge "+Display(l.done.Into)+" into the branch and solve the conflicts there", "%s changed the same as %s: %s", Display(l.landing.Branch), Display(l.done.Into), some(p))
}

// rehearse finds out what a merge would come to, without the checkout. A git that cannot do it so does it in a worktree that is thrown away.
func (l *lander) rehearse(ctx context.Context) (merged, error) {
	own, end, err := l.look.apart(l.common)
	if err != nil {
		return merged{}, err
	}
	defer end()
	plan, err := own.mergeTree(ctx, l.done.Before, l.tip)
	if errors.Is(err, errNoMergeTree) {
		plan, err = l.rehearseAside(ctx, own)
	}
	if err != nil || plan.conflict {
		return plan, err
	}
	changed, err := own.ask(ctx, "diff-tree", "--quiet", l.done.Before+"^{tree}", plan.tree)
	if err == nil && changed == Yes && l.landing.Squash {
		err = workspace.Fail(workspace.CodeNoCommits, "the branch may be deleted", "%s has all of its changes already", Display(l.done.Into))
	}
	if err != nil {
		return plan, err
	}
	out, err := own.run(ctx, "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A", l.done.Before+"^{tree}", plan.tree)
	if err != nil {
		return plan, err
	}
	return plan, l.checkWay(ctx, records(out))
}

// snapshot is what must be the same after a landing that failed: the head, the index, and the files as git sees them.
func (l *lander) snapshot(ctx context.Context) ([]byte, error) {
	var all bytes.Buffer
	for _, args := range [][]string{
		{"rev-parse", "HEAD"},
		{"symbolic-ref", "HEAD"},
		{"ls-files", "-s", "-z"},
		{"status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all", "--ignored=matching"},
	} {
		out, err := l.look.run(ctx, args...)
		if err != nil {
			return nil, err
		}
		all.Write(out)
	}
	return all.Bytes(), nil
}

// merge makes a merge commit. The options speak against what branch.<name>.mergeOptions may say.
func (l *lander) merge(ctx context.Context, message string) error {
	_, err := l.g.run(ctx, "merge", "--no-ff", "--commit", "--no-squash", "--no-autostash", "--no-edit", "--no-stat", "-m", message, "--", "refs/heads/"+l.landing.Branch)
	return err
}

func (l *lander) squash(ctx context.Context, message string) error {
	if _, err := l.g.run(ctx, "merge", "--ff", "--squash", "--no-autostash", "--no-stat", "--", "refs/heads/"+l.landing.Branch); err != nil {
		return err
	}
	_, err := l.g.run(ctx, "commit", "--no-edit", "-m", message)
	return err
}

// putBack undoes a landing that failed half-way, after a conflict or by the word of a hook, and holds the outcome against the snapshot.
func (l *lander) putBack(ctx context.Context, before []byte, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanLimit)
	defer cancel()
	if st, err := l.look.status(ctx); err == nil {
		for _, e := range st.entries {
			if e.kind == 'u' {
				l.done.Conflicts = append(l.done.Conflicts, e.path)
			}
		}
	}
	if len(l.done.Conflicts) > 0 {
		cause = l.conflict()
	}
	head, err := l.look.commit(ctx, "HEAD")
	if err == nil && head != l.done.Before {
		err = errors.New("its head is " + head + " now")
	}
	var after []byte
	if err == nil {
		after, err = l.snapshot(ctx)
	}
	if err == nil && !bytes.Equal(before, after) {
		// Nothing that was there before is touched: the checkout was clean, and --merge keeps what differs from the index.
		_, err = l.g.run(ctx, "reset", "--merge", l.done.Before, "--")
		if err == nil {
			after, err = l.snapshot(ctx)
		}
	}
	if err == nil && !bytes.Equal(before, after) {
		err = errors.New("its state differs from before")
	}
	if err != nil {
		return workspace.Fail(workspace.CodeInternal, "see `git status` in "+Display(l.landing.Checkout)+"; it was at "+l.done.Before,
			"%v; and %s could not be put back as it was: %v", cause, Display(l.landing.Checkout), err)
	}
	return cause
}
