package worktree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"moorage/workspace"
)

// Wish is what a task's branch and directory are named from.
type Wish struct {
	Title string
	ID    string // of the task; names it when the title has no Latin letters
	// Prefix is set before the slug: "feature" or "feature/". Empty follows a prefix typed in the title, else the repository's habit;
	// "/" is no prefix whatever the habit.
	Prefix string
	Root   string // worktrees lie in <Root>/<repository>-<hash>/<slug>
}

// Name is a branch and a directory that were free when it was made.
type Name struct {
	Branch string
	Dir    string
}

// prefixes are known as such when they are typed in a title, besides those that the repository has.
var prefixes = []string{"feature", "feat", "fix", "bugfix", "hotfix", "chore", "docs", "refactor", "test", "release", "experiment"}

// maxCollisions is how many names are tried.
const maxCollisions = 1000

// Name finds a free branch and directory for a wish: no branch here or on a remote is called so, and nothing lies there. The branch
// has passed `git check-ref-format --branch`.
func (r Repo) Name(ctx context.Context, wish Wish) (Name, error) {
	names, err := r.refNames(ctx)
	if err != nil {
		return Name{}, fmt.Errorf("name a branch: %w", err)
	}
	prefix, slug := names.split(wish)
	list, err := r.Worktrees(ctx)
	if err != nil {
		return Name{}, fmt.Errorf("name a branch: %w", err)
	}
	dirs := map[string]bool{}
	for _, w := range list {
		dirs[strings.ToLower(resolve(w.Dir))] = true
	}
	if prefix != "" && names.taken[strings.ToLower(strings.TrimSuffix(prefix, "/"))] {
		prefix = "" // a branch of that name leaves no room for others below it
	}
	for n := 1; n <= maxCollisions; n++ {
		leaf := slug
		if n > 1 {
			leaf += "-" + strconv.Itoa(n)
		}
		name := Name{Branch: prefix + leaf, Dir: r.dirOf(wish.Root, leaf)}
		if names.collide(name.Branch) || dirs[strings.ToLower(resolve(name.Dir))] {
			continue
		}
		there, err := exists(name.Dir)
		if err != nil {
			return Name{}, workspace.Fail(workspace.CodeCouldNotLook, "see to it that the folder of worktrees can be read", "name a directory: %v", err)
		}
		if there == Yes {
			continue
		}
		return name, r.checkBranch(ctx, name.Branch)
	}
	return Name{}, workspace.Fail(workspace.CodeConflict, "give the task another title", "all names from %s to %s-%d are taken", slug, slug, maxCollisions)
}

// DirFor finds a free directory for a branch that exists already.
func (r Repo) DirFor(ctx context.Context, root, branch string) (string, error) {
	slug := Slug(branch)
	if slug == "" {
		sum := sha256.Sum256([]byte(branch))
		slug = "branch-" + hex.EncodeToString(sum[:4])
	}
	for n := 1; n <= maxCollisions; n++ {
		leaf := slug
		if n > 1 {
			leaf += "-" + strconv.Itoa(n)
		}
		dir := r.dirOf(root, leaf)
		there, err := exists(dir)
		if err != nil {
			return "", workspace.Fail(workspace.CodeCouldNotLook, "see to it that the folder of worktrees can be read", "name a directory: %v", err)
		}
		if _, err := r.worktree(ctx, dir); err == nil {
			continue
		} else if workspace.CodeOf(err) != workspace.CodeNotFound {
			return "", err
		}
		if there == No {
			return dir, nil
		}
	}
	return "", workspace.Fail(workspace.CodeConflict, "remove old worktrees", "all directories from %s to %s-%d are taken", slug, slug, maxCollisions)
}

// dirOf is where a worktree of that name lies.
func (r Repo) dirOf(root, leaf string) string {
	name := Slug(r.Title())
	if name == "" {
		name = "repo"
	}
	sum := sha256.Sum256([]byte(r.Common))
	return filepath.Join(root, name+"-"+hex.EncodeToString(sum[:4]), leaf)
}

