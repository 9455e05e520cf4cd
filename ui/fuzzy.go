package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fuzzy reports whether the characters of a term stand in a text in that
// order, and how well: together and at the beginnings of words is better. Case
// does not matter. A term of nothing is everywhere.
func fuzzy(term, text string) (score int, ok bool) {
	if term == "" {
		return 0, true
	}
	rest, lower := strings.ToLower(term), strings.ToLower(text)
	if i := strings.Index(lower, rest); i >= 0 {
		score = 100
		if i == 0 || !unicode.IsLetter(rune(lower[i-1])) {
			score += 50
		}
		return score - min(i, 40), true
	}
	last, together := ' ', false
	want, n := utf8.DecodeRuneInString(rest)
	for _, r := range lower {
		if rest != "" && r == want {
			rest = rest[n:]
			want, n = utf8.DecodeRuneInString(rest)
			if together {
				score += 3
			}
			if !unicode.IsLetter(last) {
				score += 5
			}
			together = true
		} else {
			together = false
		}
		last = r
	}
	return score, rest == ""
}

// fuzzyAll is fuzzy for each word of a query: every one has to be in one of the
// texts.
func fuzzyAll(query string, texts ...string) (score int, ok bool) {
	for term := range strings.FieldsSeq(query) {
		best, found := 0, false
		for _, text := range texts {
			if s, ok := fuzzy(term, text); ok && (!found || s > best) {
				best, found = s, true
			}
		}
		if !found {
			return 0, false
		}
		score += best
	}
	return score, true
}
