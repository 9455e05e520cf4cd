package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"moorage/workspace"
)

// aDiff has two files, one with a name that would colour the screen.
func aDiff() workspace.DiffView {
	line := func(kind workspace.DiffKind, before, after int, text string) workspace.DiffLine {
		return workspace.DiffLine{Kind: kind, Old: before, New: after, Text: text}
	}
	return workspace.DiffView{Version: 1, Scope: "head", Name: "HEAD", Files: []workspace.FileDiff{
		{Path: []byte("src/server.go"), Show: "src/server.go", Status: "M", Lines: []workspace.DiffLine{
			line(workspace.DiffHunk, 0, 0, "@@ -10,4 +10,5 @@ func serve()"),
			line(workspace.DiffSame, 10, 10, "func serve() error {"),
			line(workspace.DiffOld, 11, 0, "\treturn nil"),
			line(workspace.DiffNew, 0, 11, "\tif err := listen(); err != nil {"),
			line(workspace.DiffNew, 0, 12, "\t\treturn err"),
			line(workspace.DiffNew, 0, 13, "\t}"),
			line(workspace.DiffSame, 12, 14, "}"),
		}},
		{Path: []byte("a\x1b[31m.png"), Show: `a\x1b[31m.png`, Status: "?", Binary: true},
	}}
}

// reviewing is a bench that shows the review of everything that differs.
func reviewing(t *testing.T, size Size, notes ...workspace.Note) *bench {
	b := inWorld(t, size, twoProjects(), "L")
	b.files = map[bool]workspace.FilesView{true: {Version: 1, Still: true, Root: "/w/login", Scope: "head", Name: "HEAD", Entries: []workspace.FileEntry{
		{Path: []byte("src/server.go"), Show: "src/server.go", Status: "M", Added: 3, Removed: 1},
		{Path: []byte("a\x1b[31m.png"), Show: `a\x1b[31m.png`, Status: "?"},
	}}}
	b.git.diff, b.git.notes = aDiff(), notes
	b.keys("\x01f\tV")
	return b
}

func someNotes() []workspace.Note {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return []workspace.Note{
		{ID: "N1", Text: "Wrap this error, and say what was listened on.", Edited: at, Passage: workspace.Passage{
			Path: []byte("src/server.go"), Show: "src/server.go", First: 11, Last: 12, Quote: []string{"+\tif err := listen(); err != nil {", "+\t\treturn err"},
		}},
		{ID: "N2", Text: "Gone since", Edited: at, Sent: at.Add(time.Hour), Passage: workspace.Passage{
			Path: []byte("src/server.go"), Show: "src/server.go", First: 40, Last: 40, Quote: []string{"+\tpanic(err)"},
		}},
		{ID: "N3", Text: "Of another file", Edited: at, Passage: workspace.Passage{Path: []byte("old"), Show: "old", First: 1, Last: 1, Quote: []string{" x"}}},
	}
}

func TestAReviewShowsDifferencesWithTheirNotes(t *testing.T) {
	for _, size := range sizes {
		b := reviewing(t, size, someNotes()...)
		b.golden("review")
		b.escape()
		b.golden("changes")
		if strings.Contains(string(b.raw), "\x1b[31m.png") {
			t.Error("a file's name reached the terminal as it is")
		}
	}
}

func TestANoteIsWrittenOnARangeOfLines(t *testing.T) {
	for _, size := range sizes {
		b := reviewing(t, size)
		b.keys("jjjj") // heading, hunk, line 10, the removed one: to the first added one
		b.keys("vjc")
		b.keys("Why not here?\x1b\rAnd there")
		b.golden("note")
		b.keys("\r")
		want := workspace.NotePut{Task: "L", Text: "Why not here?\nAnd there", Passage: workspace.Passage{
			Path: []byte("src/server.go"), Show: "src/server.go", First: 11, Last: 12, Quote: []string{"+\tif err := listen(); err != nil {", "+\t\treturn err"},
		}}
		if len(b.git.puts) != 1 || !samePut(b.git.puts[0], want) {
			t.Fatalf("put %+v", b.git.puts)
		}
		if _, ok := b.m.dialog.(*reviewPage); !ok {
			t.Error("the dialog stays")
		}
		b.keys("[jjjc") // the removed line is named by its old number
		b.shows("src/server.go:11 (before the change)")
	}
}