// checkBranch asks git whether a branch may be called so.
func (r Repo) checkBranch(ctx context.Context, branch string) error {
	out, err := r.git().text(ctx, "check-ref-format", "--branch", branch)
	if err == nil && out == branch && !strings.HasPrefix(branch, "-") {
		return nil
	}
	if err == nil || exitOf(err) == 128 || exitOf(err) == 1 {
		return workspace.Fail(workspace.CodeInvalid, "use letters, digits, dashes and single slashes", "%s is no name for a branch", Display(branch))
	}
	return err
}

// refNames are the branches of a repository.
type refNames struct {
	recent []string        // local branches, the most recent first
	taken  map[string]bool // local branches and those of remotes, lower-case, without the remote's name
	inside map[string]bool // what lies above a taken one: feature of feature/x
	main   string
}

func (r Repo) refNames(ctx context.Context) (refNames, error) {
	n := refNames{taken: map[string]bool{}, inside: map[string]bool{}, main: r.Default}
	out, err := r.git().text(ctx, "for-each-ref", "--sort=-committerdate", "--format=%(refname)", "refs/heads", "refs/remotes")
	if err != nil {
		return n, err
	}
	for ref := range strings.Lines(out) {
		kind, name := kindOf(strings.TrimSuffix(ref, "\n"))
		if kind == BaseLocal {
			n.recent = append(n.recent, name)
		} else if _, name, _ = strings.Cut(name, "/"); name == "HEAD" {
			continue
		}
		name = strings.ToLower(name)
		n.taken[name] = true
		for at := strings.LastIndexByte(name, '/'); at > 0; at = strings.LastIndexByte(name[:at], '/') {
			n.inside[name[:at]] = true
		}
	}
	return n, nil
}

// collide reports whether a branch of that name exists or cannot exist beside those that do.
func (n refNames) collide(branch string) bool {
	branch = strings.ToLower(branch)
	return n.taken[branch] || n.inside[branch]
}

// split makes prefix and slug of a wish.
func (n refNames) split(wish Wish) (prefix, slug string) {
	title := wish.Title
	switch typed, rest, found := strings.Cut(title, "/"); {
	case wish.Prefix != "":
		prefix = cleanPrefix(wish.Prefix)
	case found && Slug(rest) != "" && n.known(typed):
		prefix, title = cleanPrefix(typed), rest
	default:
		prefix = n.habit()
	}
	slug = Slug(title)
	if slug == "" {
		slug = "task-" + shortID(wish.ID)
	}
	return prefix, slug
}

// known reports whether what stands before a slash in a title is a prefix of branches and no part of a sentence.
func (n refNames) known(typed string) bool {
	typed = strings.ToLower(typed)
	for _, p := range prefixes {
		if typed == p {
			return true
		}
	}
	return typed != "" && n.inside[typed]
}

// habitDepth is how many recent branches make a habit.
const habitDepth = 20

// habit is the prefix that the repository's recent branches have in common: of the last 20 besides the default branch more than half have
// one, and then the most frequent counts, the more recent of two. One branch alone is no habit.
func (n refNames) habit() string {
	counts := map[string]int{}
	seen, with, best := 0, 0, ""
	for _, name := range n.recent {
		if name == n.main || name == "main" || name == "master" || name == "trunk" || name == "develop" {
			continue
		}
		if seen++; seen > habitDepth {
			seen--
			break
		}
		p, _, found := strings.Cut(name, "/")
		if !found {
			continue
		}
		with++
		counts[p]++
	}
	for _, name := range n.recent {
		if p, _, found := strings.Cut(name, "/"); found && counts[p] > counts[best] {
			best = p
		}
	}
	if with < 2 || with*2 <= seen {
		return ""
	}
	return best + "/"
}

// cleanPrefix makes what was typed as a prefix fit for a branch, slash included; "" for none.
func cleanPrefix(typed string) string {
	var parts []string
	for part := range strings.SplitSeq(typed, "/") {
		keep := func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
				return r
			}
			return -1
		}
		if part = strings.Trim(strings.Map(keep, part), "-."); part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "/") + "/"
}

// shortID is the end of a task's id, where ULIDs differ most.
func shortID(id string) string {
	id = strings.ToLower(id)
	if len(id) > 8 {
		id = id[len(id)-8:]
	}
	return id
}
