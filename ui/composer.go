package ui

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// composer writes a prompt for a tab's engine. The draft is this client's own
// and the tab's: closing the composer or going elsewhere keeps it.
type composer struct {
	m     *Model
	tab   tabRef
	title string
	draft *draft
	files completion
}

// openComposer opens the composer of the shown tab.
func (m *Model) openComposer() tea.Cmd {
	t, tab, ok := m.shownTab()
	if !ok {
		return m.say("there is no tab to write to", false)
	}
	d := m.drafts[m.shown]
	if d == nil {
		d = newDraft()
		m.drafts[m.shown] = d
	}
	m.dialog = &composer{m: m, tab: m.shown, title: t.TabLabel(tab.ID, m.focusedPane()), draft: d}
	m.touch()
	return nil
}

// dropDrafts forgets the drafts of tabs that are gone, and empty ones, and the
// history of tasks that are gone.
func (m *Model) dropDrafts() {
	for task := range m.history {
		if _, ok := m.world.Task(task); !ok {
			delete(m.history, task)
		}
	}
	for r, d := range m.drafts {
		open := false
		if c, ok := m.dialog.(*composer); ok {
			open = c.draft == d
		}
		t, ok := m.world.Task(r.task)
		if _, there := t.Tab(r.tab); !ok || !there || d.empty() && !open {
			delete(m.drafts, r)
		}
	}
}

func (c *composer) about() tabRef { return c.tab }

// anchor puts the composer where a line is typed: at the bottom.
func (c *composer) anchor() *Size { return &Size{c.m.layout.panes.X, 1 << 10} }

func (c *composer) size(within Size) Size {
	w := min(max(c.m.layout.panes.W-4, 20), within.Cols)
	rows, _ := c.draft.wrap(w)
	return Size{w, min(max(len(rows), 3)+c.files.height()+2, max(within.Rows*2/3, 4), within.Rows)}
}

func (c *composer) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	f.Text(r.X, r.Y, r.W, cut("To "+c.title, r.W), theme.Title)
	hint := "Enter: send   Esc: later   alt+Enter, ctrl+j: new line   @: files   up: earlier"
	list := min(c.files.height(), max(r.H-3, 0))
	if list > 0 {
		hint = "Tab, Enter: take the file   Esc: none"
		c.files.draw(f, paint.Rect{X: r.X, Y: r.Y + r.H - 1 - list, W: r.W, H: list})
	}
	f.Text(r.X, r.Y+r.H-1, r.W, cut(hint, r.W), theme.Faint)
	return c.draft.draw(f, paint.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: max(r.H-2-list, 0)})
}

func (c *composer) key(k input.Key) (tea.Cmd, bool) {
	if c.files.key(k, c.draft) {
		return nil, false
	}
	switch {
	case k.Code == input.Escape, k.Matches(input.Key{Code: 'c', Mods: input.Ctrl}):
		return nil, true
	case k.Code == input.Enter && k.Mods&(input.Shift|input.Alt|input.Ctrl) == 0:
		if strings.TrimSpace(c.draft.String()) == "" {
			return nil, false
		}
		return c.m.sendDraft(c.tab, c.draft), true
	case c.draft.recall(k, c.m.history[c.tab.task]):
		return c.complete(), false
	}
	if !c.draft.key(k) && k.Typed() != "" {
		return c.m.say(tooLong, true), false
	}
	return c.complete(), false
}

// tooLong says what a prompt may be.
const tooLong = "a prompt of more than 1 MiB is not sent"

func (c *composer) paste(text string) {
	if !c.draft.insert(text) {
		c.m.note("not pasted: "+tooLong, true)
	}
}

// sentMsg is what became of a draft.
type sentMsg struct {
	tab   tabRef
	draft *draft
	text  string
	sent  workspace.Sent
	err   error
}

// sendDraft asks the daemon to type a draft into the tab's engine. The draft
// goes when that has happened, and only if it is still what was sent.
func (m *Model) sendDraft(tab tabRef, draft *draft) tea.Cmd {
	text, daemon, typist := draft.String(), m.cfg.Daemon, m.typist(tab)
	return within(longLimit, func(ctx context.Context) tea.Msg {
		sent, err := daemon.Send(ctx, workspace.Send{Task: tab.task, Tab: tab.tab, Prompt: text, Typist: typist})
		return sentMsg{tab, draft, text, sent, err}
	})
}

// typist reports whether this client was the last to type into each engine of
// a tab that it shows.
func (m *Model) typist(tab tabRef) bool {
	task, ok := m.world.Task(tab.task)
	if !ok {
		return false
	}
	shown := false
	for _, p := range m.panes {
		if p.ref.Task != tab.task || p.ref.Tab != tab.tab || p.screen == nil || task.PaneView(tab.tab, p.ref.Pane).Engine == nil {
			continue
		}
		if !p.screen.Typist() {
			return false
		}
		shown = true
	}
	return shown
}

func (m *Model) takeSent(msg sentMsg) tea.Cmd {
	if msg.err != nil {
		return m.say("not sent, the draft is kept: "+sentence(msg.err), true)
	}
	h := m.history[msg.tab.task]
	if h == nil {
		h = &history{}
		m.history[msg.tab.task] = h
	}
	h.add(msg.text)
	if msg.draft.String() == msg.text {
		*msg.draft = *newDraft()
	}
	seen := map[workspace.Answer]string{
		workspace.AnswerYes: "the engine shows it", workspace.AnswerNo: "the engine does not show it: look at the tab",
	}[msg.sent.Echo]
	return m.say(fmt.Sprintf("sent %d bytes; %s", msg.sent.Bytes, cmp.Or(seen, "nobody could look whether the engine shows it")), msg.sent.Echo == workspace.AnswerNo)
}
