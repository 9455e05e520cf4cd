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

type lossCase struct {
	name    string
	prepare func(t *testing.T, repo, dir string) map[string]string // the work that must not be lost
	outside func(t *testing.T)                                     // what is wrong with git
	delete  workspace.Code                                         // of a removal, by a task's delete or by the page of worktrees
	force   workspace.Code
	land    workspace.Code
	salvage bool // by force
}

var lossCases = []lossCase{
	{name: "clean", prepare: func(*testing.T, string, string) map[string]string { return nil }},
	{name: "dirty", delete: workspace.CodeUncommitted, salvage: true, prepare: func(t *testing.T, _, dir string) map[string]string {
		write(t, dir, "feature.txt", "changed\r\n\x00\xff")
		write(t, dir, "README", "staged\n")
		sh(t, dir, "add", "README")
		write(t, dir, "README", "and changed again\n")
		write(t, dir, "new", "staged, then deleted\n")
		sh(t, dir, "add", "new")
		if err := os.Remove(filepath.Join(dir, "new")); err != nil {
			t.Fatal(err)
		}
		return map[string]string{
			"feature.txt": "changed\r\n\x00\xff", "README": "and changed again\n", "(index) README": "staged\n", "new": "staged, then deleted\n",
		}
	}},
	{name: "untracked", delete: workspace.CodeUncommitted, salvage: true, prepare: func(t *testing.T, _, dir string) map[string]string {
		work := map[string]string{}
		for _, name := range append(nastyNames, "deep/er/file") {
			work[name] = "untracked " + name
			write(t, dir, name, work[name])
		}
		return work
	}},
	{name: "ignored", delete: workspace.CodeUncommitted, prepare: func(t *testing.T, _, dir string) map[string]string {
		write(t, dir, "secret.log", "only here\n")
		write(t, dir, "build/out", "made\n")
		return nil // by force they go: that is what was agreed to
	}},
	{name: "unpushed", delete: workspace.CodeUnpushed, prepare: func(t *testing.T, _, dir string) map[string]string {
		commit(t, dir, "later", "committed only\n")
		return map[string]string{"later": "committed only\n"}
	}},
	{name: "locked worktree", delete: workspace.CodeLocked, force: workspace.CodeLocked, prepare: func(t *testing.T, repo, dir string) map[string]string {
		sh(t, repo, "worktree", "lock", "--reason", "on a stick", dir)
		write(t, dir, "untracked", "work\n")
		return map[string]string{"untracked": "work\n"}
	}},
	{name: "missing directory", prepare: func(t *testing.T, _, dir string) map[string]string {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		return map[string]string{"feature.txt": "committed and pushed\n"}
	}},
	{name: "missing directory with staged work", delete: workspace.CodeUncommitted, salvage: true, prepare: func(t *testing.T, _, dir string) map[string]string {
		write(t, dir, "new", "staged\n")
		sh(t, dir, "add", "new")
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		return map[string]string{"new": "staged\n"}
	}},
	{name: "missing directory with commits on no branch", delete: workspace.CodeUncommitted, salvage: true, prepare: func(t *testing.T, _, dir string) map[string]string {
		sh(t, dir, "checkout", "-q", "--detach")
		commit(t, dir, "adrift", "on no branch\n")
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		return map[string]string{"adrift": "on no branch\n"}
	}},
	{name: "missing directory in a rebase", delete: workspace.CodeUncommitted, salvage: true, prepare: func(t *testing.T, _, dir string) map[string]string {
		write(t, dir, "README", "set aside by the rebase\n")
		t.Setenv("GIT_SEQUENCE_EDITOR", "sed -i.bak s/^pick/edit/")
		sh(t, dir, "rebase", "-q", "-i", "--autostash", "HEAD~1")
		t.Setenv("GIT_SEQUENCE_EDITOR", "")
		if read(t, dir, "README") == "set aside by the rebase\n" || sh(t, dir, "status", "--porcelain") != "" {
			t.Fatal("it is not set aside")
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		return map[string]string{"README": "set aside by the rebase\n"}
	}},
	{
		name: "git absent", delete: workspace.CodeGitAbsent, force: workspace.CodeGitAbsent, land: workspace.CodeGitAbsent, prepare: dirtyAndUntracked,
		outside: func(t *testing.T) { t.Setenv("PATH", tempDir(t)) },
	},
	{
		name: "git failing", delete: workspace.CodeGitFailed, force: workspace.CodeGitFailed, land: workspace.CodeGitFailed, prepare: dirtyAndUntracked,
		outside: func(t *testing.T) { fakeGit(t, "exit 128") },
	},
	{
		name: "status failing", delete: workspace.CodeCouldNotLook, force: workspace.CodeCouldNotLook, land: workspace.CodeCouldNotLook, prepare: dirtyAndUntracked,
		outside: func(t *testing.T) { failingVerb(t, "status") },
	},
	{name: "index.lock present", delete: workspace.CodeBusy, force: workspace.CodeBusy, prepare: func(t *testing.T, repo, dir string) map[string]string {
		write(t, sh(t, dir, "rev-parse", "--absolute-git-dir"), "index.lock", "")
		return dirtyAndUntracked(t, repo, dir)
	}},
	{
		name: "index.lock in the base", land: workspace.CodeBusy, delete: workspace.CodeUncommitted, salvage: true,
		prepare: func(t *testing.T, repo, dir string) map[string]string {
			write(t, filepath.Join(repo, ".git"), "index.lock", "")
			return dirtyAndUntracked(t, repo, dir)
		},
	},
	{name: "hidden changes", delete: workspace.CodeUncommitted, salvage: true, prepare: func(t *testing.T, _, dir string) map[string]string {
		sh(t, dir, "update-index", "--skip-worktree", "feature.txt")
		sh(t, dir, "update-index", "--assume-unchanged", "README")
		write(t, dir, "feature.txt", "my own settings\n")
		write(t, dir, "README", "my own notes\n")
		return map[string]string{"feature.txt": "my own settings\n", "README": "my own notes\n"}
	}},
	{name: "detached with commits", delete: workspace.CodeUnpushed, salvage: true, prepare: func(t *testing.T, _, dir string) map[string]string {
		sh(t, dir, "checkout", "-q", "--detach")
		commit(t, dir, "adrift", "on no branch\n")
		return map[string]string{"adrift": "on no branch\n"}
	}},
	{name: "merge underway", delete: workspace.CodeUncommitted, salvage: true, prepare: func(t *testing.T, repo, dir string) map[string]string {
		commit(t, repo, "feature.txt", "the other side\n")
		if out, err := tryGit(dir, "merge", "main"); err == nil {
			t.Fatalf("no conflict: %s", out)
		}
		write(t, dir, "feature.txt", "half solved\n")
		return map[string]string{"feature.txt": "half solved\n"}
	}, land: workspace.CodeConflict},
	{name: "rebase underway", delete: workspace.CodeUncommitted, salvage: true, land: workspace.CodeConflict, prepare: func(t *testing.T, repo, dir string) map[string]string {
		commit(t, repo, "feature.txt", "the other side\n")
		write(t, dir, "README", "set aside by the rebase\n")
		if out, err := tryGit(dir, "rebase", "--autostash", "main"); err == nil {
			t.Fatalf("no conflict: %s", out)
		}
		if read(t, dir, "README") == "set aside by the rebase\n" {
			t.Fatal("nothing is set aside")
		}
		return map[string]string{"README": "set aside by the rebase\n"}
	}},
	{name: "repository inside", delete: workspace.CodeUncommitted, force: workspace.CodeUncommitted, prepare: func(t *testing.T, _, dir string) map[string]string {
		sh(t, dir, "init", "-q", "inner")
		commit(t, filepath.Join(dir, "inner"), "precious", "in another repository\n")
		return map[string]string{"inner/precious": "in another repository\n"}
	}},
	{name: "lossy filter", delete: workspace.CodeUncommitted, salvage: true, prepare: func(t *testing.T, repo, dir string) map[string]string {
		sh(t, repo, "config", "filter.drop.clean", "head -n 1")
		write(t, dir, ".gitattributes", "*.nb filter=drop\n*.txt text eol=lf\n")
		write(t, dir, "notes.nb", "first\nsecond\n")
		write(t, dir, "dos.txt", "one\r\ntwo\r\n")
		return map[string]string{"notes.nb": "first\nsecond\n", "dos.txt": "one\r\ntwo\r\n"}
	}},
}

func TestWhatIsLeftOfAMissingDirectoryIsNamed(t *testing.T) {
	repo, dir := pushedTask(t)
	r := mustOpen(t, repo)
	sh(t, dir, "checkout", "-q", "--detach")
	commit(t, dir, "adrift", "one\n")
	commit(t, dir, "adrift", "two\n")
	write(t, dir, "new", "staged\n")
	sh(t, dir, "add", "new")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	left, err := r.Left(t.Context(), dir)
	if err != nil || left.Commits != 2 || !slices.Equal(left.Staged.Names, []string{"new"}) {
		t.Errorf("left %+v, %v", left, err)
	}
	if err := left.Refusal(); err == nil || !strings.Contains(err.Error(), "staged: new; 2 commits") {
		t.Errorf("refused by %v", err)
	}
	sh(t, repo, "worktree", "lock", dir)
	_, err = r.Left(t.Context(), dir)
	wantCode(t, err, workspace.CodeLocked)
	left, err = r.Left(t.Context(), filepath.Join(repo, "nothing"))
	if err != nil || left.Refusal() != nil {
		t.Errorf("of what is no worktree %+v, %v", left, err)
	}
}

func dirtyAndUntracked(t *testing.T, _, dir string) map[string]string {
	write(t, dir, "feature.txt", "changed\n")
	write(t, dir, "untracked", "not added\n")
	return map[string]string{"feature.txt": "changed\n", "untracked": "not added\n"}
}

// TestNoWorkIsLost does everything that could destroy work to every state that work can be in. What git says afterwards decides.
func TestNoWorkIsLost(t *testing.T) {
	for _, c := range lossCases {
		for _, action := range []string{"delete", "force", "land", "remove worktree"} {
			t.Run(c.name+"/"+action, func(t *testing.T) {
				repo, dir := pushedTask(t)
				r := mustOpen(t, repo)
				work := c.prepare(t, repo, dir)
				tip := sh(t, repo, "rev-parse", "task")
				before := sh(t, repo, "rev-parse", "main")
				if c.outside != nil {
					c.outside(t)
				}
				var removal Removal
				var err error
				want := c.delete
				switch action {
				case "delete":
					removal, err = r.Remove(t.Context(), dir, "main", false)
				case "remove worktree": // of which nobody knows the base
					removal, err = r.Remove(t.Context(), dir, "", false)
				case "force":
					want = c.force
					removal, err = r.Remove(t.Context(), dir, "main", true)
				case "land":
					want = c.land
					_, err = r.Land(t.Context(), Landing{Checkout: repo, Branch: "task"})
				}
				wantCode(t, err, want)
				kept(t, repo, dir, work)
				if sh(t, repo, "rev-parse", "task") != tip {
					t.Error("the branch is not where it was")
				}
				if action == "land" {
					landed := strings.Contains(sh(t, repo, "log", "--format=%H %P", "main"), tip)
					if landed != (err == nil) || err != nil && sh(t, repo, "rev-parse", "main") != before {
						t.Errorf("landed: %v, with %v", landed, err)
					}
					if out := sh(t, repo, "status", "--porcelain"); out != "" {
						t.Errorf("the base is left with %s", out)
					}
					return
				}
				listed := strings.Contains(sh(t, repo, "worktree", "list", "--porcelain"), "worktree "+dir+"\n")
				if listed != (err != nil) {
					t.Errorf("still a worktree: %v, with %v", listed, err)
				}
				if there, _ := exists(dir); err == nil && there != No {
					t.Error("the directory is still there")
				}
				refs := sh(t, repo, "for-each-ref", "--format=%(refname)", "refs/moorage")
				if wantRefs := c.salvage && action == "force"; (refs != "") != wantRefs || refs != removal.Salvage {
					t.Errorf("salvaged as %q, told %q", refs, removal.Salvage)
				}
				sh(t, repo, "fsck", "--no-dangling")
			})
		}
	}
}

// TestAGitThatFailsAnywhereLosesNothing fails each command of git in turn.
func TestAGitThatFailsAnywhereLosesNothing(t *testing.T) {
	for _, verb := range []string{
		"rev-parse", "status", "ls-files", "rev-list", "merge-tree", "for-each-ref", "hash-object", "update-index", "write-tree", "commit-tree",
		"update-ref", "read-tree", "log", "diff", "merge-base", "worktree", "remove",
	} {
		t.Run(verb, func(t *testing.T) {
			repo, dir := pushedTask(t)
			r := mustOpen(t, repo)
			work := dirtyAndUntracked(t, repo, dir)
			failingVerb(t, verb)
			_, err := r.Remove(t.Context(), dir, "main", false)
			if err == nil {
				t.Error("removed without force")
			}
			_, err = r.Remove(t.Context(), dir, "main", true)
			there, _ := exists(filepath.Join(dir, "untracked"))
			if (there == Yes) != (err != nil) {
				t.Errorf("there: %v, with %v", there, err)
			}
			kept(t, repo, dir, work)
		})
	}
}

func TestASalvageTouchesNeitherIndexNorHooks(t *testing.T) {
	repo, dir := pushedTask(t)
	r := mustOpen(t, repo)
	dirtyAndUntracked(t, repo, dir)
	sh(t, dir, "add", "feature.txt")
	for _, hook := range []string{"pre-commit", "post-commit", "reference-transaction", "post-index-change", "commit-msg"} {
		path := filepath.Join(repo, ".git", "hooks", hook)
		if err := os.WriteFile(path, []byte("#!/bin/sh\ntouch '"+repo+"/hooked'\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	gitDir := sh(t, dir, "rev-parse", "--absolute-git-dir")
	before := read(t, gitDir, "index")
	ref, err := r.salvage(t.Context(), looking(dir), gitDir, "task", false)
	if err != nil {
		t.Fatal(err)
	}
	if read(t, gitDir, "index") != before {
		t.Error("the index is another one")
	}
	if there, _ := exists(filepath.Join(repo, "hooked")); there != No {
		t.Error("a hook ran")
	}
	if got := sh(t, repo, "show", ref+":feature.txt"); got != "changed" {
		t.Errorf("kept %q", got)
	}
	if got, want := sh(t, repo, "rev-parse", ref+"^"), sh(t, repo, "rev-parse", "task"); got != want {
		t.Errorf("its parent is %s, want %s", got, want)
	}
}

func TestASalvageKeepsLinksModesAndTheIndex(t *testing.T) {
	repo, dir := pushedTask(t)
	r := mustOpen(t, repo)
	if err := os.Symlink("nowhere\nat all", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "run", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(dir, "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	// A file takes the place of a directory, and the other way round.
	if err := os.Remove(filepath.Join(dir, "README")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "README/inside", "below\n")
	write(t, dir, "feature.txt", "staged\n")
	sh(t, dir, "add", "feature.txt")
	write(t, dir, "feature.txt", "as it is\n")
	removal, err := r.Remove(t.Context(), dir, "main", true)
	if err != nil {
		t.Fatal(err)
	}
	tree := sh(t, repo, "ls-tree", "-r", removal.Salvage)
	for _, want := range []string{
		"120000 blob " + blob("nowhere\nat all") + "\tlink", "100755 blob " + blob("#!/bin/sh\n") + "\trun",
		"100644 blob " + blob("below\n") + "\tREADME/inside", "100644 blob " + blob("as it is\n") + "\tfeature.txt",
	} {
		if !strings.Contains(tree, want) {
			t.Errorf("no %q in\n%s", want, tree)
		}
	}
	if got := sh(t, repo, "show", removal.Salvage+"^2:feature.txt"); got != "staged" {
		t.Errorf("the index has %q", got)
	}
}

func TestTwoSalvagesOfOneSecondAreTwo(t *testing.T) {
	repo, dir := pushedTask(t)
	r := mustOpen(t, repo)
	write(t, dir, "untracked", "one\n")
	gitDir := sh(t, dir, "rev-parse", "--absolute-git-dir")
	one, err := r.salvage(t.Context(), looking(dir), gitDir, "task", false)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "untracked", "two\n")
	two, err := r.salvage(t.Context(), looking(dir), gitDir, "task", false)
	if err != nil || one == two {
		t.Fatalf("%s and %s, %v", one, two, err)
	}
	kept(t, repo, tempDir(t), map[string]string{"untracked": "one\n", "later": "two\n"})
}

func TestARemovalLeavesTheEntriesOfOthers(t *testing.T) {
	repo, dir := pushedTask(t)
	r := mustOpen(t, repo)
	other := task(t, r, "other")
	for _, gone := range []string{dir, other} {
		if err := os.RemoveAll(gone); err != nil {
			t.Fatal(err)
		}
	}
	removal, err := r.Remove(t.Context(), dir, "main", false)
	if err != nil || !removal.Gone {
		t.Fatalf("%+v, %v", removal, err)
	}
	list := sh(t, repo, "worktree", "list", "--porcelain")
	if strings.Contains(list, dir) || !strings.Contains(list, other) {
		t.Errorf("left: %s", list)
	}
	if removal, err = r.Remove(t.Context(), dir, "main", false); err != nil || !removal.Absent {
		t.Errorf("a second time: %+v, %v", removal, err)
	}
}

func TestTheMainWorktreeIsNotRemoved(t *testing.T) {
	repo, _ := pushedTask(t)
	_, err := mustOpen(t, repo).Remove(t.Context(), repo, "main", true)
	wantCode(t, err, workspace.CodeRefused)
}

func TestABrokenLinkToTheRepositoryIsNotTakenForTheOneAround(t *testing.T) {
	outer := plainRepo(t)
	repo, _ := pushedTask(t)
	r := mustOpen(t, repo)
	dir := filepath.Join(outer, "inside")
	if err := r.Create(t.Context(), Plan{Dir: dir, Branch: "inside"}, nil); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "work", "only here\n")
	if err := os.Remove(filepath.Join(dir, ".git")); err != nil {
		t.Fatal(err)
	}
	for _, force := range []bool{false, true} {
		_, err := r.Remove(t.Context(), dir, "main", force)
		wantCode(t, err, workspace.CodeCouldNotLook)
	}
	if read(t, dir, "work") != "only here\n" {
		t.Error("lost")
	}
}

func TestABranchGoesByNameAndOnlyWhenItsCommitsAreElsewhere(t *testing.T) {
	repo, dir := pushedTask(t)
	r := mustOpen(t, repo)
	commit(t, dir, "later", "unpushed\n")
	_, err := r.DeleteBranch(t.Context(), "task", "main", true)
	wantCode(t, err, workspace.CodeRefused) // a worktree has it
	if _, err := r.Remove(t.Context(), dir, "main", true); err != nil {
		t.Fatal(err)
	}
	_, err = r.DeleteBranch(t.Context(), "task", "", false)
	wantCode(t, err, workspace.CodeUnpushed)
	_, err = r.DeleteBranch(t.Context(), "nothing", "", false)
	wantCode(t, err, workspace.CodeMissingRef)
	_, err = r.DeleteBranch(t.Context(), "-D", "", true)
	wantCode(t, err, workspace.CodeInvalid)
	if _, err := r.Land(t.Context(), Landing{Checkout: repo, Branch: "task", Squash: true}); err != nil {
		t.Fatal(err)
	}
	tip := sh(t, repo, "rev-parse", "task")
	id, err := r.DeleteBranch(t.Context(), "task", "", false) // squashed is enough
	if err != nil || id != tip {
		t.Fatalf("%s, %v", id, err)
	}
	if out, err := tryGit(repo, "rev-parse", "--verify", "refs/heads/task"); err == nil {
		t.Errorf("still there: %s", out)
	}
}
