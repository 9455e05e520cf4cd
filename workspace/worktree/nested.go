package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// index lists from the worktree's index the changed files that the user told git not to look at (assume-unchanged, skip-worktree), and
// the submodules.
func (g git) index(ctx context.Context) (hidden, modules []string, err error) {
	out, err := g.run(ctx, "ls-files", "-v", "-s", "-z")
	if err != nil {
		return nil, nil, err
	}
	ids := map[string]string{} // of hidden files that are there
	var asked []string
	for _, line := range records(out) {
		info, path, _ := strings.Cut(line, "\t")
		f := strings.Fields(info) // tag, mode, id, stage
		if len(f) != 4 {
			return nil, nil, fmt.Errorf("git ls-files: %d fields in %s", len(f), Display(line))
		}
		tag, mode := f[0][0], f[1]
		if mode == "160000" {
			modules = append(modules, path)
			continue
		}
		if tag != 'S' && (tag < 'a' || tag > 'z') {
			continue
		}
		info2, err := os.Lstat(filepath.Join(g.dir, path))
		switch {
		case os.IsNotExist(err) && (tag == 'S' || tag == 's'):
			// a sparse checkout leaves it out
		case err != nil || !info2.Mode().IsRegular() || mode == "120000":
			hidden = append(hidden, path)
		default:
			ids[path] = f[2]
			asked = append(asked, path)
		}
	}
	if len(asked) == 0 {
		return hidden, modules, nil
	}
	now, err := g.hash(ctx, asked, false)
	for i, path := range asked {
		if err == nil && now[i] != ids[path] {
			hidden = append(hidden, path)
		}
	}
	return hidden, modules, err
}

// nestedWork reports whether a submodule holds what is nowhere else: changed or untracked files, stashes, or commits that
// none of its remotes has. The repository of a submodule goes away with the worktree. Files that it ignores are told to ignored.
func nestedWork(ctx context.Context, dir string, ignored func(path string)) (Answer, error) {
	there, err := exists(filepath.Join(dir, ".git"))
	if there != Yes {
		return there, err // No: it was never checked out
	}
	g := looking(dir)
	st, err := g.status(ctx)
	if err != nil {
		return Unknown, err
	}
	for _, e := range st.entries {
		if e.kind != '!' {
			return Yes, nil
		}
		ignored(e.path)
	}
	if work, err := commitsOnlyHere(ctx, g); work != No {
		return work, err
	}
	_, modules, err := g.index(ctx)
	if err != nil {
		return Unknown, err
	}
	for _, path := range modules {
		if work, err := nestedWork(ctx, filepath.Join(dir, path), func(name string) { ignored(path + "/" + name) }); work != No {
			return work, err
		}
	}
	return No, nil
}

// commitsOnlyHere reports whether a repository has stashes, or commits that none of its remotes has.
func commitsOnlyHere(ctx context.Context, g git) (Answer, error) {
	tips := []string{"--branches", "--tags"}
	for _, ref := range []string{"HEAD", "refs/stash"} {
		there, err := g.ask(ctx, "rev-parse", "--verify", "--quiet", ref)
		switch {
		case there == Unknown:
			return Unknown, err
		case there == Yes && ref == "refs/stash":
			return Yes, nil
		case there == Yes:
			tips = append(tips, ref)
		}
	}
	out, err := g.text(ctx, append(append([]string{"rev-list", "--max-count=1"}, tips...), "--not", "--remotes", "--")...)
	if err != nil {
		return Unknown, err
	}
	return answer(out != ""), nil
}

// storedWork names the repositories of submodules below dir, a worktree's own modules folder, that have commits that are nowhere else. They stay
// there when the submodule is not checked out any more, and go with the worktree.
func storedWork(ctx context.Context, dir string, found func(name string)) (Answer, error) {
	all := No
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return No, nil
	}
	if err != nil {
		return Unknown, err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		path, below := filepath.Join(dir, e.Name()), filepath.Join(dir, e.Name())
		if there, err := exists(filepath.Join(path, "HEAD")); there == Unknown {
			return Unknown, err
		} else if there == Yes {
			work, err := commitsOnlyHere(ctx, looking(path).with("GIT_DIR="+path, "GIT_WORK_TREE="+path))
			if err != nil {
				return Unknown, err
			}
			if all = either(all, work); work == Yes {
				found(e.Name())
			}
			below = filepath.Join(path, "modules")
		}
		work, err := storedWork(ctx, below, func(name string) { found(e.Name() + "/" + name) })
		if err != nil {
			return Unknown, err
		}
		all = either(all, work)
	}
	return all, nil
}

// hash returns the ids of regular files: as git would store them by its filters, or written into the repository byte by byte.
func (g git) hash(ctx context.Context, paths []string, exactly bool) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var input strings.Builder
	for _, path := range paths {
		input.WriteString(quote(path) + "\n")
	}
	args := []string{"hash-object", "--stdin-paths"}
	if exactly {
		args = append(append([]string(nil), quiet...), "hash-object", "-w", "--no-filters", "--stdin-paths")
	}
	out, err := g.reading(input.String()).text(ctx, args...)
	if err != nil {
		return nil, err
	}
	ids := strings.Fields(out)
	if len(ids) != len(paths) {
		return nil, fmt.Errorf("git hash-object: %d ids for %d files", len(ids), len(paths))
	}
	return ids, nil
}
