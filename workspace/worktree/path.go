package worktree

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Display shows a path in one line that cannot do anything to a terminal: control characters, bidirectional controls, bytes that
// are no UTF-8 and backslashes are written as escapes of Go. Different paths are shown differently.
func Display(path string) string { return escape(path, "") }

// DisplayLine shows a line of a file likewise, but with its backslashes and tabs as they are.
func DisplayLine(line string) string { return escape(line, "\\\t") }

// escape is text with escapes for all that is not to be shown as it is, but for the characters in but.
func escape(text, but string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case strings.ContainsRune(but, r):
			b.WriteRune(r)
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\\':
			b.WriteString(`\\`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80 && !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case !unicode.IsPrint(r) && r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

func plain(path string) bool {
	for i := range len(path) {
		if c := path[i]; c < 0x20 || c >= 0x7f || c == '\\' {
			return false
		}
	}
	return true
}

// quote writes a path in the form that git reads back from a line of its input.
func quote(path string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
