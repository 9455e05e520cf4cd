//go:build unix

package worktree

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestALookTellsWhatGitTells(t *testing.T) {
	repo, dir := pushedTask(t)
	commit(t, dir, "later", "one\ntwo\n")
	commit(t, repo, "README", "only here\n")
	write(t, dir, "feature.txt", "changed\nand longer\n")
	write(t, dir, "staged", "x\n")
	sh(t, dir, "add", "staged")
	write(t, dir, "u/n/tracked", "x")
	write(t, dir, "build/a", "x")
	write(t, dir, "build/b", "x")
	write(t, dir, "x.log", "x")
	s := Look(t.Context(), dir, "main")
	if len(s.Problems) > 0 {
		t.Fatal(s.Problems)
	}
	if s.Branch != "task" || s.Detached != No || s.Head != sh(t, dir, "rev-parse", "HEAD") || s.Committed.IsZero() || s.Gone != No {
		t.Errorf("%+v", s)
	}
	for _, c := range []struct {
		got  Paths
		want []string
	}{
		{s.Staged, []string{"staged"}},
		{s.Unstaged, []string{"feature.txt"}},
		{s.Conflicted, nil},
		{s.Untracked, []string{"u/n/tracked"}},
		{s.Ignored, []string{"build/", "x.log"}},
		{s.Nested, nil},
	} {
		if !slices.Equal(c.got.Names, c.want) || c.got.Count != len(c.want) || c.got.Any != answer(len(c.want) > 0) {
			t.Errorf("%+v, want %q", c.got, c.want)
		}
	}
	if s.FromBase != (Distance{true, 2, 1}) || s.FromUp != (Distance{true, 1, 0}) || s.Upstream != "origin/task" {
		t.Errorf("base %+v, %s %+v", s.FromBase, s.Upstream, s.FromUp)
	}
	if s.Unpushed != Yes || s.Commits != 1 || s.Merged != No || s.Locked != No || s.IndexLock != No || s.Doing != No {
		t.Errorf("%+v", s)
	}
	if s.Changed != (Lines{true, 5, 0}) { // later 2, feature.txt 2, staged 1
		t.Errorf("lines %+v, git says %s", s.Changed, sh(t, dir, "diff", "--shortstat", "--merge-base", "main"))
	}
}

func TestPushedMeansOnARemote(t *testing.T) {
	_, dir := pushedTask(t)
	pushed := func(base string, want Answer) {
		t.Helper()
		if s := Look(t.Context(), dir, base); s.Pushed != want || len(s.Problems) > 0 {
			t.Errorf("against %q pushed is %v, not %v: %v", base, s.Pushed, want, s.Problems)
		}
	}
	pushed("main", Yes)
	pushed("", Yes)
	commit(t, dir, "later", "x")
	pushed("main", No)
	pushed("task", No) // the base has it, and no remote
	if s := Look(t.Context(), plainRepo(t), "main"); s.Pushed != No || s.Unpushed != No {
		t.Errorf("without a remote pushed is %v, unpushed %v", s.Pushed, s.Unpushed)
	}
}

