package worktree

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moorage/workspace"
)

// salvageRefs is where work is kept that was never committed:
//
//	refs/moorage/salvage/<branch>-<time>    a commit with the files as they were, byte by byte
//	    its first parent                    what was checked out
//	    its second                          what was staged, when that is neither the one nor the other
//	    further ones                        what a merge or rebase that was underway was about
const salvageRefs = "refs/moorage/salvage/"

// ownIdentity signs commits that are nobody's; the user's own identity may not be set.
var ownIdentity = []string{
	"GIT_AUTHOR_NAME=moorage", "GIT_AUTHOR_EMAIL=moorage@localhost", "GIT_COMMITTER_NAME=moorage", "GIT_COMMITTER_EMAIL=moorage@localhost",
}

// maxTries is how often a salvage begins anew because somebody goes on writing files.
const maxTries = 3

// salvage keeps the uncommitted work of a worktree as a commit and returns its ref, after it has been read back and the files are seen to be the
// same still. It touches neither the user's index nor files and runs no hooks. gone says that there are no files any more: then
// what is staged is all.
func (r Repo) salvage(ctx context.Context, g git, gitDir string, name string, gone bool) (ref string, err error) {
	temp, err := os.MkdirTemp("", "moorage-salvage-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	s := salvager{g: g, gitDir: gitDir, temp: temp, gone: gone}
	before := ""
	for range maxTries {
		work, err := s.commit(ctx, name)
		if err != nil {
			return "", err
		}
		if work.tree+work.staged == before {
			return ref, nil
		}
		before = work.tree + work.staged
		if ref, err = r.keep(ctx, name, work.commit); err != nil {
			return "", err
		}
	}
	return "", workspace.Fail(workspace.CodeBusy, "end what writes there, then try again", "the files change while they are kept; what was kept last is %s", ref)
}

// keep makes a new ref to a commit and reads all of it back.
func (r Repo) keep(ctx context.Context, name, commit string) (string, error) {
	ref, err := r.newRef(ctx, salvageRefs+name+"-"+time.Now().UTC().Format("20060102T150405Z"))
	if err != nil {
		return "", err
	}
	if _, err := r.writing().run(ctx, append(quiet, "update-ref", "--", ref, commit, "")...); err != nil {
		return "", fmt.Errorf("keep work as %s: %w", ref, err)
	}
	back, err := r.git().commit(ctx, ref)
	if err == nil && back != commit {
		err = fmt.Errorf("it is %s, not %s", back, commit)
	}
	if err == nil {
		// rev-list looks at every object that the commit has besides what was committed before.
		_, err = r.git().run(ctx, "rev-list", "--objects", "--no-object-names", ref, "--not", "--branches", "--remotes", "--tags", "--")
	}
	if err != nil {
		return "", fmt.Errorf("read back %s: %w", ref, err)
	}
	return ref, nil
}

// newRef returns name or, if there is such a ref, name with a number.
func (r Repo) newRef(ctx context.Context, name string) (string, error) {
	ref := name
	for n := 2; ; n++ {
		if has, err := r.has(ctx, ref); err != nil || !has {
			return ref, err
		}
		ref = fmt.Sprintf("%s-%d", name, n)
	}
}

// salvager makes commits of uncommitted work.
type salvager struct {
	g      git // in the worktree
	gitDir string
	temp   string // a folder for indexes of its own
	gone   bool
}

// uncommitted is work made into objects.
type uncommitted struct {
	tree   string // the files
	staged string // the index, "" when it cannot be one tree because of conflicts
	commit string
}

func (s *salvager) commit(ctx context.Context, name string) (uncommitted, error) {
	var work uncommitted
	head, headTree := "", ""
	born, err := s.g.ask(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return work, err
	}
	if born == Yes {
		if head, err = s.g.commit(ctx, "HEAD"); err != nil {
			return work, err
		}
		if headTree, err = s.g.text(ctx, "rev-parse", "--verify", head+"^{tree}"); err != nil {
			return work, err
		}
	}
	st := status{}
	if !s.gone {
		if st, err = s.g.status(ctx); err != nil {
			return work, err
		}
	}
	if work.staged, err = s.stagedTree(ctx, st); err != nil {
		return work, err
	}
	work.tree = work.staged
	if !s.gone {
		if work.tree, err = s.tree(ctx, head, st); err != nil {
			return work, err
		}
	}
	if work.tree == "" {
		work.tree = headTree
	}
	var parents []string
	if head != "" {
		parents = append(parents, head)
	}
	if work.staged != "" && work.staged != headTree && work.staged != work.tree {
		staged, err := s.commitTree(ctx, work.staged, "what was staged in "+name, parents)
		if err != nil {
			return work, err
		}
		parents = append(parents, staged)
	}
	also, err := s.involved(ctx)
	if err != nil {
		return work, err
	}
	for _, id := range also {
		if !slices.Contains(parents, id) {
			parents = append(parents, id)
		}
	}
	work.commit, err = s.commitTree(ctx, work.tree, "uncommitted work of "+name+", kept when its worktree was removed", parents)
	return work, err
}

func (s *salvager) commitTree(ctx context.Context, tree, message string, parents []string) (string, error) {
	args := append(append([]string(nil), quiet...), "commit-tree", "-m", "moorage: "+message)
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	return s.g.with(ownIdentity...).text(ctx, append(args, tree)...)
}

// tree writes the files as they are as a tree. It does not use `git add`, whose filters may drop bytes.
func (s *salvager) tree(ctx context.Context, head string, st status) (string, error) {
	hidden, _, err := s.g.index(ctx)
	if err != nil {
		return "", err
	}
	changed := hidden
	for _, e := range st.entries {
		if e.kind == '!' {
			continue
		}
		if strings.HasSuffix(e.path, "/") || len(e.submodule) == 4 && e.submodule[0] == 'S' {
			return "", workspace.Fail(workspace.CodeUncommitted, "commit and push in it, or move it away", "%s is a repository of its own", Display(e.path))
		}
		changed = append(changed, e.path)
	}
	slices.Sort(changed)
	lines, err := s.entries(ctx, slices.Compact(changed), head)
	if err != nil {
		return "", err
	}
	g := s.g.with("GIT_INDEX_FILE=" + filepath.Join(s.temp, "files"))
	if err := os.Remove(filepath.Join(s.temp, "files")); err != nil && !os.IsNotExist(err) {
		return "", err
	}
	if head != "" {
		if _, err := g.run(ctx, append(quiet, "read-tree", head)...); err != nil {
			return "", err
		}
	}
	if _, err := g.reading(lines).run(ctx, append(quiet, "update-index", "--replace", "-z", "--index-info")...); err != nil {
		return "", err
	}
	return g.text(ctx, append(quiet, "write-tree")...)
}

// entries stores the files at paths and returns them in the form of `git update-index -z --index-info`: first those that are gone, so
// that a directory may take the place of a file.
func (s *salvager) entries(ctx context.Context, paths []string, head string) (string, error) {
	var removed, added strings.Builder
	var files []string
	mode := map[string]string{}
	for _, path := range paths {
		info, err := os.Lstat(filepath.Join(s.g.dir, path))
		switch {
		case os.IsNotExist(err), isNotDir(err), err == nil && info.IsDir():
			if head == "" {
				continue // the index to be filled is empty
			}
			fmt.Fprintf(&removed, "0 %s\t%s\x00", strings.Repeat("0", len(head)), path)
			continue
		case err != nil:
			return "", err
		}
		switch info.Mode().Type() {
		case 0:
			mode[path] = "100644"
			if info.Mode()&0o111 != 0 {
				mode[path] = "100755"
			}
			files = append(files, path)
		case fs.ModeSymlink:
			target, err := os.Readlink(filepath.Join(s.g.dir, path))
			if err != nil {
				return "", err
			}
			id, err := s.g.reading(target).text(ctx, append(quiet, "hash-object", "-w", "--no-filters", "--stdin")...)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&added, "120000 %s\t%s\x00", id, path)
		default:
			return "", workspace.Fail(workspace.CodeUncommitted, "move it away", "%s is no file that git can keep", Display(path))
		}
	}
	ids, err := s.g.hash(ctx, files, true)
	for i, id := range ids {
		fmt.Fprintf(&added, "%s %s\t%s\x00", mode[files[i]], id, files[i])
	}
	return removed.String() + added.String(), err
}

