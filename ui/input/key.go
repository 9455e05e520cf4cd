package input

import (
	"unicode"
	"unicode/utf8"
)

// Key is one key event. The zero values of Shifted, Base and Text are "not
// told".
type Key struct {
	// Code is the key without modifiers, as its layout has it: a lower-case
	// character or one of the constants below.
	Code rune

	// Shifted is what the key gives with shift; Base is the key at this place
	// on the PC-101 layout (kitty keyboard protocol, "Key codes").
	Shifted, Base rune

	Mods  Mods
	Event Event

	// Text is what the key types, if the terminal said so.
	Text string
}

// Mods are the modifiers held, with the kitty protocol's bits. xterm agrees on
// the first three.
type Mods uint8

// The modifiers. A lock is a state, not a key held.
const (
	Shift Mods = 1 << iota
	Alt
	Ctrl
	Super
	Hyper
	Meta
	CapsLock
	NumLock

	locks = CapsLock | NumLock
)

// Event says what happened to the key.
type Event uint8

// The events, with the kitty protocol's numbers. A terminal that tells only of
// presses has repeats as presses.
const (
	Press   Event = 1
	Repeat  Event = 2
	Release Event = 3
)

// Codes of keys that type nothing. The first four are their ASCII controls,
// the rest kitty's numbers in the Private Use Area (kitty keyboard protocol,
// "Functional key definitions").
const (
	Tab       rune = 0x09
	Enter     rune = 0x0d
	Escape    rune = 0x1b
	Space     rune = 0x20
	Backspace rune = 0x7f
)

// Editing, cursor and function keys.
const (
	Insert rune = 57348 + iota
	Delete
	Left
	Right
	Up
	Down
	PageUp
	PageDown
	Home
	End
	CapsLockKey
	ScrollLock
	NumLockKey
	PrintScreen
	Pause
	Menu
	F1 // F1 to F35 are consecutive
)

// Function keys by name where the tables need one.
const (
	F2  = F1 + 1
	F3  = F1 + 2
	F4  = F1 + 3
	F5  = F1 + 4
	F12 = F1 + 11
	F13 = F1 + 12
	F20 = F1 + 19
	F35 = F1 + 34
)

// The numeric keypad.
const (
	KP0 rune = 57399 + iota // KP0 to KP9 are consecutive
	KP1
	KP2
	KP3
	KP4
	KP5
	KP6
	KP7
	KP8
	KP9
	KPDecimal
	KPDivide
	KPMultiply
	KPSubtract
	KPAdd
	KPEnter
	KPEqual
	KPSeparator
	KPLeft
	KPRight
	KPUp
	KPDown
	KPPageUp
	KPPageDown
	KPHome
	KPEnd
	KPInsert
	KPDelete
	KPBegin
)

// Media keys and the modifiers as keys of their own.
const (
	MediaPlay rune = 57428 + iota
	MediaPause
	MediaPlayPause
	MediaReverse
	MediaStop
	MediaFastForward
	MediaRewind
	MediaNext
	MediaPrevious
	MediaRecord
	VolumeDown
	VolumeUp
	VolumeMute
	LeftShift
	LeftCtrl
	LeftAlt
	LeftSuper
	LeftHyper
	LeftMeta
	RightShift
	RightCtrl
	RightAlt
	RightSuper
	RightHyper
	RightMeta
	Level3Shift
	Level5Shift
)

// isFunctional reports whether code is a key of the tables above rather than
// one that types a character.
func isFunctional(code rune) bool {
	switch code {
	case Tab, Enter, Escape, Backspace:
		return true
	}
	return code >= Insert && code <= Level5Shift
}

// isModifier reports whether code is a modifier or a lock, pressed by itself.
func isModifier(code rune) bool {
	return code >= LeftShift && code <= Level5Shift ||
		code == CapsLockKey || code == NumLockKey || code == ScrollLock
}

// textKey is the key that most likely typed r.
func textKey(r rune) Key {
	k := Key{Code: r, Event: Press, Text: string(r)}
	if low := unicode.ToLower(r); low != r {
		k.Code, k.Shifted, k.Mods = low, r, Shift
	}
	return k
}

// text returns what the key types without regard to ctrl, alt and the like: 0
// if it types nothing.
func (k Key) text() string {
	switch {
	case k.Text != "":
		return k.Text
	case isFunctional(k.Code):
		if c := keypadText[k.Code]; c != 0 {
			return string(c)
		}
		return ""
	case k.Code < 0x20:
		return ""
	}
	return string(k.shifted())
}

// shifted is the key's character with shift and caps lock applied.
func (k Key) shifted() rune {
	if k.Mods&Shift != 0 && k.Shifted != 0 {
		return k.Shifted
	}
	upper := k.Mods&Shift != 0
	if k.Mods&CapsLock != 0 && unicode.IsLetter(k.Code) {
		upper = !upper
	}
	if upper {
		return unicode.ToUpper(k.Code)
	}
	return k.Code
}

// Matches reports whether the key is the one that a keymap means by binding.
// Locks do not matter; a release never matches. What a key gives with shift
// counts as that character without shift, so "|" is found on any layout that
// has it; and a key whose own character is not Latin counts as the key at its
// place on a PC-101 keyboard, so that ctrl+q works on a Cyrillic one.
func (k Key) Matches(binding Key) bool {
	if k.Event == Release {
		return false
	}
	want, have := binding.Mods&^locks, k.Mods&^locks
	if have == want && k.Code == binding.Code {
		return true
	}
	if have&Shift != 0 && have&^Shift == want {
		if k.Shifted == binding.Code && k.Shifted != 0 {
			return true
		}
		if r, n := utf8.DecodeRuneInString(k.Text); n > 0 && n == len(k.Text) && r == binding.Code {
			return true
		}
	}
	return have == want && k.Code >= utf8.RuneSelf && !isFunctional(k.Code) && k.Base != 0 && k.Base == binding.Code
}
