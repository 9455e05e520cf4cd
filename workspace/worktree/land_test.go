//go:build unix

package worktree

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moorage/workspace"
)

func TestALandingIsRefusedByCodeAndChangesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		spoil   func(t *testing.T, repo, dir string)
		landing Landing
		want    workspace.Code
	}{
		"dirty base":            {want: workspace.CodeDirtyBase, spoil: func(t *testing.T, repo, _ string) { write(t, repo, "README", "mine\n") }},
		"staged in the base":    {want: workspace.CodeDirtyBase, spoil: func(t *testing.T, repo, _ string) { write(t, repo, "new", "mine\n"); sh(t, repo, "add", "new") }},
		"untracked in the way":  {want: workspace.CodeDirtyBase, spoil: func(t *testing.T, repo, _ string) { write(t, repo, "feature.txt", "mine\n") }},
		"directory in the way":  {want: workspace.CodeDirtyBase, spoil: func(t *testing.T, repo, _ string) { write(t, repo, "feature.txt/x", "mine\n") }},
		"repository in the way": {want: workspace.CodeDirtyBase, spoil: func(t *testing.T, repo, _ string) { sh(t, repo, "init", "-q", "feature.txt") }},
		"ignored in the way": {want: workspace.CodeDirtyBase, spoil: func(t *testing.T, repo, dir string) {
			write(t, repo, "keys.log", "mine\n")
			write(t, dir, "keys.log", "theirs\n")
			sh(t, dir, "add", "-f", "keys.log")
			sh(t, dir, "commit", "-q", "-m", "track it")
		}},
		"ignored folder in the way": {want: workspace.CodeDirtyBase, spoil: func(t *testing.T, repo, dir string) {
			write(t, repo, "build/out", "mine\n")
			write(t, dir, "build/out", "theirs\n")
			sh(t, dir, "add", "-f", "build/out")
			sh(t, dir, "commit", "-q", "-m", "track it")
		}},
		"file where a folder comes": {want: workspace.CodeDirtyBase, spoil: func(t *testing.T, repo, dir string) {
			write(t, repo, "sub", "mine\n")
			commit(t, dir, "sub/file", "theirs\n")
		}},
		"merge underway": {want: workspace.CodeDirtyBase, spoil: func(t *testing.T, repo, _ string) {
			write(t, repo, ".git/MERGE_HEAD", sh(t, repo, "rev-parse", "HEAD")+"\n")
		}},
		"detached":           {want: workspace.CodeDetached, spoil: func(t *testing.T, repo, _ string) { sh(t, repo, "checkout", "-q", "--detach") }},
		"same branch":        {want: workspace.CodeSameBranch, landing: Landing{Branch: "main"}},
		"nothing to land":    {want: workspace.CodeNoCommits, landing: Landing{Branch: "old"}, spoil: func(t *testing.T, repo, _ string) { sh(t, repo, "branch", "old") }},
		"another repository": {want: workspace.CodeInvalid, landing: Landing{Checkout: "other"}},
		"missing branch":     {want: workspace.CodeMissingRef, landing: Landing{Branch: "nothing"}},
		"a commit, no ref":   {want: workspace.CodeMissingRef, landing: Landing{Branch: "HEAD"}},
		"no commit there": {want: workspace.CodeNoCommits, spoil: func(t *testing.T, repo, _ string) {
			sh(t, repo, "checkout", "-q", "--orphan", "fresh")
			sh(t, repo, "rm", "-rfq", ".")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			repo, dir := pushedTask(t)
			if c.spoil != nil {
				c.spoil(t, repo, dir)
			}
			r := mustOpen(t, repo)
			if c.landing.Checkout == "other" {
				c.landing.Checkout = plainRepo(t)
			} else {
				c.landing.Checkout = repo
			}
			if c.landing.Branch == "" {
				c.landing.Branch = "task"
			}
			see := func() string {
				if name == "detached" || name == "no commit there" {
					return sh(t, repo, "for-each-ref") + tree(t, repo)
				}
				return picture(t, repo)
			}
			before := see()
			for _, dry := range []bool{true, false} {
				for _, squash := range []bool{false, true} {
					c.landing.DryRun, c.landing.Squash = dry, squash
					_, err := r.Land(t.Context(), c.landing)
					if name == "a commit, no ref" && workspace.CodeOf(err) == workspace.CodeInvalid {
						continue
					}
					wantCode(t, err, c.want)
					if got := see(); got != before {
						t.Fatalf("it is another one:\n%s\nbefore:\n%s", got, before)
					}
				}
			}
		})
	}
}

