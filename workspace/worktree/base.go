package worktree

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// BaseKind says what a base is.
type BaseKind string

// The kinds of bases.
const (
	BaseLocal  BaseKind = "local"
	BaseRemote BaseKind = "remote"
	BaseTag    BaseKind = "tag"
)

// Base is a ref that work can begin at.
type Base struct {
	Name   string // as people say it: main, origin/main, v1.2
	Ref    string // in full: refs/heads/main
	Kind   BaseKind
	Commit string
	Time   time.Time // of the last commit, or of the tag
}

// Bases lists branches, branches of remotes and tags, the most recent first, at most limit of them; 0 is no limit. What
// merely points to another ref, like origin/HEAD, and tags of anything but commits are left out.
func (r Repo) Bases(ctx context.Context, limit int) ([]Base, error) {
	out, err := r.git().text(ctx, "for-each-ref", "--sort=refname", "--sort=-creatordate",
		"--format=%(refname)%00%(objectname)%00%(*objectname)%00%(objecttype)%00%(*objecttype)%00%(creatordate:unix)%00%(symref)",
		"refs/heads", "refs/remotes", "refs/tags")
	if err != nil {
		return nil, fmt.Errorf("list bases of %s: %w", Display(r.Common), err)
	}
	var bases []Base
	for line := range strings.SplitSeq(out, "\n") {
		f := strings.Split(line, "\x00")
		if len(f) != 7 || f[6] != "" || f[3] != "commit" && f[4] != "commit" {
			continue
		}
		b := Base{Ref: f[0], Commit: f[1]}
		if f[2] != "" {
			b.Commit = f[2]
		}
		if seconds, err := strconv.ParseInt(f[5], 10, 64); err == nil {
			b.Time = time.Unix(seconds, 0)
		}
		b.Kind, b.Name = kindOf(b.Ref)
		bases = append(bases, b)
		if len(bases) == limit {
			break
		}
	}
	return bases, nil
}

func kindOf(ref string) (BaseKind, string) {
	if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		return BaseLocal, name
	}
	if name, ok := strings.CutPrefix(ref, "refs/remotes/"); ok {
		return BaseRemote, name
	}
	return BaseTag, strings.TrimPrefix(ref, "refs/tags/")
}
