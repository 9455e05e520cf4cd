package ui

import (
	"strings"
	"unicode"
)

// fuzzy reports whether the characters of a term stand in a text in that
// order, and how well: together and at the beginnings of words is better. Case
// does not matter. A term of nothing is everywhere.
func fuzzy(term, text string) (score int, ok bool) {
	want := []rune(strings.ToLower(term))
	if len(want) == 0 {
		return 0, true
	}
	lower := strings.ToLower(text)
	if i := strings.Index(lower, string(want)); i >= 0 {
		score = 100
		if i == 0 || !unicode.IsLetter(rune(lower[i-1])) {
			score += 50
		}
		return score - min(i, 40), true
	}
	last, n := ' ', 0
	together := false
	for _, r := range lower {
		if n < len(want) && r == want[n] {
			n++
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
	return score, n == len(want)
}

// fuzzyAll is fuzzy for each word of a query: every one has to be in one of the
// texts.
func fuzzyAll(query string, texts ...string) (score int, ok bool) {
	for _, term := range strings.Fields(query) {
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
