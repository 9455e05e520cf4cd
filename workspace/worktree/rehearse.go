package worktree

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"moorage/workspace"
)

// rehearseAside merges in a worktree that is thrown away, for a git before 2.38. It runs no hooks. g is where the objects go.
func (l *lander) rehearseAside(ctx context.Context, g git) (plan merged, err error) {
	temp, err := os.MkdirTemp("", "moorage-merge-")
	if err != nil {
		return plan, err
	}
	defer os.RemoveAll(temp)
	dir := filepath.Join(temp, "checkout")
	if _, err := g.run(ctx, append(quiet, "worktree", "add", "--detach", "--", dir, l.done.Before)...); err != nil {
		return plan, err
	}
	defer func() {
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanLimit)
		defer cancel()
		if _, gone := g.run(clean, "worktree", "remove", "--force", "--", dir); err == nil {
			err = gone
		}
	}()
	aside := git{dir: dir, env: g.env}
	_, err = aside.with(ownIdentity...).run(ctx, append(quiet, "merge", "--no-ff", "--commit", "--no-squash", "--no-autostash", "--no-verify", "--no-gpg-sign",
		"--no-edit", "--no-stat", "-m", "rehearsal", "--", l.tip)...)
	if err == nil {
		plan.tree, err = aside.text(ctx, "rev-parse", "HEAD^{tree}")
		return plan, err
	}
	st, looked := aside.status(ctx)
	if looked != nil {
		return plan, looked
	}
	for _, e := range st.entries {
		if e.kind == 'u' {
			plan.conflict, plan.conflicts = true, append(plan.conflicts, e.path)
		}
	}
	if plan.conflict {
		err = nil
	}
	return plan, err
}

// checkWay refuses to put files where there are some that git does not track. A merge would overwrite those that are ignored.
func (l *lander) checkWay(ctx context.Context, added []string) error {
	st, err := l.look.status(ctx)
	if err != nil {
		return err
	}
	dirs := map[string]bool{}     // what git does not track, and whether it is a directory
	within := map[string]string{} // a directory, and one such file in it
	for _, e := range st.entries {
		path, dir := strings.CutSuffix(e.path, "/")
		dirs[path] = dir
		for above := parent(path); above != ""; above = parent(above) {
			within[above] = e.path
		}
	}
	var inWay Paths
	for _, path := range added {
		if inside, ok := within[path]; ok {
			inWay.add(inside)
			continue
		}
		for at := path; at != ""; at = parent(at) {
			dir, ok := dirs[at]
			if !ok {
				continue
			}
			there, err := exists(filepath.Join(l.landing.Checkout, path))
			if err != nil && !isNotDir(err) {
				return workspace.Fail(workspace.CodeCouldNotLook, "see to it that the checkout can be read", "%v", err)
			}
			if !dir || there == Yes || isNotDir(err) {
				inWay.add(path)
			}
			break
		}
	}
	if inWay.Any == Yes {
		return workspace.Fail(workspace.CodeDirtyBase, "move them away", "files in %s that git does not track are in the way: %s", Display(l.landing.Checkout), some(inWay))
	}
	return nil
}

// parent is the directory of a path as git writes it, "" at the top.
func parent(path string) string {
	at := strings.LastIndexByte(path, '/')
	return path[:max(at, 0)]
}
