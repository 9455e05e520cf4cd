package worktree

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// merged is what a merge would come to.
type merged struct {
	tree      string
	conflict  bool
	conflicts []string // files
}

// errNoMergeTree is a git before 2.38.
var errNoMergeTree = errors.New("this git cannot merge without a worktree")

// apart returns a git whose new objects, beside those in the common directory, are thrown away when end is called.
func (g git) apart(common string) (own git, end func(), err error) {
	temp, err := os.MkdirTemp("", "moorage-merge-")
	if err != nil {
		return g, nil, err
	}
	own = g.with("GIT_OBJECT_DIRECTORY="+temp, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+quote(filepath.Join(common, "objects")))
	return own, func() { _ = os.RemoveAll(temp) }, nil
}

// mergeTree merges two commits without a worktree. The caller has made g apart.
func (g git) mergeTree(ctx context.Context, ours, theirs string) (merged, error) {
	out, err := g.run(ctx, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs)
	conflict := exitOf(err) == 1
	if oldGit(err) {
		return merged{}, errNoMergeTree
	}
	if err != nil && !conflict {
		return merged{}, err
	}
	list := records(out)
	if len(list) == 0 {
		return merged{}, errors.New("git merge-tree wrote nothing")
	}
	m := merged{tree: strings.TrimSpace(list[0]), conflict: conflict}
	for _, path := range list[1:] {
		if path == "" {
			break
		}
		m.conflicts = append(m.conflicts, path)
	}
	return m, nil
}

// contains reports whether a merge of tip would change nothing in base: what was squashed is there although its commits are not. An older
// git cannot tell, and then it is No.
func (g git) contains(ctx context.Context, common, base, tip string) (Answer, error) {
	own, end, err := g.apart(common)
	if err != nil {
		return Unknown, err
	}
	defer end()
	m, err := own.mergeTree(ctx, base, tip)
	if errors.Is(err, errNoMergeTree) || said(err, "unrelated histories") {
		return No, nil
	}
	if err != nil {
		return Unknown, err
	}
	tree, err := g.text(ctx, "rev-parse", "--verify", "--end-of-options", base+"^{tree}")
	if err != nil {
		return Unknown, err
	}
	return answer(!m.conflict && m.tree == tree), nil
}