// TestAConflictListsItsFilesAndChangesNothing goes both ways of finding out, that of git since 2.38 and that of older ones.
func TestAConflictListsItsFilesAndChangesNothing(t *testing.T) {
	for _, old := range []bool{false, true} {
		repo, dir := pushedTask(t)
		nasty := "\x1b[31m\xff\n.txt"
		commit(t, repo, nasty, "here\n")
		commit(t, dir, nasty, "there\n")
		commit(t, repo, "feature.txt", "here\n")
		commit(t, dir, "fine", "no conflict\n")
		write(t, repo, "untracked", "mine\n")
		write(t, repo, "x.log", "mine\n")
		r := mustOpen(t, repo)
		before := picture(t, repo)
		if old {
			oldMergeTree(t)
		}
		for _, landing := range []Landing{{DryRun: true}, {}, {Squash: true, DryRun: true}, {Squash: true}} {
			landing.Checkout, landing.Branch = repo, "task"
			landed, err := r.Land(t.Context(), landing)
			wantCode(t, err, workspace.CodeConflict)
			slices.Sort(landed.Conflicts)
			if !slices.Equal(landed.Conflicts, []string{nasty, "feature.txt"}) {
				t.Errorf("old %v: conflicts %q", old, landed.Conflicts)
			}
			if strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Errorf("%q is not fit to be shown", err)
			}
			if got := picture(t, repo); got != before {
				t.Fatalf("old %v: it is another one:\n%s\nbefore:\n%s", old, got, before)
			}
		}
	}
}

func TestALandingMergesOrSquashesAndADryRunDoesNeither(t *testing.T) {
	for _, old := range []bool{false, true} {
		for _, squash := range []bool{false, true} {
			repo, dir := pushedTask(t)
			commit(t, dir, "more", "two commits\n")
			sh(t, repo, "config", "branch.main.mergeOptions", "--squash --no-commit")
			sh(t, repo, "config", "merge.ff", "only")
			write(t, repo, "untracked", "mine\n")
			r := mustOpen(t, repo)
			before := picture(t, repo)
			head, tip := sh(t, repo, "rev-parse", "main"), sh(t, repo, "rev-parse", "task")
			if old {
				oldMergeTree(t)
			}
			landing := Landing{Checkout: repo, Branch: "task", Squash: squash, DryRun: true}
			landed, err := r.Land(t.Context(), landing)
			if err != nil || landed.Commits != 2 || landed.Into != "main" || landed.After != head {
				t.Fatalf("dry: %+v, %v", landed, err)
			}
			if got := picture(t, repo); got != before {
				t.Fatalf("a dry run left:\n%s\nbefore:\n%s", got, before)
			}
			landing.DryRun, landing.Message = false, "-m is what it begins with"
			if landed, err = r.Land(t.Context(), landing); err != nil {
				t.Fatal(err)
			}
			parents := strings.Fields(sh(t, repo, "log", "-1", "--format=%P"))
			want := []string{head, tip}
			if squash {
				want = want[:1]
			}
			if !slices.Equal(parents, want) || landed.After != sh(t, repo, "rev-parse", "main") || landed.Before != head {
				t.Errorf("parents %v, want %v; %+v", parents, want, landed)
			}
			if got := sh(t, repo, "log", "-1", "--format=%B"); strings.TrimSpace(got) != landing.Message {
				t.Errorf("message %q", got)
			}
			if got := sh(t, repo, "status", "--porcelain"); got != "?? untracked" {
				t.Errorf("left with %q", got)
			}
			if read(t, repo, "more") != "two commits\n" {
				t.Error("not checked out")
			}
			_, err = r.Land(t.Context(), landing)
			wantCode(t, err, workspace.CodeNoCommits)
			state := Look(t.Context(), dir, "main")
			if !(old && squash) && (state.Merged != Yes || state.Unpushed != No) {
				t.Errorf("merged %v, unpushed %v", state.Merged, state.Unpushed)
			}
		}
	}
}

func TestALandingThatAHookRejectsIsTakenBack(t *testing.T) {
	for _, squash := range []bool{false, true} {
		repo, _ := pushedTask(t)
		for _, hook := range []string{"pre-commit", "pre-merge-commit"} {
			if err := os.WriteFile(filepath.Join(repo, ".git", "hooks", hook), []byte("#!/bin/sh\necho no such luck >&2\nexit 1\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		before := picture(t, repo)
		_, err := mustOpen(t, repo).Land(t.Context(), Landing{Checkout: repo, Branch: "task", Squash: squash})
		wantCode(t, err, workspace.CodeGitFailed)
		if !strings.Contains(err.Error(), "no such luck") {
			t.Errorf("the hook is not heard: %v", err)
		}
		if got := picture(t, repo); got != before {
			t.Errorf("left:\n%s\nbefore:\n%s", got, before)
		}
		for _, file := range []string{"MERGE_HEAD", "SQUASH_MSG", "MERGE_MSG"} {
			if there, _ := exists(filepath.Join(repo, ".git", file)); there != No {
				t.Errorf("%s is left", file)
			}
		}
	}
}