func TestALookThatFailsSaysUnknownAndNeverNo(t *testing.T) {
	for verb, unknown := range map[string]func(State) []Answer{
		"rev-parse": func(s State) []Answer {
			return []Answer{s.Dirty(), s.Untracked.Any, s.Ignored.Any, s.Nested.Any, s.Unpushed, s.Pushed, s.Merged, s.Locked, s.IndexLock, s.Doing, s.Detached}
		},
		"status": func(s State) []Answer {
			return []Answer{s.Dirty(), s.Untracked.Any, s.Ignored.Any, s.Nested.Any, s.Unpushed}
		},
		"ls-files":   func(s State) []Answer { return []Answer{s.Nested.Any, s.Dirty()} },
		"rev-list":   func(s State) []Answer { return []Answer{s.Unpushed, s.Pushed} },
		"merge-tree": func(s State) []Answer { return []Answer{s.Merged} },
	} {
		t.Run(verb, func(t *testing.T) {
			_, dir := pushedTask(t)
			failingVerb(t, verb)
			s := Look(t.Context(), dir, "main")
			if len(s.Problems) == 0 {
				t.Error("no problem is told")
			}
			for i, a := range unknown(s) {
				if a != Unknown {
					t.Errorf("%d is %v", i, a)
				}
			}
		})
	}
	_, dir := pushedTask(t)
	if s := Look(t.Context(), filepath.Join(dir, "gone"), "main"); s.Gone != Yes || s.Dirty() != Unknown {
		t.Errorf("%+v", s)
	}
	s := Look(t.Context(), dir, "no-such-base")
	if s.Merged != Unknown || s.FromBase.Known || s.Unpushed != No { // it is all on the remote
		t.Errorf("%+v", s)
	}
	commit(t, dir, "later", "x")
	if s := Look(t.Context(), dir, "no-such-base"); s.Unpushed != Unknown {
		t.Errorf("unpushed is %v", s.Unpushed)
	}
}

func TestALookNeitherChangesTheIndexNorAddsObjects(t *testing.T) {
	repo, dir := pushedTask(t)
	commit(t, repo, "other", "so that a merge would make a tree\n")
	index := filepath.Join(sh(t, dir, "rev-parse", "--absolute-git-dir"), "index")
	now := read(t, dir, "feature.txt")
	write(t, dir, "feature.txt", now) // other times, same bytes: git would like to refresh its index
	before, objects := read(t, filepath.Dir(index), "index"), tree(t, filepath.Join(repo, ".git"))
	if s := Look(t.Context(), dir, "main"); len(s.Problems) > 0 {
		t.Fatal(s.Problems)
	}
	if read(t, filepath.Dir(index), "index") != before || tree(t, filepath.Join(repo, ".git")) != objects {
		t.Error("it left a trace")
	}
}

func TestWhatIsUnderwayIsTold(t *testing.T) {
	for verb, want := range map[string]string{"merge": "merge", "rebase": "rebase", "cherry-pick": "cherry-pick"} {
		repo, dir := pushedTask(t)
		commit(t, repo, "feature.txt", "other\n")
		if out, err := tryGit(dir, verb, "main"); err == nil {
			t.Fatalf("no conflict: %s", out)
		}
		if s := Look(t.Context(), dir, "main"); s.Underway != want || s.Doing != Yes || s.Conflicted.Any != Yes {
			t.Errorf("%s: %q %v", verb, s.Underway, s.Doing)
		}
	}
}

func TestNamesAreBoundedAndAllAreCounted(t *testing.T) {
	_, dir := pushedTask(t)
	for i := range maxNames + 50 {
		write(t, dir, "many/"+string(rune('a'+i%26))+"/"+string(rune('a'+i/26)), "x")
	}
	if s := Look(t.Context(), dir, "main"); s.Untracked.Count != maxNames+50 || len(s.Untracked.Names) != maxNames {
		t.Errorf("%d of %d", len(s.Untracked.Names), s.Untracked.Count)
	}
}

func TestADirectoryThatMayNotBeReadIsNotGone(t *testing.T) {
	if os.Getuid() == 0 {
		// Root reads everything; a path through a file is what it cannot look at.
		dir := tempDir(t)
		write(t, dir, "file", "x")
		if s := Look(t.Context(), filepath.Join(dir, "file", "below"), ""); s.Gone != Unknown {
			t.Errorf("gone is %v", s.Gone)
		}
		return
	}
	dir := tempDir(t)
	write(t, dir, "closed/within/file", "x")
	if err := os.Chmod(filepath.Join(dir, "closed"), 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(dir, "closed"), 0o755)
	if s := Look(t.Context(), filepath.Join(dir, "closed", "work"), ""); s.Gone != Unknown {
		t.Errorf("gone is %v", s.Gone)
	}
}
