package input

import (
	"strconv"
	"unicode"

	"moorage/ptyhost/vt"
)

// appendKitty writes the key by the kitty keyboard protocol ("Progressive
// enhancement"), for flags of which at least one of 1, 2 and 8 is set.
func appendKitty(dst []byte, k Key, m vt.Modes) []byte {
	var (
		disambiguate = m.Kitty&vt.KittyDisambiguate != 0
		events       = m.Kitty&vt.KittyEventTypes != 0
		all          = m.Kitty&vt.KittyAllAsEscape != 0
		held         = k.Mods &^ (locks | Shift) // keys that keep text from being typed
	)
	if k.Event == Release && !events || isModifier(k.Code) && !all {
		return dst
	}
	if !disambiguate && !all {
		k = withoutKeypad(k)
	}
	if !all {
		if text := k.text(); text != "" && held == 0 && k.Event != Release {
			return append(dst, text...)
		}
		switch k.Code {
		case Enter, Tab, Backspace:
			// They stay what they were, so that "reset" can be typed after a
			// program died without popping its flags.
			if k.Event == Release {
				return dst
			}
			if k.Mods&^locks == 0 {
				return appendLegacyChar(dst, Key{Code: k.Code}, m)
			}
		}
		if !disambiguate && k.Event != Release && !hasSequence(k.Code) && held&^(Ctrl|Alt) == 0 {
			return appendLegacy(dst, k, m)
		}
		if !isFunctional(k.Code) {
			k.Mods &^= locks // the protocol has them for text only under flag 8
		}
	}
	return appendCSIu(dst, k, m.Kitty)
}

func hasSequence(code rune) bool {
	_, ok := sequences[code]
	return ok
}

// appendCSIu writes the protocol's own form:
//
//	CSI code : shifted : base ; modifiers : event ; text u
//
// Keys with a legacy form keep its number and final byte, but for F3, whose
// CSI R is a cursor position's, and F13 and up.
func appendCSIu(dst []byte, k Key, flags vt.KittyFlags) []byte {
	code, final := k.Code, byte('u')
	if s, ok := sequences[code]; ok && (code < F13 || code > F35) {
		code, final = rune(s.num), s.final
		if final == 'R' {
			code, final = 13, '~'
		}
	}
	var shifted, base rune
	if flags&vt.KittyAlternateKeys != 0 && final == 'u' && !isFunctional(k.Code) {
		if k.Mods&Shift != 0 && k.Shifted != k.Code {
			shifted = k.Shifted
		}
		if k.Base != k.Code {
			base = k.Base
		}
	}
	text := ""
	if flags&vt.KittyText != 0 && flags&vt.KittyAllAsEscape != 0 && k.Event != Release {
		text = k.associated()
	}
	event := flags&vt.KittyEventTypes != 0 && k.Event > Press
	second := k.Mods != 0 || event

	dst = append(dst, 0x1b, '[')
	if code != 1 || final == 'u' || second || text != "" {
		dst = strconv.AppendInt(dst, int64(code), 10)
	}
	if shifted != 0 || base != 0 {
		dst = append(dst, ':')
		if shifted != 0 {
			dst = strconv.AppendInt(dst, int64(shifted), 10)
		}
		if base != 0 {
			dst = append(dst, ':')
			dst = strconv.AppendInt(dst, int64(base), 10)
		}
	}
	if second || text != "" {
		dst = append(dst, ';')
	}
	if second {
		dst = strconv.AppendInt(dst, int64(1+int(k.Mods)), 10)
	}
	if event {
		dst = append(dst, ':', '0'+byte(k.Event))
	}
	sep := byte(';')
	for _, r := range text {
		dst = append(dst, sep)
		dst = strconv.AppendInt(dst, int64(r), 10)
		sep = ':'
	}
	return append(dst, final)
}

// associated is the text for the protocol's third field: never a control.
func (k Key) associated() string {
	text := k.Text
	if text == "" && k.Mods&^(locks|Shift) == 0 {
		text = k.text()
	}
	for _, r := range text {
		if unicode.IsControl(r) {
			return ""
		}
	}
	return text
}