// stagedTree writes the user's index as a tree, by a copy of it. It is "" when there are conflicts, whose sides are commits already, or no index.
func (s *salvager) stagedTree(ctx context.Context, st status) (string, error) {
	for _, e := range st.entries {
		if e.kind == 'u' {
			return "", nil
		}
	}
	data, err := os.ReadFile(filepath.Join(s.gitDir, "index"))
	if os.IsNotExist(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	own := filepath.Join(s.temp, "staged")
	if err := os.WriteFile(own, data, 0o600); err != nil {
		return "", err
	}
	tree, err := s.g.with("GIT_INDEX_FILE="+own).text(ctx, append(quiet, "write-tree")...)
	if s.gone && said(err, "unmerged") {
		return "", nil
	}
	return tree, err
}

// involved are the commits that only this worktree's own files and refs name: the other side of a merge, where a rebase began, what it
// set aside.
func (s *salvager) involved(ctx context.Context) ([]string, error) {
	var ids []string
	for _, file := range []string{
		"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "MERGE_AUTOSTASH",
		"rebase-merge/orig-head", "rebase-merge/autostash", "rebase-merge/stopped-sha", "rebase-apply/orig-head", "rebase-apply/autostash",
	} {
		data, err := os.ReadFile(filepath.Join(s.gitDir, filepath.FromSlash(file)))
		if err != nil {
			continue // not there, or it could not be read and is no more than a hint
		}
		for _, id := range strings.Fields(string(data)) {
			if commit, err := s.g.commit(ctx, id); err == nil {
				ids = append(ids, commit)
			}
		}
	}
	refs, err := s.g.text(ctx, "for-each-ref", "--format=%(objectname)", "refs/worktree", "refs/bisect", "refs/rewritten")
	if err != nil {
		return nil, err
	}
	for _, id := range strings.Fields(refs) {
		if commit, err := s.g.commit(ctx, id); err == nil && !slices.Contains(ids, commit) {
			ids = append(ids, commit)
		}
	}
	return ids, nil
}
