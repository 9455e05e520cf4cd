package paint

import (
	"strings"
	"unicode/utf8"
)

// Clean makes text from programs fit to be shown or sent: valid UTF-8 without
// C0, C1, DEL and bidi controls, newlines and tabs as spaces, and at most
// maxBytes bytes, cut between characters. Titles, paths, links and
// notifications go through it.
func Clean(s string, maxBytes int) string {
	if len(s) <= maxBytes && isClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(min(len(s), maxBytes))
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
			r = ' '
		case r == utf8.RuneError || isUnsafe(r):
			continue
		}
		if b.Len()+utf8.RuneLen(r) > maxBytes {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isClean(s string) bool {
	for _, r := range s {
		if r == utf8.RuneError || isUnsafe(r) {
			return false
		}
	}
	return true
}

// isUnsafe reports whether r is a control, or one of the characters that
// reorder text (UAX 9: embeddings, overrides, isolates and marks).
func isUnsafe(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 ||
		r == 0x061c || r == 0x200e || r == 0x200f ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 ||
		r == 0x2028 || r == 0x2029
}
