package ui

import (
	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// terminal is what is known of the client's terminal.
type terminal struct {
	caps    paint.Caps
	kitty   bool // it knows the kitty keyboard protocol
	fg, bg  vt.Color
	settled bool   // the last of our questions is answered
	focused bool   // it has the focus, as far as it tells
	told    bool   // it has ever told of its focus
	version string // what it says that it is (XTVERSION), "" if it says nothing
}

// ask appends our questions. Every terminal answers the last one, so its
// answer says that no other will come (xterm ctlseqs; kitty keyboard
// protocol, "Detection of support").
func (t *terminal) ask(dst []byte) []byte {
	t.focused = true
	return append(dst, "\x1b[?u"+ // kitty keyboard flags
		"\x1b]10;?\x1b\\"+"\x1b]11;?\x1b\\"+ // foreground and background
		"\x1b[?2026$p"+ // synchronised output
		"\x1bP+q524742\x1b\\"+ // XTGETTCAP RGB: true colour
		"\x1b[>q"+ // XTVERSION: how it can be told something
		"\x1b[c"...) // DA1
}

// takeReply takes an answer. The last one that comes settles what is known of
// the terminal.
func (m *Model) takeReply(r input.Reply) tea.Cmd {
	t := &m.terminal
	switch r.Kind {
	case input.ReplyKitty:
		t.kitty, t.caps.Kitty = true, true
	case input.ReplyForeground:
		t.fg = r.Color
	case input.ReplyBackground:
		t.bg = r.Color
	case input.ReplyMode:
		if r.Number == 2026 && (r.Value == 1 || r.Value == 2) {
			t.caps.Sync = true
		}
	case input.ReplyVersion:
		t.version = r.Text
	case input.ReplyCapability:
		if r.OK && r.Name == "RGB" {
			t.caps.Profile = colorprofile.TrueColor
		}
	case input.ReplyDA1:
		if !t.settled {
			t.settled = true
			m.painter.SetCaps(t.caps)
			m.tellColors()
			m.touch()
		}
		if m.leaving {
			return tea.Quit
		}
	}
	return nil
}

// tellColors makes this client's colours those that programs are told.
func (m *Model) tellColors() {
	if !m.terminal.fg.IsDefault() || !m.terminal.bg.IsDefault() {
		m.cfg.Screens.SetColors(m.terminal.fg, m.terminal.bg)
	}
}

// wantOuter is how the client's terminal should send its input now. The
// pointer, focus and pastes always come in marked; the keys as precisely as
// the terminal can and at least as the focused program asks.
func (m *Model) wantOuter() input.OuterModes {
	o := input.OuterModes{
		Mouse: vt.MouseButton, MouseEncoding: vt.MouseEncodingSGR,
		FocusEvents: true, BracketedPaste: true,
	}
	if m.terminal.kitty {
		o.Kitty = vt.KittyDisambiguate | vt.KittyAlternateKeys
	}
	if p := m.current(); p != nil && m.region == inPanes && m.dialog == nil {
		modes := p.modes()
		if modes.Mouse == vt.MouseAny {
			o.Mouse = vt.MouseAny
		}
		if m.terminal.kitty {
			o.Kitty |= modes.Kitty
		}
	}
	return o
}
