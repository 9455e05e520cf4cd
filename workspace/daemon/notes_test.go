package daemon

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"moorage/workspace"
)

func TestNotesAreSharedAndOutliveTheDaemon(t *testing.T) {
	r := newRig(t)
	a, b := r.client(), r.client()
	task := directory(t, a).Task.ID
	put := workspace.NotePut{Task: task, Text: "why?\r\nand how", Passage: workspace.Passage{
		Path: []byte("a\x1b[31m\xff"), First: 3, Last: 4, Quote: []string{"+\tx\x1b[31m", "-" + strings.Repeat("ö", workspace.MaxQuoteLine)},
	}}
	first := must(a.PutNote(t.Context(), put))(t)
	if first.Text != "why?\nand how" || first.Show != `a\x1b[31m\xff` || first.Quote[0] != "+\tx\\x1b[31m" || len(first.Quote[1]) > workspace.MaxQuoteLine {
		t.Errorf("kept %+v", first)
	}
	r.until("the other client hears of it", func(s workspace.Snapshot) bool { return s.Tasks[0].Notes.Unsent == 1 })
	seen := must(b.Notes(t.Context(), task))(t)
	if len(seen) != 1 || seen[0].ID != first.ID || !bytes.Equal(seen[0].Path, put.Path) {
		t.Fatalf("the other client sees %+v", seen)
	}
	// Of two who edit it, the second is told.
	edit := workspace.NotePut{Task: task, ID: first.ID, Text: "better", Seen: seen[0].Edited}
	must(b.PutNote(t.Context(), edit))(t)
	_, err := a.PutNote(t.Context(), edit)
	wantCode(t, err, workspace.CodeConflict)
	for what, text := range map[string]string{"nothing": " \n", "a control": "a\x1bb", "too much": strings.Repeat("x", workspace.MaxNoteText+1)} {
		_, err := a.PutNote(t.Context(), workspace.NotePut{Task: task, Text: text})
		if workspace.CodeOf(err) != workspace.CodeInvalid {
			t.Errorf("%s: %v", what, err)
		}
	}
	r.halt()
	r.run()
	c := r.client()
	kept := must(c.Notes(t.Context(), task))(t)
	if len(kept) != 1 || kept[0].Text != "better" || kept[0].First != 3 {
		t.Fatalf("after a restart %+v", kept)
	}
	ok(t, c.DropNote(t.Context(), workspace.NoteRef{Task: task, ID: first.ID}))
	wantCode(t, c.DropNote(t.Context(), workspace.NoteRef{Task: task, ID: first.ID}), workspace.CodeNotFound)
	must(c.PutNote(t.Context(), put))(t)
	ok(t, c.DeleteTask(t.Context(), workspace.TaskDelete{Task: task}))
	r.halt()
	in := must(openIndex(r.home.Path("index.db")))(t)
	defer in.close()
	if left := must(in.load())(t).notes; len(left) != 0 {
		t.Errorf("a deleted task left %+v", left)
	}
}

func wantCode(t *testing.T, err error, code workspace.Code) {
	t.Helper()
	if workspace.CodeOf(err) != code {
		t.Errorf("%v, not %s", err, code)
	}
}

func TestNotesThatWereNotDeliveredStayUnsent(t *testing.T) {
	r := newRig(t)
	c := r.client()
	task := directory(t, c).Task.ID
	_, err := c.SendNotes(t.Context(), workspace.NotesSend{Task: task})
	wantCode(t, err, workspace.CodeInvalid)
	must(c.PutNote(t.Context(), workspace.NotePut{Task: task, Text: "why?"}))(t)
	for range 2 { // a refusal leaves nothing behind
		_, err = c.SendNotes(t.Context(), workspace.NotesSend{Task: task})
		wantCode(t, err, workspace.CodeNoEngineTab)
	}
	if notes := must(c.Notes(t.Context(), task))(t); len(notes) != 1 || !notes[0].Sent.IsZero() {
		t.Errorf("notes %+v", notes)
	}
}

func TestOfTooManyNotesThoseSentLongestAgoGo(t *testing.T) {
	var n taskNotes
	for i := range workspace.MaxNotes {
		n.Notes = append(n.Notes, workspace.Note{ID: fmt.Sprint(i)})
	}
	if _, err := n.roomier(); workspace.CodeOf(err) != workspace.CodeRefused {
		t.Errorf("a note beyond the unsent ones: %v", err)
	}
	for _, i := range []int{70, 40, 55} {
		n.Notes[i].Sent = time.Unix(int64(i), 0)
	}
	got, err := n.roomier()
	if err != nil || len(got) != workspace.MaxNotes-1 || len(n.Notes) != workspace.MaxNotes {
		t.Fatalf("%d of %d, %v", len(got), len(n.Notes), err)
	}
	if _, err := (taskNotes{Notes: got}).at("40"); err == nil {
		t.Error("the one sent longest ago stays")
	}
}
