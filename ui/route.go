package ui

import (
	"time"
	"unicode/utf8"

	"moorage/ui/input"
	"moorage/ui/keymap"

	tea "charm.land/bubbletea/v2"
)

const (
	// escapeWait is how long a lone Escape may still become a sequence.
	escapeWait = 40 * time.Millisecond
	// partialWait is how long the rest of a sequence or character may take.
	partialWait = 750 * time.Millisecond
	// pasteWait is how long a paste may pause before its end is given up.
	pasteWait = 5 * time.Second
)

// flushMsg says that the time for more of a token has passed.
type flushMsg int

// takeInput routes what the client typed. Bytes for the focused program are
// collected over the whole of it and sent as one piece.
func (m *Model) takeInput(b []byte) tea.Cmd {
	var cmds []tea.Cmd
	m.tokens.Feed(b, func(t input.Token) { cmds = append(cmds, m.route(t)) })
	m.flushPane()
	return tea.Batch(append(cmds, m.await())...)
}

// await starts the clock for a token that is not complete.
func (m *Model) await() tea.Cmd {
	m.tokenSeq++
	wait := map[input.Pending]time.Duration{
		input.LoneEscape: escapeWait, input.Partial: partialWait, input.Paste: pasteWait,
	}[m.tokens.Pending()]
	if wait == 0 {
		return nil
	}
	seq := flushMsg(m.tokenSeq)
	return m.tick(wait, func(time.Time) tea.Msg { return seq })
}

func (m *Model) flush(msg flushMsg) tea.Cmd {
	if int(msg) != m.tokenSeq {
		return nil // more has come since
	}
	var cmds []tea.Cmd
	m.tokens.Flush(func(t input.Token) { cmds = append(cmds, m.route(t)) })
	m.flushPane()
	return tea.Batch(append(cmds, m.await())...)
}

// route takes one token.
func (m *Model) route(t input.Token) tea.Cmd {
	if m.ahead.hold(t) {
		return nil
	}
	switch t.Kind {
	case input.KindReply:
		return m.takeReply(t.Reply)
	case input.KindDropped:
		return nil
	case input.KindFocusIn, input.KindFocusOut:
		return m.takeFocus(t.Kind == input.KindFocusIn)
	case input.KindMouse:
		return m.takeMouse(t.Mouse)
	}
	if m.leaving {
		return nil
	}
	if t.Kind == input.KindKey && t.Key.Event == input.Release {
		m.forward(t)
		return nil
	}
	if !m.terminal.focused && t.Kind != input.KindPasteData && t.Kind != input.KindPasteEnd {
		cmd := m.takeFocus(true) // whose keys come has the focus, whatever was told last
		return tea.Batch(cmd, m.route(t))
	}
	switch {
	case m.verbatim:
		m.verbatim = false
		m.touch()
		return m.takeVerbatim(t)
	case m.dialog != nil:
		return m.typeDialog(t)
	case m.search != nil && m.region == inSidebar && !m.prefix && !m.isPrefix(t):
		return m.typeSearch(t)
	}
	switch t.Kind {
	case input.KindKey:
		return m.takeKey(t)
	case input.KindText:
		return m.takeText(t)
	}
	m.forward(t) // pastes, and what we do not know
	return nil
}

// takeKey finds what a key does; if nothing, the focused program gets it.
func (m *Model) takeKey(t input.Token) tea.Cmd {
	if m.prefix {
		return m.afterPrefix(t.Key, t)
	}
	if m.cfg.Keys.IsPrefix(t.Key) {
		m.prefix = true
		m.touch()
		return nil
	}
	if a, ok := m.cfg.Keys.Find(keymap.Anywhere, t.Key, m.terminal.kitty); ok && !m.programs(a) {
		return m.act(a)
	}
	if m.region == inSidebar {
		if a, ok := m.cfg.Keys.Find(keymap.InSidebar, t.Key, m.terminal.kitty); ok {
			return m.act(a)
		}
		return nil
	}
	if m.cfg.View {
		m.forward(t) // which says why not
		return nil
	}
	if p := m.current(); p != nil && t.Key.Code == input.Enter && t.Key.Mods == 0 && p.startable() {
		if s, _ := p.screen.Status(); s == Thawed || s == Ended {
			m.cfg.Screens.Retry(p.key)
			return nil
		}
		return m.restart(p)
	}
	if k := t.Key; m.current() == nil && k.Code == input.Enter && k.Mods == 0 {
		if cmd := m.makeShown(true); cmd != nil {
			return cmd
		}
	}
	if p := m.current(); p == nil && m.emptyTask() && (t.Key.Code == input.Enter || t.Key.Matches(ctrlE)) {
		return m.act(keymap.NewTab)
	}
	m.forward(t)
	return nil
}

