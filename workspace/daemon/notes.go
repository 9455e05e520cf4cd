package daemon

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/oklog/ulid/v2"

	"moorage/workspace"
	"moorage/workspace/worktree"
)

// taskNotes are a task's notes as they are stored. They are never changed in place.
type taskNotes struct {
	Changed time.Time        `json:"changed"`
	Notes   []workspace.Note `json:"notes"` // the oldest first
}

func (n taskNotes) count() workspace.NoteCount {
	return workspace.NoteCount{All: len(n.Notes), Unsent: len(n.unsent()), Changed: n.Changed}
}

func (n taskNotes) unsent() []workspace.Note {
	return slices.DeleteFunc(slices.Clone(n.Notes), func(note workspace.Note) bool { return !note.Sent.IsZero() })
}

// at finds a note by its id.
func (n taskNotes) at(id string) (int, error) {
	i := slices.IndexFunc(n.Notes, func(note workspace.Note) bool { return note.ID == id })
	if i < 0 {
		return i, workspace.Fail(workspace.CodeNotFound, "somebody has deleted it", "there is no such note")
	}
	return i, nil
}

// roomier is the notes with room for one more; see MaxNotes.
func (n taskNotes) roomier() ([]workspace.Note, error) {
	notes := slices.Clone(n.Notes)
	for len(notes) >= workspace.MaxNotes {
		oldest := -1
		for i, note := range notes {
			if !note.Sent.IsZero() && (oldest < 0 || note.Sent.Before(notes[oldest].Sent)) {
				oldest = i
			}
		}
		if oldest < 0 {
			return nil, workspace.Fail(workspace.CodeRefused, "send or delete some", "the task has %d unsent notes already", len(notes))
		}
		notes = slices.Delete(notes, oldest, oldest+1)
	}
	return notes, nil
}

func (d *daemon) notes(ctx context.Context, p workspace.TaskRef) (any, error) {
	notes := []workspace.Note{}
	err := d.do(ctx, func(s *state) error {
		if _, ok := s.tasks[p.Task]; !ok {
			return workspace.NoTask(p.Task)
		}
		notes = append(notes, s.notes[p.Task].Notes...)
		return nil
	})
	return notes, err
}

// editNotes lets f make a task's notes anew, and stores and shows them.
func (d *daemon) editNotes(ctx context.Context, task string, f func(s *state, had taskNotes) ([]workspace.Note, error)) error {
	return d.do(ctx, func(s *state) error {
		if _, ok := s.tasks[task]; !ok {
			return workspace.NoTask(task)
		}
		notes, err := f(s, s.notes[task])
		if err != nil {
			return err
		}
		return s.commit(change{notes: map[string]taskNotes{task: {s.now(), notes}}})
	})
}

// notePut writes a note. One that was sent is unsent again with its new text.
func (d *daemon) notePut(ctx context.Context, p workspace.NotePut) (any, error) {
	text, err := promptText(p.Text)
	if err != nil {
		return nil, err
	}
	if len(text) > workspace.MaxNoteText {
		return nil, workspace.Fail(workspace.CodeInvalid, "make two of it", "the note has %d bytes, more than %d", len(text), workspace.MaxNoteText)
	}
	note := workspace.Note{ID: ulid.Make().String(), Passage: quotable(p.Passage), Text: text}
	err = d.editNotes(ctx, p.Task, func(s *state, had taskNotes) ([]workspace.Note, error) {
		note.Edited = s.now()
		if p.ID == "" {
			notes, err := had.roomier()
			return append(notes, note), err
		}
		i, err := had.at(p.ID)
		if err != nil {
			return nil, err
		}
		if !had.Notes[i].Edited.Equal(p.Seen) {
			return nil, workspace.Fail(workspace.CodeConflict, "look at its text first", "somebody has edited the note meanwhile")
		}
		note.ID, note.Passage = p.ID, had.Notes[i].Passage
		notes := slices.Clone(had.Notes)
		notes[i] = note
		return notes, nil
	})
	return note, err
}

// quotable is a passage as it is kept: within its bounds, and safe to show and to send.
func quotable(p workspace.Passage) workspace.Passage {
	p.Show = worktree.Display(string(p.Path))
	p.Quote = slices.Clone(p.Quote[:min(len(p.Quote), workspace.MaxQuote)])
	for i, line := range p.Quote {
		line = worktree.DisplayLine(line)
		if cut := workspace.MaxQuoteLine; len(line) > cut {
			for !utf8.RuneStart(line[cut]) {
				cut--
			}
			line = line[:cut]
		}
		p.Quote[i] = line
	}
	return p
}

func (d *daemon) noteDrop(ctx context.Context, p workspace.NoteRef) (any, error) {
	return done{}, d.editNotes(ctx, p.Task, func(_ *state, had taskNotes) ([]workspace.Note, error) {
		i, err := had.at(p.ID)
		if err != nil {
			return nil, err
		}
		return slices.Delete(slices.Clone(had.Notes), i, i+1), nil
	})
}

// notesSend gives a task's unsent notes to its engine, as send would, and marks those that were delivered.
func (d *daemon) notesSend(ctx context.Context, p workspace.NotesSend) (any, error) {
	var notes []workspace.Note
	if err := d.do(ctx, func(s *state) error {
		if notes = s.notes[p.Task].unsent(); len(notes) == 0 {
			return workspace.Fail(workspace.CodeInvalid, "write one first", "there is no unsent note")
		}
		if s.noting[p.Task] {
			return workspace.Fail(workspace.CodeBusy, "wait until they are", "the notes are being sent already")
		}
		s.noting[p.Task] = true
		return nil
	}); err != nil {
		return nil, err
	}
	sent, err := d.send(ctx, workspace.Send{Task: p.Task, Tab: p.Tab, Prompt: workspace.PromptOf(notes)})
	after := context.WithoutCancel(ctx) // what was delivered is marked also when the caller has left
	marked := d.do(after, func(s *state) error {
		delete(s.noting, p.Task)
		if _, there := s.tasks[p.Task]; err != nil || !there {
			return nil
		}
		now := slices.Clone(s.notes[p.Task].Notes)
		for i := range now {
			if slices.ContainsFunc(notes, func(n workspace.Note) bool { return n.ID == now[i].ID && n.Edited.Equal(now[i].Edited) }) {
				now[i].Sent = s.now()
			}
		}
		return s.commit(change{notes: map[string]taskNotes{p.Task: {s.now(), now}}})
	})
	if err != nil {
		return nil, err
	}
	return workspace.NotesSent{Sent: sent.(workspace.Sent), Notes: len(notes)}, marked
}
