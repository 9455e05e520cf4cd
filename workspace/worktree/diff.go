package worktree

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"moorage/workspace"
)

const (
	maxDiff      = 1 << 20 // bytes of one file's difference that are read
	maxDiffText  = 2000    // bytes of one of its lines that are shown
	maxDiffLines = 20_000  // lines of all the differences of one Compare
)

// Diff returns the difference of one of the changes, in git's unified form without colours. An untracked file differs from nothing. At most
// 1 MiB is returned; cut says that there is more. The bytes are the file's own: see Lines.
func Diff(ctx context.Context, c Changes, change Change) (diff []byte, cut bool, err error) {
	g, out := looking(c.Root), &bounded{limit: maxDiff}
	options := []string{"diff", "--no-color", "--no-ext-diff", "--no-textconv", "-M"}
	if change.Status == '?' {
		err = g.stream(ctx, out, append(options, "--no-index", "--", "/dev/null", "./"+filepath.FromSlash(change.Path))...)
		if exitOf(err) == 1 {
			err = nil
		}
	} else {
		against := c.Commit
		if against == "" {
			if against, err = g.reading("").text(ctx, "hash-object", "-t", "tree", "--stdin"); err != nil {
				return nil, false, err
			}
		}
		options = append(options, "--submodule=short", against, "--", change.Path)
		if change.From != "" {
			options = append(options, change.From)
		}
		err = g.with("GIT_LITERAL_PATHSPECS=1").stream(ctx, out, options...)
	}
	if err != nil {
		return nil, false, fmt.Errorf("diff %s: %w", Display(change.Path), err)
	}
	return out.buf.Bytes(), out.over, nil
}

// Compare returns the differences of several changes of c, line by line, in their order. It calls git for each, four at a time. Together they
// have at most maxDiffLines; a difference that is not whole is marked.
func Compare(ctx context.Context, c Changes, list []Change) ([]workspace.FileDiff, error) {
	diffs, errs := make([]workspace.FileDiff, len(list)), make([]error, len(list))
	var group sync.WaitGroup
	slots := make(chan struct{}, 4)
	for i, change := range list {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			var text []byte
			d := workspace.FileDiff{Path: []byte(change.Path), Show: change.Show(), Status: string(rune(change.Status))}
			if text, d.Cut, errs[i] = Diff(ctx, c, change); errs[i] == nil {
				d.Lines, d.Binary = Lined(text)
			}
			diffs[i] = d
		})
	}
	group.Wait()
	room := maxDiffLines
	for i := range diffs {
		if errs[i] != nil {
			return nil, errs[i]
		}
		d := &diffs[i]
		if len(d.Lines) > room {
			d.Lines, d.Cut = d.Lines[:room], true
		}
		room -= len(d.Lines)
	}
	return diffs, nil
}

// Show is the change's path in one line that is safe to show, with where it came from.
func (c Change) Show() string {
	if c.From == "" {
		return Display(c.Path)
	}
	return Display(c.From) + " → " + Display(c.Path)
}

// Lined reads one file's difference in the unified form (git-diff's manual, "GENERATING PATCH TEXT WITH -P"): the lines of its hunks with their
// numbers, safe to show. What stands before the first hunk is left out; binary says that there are only differing bytes.
func Lined(diff []byte) (lines []workspace.DiffLine, binary bool) {
	before, after, within := 0, 0, false
	for raw := range bytes.Lines(diff) {
		text := string(bytes.TrimSuffix(raw, []byte("\n")))
		if strings.HasPrefix(text, "@@ ") {
			var ok bool
			if before, after, ok = hunk(text); ok {
				within = true
				lines = append(lines, workspace.DiffLine{Kind: workspace.DiffHunk, Text: shortened(text)})
				continue
			}
		}
		if !within {
			binary = binary || strings.HasPrefix(text, "Binary files ")
			continue
		}
		if text == "" {
			text = " " // diff.suppressBlankEmpty
		}
		l := workspace.DiffLine{Kind: workspace.DiffKind(text[:1]), Text: shortened(text[1:])}
		switch l.Kind {
		case workspace.DiffSame:
			l.Old, l.New = before, after
			before, after = before+1, after+1
		case workspace.DiffOld:
			l.Old = before
			before++
		case workspace.DiffNew:
			l.New = after
			after++
		case workspace.DiffNote:
		default: // the head of a second part: a file that became a link
			within = false
			continue
		}
		lines = append(lines, l)
	}
	return lines, binary
}

// hunk reads where a hunk begins: "@@ -1,2 +1,3 @@ func".
func hunk(line string) (before, after int, ok bool) {
	from, to, _ := strings.Cut(strings.TrimPrefix(line, "@@ -"), " +")
	_, err := fmt.Sscanf(from, "%d", &before)
	_, err2 := fmt.Sscanf(to, "%d", &after)
	return before, after, err == nil && err2 == nil
}

func shortened(text string) string {
	if len(text) > maxDiffText {
		return DisplayLine(strings.ToValidUTF8(text[:maxDiffText], "")) + "…"
	}
	return DisplayLine(text)
}