func samePut(a, b workspace.NotePut) bool {
	same := string(a.Path) == string(b.Path) && a.Old == b.Old && a.First == b.First && a.Last == b.Last && slices.Equal(a.Quote, b.Quote)
	return same && a.Task == b.Task && a.ID == b.ID && a.Text == b.Text && a.Seen.Equal(b.Seen)
}

func TestANoteThatIsNotKeptIsNotLost(t *testing.T) {
	b := reviewing(t, Size{100, 30}, someNotes()...)
	b.git.err = workspace.Fail(workspace.CodeConflict, "look at its text first", "somebody has edited the note meanwhile")
	b.keys("jjjjjjj") // on the note of line 12
	b.shows("▸        ┃ Wrap this error")
	b.keys("\rMore. \r")
	b.shows("not kept: somebody has edited the note meanwhile")
	b.shows("More.")
	b.escape()
	b.keys("\r") // it is gone on with
	b.shows("More.")
	b.git.err = nil
	b.keys("\r")
	last := b.git.puts[len(b.git.puts)-1]
	if last.ID != "N1" || !last.Seen.Equal(someNotes()[0].Edited) || !strings.Contains(last.Text, "More.") {
		t.Errorf("put %+v", last)
	}
}

func TestNotesAreDeletedAfterAQuestionAndSentTogether(t *testing.T) {
	b := reviewing(t, Size{100, 30}, someNotes()...)
	b.keys("jjjjjjjx")
	b.shows("Delete the note?")
	b.keys("y")
	if len(b.git.dropped) != 1 || b.git.dropped[0] != (workspace.NoteRef{Task: "L", ID: "N1"}) {
		t.Errorf("dropped %+v", b.git.dropped)
	}
	b.git.err = errors.New("the engine has ended")
	b.keys("S")
	b.shows("send notes: the engine has ended")
	b.git.err = nil
	b.keys("S")
	b.shows("sent 2 notes to L/tab-1/pane-1")
	if len(b.git.noted) != 2 || b.git.noted[1] != (workspace.NotesSend{Task: "L", Tab: "tab-1"}) {
		t.Errorf("sent %+v", b.git.noted)
	}
}

func TestNotesOfOthersAppearInAnOpenReview(t *testing.T) {
	b := reviewing(t, Size{100, 30})
	b.git.notes = someNotes()
	w := twoProjects()
	for i := range w.Tasks {
		w.Tasks[i].Notes = workspace.NoteCount{All: 3, Unsent: 2, Changed: since}
	}
	b.send(WorldMsg(w))
	b.shows("Wrap this error")
}

func TestANoteFollowsItsLines(t *testing.T) {
	lines := aDiff().Files[0].Lines
	moved := slices.Clone(lines)
	for i := range moved {
		if moved[i].New > 0 {
			moved[i].New += 100
		}
	}
	for name, c := range map[string]struct {
		lines []workspace.DiffLine
		p     workspace.Passage
		want  int
	}{
		"where it was":    {lines, someNotes()[0].Passage, 4},
		"further down":    {moved, someNotes()[0].Passage, 4},
		"a removed line":  {lines, workspace.Passage{Old: true, First: 11, Last: 11, Quote: []string{"-\treturn nil"}}, 2},
		"a mixed range":   {lines, workspace.Passage{First: 10, Last: 11, Quote: []string{" func serve() error {", "-\treturn nil", "+\tif err := listen(); err != nil {"}}, 3},
		"changed since":   {lines, someNotes()[1].Passage, -1},
		"the whole file":  {lines, workspace.Passage{}, -1},
		"longer than its": {lines, workspace.Passage{First: 11, Last: 13, Quote: []string{"+\tif err := listen(); err != nil {"}}, 5},
	} {
		if got := anchor(c.lines, c.p); got != c.want {
			t.Errorf("%s: behind line %d, not %d", name, got, c.want)
		}
	}
}
