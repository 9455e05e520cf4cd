package main

import (
	"slices"
	"strings"
)

// onePath makes an error's text one path: each process that it came through has put its own step before it, and where two steps
// say the same, "start x: start session x: start: ...", the fuller one stands.
func onePath(text string) string {
	var path []string
	for step := range strings.SplitSeq(text, ": ") {
		last := len(path) - 1
		switch {
		case last >= 0 && says(path[last], step):
		case last >= 0 && says(step, path[last]):
			path[last] = step
		default:
			path = append(path, step)
		}
	}
	return strings.Join(path, ": ")
}

// says reports whether a step of an error's path begins with the same word as another one and has all of its words.
func says(step, other string) bool {
	words, others := strings.Fields(step), strings.Fields(other)
	if len(words) == 0 || len(others) == 0 || words[0] != others[0] {
		return false
	}
	return !slices.ContainsFunc(others, func(w string) bool { return !slices.Contains(words, w) })
}
