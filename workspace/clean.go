package workspace

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxTitle is how many bytes of a title or name are kept.
const MaxTitle = 200

// Clean makes text from outside fit to be drawn or sent on: valid UTF-8 without C0, C1, DEL and bidirectional controls,
// newlines and tabs as spaces, trimmed, and cut at a rune to at most limit bytes.
func Clean(text string, limit int) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			r = ' '
		case r == utf8.RuneError, r < 0x20, r >= 0x7f && r < 0xa0, bidi(r):
			continue
		}
		if b.Len()+utf8.RuneLen(r) > limit {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}

// bidi reports whether r is one of Unicode's bidirectional controls (UAX #9, table 4) or a line or paragraph separator.
func bidi(r rune) bool {
	switch {
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return r == 0x2028 || r == 0x2029
}

// Plural is a number of things in words: "1 commit", "2 commits".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
