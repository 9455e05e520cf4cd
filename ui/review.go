package ui

import (
	"context"
	"time"

	"moorage/ui/input"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// reviewPage shows what differs in a task, line by line, with the notes that
// were written on it, and takes new ones. It follows both while it is open.
type reviewPage struct {
	m     *Model
	task  workspace.TaskView
	path  []byte // of the one file that is reviewed; nil for all
	what  string // that is reviewed, in words
	scope string

	asked   int // counts the questions: an older one's answer is void
	view    workspace.DiffView
	notes   []workspace.Note
	changed time.Time // of the notes that were asked for last
	problem string
	drafts  map[string]*editor // notes that were left half-written

	rows  []reviewRow
	width int // that the rows were made for
	at    int
	from  int // where the range begins; -1 without one
	shift int // columns that the lines are moved to the left
	pager pager
}

// diffMsg is the answer for the page that asked.
type diffMsg struct {
	page  *reviewPage
	asked int
	view  workspace.DiffView
	err   error
}

// notesMsg are the task's notes.
type notesMsg struct {
	page  *reviewPage
	notes []workspace.Note
	err   error
}

// openReview opens the review of a file of the page, or of all that differ when
// path is nil. what says that in words.
func (p *filesPage) openReview(path []byte, what string) tea.Cmd {
	r := &reviewPage{
		m: p.m, task: p.task, path: path, what: what, scope: p.scope, problem: "asking…",
		drafts: make(map[string]*editor), from: -1,
	}
	p.m.push(r)
	return r.resumed()
}

func (p *reviewPage) about() tabRef { return tabRef{task: p.task.ID} }

// resumed asks for everything; what came while something lay over the page was
// not for it.
func (p *reviewPage) resumed() tea.Cmd { return tea.Batch(p.ask(0), p.askNotes()) }

// ask asks for what is newer than seen.
func (p *reviewPage) ask(seen uint64) tea.Cmd {
	p.asked++
	asked, daemon := p.asked, p.m.cfg.Daemon
	query := workspace.DiffQuery{Task: p.task.ID, Scope: p.scope, Path: p.path, Seen: seen}
	return within(askLimit, func(ctx context.Context) tea.Msg {
		view, err := daemon.Diff(ctx, query)
		return diffMsg{p, asked, view, err}
	})
}

// takeDiff shows the answer and asks for the next one, as long as the page is
// open and changes are noticed.
func (m *Model) takeDiff(msg diffMsg) tea.Cmd {
	p := msg.page
	switch {
	case m.dialog != dialog(p) || msg.asked != p.asked:
		return nil
	case msg.err != nil:
		p.problem = sentence(msg.err)
		m.touch()
		return nil
	case !msg.view.Same:
		p.problem = ""
		at, from := p.ref(p.at), p.ref(p.from)
		p.view = msg.view
		p.list(at, from)
		m.touch()
	}
	if p.view.Still {
		return nil
	}
	return p.ask(p.view.Version)
}

func (p *reviewPage) askNotes() tea.Cmd {
	t, ok := p.m.world.Task(p.task.ID)
	if !ok {
		return nil
	}
	p.changed = t.Notes.Changed
	daemon, task := p.m.cfg.Daemon, p.task.ID
	return within(askLimit, func(ctx context.Context) tea.Msg {
		notes, err := daemon.Notes(ctx, task)
		return notesMsg{p, notes, err}
	})
}

func (m *Model) takeNotes(msg notesMsg) {
	p := msg.page
	m.touch()
	if msg.err != nil {
		p.problem = sentence(msg.err)
		return
	}
	at, from := p.ref(p.at), p.ref(p.from)
	p.notes = msg.notes
	p.list(at, from)
}

// followNotes asks for the notes of an open review when the world says that
// they are others.
func (m *Model) followNotes() tea.Cmd {
	p, ok := m.dialog.(*reviewPage)
	if !ok {
		return nil
	}
	if t, ok := m.world.Task(p.task.ID); !ok || t.Notes.Changed.Equal(p.changed) {
		return nil
	}
	return p.askNotes()
}

func (p *reviewPage) key(k input.Key) (tea.Cmd, bool) {
	switch {
	case k.Code == input.Escape && p.from >= 0:
		p.from = -1
	case k.Code == input.Escape, k.Typed() == "q":
		return nil, true
	case k.Typed() == "v", k.Code == input.Space, k.Typed() == " ":
		if p.from >= 0 {
			p.from = -1
		} else {
			p.from = p.at
		}
	case k.Typed() == "]":
		p.toFile(1)
	case k.Typed() == "[":
		p.toFile(-1)
	case k.Code == input.Left:
		p.shift = max(p.shift-8, 0)
	case k.Code == input.Right:
		p.shift = min(p.shift+8, 2000)
	case k.Code == input.Enter, k.Typed() == "c":
		return p.write(), false
	case k.Typed() == "x", k.Code == input.Delete:
		return p.drop(), false
	case k.Typed() == "S":
		return p.send(), false
	case k.Typed() == "b":
		p.scope = otherScope(p.scope, p.view.Scope)
		return p.ask(0), false
	case k.Typed() == "r":
		return p.resumed(), false
	default:
		p.pager.step(k, &p.at, len(p.rows))
	}
	return nil, false
}

// otherScope is the scope to change to from the one that was asked for, or
// chosen by the daemon when none was.
func otherScope(asked, got string) string {
	if asked == "base" || asked == "" && got == "base" {
		return "head"
	}
	return "base"
}

// write begins a note on the range, or goes on with the one at the cursor.
func (p *reviewPage) write() tea.Cmd {
	if p.at < len(p.rows) && p.rows[p.at].note >= 0 && p.from < 0 {
		note := p.notes[p.rows[p.at].note]
		p.m.push(p.newNote(workspace.NotePut{Task: p.task.ID, ID: note.ID, Passage: note.Passage, Seen: note.Edited}, note.Text))
		return nil
	}
	passage, why := p.passage()
	if why != "" {
		return p.m.say(why, true)
	}
	p.m.push(p.newNote(workspace.NotePut{Task: p.task.ID, Passage: passage}, ""))
	return nil
}

// drop deletes the note at the cursor, when the user insists.
func (p *reviewPage) drop() tea.Cmd {
	if p.at >= len(p.rows) || p.rows[p.at].note < 0 {
		return p.m.say("there is no note here", false)
	}
	note, daemon := p.notes[p.rows[p.at].note], p.m.cfg.Daemon
	ref := workspace.NoteRef{Task: p.task.ID, ID: note.ID}
	p.m.push(newConfirm("Delete the note?", note.Text, p.m.ask("delete note", func(ctx context.Context) (outcome, error) {
		return outcome{}, daemon.DropNote(ctx, ref)
	})))
	return nil
}

// send gives all unsent notes to the engine of the tab that the client looks
// at, or else to the task's.
func (p *reviewPage) send() tea.Cmd {
	m, tab := p.m, ""
	if t, ok := m.world.Task(p.task.ID); ok && m.shown.task == t.ID && t.TabEngine(m.shown.tab) != nil {
		tab = m.shown.tab
	}
	daemon, to := m.cfg.Daemon, workspace.NotesSend{Task: p.task.ID, Tab: tab}
	return m.askLong("send notes", func(ctx context.Context) (outcome, error) {
		sent, err := daemon.SendNotes(ctx, to)
		return outcome{say: "sent " + workspace.Plural(sent.Notes, "note") + " to " + sent.Key}, err
	})
}

func (*reviewPage) paste(string) {}
