package worktree

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"moorage/workspace"
)

// Clone clones a repository into a new directory below parent, named as git would name it, and returns the directory. progress, which may be
// nil, gets git's lines. When it fails, the directory is gone again; one that was there is CodeConflict. Submodules are not cloned.
func Clone(ctx context.Context, url, parent string, progress func(string)) (string, error) {
	dir, err := clone(ctx, strings.TrimSpace(url), parent, progress)
	if err != nil {
		return "", fmt.Errorf("clone %s: %w", ShowURL(url), err)
	}
	return dir, nil
}

func clone(ctx context.Context, url, parent string, progress func(string)) (string, error) {
	name := humanish(url)
	if name == "" || strings.HasPrefix(url, "-") {
		return "", workspace.Fail(workspace.CodeInvalid, "give an address like https://host/owner/name or git@host:owner/name", "there is no name in it")
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(parent, name)
	var undo undoing
	if err = claim(dir, &undo); err == nil {
		_, err = git{dir: parent, progress: progress}.run(ctx, "clone", "--progress", "--", url, dir)
	}
	if err == nil {
		return dir, nil
	}
	if left := undo.run(ctx); left != nil {
		return "", fmt.Errorf("%w (and not all of it is gone again: %w)", err, left)
	}
	return "", err
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