// isPrefix reports whether a token is the prefix key.
func (m *Model) isPrefix(t input.Token) bool {
	return t.Kind == input.KindKey && m.cfg.Keys.IsPrefix(t.Key)
}

var ctrlE = input.Key{Code: 'e', Mods: input.Ctrl, Event: input.Press}

// programs reports whether an action's key is the focused program's for now: a
// full-screen program pages by itself, and has no scrollback.
func (m *Model) programs(a keymap.Action) bool {
	if a != keymap.ScrollUp && a != keymap.ScrollDown || m.region != inPanes {
		return false
	}
	p := m.current()
	return p != nil && p.scroll == nil && p.modes().AltScreen
}

// takeText takes a run of plain characters: commands one by one in the
// sidebar and after the prefix, the program's in one piece otherwise.
func (m *Model) takeText(t input.Token) tea.Cmd {
	var cmds []tea.Cmd
	for len(t.Raw) > 0 && (m.prefix || m.region == inSidebar || m.dialog != nil || m.verbatim) {
		if m.search != nil && !m.prefix && m.dialog == nil && !m.verbatim {
			return tea.Batch(append(cmds, m.typeSearch(t))...)
		}
		if m.ahead.hold(t) {
			t.Raw = nil
			break
		}
		_, n := utf8.DecodeRune(t.Raw)
		one, rest := t, t
		one.Raw, rest.Raw = t.Raw[:n], t.Raw[n:]
		t = rest
		switch {
		case m.verbatim || m.dialog != nil:
			cmds = append(cmds, m.route(one))
			continue
		}
		for k := range one.Keys() {
			if m.prefix {
				cmds = append(cmds, m.afterPrefix(k, one))
			} else if a, ok := m.cfg.Keys.Find(keymap.InSidebar, k, m.terminal.kitty); ok {
				cmds = append(cmds, m.act(a))
			}
		}
	}
	if len(t.Raw) > 0 {
		m.forward(t)
	}
	return tea.Batch(cmds...)
}

// takeVerbatim sends the one key that was asked to go as it is.
func (m *Model) takeVerbatim(t input.Token) tea.Cmd {
	if t.Kind != input.KindText {
		m.forward(t)
		return nil
	}
	_, n := utf8.DecodeRune(t.Raw)
	one, rest := t, t
	one.Raw, rest.Raw = t.Raw[:n], t.Raw[n:]
	m.forward(one)
	if len(rest.Raw) == 0 {
		return nil
	}
	return m.route(rest)
}

// afterPrefix takes the key behind the prefix. The prefix twice is itself.
func (m *Model) afterPrefix(k input.Key, t input.Token) tea.Cmd {
	m.prefix = false
	m.touch()
	if m.cfg.Keys.IsPrefix(k) {
		m.forward(t)
		return nil
	}
	if a, ok := m.cfg.Keys.Find(keymap.AfterPref, k, true); ok {
		return m.act(a)
	}
	return m.say(m.cfg.Keys.Prefix()+" "+k.Name()+" does nothing: F1 shows what does", false)
}

// forward collects a token for the focused program.
func (m *Model) forward(t input.Token) {
	if m.region != inPanes {
		return
	}
	p := m.current()
	if p == nil || p.screen == nil {
		return
	}
	if m.cfg.View {
		if t.Kind != input.KindKey || t.Key.Event != input.Release {
			m.note(viewOnly, false)
		}
		return
	}
	if p.scroll != nil && (t.Kind != input.KindKey || t.Key.Event != input.Release) {
		p.live()
		m.dirty = true
	}
	modes := p.modes()
	switch t.Kind {
	case input.KindPasteStart:
		p.pasteModes = modes // one pair of brackets or none, whatever happens meanwhile
	case input.KindPasteData, input.KindPasteEnd:
		modes = p.pasteModes
	}
	p.out = t.AppendFor(p.out, m.painter.Outer(), modes)
}

// flushPane sends what was collected for programs.
func (m *Model) flushPane() {
	for _, p := range m.panes {
		if len(p.out) == 0 {
			continue
		}
		m.cfg.Screens.Act() // first: what is typed finds the size of who types
		if p.screen.Input(p.out) {
			m.cfg.Output.Hurry()
		} else {
			m.note("not sent: "+p.reason(), true)
		}
		p.out = p.out[:0]
	}
}

// takeFocus notes whether the client's terminal has the focus.
func (m *Model) takeFocus(in bool) tea.Cmd {
	if in == m.terminal.focused && m.terminal.told {
		return nil
	}
	m.terminal.told = true
	if p := m.current(); p != nil && m.region == inPanes && in != m.terminal.focused {
		p.focus(in)
	}
	m.terminal.focused = in
	if in {
		m.tellColors()
		m.touch()
	}
	return nil
}
