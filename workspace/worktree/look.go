package worktree

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"moorage/workspace"
)

// maxNames is how many names of files a look keeps of each sort.
const maxNames = 200

// Paths says whether there are files of a sort, and names the first of them.
type Paths struct {
	Any   Answer
	Count int
	Names []string // at most 200, as bytes, relative to the worktree; a directory ends in a slash
}

func (p *Paths) add(path string) {
	p.Any = Yes
	if p.Count++; len(p.Names) < maxNames {
		p.Names = append(p.Names, path)
	}
}

// Distance counts commits between two tips.
type Distance struct {
	Known         bool
	Ahead, Behind int
}

// State is what Look saw. What it could not see is Unknown or not Known, and Problems says why.
type State struct {
	Gone      Answer // the directory is not there; all that follows is Unknown then
	Branch    string // "" when detached
	Detached  Answer
	Head      string    // "" before the first commit
	Committed time.Time // when Head was; zero if that is not known

	Staged     Paths // tracked files that differ from Head in the index
	Unstaged   Paths // tracked files that differ from the index, also those that the user told git not to look at
	Conflicted Paths
	Untracked  Paths
	Ignored    Paths // a directory that is ignored as a whole is one path
	// Nested are repositories inside, submodules or others, with work that is nowhere else or cannot be looked at: what
	// a commit in this repository cannot keep.
	Nested Paths

	Base      string // what was compared with
	FromBase  Distance
	Upstream  string // "" when there is none
	FromUp    Distance
	Unpushed  Answer // commits that are neither on a remote nor, in substance, in the base
	Commits   int    // how many of them
	Pushed    Answer // all commits are on a remote
	Merged    Answer // the base has all of it, as commits or squashed
	Changed   Lines  // from where the branch left the base to the files as they are, without untracked ones
	Locked    Answer // by `git worktree lock`
	Reason    string // why, in the user's words
	IndexLock Answer // another git is at work here, or was killed
	Underway  string // "merge", "rebase", "cherry-pick", "revert", "bisect" or ""; see Doing
	Doing     Answer // whether one of these is not finished

	Problems []error
}

// Dirty reports whether tracked files differ from Head.
func (s *State) Dirty() Answer { return either(s.Staged.Any, s.Unstaged.Any, s.Conflicted.Any) }

// Uncommitted reports whether there is work that is in no commit: files that differ or that git does not know, and repositories inside
// with work of their own.
func (s *State) Uncommitted() Answer { return either(s.Dirty(), s.Untracked.Any, s.Nested.Any) }

// either is Yes if one is, No if all are.
func either(answers ...Answer) Answer {
	all := No
	for _, a := range answers {
		if a == Yes {
			return Yes
		}
		if a == Unknown {
			all = Unknown
		}
	}
	return all
}

// Look says what is in the worktree at dir, compared with base, a ref or commit; "" compares with nothing. It changes nothing and takes
// no lock. It never fails: what could not be looked at is said so.
func Look(ctx context.Context, dir, base string) State {
	l := looker{g: looking(dir), s: State{Base: base}}
	l.look(ctx)
	return l.s
}

// looker is a look underway.
type looker struct {
	g      git
	gitDir string // the worktree's own
	common string
	s      State
}

func (l *looker) problem(err error) {
	if err != nil {
		l.s.Problems = append(l.s.Problems, fmt.Errorf("look at %s: %w", Display(l.g.dir), err))
	}
}

func (l *looker) look(ctx context.Context) {
	there, err := exists(l.g.dir)
	if err != nil {
		l.problem(err)
		return
	}
	if l.s.Gone = answer(there == No); there == No {
		return
	}
	dirs, err := l.g.paths(ctx, "--show-toplevel", "--absolute-git-dir", "--git-common-dir")
	if err == nil && dirs[0] != resolve(l.g.dir) {
		// Its link to the repository is broken, and git has found another one further up.
		err = workspace.Fail(workspace.CodeCouldNotLook, "`git worktree repair` may mend it", "the worktree there is %s", Display(dirs[0]))
	}
	if err != nil {
		l.problem(err)
		return
	}
	l.gitDir, l.common = dirs[1], dirs[2]
	l.lookFiles()
	if l.lookStatus(ctx) {
		l.lookIndex(ctx)
		l.lookCommits(ctx)
	}
}

// lookFiles looks for what git keeps as files beside the index.
func (l *looker) lookFiles() {
	locked, err := exists(filepath.Join(l.gitDir, "locked"))
	l.problem(err)
	if l.s.Locked = locked; locked == Yes {
		reason, err := os.ReadFile(filepath.Join(l.gitDir, "locked"))
		l.problem(err)
		l.s.Reason = workspace.Clean(string(reason), workspace.MaxTitle)
	}
	l.s.IndexLock, err = exists(filepath.Join(l.gitDir, "index.lock"))
	l.problem(err)
	l.s.Underway, l.s.Doing, err = doing(l.gitDir)
	l.problem(err)
}

// doing looks in a worktree's own git directory for something that is not finished.
func doing(gitDir string) (name string, a Answer, err error) {
	a = No
	for _, mark := range underway {
		there, failed := exists(filepath.Join(gitDir, mark.file))
		err = cmp.Or(err, failed)
		if there == Yes && name == "" {
			name = mark.name
		}
		if there != No && a != Yes {
			a = there
		}
	}
	return name, a, err
}

// underway are the files that say that something is not finished (wt-status.c of git looks for the same).
var underway = []struct{ file, name string }{
	{"rebase-merge", "rebase"},
	{"rebase-apply", "rebase"},
	{"MERGE_HEAD", "merge"},
	{"CHERRY_PICK_HEAD", "cherry-pick"},
	{"REVERT_HEAD", "revert"},
	{"BISECT_LOG", "bisect"},
}

