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

// Floor is what one client at a time has, however many there are: who has it
// asks what the user is asked once. Its methods never block.
type Floor interface {
	// Take reports whether this client has it now.
	Take() bool
	// Leave lets another client have it.
	Leave()
}

// consentDialog asks whether engines may be given hooks. What is typed ahead
// for the engine answers nothing: only the arrows and Enter do.
type consentDialog struct {
	m        *Model
	question workspace.HooksQuestion
	at       int
	pager    pager
}

// consentAnswers are what the user may say, in the order in which they stand.
var consentAnswers = []struct {
	label, means string
	consent      workspace.Consent
}{
	{"allow", "from the next launch on; `moorage hooks deny` takes it back", workspace.ConsentAllowed},
	{"deny", "no hooks; `moorage hooks allow` takes it back", workspace.ConsentDenied},
	{"later", "the next launch asks again", workspace.ConsentUnasked},
}

// consentMsg is the daemon's answer to the user's word.
type consentMsg struct {
	question string
	err      error
}

// consider opens the question about hooks at a client that looks at an engine,
// if no other client has it, and closes it when it was answered elsewhere.
func (m *Model) consider() tea.Cmd {
	q := m.world.Question
	d, open := m.dialog.(*consentDialog)
	switch {
	case m.asking == "" || q.ID == m.asking:
	case open && q.ID != "": // another launch asks the same
		m.asking, d.question = q.ID, q
		m.touch()
	default:
		m.asking = ""
		m.cfg.Floor.Leave()
		if open {
			return m.closeDialog()
		}
	}
	if m.cfg.View || q.ID == "" || m.asking != "" || m.dialog != nil || m.prefix || !m.looksAtEngine() || !m.cfg.Floor.Take() {
		return nil
	}
	m.asking = q.ID
	m.dialog = &consentDialog{m: m, question: q, at: len(consentAnswers) - 1}
	m.touch()
	return nil
}

// looksAtEngine reports whether the client looks at a tab with an engine.
func (m *Model) looksAtEngine() bool {
	task, tab, ok := m.shownTab()
	return ok && m.looksAt(m.shown) && task.TabEngine(tab.ID) != nil
}

func (d *consentDialog) lines(w int) []string {
	name := workspace.Clean(d.question.Engine, workspace.MaxTitle)
	text := wrap("Give "+name+" hooks at its launches?", w)
	text = append(text, "")
	text = append(text, wrap("With hooks it tells moorage when a turn begins or ends, when it needs you and when it is limited. "+
		"Other engines that can will get theirs too. Your own settings and hooks stay as they are. "+
		"The one that has just been started goes on without them.", w)...)
	text = append(text, "", "Each launch is given:")
	for _, add := range d.question.Adds {
		text = append(text, wrapHard(workspace.Clean(add, 1<<14), w)...)
	}
	return text
}

func (d *consentDialog) size(within Size) Size {
	w := min(72, within.Cols)
	return Size{w, min(len(d.lines(w))+len(consentAnswers)+2, within.Rows)}
}

func (d *consentDialog) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	text, room := d.lines(r.W), max(r.H-len(consentAnswers)-2, 1)
	from, to := d.pager.span(len(text), room)
	for i, line := range text[from:to] {
		st := theme.Text
		if from+i == 0 {
			st = theme.Bold
		}
		f.Text(r.X, r.Y+i, r.W, line, st)
	}
	y := r.Y + room + 1
	for i, a := range consentAnswers {
		row := paint.Rect{X: r.X, Y: y + i, W: r.W, H: 1}
		st, note := theme.Bold, theme.Faint
		if i == d.at {
			f.Fill(row, vtBlank(theme.Selected))
			st.Attr |= vt.AttrInverse
			note.Attr |= vt.AttrInverse
		}
		f.Text(row.X, row.Y, row.W, a.label, st)
		f.Text(row.X+8, row.Y, max(row.W-8, 0), cut(a.means, max(row.W-8, 1)), note)
	}
	hint := "up, down, Enter: answer"
	if len(text) > room {
		hint += "   PgUp, PgDn: scroll"
	}
	f.Text(r.X, r.Y+r.H-1, r.W, hint+"   Esc: later", theme.Faint)
	return vt.Cursor{}
}

func (d *consentDialog) key(k input.Key) (tea.Cmd, bool) {
	n := len(consentAnswers)
	switch k.Code {
	case input.Escape:
		return d.answer(n - 1), true
	case input.Enter:
		return d.answer(d.at), true
	case input.Up:
		d.at = (d.at + n - 1) % n
	case input.Down, input.Tab:
		d.at = (d.at + 1) % n
	case input.PageUp, input.PageDown:
		d.pager.key(k)
	}
	return nil, false
}

func (d *consentDialog) click(_, y int, r paint.Rect) (tea.Cmd, bool) {
	if i := y - (r.H - 1 - len(consentAnswers)); i >= 0 && i < len(consentAnswers) {
		return d.answer(i), true
	}
	return nil, false
}

func (*consentDialog) paste(string) {}

// answer stores the user's word. The client keeps the floor until the world
// has it too.
func (d *consentDialog) answer(i int) tea.Cmd {
	daemon, id := d.m.cfg.Daemon, d.question.ID
	return within(askLimit, func(ctx context.Context) tea.Msg {
		_, err := daemon.Hooks(ctx, workspace.Hooks{Consent: consentAnswers[i].consent})
		return consentMsg{id, err}
	})
}

// takeConsent asks again what could not be stored.
func (m *Model) takeConsent(msg consentMsg) tea.Cmd {
	if msg.err == nil || m.asking != msg.question {
		return nil
	}
	m.asking = ""
	m.cfg.Floor.Leave()
	return m.say("hooks: "+sentence(msg.err), true)
}

// wrapHard is wrap for text with words longer than a line, which it breaks.
func wrapHard(text string, w int) []string {
	var lines []string
	for _, line := range wrap(text, w) {
		for paint.StringWidth(line) > w {
			head := strings.TrimSuffix(cut(line, w), "…")
			if head == "" {
				break // not even one character fits
			}
			lines = append(lines, head)
			line = line[len(head):]
		}
		lines = append(lines, line)
	}
	return lines
}
