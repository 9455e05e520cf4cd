package ui

import (
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
	draft *editor
}

// openComposer opens the composer of the shown tab.
func (m *Model) openComposer() tea.Cmd {
	t, tab, ok := m.shownTab()
	if !ok {
		return m.say("there is no tab to write to", false)
	}
	d := m.drafts[m.shown]
	if d == nil {
		d = newEditor()
		m.drafts[m.shown] = d
	}
	m.dialog = &composer{m: m, tab: m.shown, title: t.TabLabel(tab.ID, m.focusedPane()), draft: d}
	m.touch()
	return nil
}

// dropDrafts forgets the drafts of tabs that are gone, and empty ones.
func (m *Model) dropDrafts() {
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
	return Size{w, min(max(len(rows), 3)+2, max(within.Rows*2/3, 4), within.Rows)}
}

func (c *composer) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	f.Text(r.X, r.Y, r.W, cut("To "+c.title, r.W), theme.Title)
	f.Text(r.X, r.Y+r.H-1, r.W, "Enter: send   alt+Enter, ctrl+j: new line   Esc: later", theme.Faint)
	return c.draft.draw(f, paint.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: max(r.H-2, 0)})
}

func (c *composer) key(k input.Key) (tea.Cmd, bool) {
	switch {
	case k.Code == input.Escape, k.Matches(input.Key{Code: 'c', Mods: input.Ctrl}):
		return nil, true
	case k.Code == input.Enter && k.Mods&(input.Shift|input.Alt|input.Ctrl) == 0:
		if strings.TrimSpace(c.draft.String()) == "" {
			return nil, false
		}
		return c.m.sendDraft(c.tab, c.draft), true
	}
	if !c.draft.key(k) && k.Typed() != "" {
		return c.m.say("a prompt of more than 1 MiB is not sent", true), false
	}
	return nil, false
}

func (c *composer) paste(text string) {
	if !c.draft.insert(text) {
		c.m.note("not pasted: a prompt of more than 1 MiB is not sent", true)
	}
}

// sentMsg is what became of a draft.
type sentMsg struct {
	tab   tabRef
	draft *editor
	text  string
	sent  workspace.Sent
	err   error
}

// sendDraft asks the daemon to type a draft into the tab's engine. The draft
// goes when that has happened, and only if it is still what was sent.
func (m *Model) sendDraft(tab tabRef, draft *editor) tea.Cmd {
	text, daemon := draft.String(), m.cfg.Daemon
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), longLimit)
		defer cancel()
		sent, err := daemon.Send(ctx, workspace.Send{Task: tab.task, Tab: tab.tab, Prompt: text})
		return sentMsg{tab, draft, text, sent, err}
	}
}

func (m *Model) takeSent(msg sentMsg) tea.Cmd {
	if msg.err != nil {
		return m.say("not sent, the draft is kept: "+sentence(msg.err), true)
	}
	if msg.draft.String() == msg.text {
		*msg.draft = *newEditor()
	}
	return m.say(fmt.Sprintf("sent %d bytes", msg.sent.Bytes), false)
}