// lookStatus asks git for its status. Everything that is named by it stays Unknown when that fails.
func (l *looker) lookStatus(ctx context.Context) bool {
	st, err := l.g.status(ctx)
	if err != nil {
		l.problem(err)
		return false
	}
	s := &l.s
	s.Branch, s.Head, s.Upstream, s.FromUp = st.branch, st.head, st.upstream, st.distance
	s.Detached = answer(st.branch == "")
	for _, p := range []*Paths{&s.Staged, &s.Unstaged, &s.Conflicted, &s.Untracked, &s.Ignored} {
		p.Any = No
	}
	for _, e := range st.entries {
		switch e.kind {
		case '?':
			s.Untracked.add(e.path)
			if strings.HasSuffix(e.path, "/") {
				s.Nested.add(e.path) // git does not look into another repository
			}
		case '!':
			s.Ignored.add(e.path)
		case 'u':
			s.Conflicted.add(e.path)
		default:
			if e.index != '.' {
				s.Staged.add(e.path)
			}
			if e.tree != '.' {
				s.Unstaged.add(e.path)
			}
		}
	}
	return true
}

// status asks for everything but moves: who wants to keep files wants to have each by its name.
func (g git) status(ctx context.Context) (status, error) {
	out, err := g.run(ctx, "status", "--porcelain=v2", "-z", "--branch", "--ahead-behind", "--no-renames",
		"--untracked-files=all", "--ignored=matching", "--ignore-submodules=none")
	if err != nil {
		return status{}, err
	}
	return parseStatus(out)
}

// lookIndex finds what the status does not tell: changes that the user hid from it, and repositories inside.
func (l *looker) lookIndex(ctx context.Context) {
	hidden, modules, err := l.g.index(ctx)
	if err != nil {
		l.problem(err)
		l.s.Nested.Any, l.s.Unstaged.Any = Unknown, either(l.s.Unstaged.Any, Unknown)
		return
	}
	for _, path := range hidden {
		l.s.Unstaged.add(path)
	}
	could := true
	for _, path := range modules {
		work, err := nestedWork(ctx, filepath.Join(l.g.dir, path), func(name string) { l.s.Ignored.add(path + "/" + name) })
		l.problem(err)
		if work == Yes {
			l.s.Nested.add(path)
		}
		could = could && work != Unknown
	}
	if l.gitDir != l.common && l.s.Nested.Any != Yes {
		work, err := storedWork(ctx, filepath.Join(l.gitDir, "modules"), func(name string) { l.s.Nested.add(name + " (not checked out)") })
		l.problem(err)
		could = could && work != Unknown
	}
	if l.s.Nested.Any != Yes && could {
		l.s.Nested.Any = No
	}
}

// lookCommits compares commits with the base and the remotes.
func (l *looker) lookCommits(ctx context.Context) {
	s := &l.s
	if s.Head == "" {
		s.Unpushed, s.Pushed = No, No
		return
	}
	seconds, err := l.g.text(ctx, "log", "-1", "--no-show-signature", "--format=%ct", s.Head)
	l.problem(err)
	if at, err := strconv.ParseInt(seconds, 10, 64); err == nil {
		s.Committed = time.Unix(at, 0)
	}
	base := ""
	if s.Base != "" {
		base, err = l.g.commit(ctx, s.Base)
		l.problem(err)
	}
	l.lookUnpushed(ctx, base)
	if base == "" {
		return
	}
	if out, err := l.g.text(ctx, "rev-list", "--left-right", "--count", base+"..."+s.Head, "--"); err != nil {
		l.problem(err)
	} else if _, err := fmt.Sscan(out, &s.FromBase.Behind, &s.FromBase.Ahead); err == nil {
		s.FromBase.Known = true
	}
	if s.FromBase.Known && s.FromBase.Ahead == 0 {
		s.Merged = Yes
	} else {
		s.Merged, err = l.g.contains(ctx, l.common, base, s.Head)
		l.problem(err)
	}
	if s.Merged == Yes {
		s.Unpushed, s.Commits = No, 0
	}
	l.lookLines(ctx, base)
}

// lookUnpushed counts the commits that no remote has and the base neither. Without the base it is not known whether they are needed.
func (l *looker) lookUnpushed(ctx context.Context, base string) {
	count, ok := l.missing(ctx, base)
	if !ok {
		return
	}
	l.s.Commits = count
	if count == 0 || l.s.Base == "" || base != "" {
		l.s.Unpushed = answer(count > 0)
	}
	if count == 0 && base != "" {
		count, ok = l.missing(ctx, "") // the base itself may be on no remote
	}
	if ok {
		l.s.Pushed = answer(count == 0)
	}
}

// missing counts the commits that neither a remote has nor the base, "" for none.
func (l *looker) missing(ctx context.Context, base string) (count int, ok bool) {
	args := []string{"rev-list", "--count", l.s.Head, "--not", "--remotes"}
	if base != "" {
		args = append(args, base)
	}
	out, err := l.g.text(ctx, append(args, "--")...)
	if err == nil {
		count, err = strconv.Atoi(out)
	}
	l.problem(err)
	return count, err == nil
}

// lookLines counts the lines of the branch, as the files are now.
func (l *looker) lookLines(ctx context.Context, base string) {
	out, err := l.g.run(ctx, "diff", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules", "--merge-base", base, "--")
	if said(err, "no merge base") {
		return // they have nothing in common
	}
	if err != nil {
		l.problem(err)
		return
	}
	l.s.Changed.Known = true
	for _, n := range parseNumstat(out) {
		l.s.Changed.Added += n.Added
		l.s.Changed.Removed += n.Removed
	}
}
