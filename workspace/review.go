package workspace

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// DiffQuery asks for what differs in a task's directory, line by line. The answer waits for a change since Seen as that of a FilesQuery does.
type DiffQuery struct {
	Task  string `json:"task"`
	Scope string `json:"scope,omitempty"` // as of a FilesQuery
	Path  []byte `json:"path,omitempty"`  // of one file; empty for all of them
	Seen  uint64 `json:"seen,omitempty"`
}

// DiffView is what differs.
type DiffView struct {
	Version uint64     `json:"version"`
	Same    bool       `json:"same,omitempty"` // nothing has changed since Seen, and nothing else is told
	Scope   string     `json:"scope,omitempty"`
	Name    string     `json:"name,omitempty"` // what was compared with
	Files   []FileDiff `json:"files"`
	Cut     bool       `json:"cut,omitempty"` // more files differ
	Still   bool       `json:"still,omitempty"`
}

// FileDiff is what differs in one file. Path is bytes and may be anything; Show is fit to be drawn.
type FileDiff struct {
	Path   []byte     `json:"path"`
	Show   string     `json:"show"`
	Status string     `json:"status"`
	Binary bool       `json:"binary,omitempty"`
	Cut    bool       `json:"cut,omitempty"` // there are more lines
	Lines  []DiffLine `json:"lines"`
}

// DiffKind is the sign before a line of a difference.
type DiffKind string

// The signs.
const (
	DiffHunk DiffKind = "@"  // a heading: where the following lines are
	DiffSame DiffKind = " "  // in both
	DiffOld  DiffKind = "-"  // only before
	DiffNew  DiffKind = "+"  // only after
	DiffNote DiffKind = "\\" // git's own remark: no newline at the end
)

// DiffLine is a line of a difference, fit to be drawn but for tabs. Old and New are its numbers before and after, 0 where it is not.
type DiffLine struct {
	Kind DiffKind `json:"kind"`
	Old  int      `json:"old,omitempty"`
	New  int      `json:"new,omitempty"`
	Text string   `json:"text"`
}

// What a task's notes are bounded by. They stay until somebody deletes them, or the task goes; when there is no room for another one, the one
// that was sent longest ago makes it, and if none was sent the new one is refused.
const (
	MaxNotes     = 100
	MaxNoteText  = 4000 // bytes of a note
	MaxQuote     = 20   // lines that are quoted
	MaxQuoteLine = 200  // bytes of each
)

// Passage names lines of a difference: those numbered First to Last as they are after the change, or before it with Old. First 0 means the
// file as such.
type Passage struct {
	Path  []byte `json:"path"`
	Show  string `json:"show"` // fit to be drawn
	Old   bool   `json:"old,omitempty"`
	First int    `json:"first"`
	Last  int    `json:"last"`
	// Quote are the lines as the note's writer saw them, each behind its sign; at most MaxQuote.
	Quote []string `json:"quote"`
}

// Passage names lines of the file's difference; none of them is the file as such.
func (f *FileDiff) Passage(lines []DiffLine) Passage {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l DiffLine) bool { return l.Old+l.New == 0 })
	p := Passage{Path: f.Path, Show: f.Show, Quote: []string{}}
	p.Old = len(lines) > 0 && !slices.ContainsFunc(lines, func(l DiffLine) bool { return l.Kind != DiffOld })
	for _, l := range lines {
		n := l.New
		if p.Old {
			n = l.Old
		}
		if n > 0 && p.First == 0 {
			p.First = n
		}
		p.Last = max(p.Last, n)
		if len(p.Quote) < MaxQuote {
			p.Quote = append(p.Quote, string(l.Kind)+l.Text)
		}
	}
	return p
}

// Numbered are the lines of the difference that are numbered first to last: as they are after the change, with what was taken out between them; or
// with old those that were taken out, as they were before. It is empty unless the first and the last are among them.
func (f *FileDiff) Numbered(first, last int, old bool) []DiffLine {
	at := func(n int) int {
		return slices.IndexFunc(f.Lines, func(l DiffLine) bool { return old && l.Kind == DiffOld && l.Old == n || !old && l.New == n })
	}
	from, to := at(first), at(last)
	if first < 1 || from < 0 || to < from {
		return nil
	}
	lines := slices.Clone(f.Lines[from : to+1])
	if old {
		lines = slices.DeleteFunc(lines, func(l DiffLine) bool { return l.Kind != DiffOld })
	}
	return lines
}

// Where names the passage in words.
func (p Passage) Where() string {
	if p.First == 0 {
		return p.Show
	}
	where := fmt.Sprintf("%s:%d", p.Show, p.First)
	if p.Last != p.First {
		where += fmt.Sprintf("-%d", p.Last)
	}
	if p.Old {
		where += " (before the change)"
	}
	return where
}

// Note is a remark on a passage, for the task's engine.
type Note struct {
	ID string `json:"id"` // a ULID
	Passage
	Text   string    `json:"text"`
	Edited time.Time `json:"edited"`
	Sent   time.Time `json:"sent,omitzero"` // when it was delivered; an edit makes it unsent again
}

// NoteCount says how many notes a task has. Changed tells one state of them from the next.
type NoteCount struct {
	All     int       `json:"all"`
	Unsent  int       `json:"unsent"`
	Changed time.Time `json:"changed"`
}

// NotePut writes a note: a new one without ID, else another text of that one. Seen is the Edited that the writer began with: when somebody
// else has edited the note since, it is CodeConflict.
type NotePut struct {
	Task string `json:"task"`
	ID   string `json:"id,omitempty"`
	Passage
	Text string    `json:"text"`
	Seen time.Time `json:"seen,omitzero"`
}

// NoteRef names a note.
type NoteRef struct {
	Task string `json:"task"`
	ID   string `json:"id"`
}

// NotesSend asks for all unsent notes of a task to be given to an engine as one prompt, by the rules of Send. Those that were delivered are
// marked sent, and only those.
type NotesSend struct {
	Task string `json:"task"`
	Tab  string `json:"tab,omitempty"`
}

// NotesSent says where they went.
type NotesSent struct {
	Sent
	Notes int `json:"notes"`
}

// PromptOf is the prompt that says notes to an engine.
func PromptOf(notes []Note) string {
	var b strings.Builder
	b.WriteString("Notes of a review of your changes:\n")
	for _, n := range notes {
		b.WriteString("\n" + n.Where() + "\n")
		for _, line := range n.Quote {
			b.WriteString("> " + line + "\n")
		}
		b.WriteString(n.Text + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
