package input

// sequence is the xterm form of a functional key: CSI num final, where num is
// left out if it is 1 and nothing follows.
type sequence struct {
	num   int
	final byte
}

// sequences are the functional keys that have a form of their own (xterm
// ctlseqs, "PC-Style Function Keys" and "VT220-Style Function Keys"; kitty
// keyboard protocol, "Legacy functional keys"). F13 and up use xterm's VT220
// numbers, as no other legacy form tells them from shift and ctrl with F1 to
// F12.
var sequences = map[rune]sequence{
	Up: {1, 'A'}, Down: {1, 'B'}, Right: {1, 'C'}, Left: {1, 'D'},
	KPBegin: {1, 'E'}, End: {1, 'F'}, Home: {1, 'H'},
	Insert: {2, '~'}, Delete: {3, '~'}, PageUp: {5, '~'}, PageDown: {6, '~'},
	F1: {1, 'P'}, F2: {1, 'Q'}, F3: {1, 'R'}, F4: {1, 'S'},
	F5: {15, '~'}, F1 + 5: {17, '~'}, F1 + 6: {18, '~'}, F1 + 7: {19, '~'}, F1 + 8: {20, '~'},
	F1 + 9: {21, '~'}, F1 + 10: {23, '~'}, F12: {24, '~'},
	F13: {25, '~'}, F1 + 13: {26, '~'}, F1 + 14: {28, '~'}, F1 + 15: {29, '~'}, F1 + 16: {31, '~'},
	F1 + 17: {32, '~'}, F1 + 18: {33, '~'}, F20: {34, '~'},
	F1 + 20: {42, '~'}, F1 + 21: {43, '~'}, F1 + 22: {44, '~'}, F1 + 23: {45, '~'}, F1 + 24: {46, '~'},
	F1 + 25: {47, '~'}, F1 + 26: {48, '~'}, F1 + 27: {49, '~'}, F1 + 28: {50, '~'}, F1 + 29: {51, '~'},
	F1 + 30: {52, '~'}, F1 + 31: {53, '~'}, F1 + 32: {54, '~'}, F1 + 33: {55, '~'}, F35: {56, '~'},
}

// tildeKeys is sequences by number, and the numbers of other terminals: rxvt
// and the Linux console number Home, End and F1 to F5.
var tildeKeys = func() map[int]rune {
	keys := map[int]rune{
		1: Home, 4: End, 7: Home, 8: End,
		11: F1, 12: F2, 13: F3, 14: F4,
		57427: KPBegin,
	}
	for code, s := range sequences {
		if s.final == '~' {
			keys[s.num] = code
		}
	}
	return keys
}()

// letterKeys are the final bytes of CSI and SS3 that name a key.
var letterKeys = map[byte]rune{
	'A': Up, 'B': Down, 'C': Right, 'D': Left, 'E': KPBegin, 'F': End, 'H': Home,
	'P': F1, 'Q': F2, 'R': F3, 'S': F4,
}

// keypadKeys are the keypad's finals after SS3 in application mode (xterm
// ctlseqs, "VT220-Style Function Keys").
var keypadKeys = map[byte]rune{
	' ': Space, 'I': Tab, 'M': KPEnter, 'X': KPEqual,
	'j': KPMultiply, 'k': KPAdd, 'l': KPSeparator, 'm': KPSubtract, 'n': KPDecimal, 'o': KPDivide,
	'p': KP0, 'q': KP1, 'r': KP2, 's': KP3, 't': KP4, 'u': KP5, 'v': KP6, 'w': KP7, 'x': KP8, 'y': KP9,
}

// keypadFinals is keypadKeys the other way round, the keypad's keys only.
var keypadFinals = func() map[rune]byte {
	finals := make(map[rune]byte, len(keypadKeys))
	for final, code := range keypadKeys {
		if code >= KP0 && code <= KPBegin {
			finals[code] = final
		}
	}
	return finals
}()

// keypadText is what the keypad types in numeric mode.
var keypadText = map[rune]byte{
	KP0: '0', KP1: '1', KP2: '2', KP3: '3', KP4: '4', KP5: '5', KP6: '6', KP7: '7', KP8: '8', KP9: '9',
	KPDecimal: '.', KPDivide: '/', KPMultiply: '*', KPSubtract: '-', KPAdd: '+', KPEqual: '=', KPSeparator: ',',
}

// keypadTwins are the keys of the main block that the keypad doubles.
var keypadTwins = map[rune]rune{
	KPEnter: Enter, KPLeft: Left, KPRight: Right, KPUp: Up, KPDown: Down, KPPageUp: PageUp,
	KPPageDown: PageDown, KPHome: Home, KPEnd: End, KPInsert: Insert, KPDelete: Delete,
}

// linuxKeys are the Linux console's CSI [ A to CSI [ E (console_codes(4)).
const linuxKeys = "ABCDE"

// rxvtMods are the finals that rxvt puts in the place of "~", and rxvtLetters
// those for a cursor key with shift (after CSI) or ctrl (after SS3).
var (
	rxvtMods    = map[byte]Mods{'$': Shift, '^': Ctrl, '@': Ctrl | Shift}
	rxvtLetters = map[byte]rune{'a': Up, 'b': Down, 'c': Right, 'd': Left}
)

// controlKey is the key whose ctrl gives the C0 control c, for the controls
// that are no key of their own.
func controlKey(c byte) rune {
	switch {
	case c == 0:
		return Space
	case c <= 26:
		return rune(c) + 'a' - 1
	}
	return rune(c) + '@' // 1c to 1f: \ ] ^ _
}

// controls are the characters whose ctrl is not simply the low five bits
// (xterm on a PC-101 keyboard; kitty keyboard protocol, "Legacy ctrl mapping").
var controls = map[rune]byte{
	' ': 0x00, '2': 0x00, '@': 0x00, '3': 0x1b, '4': 0x1c, '5': 0x1d, '6': 0x1e, '~': 0x1e,
	'7': 0x1f, '/': 0x1f, '8': 0x7f, '?': 0x7f,
}

// controlOf returns the control that ctrl with r types, if there is one.
func controlOf(r rune) (byte, bool) {
	if c, ok := controls[r]; ok {
		return c, true
	}
	if r >= '@' && r <= '_' || r >= 'a' && r <= 'z' {
		return byte(r) & 0x1f, true
	}
	return 0, false
}
