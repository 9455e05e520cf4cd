package ui

import (
	"context"
	"strings"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// noteDialog writes a note. It stays open until the daemon has the note, so that
// no text is lost; one that is left is there when the same is opened again.
type noteDialog struct {
	page    *reviewPage
	put     workspace.NotePut
	draft   *editor
	asking  bool
	problem string
}

// noteMsg is what became of a note.
type noteMsg struct {
	dialog *noteDialog
	err    error
}

func (p *reviewPage) newNote(put workspace.NotePut, text string) *noteDialog {
	d := &noteDialog{page: p, put: put}
	if d.draft = p.drafts[d.name()]; d.draft == nil {
		d.draft = newEditor()
		d.draft.insert(text)
		p.drafts[d.name()] = d.draft
	}
	return d
}

// name is what the draft is found by.
func (d *noteDialog) name() string {
	if d.put.ID != "" {
		return d.put.ID
	}
	return d.put.Where()
}

func (d *noteDialog) about() tabRef { return tabRef{task: d.put.Task} }

func (d *noteDialog) size(within Size) Size {
	w := min(76, within.Cols)
	rows, _ := d.draft.wrap(w)
	return Size{w, min(len(d.quote())+max(len(rows), 4)+3, within.Rows)}
}

func (d *noteDialog) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	f.Text(r.X, r.Y, r.W, cut("Note on "+d.put.Where(), r.W), theme.Title)
	foot := d.page.m.drawFoot(f, r, "Enter: keep it", "alt+Enter, ctrl+j: new line", "Esc: later")
	if d.problem != "" {
		f.Text(r.X, r.Y+r.H-1, r.W, paint.Clean(d.problem, 400), theme.Error)
	}
	y := r.Y + 1
	for _, line := range d.quote() {
		if y >= r.Y+r.H-foot-3 {
			break
		}
		st := diffStyles[workspace.DiffKind(line[:1])]
		f.Text(r.X, y, r.W, line[:1]+shifted(line[1:], 0), st)
		y++
	}
	return d.draft.draw(f, paint.Rect{X: r.X, Y: y, W: r.W, H: max(r.Y+r.H-foot-y, 0)})
}

// maxShownQuote is how many of the lines are shown above the note.
const maxShownQuote = 6

// quote are the lines that the note is on, or the first of them.
func (d *noteDialog) quote() []string {
	return d.put.Quote[:min(len(d.put.Quote), maxShownQuote)]
}

func (d *noteDialog) key(k input.Key) (tea.Cmd, bool) {
	switch {
	case k.Code == input.Escape, k.Matches(input.Key{Code: 'c', Mods: input.Ctrl}):
		if d.draft.empty() {
			delete(d.page.drafts, d.name())
		}
		return nil, true
	case k.Code == input.Enter && k.Mods&(input.Shift|input.Alt|input.Ctrl) == 0:
		return d.keep(), false
	}
	d.draft.key(k)
	d.problem = ""
	return nil, false
}

// keep gives the note to the daemon.
func (d *noteDialog) keep() tea.Cmd {
	text := strings.TrimSpace(d.draft.String())
	switch {
	case d.asking || text == "":
		return nil
	case len(text) > workspace.MaxNoteText:
		d.problem = "a note has at most 4000 bytes: make two of it"
		return nil
	}
	d.asking, d.put.Text = true, text
	daemon, put := d.page.m.cfg.Daemon, d.put
	return within(askLimit, func(ctx context.Context) tea.Msg {
		_, err := daemon.PutNote(ctx, put)
		return noteMsg{d, err}
	})
}

func (m *Model) takeNote(msg noteMsg) tea.Cmd {
	d := msg.dialog
	d.asking = false
	m.touch()
	if msg.err != nil {
		if d.problem = "not kept: " + sentence(msg.err); m.dialog != dialog(d) {
			return m.say(d.problem, true)
		}
		return nil
	}
	delete(d.page.drafts, d.name())
	d.page.from = -1
	return m.finish(d, true)
}

func (d *noteDialog) paste(text string) { d.draft.insert(text) }
