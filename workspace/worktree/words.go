package worktree

import (
	"regexp"
	"slices"
	"strings"

	"moorage/workspace"
)

const (
	maxWords   = 40      // lines of git's complaints that are kept, the last ones
	maxLine    = 4 << 10 // bytes of one of these lines: it may hold a path
	maxReasons = 5       // of them that a failure tells
	maxReason  = 400     // bytes of each
)

// wordsOf keeps the end of what git says, and passes it on line by line. Progress ends its lines with a carriage return.
type wordsOf struct {
	kept     []string
	line     []byte
	progress func(string)
	shown    *strings.Replacer
}

func (w *wordsOf) Write(p []byte) (int, error) {
	for _, c := range p {
		if c == '\n' || c == '\r' {
			w.flush()
		} else if len(w.line) < maxLine {
			w.line = append(w.line, c)
		}
	}
	return len(p), nil
}

func (w *wordsOf) flush() {
	line := string(w.line)
	if w.shown != nil {
		line = w.shown.Replace(line)
	}
	line = workspace.Clean(redact(line), maxLine)
	w.line = w.line[:0]
	if line == "" {
		return
	}
	if w.progress != nil {
		w.progress(line)
	}
	if amount.MatchString(line) {
		return
	}
	if w.kept = append(w.kept, line); len(w.kept) > maxWords {
		w.kept = w.kept[1:]
	}
}

var credentials = regexp.MustCompile(`://[^/@\s']+@`)

// redact takes names and passwords out of the addresses in text.
func redact(text string) string { return credentials.ReplaceAllString(text, "://") }

// amount is in lines that only say how far git is (its progress.c).
var amount = regexp.MustCompile(`: +\d+% \(\d+/\d+\)|^remote: (Enumerating|Counting|Compressing) objects: |^remote: Total \d`)

// unread is what git says when the program that it reaches a remote by has ended: that one has said why, in lines of its own before.
const unread = "fatal: Could not read from remote repository"

// reasons picks from git's complaints those that say why: the marked ones, and what the other side and the way to it say. Where there are none, it is
// the end: a hook's words, most likely.
func reasons(words string) string {
	lines := strings.Split(strings.TrimSpace(words), "\n")
	var why []string
	for i, line := range lines {
		what, marked := strings.CutPrefix(line, "fatal: ")
		if !marked {
			what, marked = strings.CutPrefix(line, "error: ")
		}
		if strings.HasPrefix(line, unread) {
			why = append(why, lines[transport(lines, i):i]...)
		}
		if marked || strings.HasPrefix(line, "remote: ") {
			why = append(why, what)
		}
	}
	if len(why) == 0 {
		why = lines[max(0, len(lines)-3):]
	}
	var told []string
	for _, line := range why[max(0, len(why)-maxReasons):] {
		if line = workspace.Clean(line, maxReason); !slices.Contains(told, line) {
			told = append(told, line)
		}
	}
	return strings.Join(told, "; ")
}

// transport is where the lines begin that stand before end and are not git's own.
func transport(lines []string, end int) int {
	own := func(line string) bool {
		return slices.ContainsFunc([]string{"Cloning into ", "fatal: ", "error: ", "warning: ", "hint: ", "remote: "}, func(mark string) bool {
			return strings.HasPrefix(line, mark)
		})
	}
	from := end
	for from > 0 && !own(lines[from-1]) {
		from--
	}
	return from
}
