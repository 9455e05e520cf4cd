package worktree

import (
	"fmt"
	"strconv"
	"strings"
)

// entry is one path of git's status.
type entry struct {
	kind      byte // '1' changed, '2' moved, 'u' unmerged, '?' untracked, '!' ignored
	index     byte // against HEAD, '.' for the same
	tree      byte // against the index
	submodule string
	path      string
	from      string // of a moved one
}

// status is git's status, as it reads it out for machines.
type status struct {
	branch   string // "" when detached
	head     string // "" before the first commit
	upstream string
	distance Distance // to the upstream
	entries  []entry
}

// parseStatus reads `git status --porcelain=v2 -z --branch` (its manual, "Porcelain Format Version 2").
func parseStatus(out []byte) (status, error) {
	var s status
	list := records(out)
	for i := 0; i < len(list); i++ {
		line := list[i]
		if line == "" {
			continue
		}
		e := entry{kind: line[0], index: '.', tree: '.'}
		fields := 0
		switch e.kind {
		case '#':
			s.header(line)
			continue
		case '?', '!':
			fields = 2
		case '1':
			fields = 9
		case '2':
			fields = 10
		case 'u':
			fields = 11
		default:
			return s, fmt.Errorf("git status: a line that begins with %q", line[0])
		}
		f := strings.SplitN(line, " ", fields)
		if len(f) != fields {
			return s, fmt.Errorf("git status: %d fields in %s", len(f), Display(line))
		}
		e.path = f[fields-1]
		if fields > 2 {
			e.index, e.tree, e.submodule = f[1][0], f[1][1], f[2]
		}
		if e.kind == '2' {
			if i++; i < len(list) {
				e.from = list[i]
			}
		}
		s.entries = append(s.entries, e)
	}
	return s, nil
}

func (s *status) header(line string) {
	name, value, _ := strings.Cut(strings.TrimPrefix(line, "# "), " ")
	switch name {
	case "branch.oid":
		if value != "(initial)" {
			s.head = value
		}
	case "branch.head":
		if value != "(detached)" {
			s.branch = value
		}
	case "branch.upstream":
		s.upstream = value
	case "branch.ab":
		if _, err := fmt.Sscanf(value, "+%d -%d", &s.distance.Ahead, &s.distance.Behind); err == nil {
			s.distance.Known = true
		}
	}
}

// Lines counts lines of a difference.
type Lines struct {
	Known          bool
	Added, Removed int
}

// parseNumstat adds up `git diff --numstat -z --no-renames`. Binary files count nothing.
func parseNumstat(out []byte) map[string]Lines {
	files := map[string]Lines{}
	for _, line := range records(out) {
		f := strings.SplitN(line, "\t", 3)
		if len(f) != 3 {
			continue
		}
		added, err1 := strconv.Atoi(f[0])
		removed, err2 := strconv.Atoi(f[1])
		files[f[2]] = Lines{Known: err1 == nil && err2 == nil, Added: added, Removed: removed}
	}
	return files
}
