package worktree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"moorage/workspace"
)

// Cloning is a repository that is to be cloned into a new directory.
type Cloning struct {
	URL    string
	Parent string // absolute; the directory goes below it, named as git would name it
	ID     string // of this clone and no other: it names the folder that it is made in
}

// Half is the directory that git clones into: in a hidden folder beside the one that it becomes. What lies there was made by a clone of this
// ID and by nobody else. It is "" when the address has no name in it.
func (c Cloning) Half() string {
	name := humanish(strings.TrimSpace(c.URL))
	if name == "" {
		return ""
	}
	return filepath.Join(c.folder(), name)
}

func (c Cloning) folder() string { return filepath.Join(c.Parent, ".moorage-clone-"+c.ID) }

// Clear takes away what a Run has left beside the clone. It is for who knows that no git works at it any more.
func (c Cloning) Clear() error { return os.RemoveAll(c.folder()) }

// Run clones the repository and returns its directory, which appears when it is whole. progress, which may be nil, gets git's lines. It begins
// with a Clear. When it fails, nothing of it is left; a directory that was there is CodeConflict. Submodules are not cloned.
//
// The folder that the clone was made in stays, empty, for Clear: as long as it is there, another Run knows the directory for its own, and returns
// it. That is for a caller that falls before it has noted the first.
func (c Cloning) Run(ctx context.Context, progress func(string)) (string, error) {
	dir, err := c.run(ctx, progress)
	if err != nil {
		return "", fmt.Errorf("clone %s: %w", ShowURL(c.URL), err)
	}
	return dir, nil
}

func (c Cloning) run(ctx context.Context, progress func(string)) (string, error) {
	url, half := strings.TrimSpace(c.URL), c.Half()
	if half == "" || strings.HasPrefix(url, "-") {
		return "", workspace.Fail(workspace.CodeInvalid, "give an address like https://host/owner/name or git@host:owner/name", "there is no name in it")
	}
	dir := filepath.Join(c.Parent, filepath.Base(half))
	taken := workspace.Fail(workspace.CodeConflict, "take another directory, or save what is there by `moorage add`", "%s is there already", Display(dir))
	if there, err := exists(dir); err != nil {
		return "", unmakeable(dir, err)
	} else if there == Yes {
		if c.whole() {
			return dir, nil
		}
		return "", taken
	}
	if err := c.Clear(); err != nil {
		return "", workspace.Fail(workspace.CodeRefused, "remove it by hand", "what an earlier try has left in %s stays: %v", Display(c.folder()), err)
	}
	var undo undoing
	err := claim(half, &undo)
	if err == nil {
		g := git{dir: c.Parent, progress: progress, shown: strings.NewReplacer(half, dir)}
		if _, err = g.run(ctx, "clone", "--progress", "--", url, half); err != nil && workspace.CodeOf(err) == workspace.CodeGitFailed {
			err = workspace.Fail(workspace.CodeGitFailed, "`git clone` with this address, by hand, says all of it", "%v", err)
		}
	}
	if err == nil {
		if err = os.Rename(half, dir); err == nil {
			return dir, nil
		}
		if there, _ := exists(dir); there == Yes {
			err = taken // by somebody who was quicker
		}
	}
	if left := undo.run(ctx); left != nil {
		return "", fmt.Errorf("%w (and not all of it is gone again: %w)", err, left)
	}
	return "", err
}

// whole reports whether what was made in the folder has gone to its place.
func (c Cloning) whole() bool {
	folder, err := exists(c.folder())
	half, err2 := exists(c.Half())
	return err == nil && err2 == nil && folder == Yes && half == No
}

// ShowURL is an address fit to be shown: without the names and passwords in it.
func ShowURL(url string) string { return Display(redact(strings.TrimSpace(url))) }

// humanish is the name of a repository in its address (git-clone's manual, on <directory>).
func humanish(url string) string {
	url = strings.TrimRight(url, "/")
	url = strings.TrimRight(strings.TrimSuffix(url, "/.git"), "/")
	if at := strings.LastIndexAny(url, `/:\`); at >= 0 {
		url = url[at+1:]
	}
	name := strings.TrimSuffix(strings.TrimSuffix(url, ".bundle"), ".git")
	name = strings.TrimLeft(strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return -1
		}
		return r
	}, name), "-")
	if name == "." || name == ".." {
		return ""
	}
	return name
}
