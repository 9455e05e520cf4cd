package input

import (
	"strconv"
	"unicode/utf8"

	"moorage/ptyhost/vt"
)

// AppendKey appends the key as a program with modes m expects it: by the kitty
// keyboard protocol if it pushed flags, else by modifyOtherKeys if it set that,
// else as xterm does by default. A key or event that the program's protocol
// has no form for gives nothing; a combination that legacy bytes cannot tell
// apart gives the nearest that xterm sends, so shift+enter is CR and ctrl+= is
// "=".
func AppendKey(dst []byte, k Key, m vt.Modes) []byte {
	if m.Kitty&(vt.KittyDisambiguate|vt.KittyEventTypes|vt.KittyAllAsEscape) != 0 {
		return appendKitty(dst, k, m)
	}
	if k.Event == Release || isModifier(k.Code) {
		return dst
	}
	if m.ModifyOtherKeys != 0 && modified(k, m.ModifyOtherKeys) {
		return appendModified(dst, k)
	}
	return appendLegacy(dst, k, m)
}

// appendLegacy writes what xterm sends with no extension on (ctlseqs, "Alt and
// Meta Keys", "PC-Style Function Keys", "Cursor keys").
func appendLegacy(dst []byte, k Key, m vt.Modes) []byte {
	mods := k.Mods &^ locks
	if final, ok := keypadFinals[k.Code]; ok && m.AppKeypad && mods == 0 {
		return append(dst, 0x1b, 'O', final)
	}
	k = withoutKeypad(k)
	if s, ok := sequences[k.Code]; ok {
		return appendSequence(dst, s, mods, m.AppCursor)
	}
	if k.Mods&(Super|Hyper) != 0 {
		return dst // a shortcut of the desktop's, not a character
	}
	if k.Mods&(Alt|Meta) != 0 {
		n := len(dst)
		dst = appendLegacyChar(append(dst, 0x1b), k, m)
		if len(dst) == n+1 {
			dst = dst[:n]
		}
		return dst
	}
	return appendLegacyChar(dst, k, m)
}

// appendLegacyChar writes a key that is a control or a character, without
// regard to alt.
func appendLegacyChar(dst []byte, k Key, m vt.Modes) []byte {
	switch k.Code {
	case Enter:
		if m.NewLine {
			return append(dst, "\r\n"...)
		}
		return append(dst, '\r')
	case Tab:
		if k.Mods&Shift != 0 {
			return append(dst, "\x1b[Z"...)
		}
		return append(dst, '\t')
	case Escape:
		return append(dst, 0x1b)
	case Backspace:
		if m.BackarrowBS != (k.Mods&Ctrl != 0) {
			return append(dst, '\b')
		}
		return append(dst, 0x7f)
	case Menu:
		return append(dst, "\x1b[29~"...)
	}
	if k.Mods&Ctrl != 0 {
		if c, ok := k.control(); ok {
			return append(dst, c)
		}
	}
	return append(dst, k.text()...)
}

// control is the C0 control that ctrl and the key type. A layout that is not
// Latin types those of the key's place.
func (k Key) control() (byte, bool) {
	for _, r := range [...]rune{k.shifted(), k.Code} {
		if c, ok := controlOf(r); ok {
			return c, true
		}
	}
	if k.Code >= utf8.RuneSelf {
		return controlOf(k.Base)
	}
	return 0, false
}

// appendSequence writes a functional key in xterm's form. Super takes the bit
// that xterm calls Meta, as kitty has it.
func appendSequence(dst []byte, s sequence, mods Mods, appCursor bool) []byte {
	if mods != 0 {
		dst = append(dst, 0x1b, '[')
		dst = strconv.AppendInt(dst, int64(s.num), 10)
		dst = append(dst, ';')
		dst = strconv.AppendInt(dst, int64(mods)+1, 10)
		return append(dst, s.final)
	}
	switch {
	case s.final == '~':
		dst = append(dst, 0x1b, '[')
		dst = strconv.AppendInt(dst, int64(s.num), 10)
	case s.final >= 'P' || appCursor:
		dst = append(dst, 0x1b, 'O')
	default:
		dst = append(dst, 0x1b, '[')
	}
	return append(dst, s.final)
}

// withoutKeypad is the key of the main block that does the same.
func withoutKeypad(k Key) Key {
	if c, ok := keypadText[k.Code]; ok {
		k.Code = rune(c)
		k.Shifted = rune(c)
	} else if twin, ok := keypadTwins[k.Code]; ok {
		k.Code = twin
	}
	return k
}
