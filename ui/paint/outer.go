package paint

import (
	"moorage/ptyhost/vt"
	"moorage/ui/input"
)

// defaultOuter is what a client's terminal is put into on entering: the
// pointer, focus and pastes as events.
var defaultOuter = input.OuterModes{
	Mouse:          vt.MouseButton,
	MouseEncoding:  vt.MouseEncodingSGR,
	FocusEvents:    true,
	BracketedPaste: true,
}

// Enter appends what takes the terminal over: the alternate screen, without a
// cursor, our modes, the title kept on its stack. The
// next Paint draws everything.
func (p *Painter) Enter(dst []byte) []byte {
	p.in = true
	p.Invalidate()
	p.x, p.y = unknown, unknown
	p.visible = false
	p.cursor = vt.Cursor{}
	p.outer = input.OuterModes{}
	p.active = Caps{}
	dst = append(dst, "\x1b[?1049h\x1b[?25l"...)
	return p.SetOuter(dst, defaultOuter)
}

// activate turns on what the terminal turned out to have, once each.
func (p *Painter) activate(dst []byte) []byte {
	if !p.in || p.caps == p.active {
		return dst
	}
	if p.caps.TitleStack && !p.active.TitleStack {
		dst = append(dst, "\x1b[22;0t"...)
	}
	if p.caps.UnicodeCore && !p.active.UnicodeCore {
		dst = append(dst, "\x1b[?2027h"...)
	}
	if p.caps.Kitty && !p.active.Kitty {
		dst = append(dst, "\x1b[>0u"...) // a place of our own on its stack
	}
	p.active = p.caps
	return dst
}

// Leave appends what gives the terminal back as it was, whatever state it is
// in. It does not trust what the painter knows: a frame may have been cut off.
func (p *Painter) Leave(dst []byte) []byte {
	p.in = false
	p.Invalidate()
	// The start ends any sequence that was cut off: CAN, then ST.
	dst = append(dst, "\x18\x1b\\\x1b[?2026l\x1b[m"...)
	if p.active.Hyperlinks {
		dst = append(dst, "\x1b]8;;\x1b\\"...)
	}
	dst = append(dst, "\x1b[r\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?9l\x1b[?1016l\x1b[?1015l\x1b[?1006l"+
		"\x1b[?1004l\x1b[?2004l\x1b[?1l\x1b>"...)
	if p.active.ModifyOtherKeys {
		dst = append(dst, "\x1b[>4m"...)
	}
	if p.active.Kitty {
		dst = append(dst, "\x1b[<u"...)
	}
	if p.active.UnicodeCore {
		dst = append(dst, "\x1b[?2027l"...)
	}
	if p.active.CursorShapes {
		dst = append(dst, "\x1b[0 q"...)
	}
	if p.active.CursorColor && p.cursor.Color != vt.ColorDefault {
		dst = append(dst, "\x1b]112\x1b\\"...)
	}
	dst = append(dst, "\x1b[?7h\x1b[?25h\x1b[?1049l"...)
	switch {
	case p.active.TitleStack:
		dst = append(dst, "\x1b[23;0t"...)
	case p.title != "":
		dst = AppendTitle(dst, "") // what it was nobody knows
	}
	p.title = ""
	p.outer = input.OuterModes{}
	p.cursor = vt.Cursor{}
	p.x, p.y, p.visible = unknown, unknown, true
	return dst
}

// SetTitle appends the window's title, if it is another one.
func (p *Painter) SetTitle(dst []byte, title string) []byte {
	title = Clean(title, maxWindow)
	if title == p.title {
		return dst
	}
	p.title = title
	return AppendTitle(dst, title)
}

// Outer is what the terminal's modes were last set to.
func (p *Painter) Outer() input.OuterModes { return p.outer }

// SetOuter appends what changes the terminal's modes to those of want, and
// nothing for those it is in. A protocol that the terminal does not know is
// left out; Outer then says so.
func (p *Painter) SetOuter(dst []byte, want input.OuterModes) []byte {
	dst = p.activate(dst)
	if !p.caps.Kitty {
		want.Kitty = 0
	}
	if !p.caps.ModifyOtherKeys {
		want.ModifyOtherKeys = 0
	}
	have := p.outer
	p.outer = want
	dst = appendMode(dst, have.AppCursor, want.AppCursor, "\x1b[?1")
	if have.AppKeypad != want.AppKeypad {
		dst = append(dst, 0x1b, choose(want.AppKeypad, '=', '>'))
	}
	dst = appendMode(dst, have.BracketedPaste, want.BracketedPaste, "\x1b[?2004")
	dst = appendMode(dst, have.FocusEvents, want.FocusEvents, "\x1b[?1004")
	if have.Mouse != want.Mouse {
		// The tracking modes exclude each other: the new one ends the old in
		// some terminals, and in others both stay on.
		dst = appendMode(dst, have.Mouse != vt.MouseOff, false, mouseModes[have.Mouse])
		dst = appendMode(dst, false, want.Mouse != vt.MouseOff, mouseModes[want.Mouse])
	}
	if have.MouseEncoding != want.MouseEncoding {
		dst = appendMode(dst, have.MouseEncoding != vt.MouseEncodingX10, false, mouseEncodings[have.MouseEncoding])
		dst = appendMode(dst, false, want.MouseEncoding != vt.MouseEncodingX10, mouseEncodings[want.MouseEncoding])
	}
	if have.Kitty != want.Kitty {
		dst = append(dst, "\x1b[="...)
		dst = appendByte(dst, byte(want.Kitty))
		dst = append(dst, 'u')
	}
	if have.ModifyOtherKeys != want.ModifyOtherKeys {
		dst = append(dst, "\x1b[>4;"...)
		dst = appendByte(dst, want.ModifyOtherKeys)
		dst = append(dst, 'm')
	}
	return dst
}

// mouseModes and mouseEncodings are DECSET numbers, with CSI ? before them.
var (
	mouseModes = [...]string{
		vt.MouseX10: "\x1b[?9", vt.MouseNormal: "\x1b[?1000", vt.MouseButton: "\x1b[?1002", vt.MouseAny: "\x1b[?1003",
	}
	mouseEncodings = [...]string{
		vt.MouseEncodingUTF8: "\x1b[?1005", vt.MouseEncodingSGR: "\x1b[?1006",
		vt.MouseEncodingURXVT: "\x1b[?1015", vt.MouseEncodingSGRPixel: "\x1b[?1016",
	}
)

func appendMode(dst []byte, have, want bool, mode string) []byte {
	if have == want {
		return dst
	}
	dst = append(dst, mode...)
	return append(dst, choose(want, 'h', 'l'))
}

func choose(first bool, a, b byte) byte {
	if first {
		return a
	}
	return b
}
