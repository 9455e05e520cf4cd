package main

import "strings"

// keyNames are the names that send-keys knows, as tmux(1) has them under KEY BINDINGS, with the bytes that an xterm in its normal
// modes sends for them.
var keyNames = map[string]string{
	"Enter": "\r", "Escape": "\x1b", "Tab": "\t", "BTab": "\x1b[Z", "BSpace": "\x7f", "Space": " ",
	"Up": "\x1b[A", "Down": "\x1b[B", "Right": "\x1b[C", "Left": "\x1b[D", "Home": "\x1b[H", "End": "\x1b[F",
	"IC": "\x1b[2~", "Insert": "\x1b[2~", "DC": "\x1b[3~", "Delete": "\x1b[3~",
	"PPage": "\x1b[5~", "PageUp": "\x1b[5~", "PgUp": "\x1b[5~", "NPage": "\x1b[6~", "PageDown": "\x1b[6~", "PgDn": "\x1b[6~",
	"F1": "\x1bOP", "F2": "\x1bOQ", "F3": "\x1bOR", "F4": "\x1bOS", "F5": "\x1b[15~", "F6": "\x1b[17~", "F7": "\x1b[18~",
	"F8": "\x1b[19~", "F9": "\x1b[20~", "F10": "\x1b[21~", "F11": "\x1b[23~", "F12": "\x1b[24~",
}

// keyBytes is what a key of that name sends; false when it is no key's name. C- and M- go before a name or one character.
func keyBytes(name string) (string, bool) {
	if bytes, ok := keyNames[name]; ok {
		return bytes, true
	}
	if rest, ok := strings.CutPrefix(name, "M-"); ok && rest != "" {
		if bytes, ok := keyBytes(rest); ok {
			return "\x1b" + bytes, true
		}
		return "\x1b" + rest, len([]rune(rest)) == 1
	}
	rest, ok := strings.CutPrefix(name, "C-")
	if !ok {
		rest, ok = strings.CutPrefix(name, "^")
	}
	if !ok {
		return "", false
	}
	if rest == "Space" {
		return "\x00", true
	}
	if len(rest) != 1 {
		return "", false
	}
	return control(rest[0])
}

// control is the C0 control that ctrl makes of c (ECMA-48, 5.2: columns 4 and 5 less 64).
func control(c byte) (string, bool) {
	switch {
	case c >= 'a' && c <= 'z':
		return string(rune(c - 'a' + 1)), true
	case c >= '@' && c <= '_':
		return string(rune(c - '@')), true
	case c == '?':
		return "\x7f", true
	}
	return "", false
}
