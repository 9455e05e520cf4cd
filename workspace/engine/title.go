package engine

import (
	"strings"
	"unicode/utf8"

	"moorage/workspace/activity"
)

// titleRule says what a title means that begins with a text.
type titleRule struct {
	begins string
	means  activity.Title
}

// braille stands for any braille pattern: a spinner.
const braille = "\u2800"

// ReadTitle says what the engine's title tells of it.
func (e Engine) ReadTitle(title string) activity.Title {
	first, size := utf8.DecodeRuneInString(title)
	for _, rule := range e.titles {
		if rule.begins == braille && first >= 0x2800 && first <= 0x28ff && strings.HasPrefix(title[size:], " ") || strings.HasPrefix(title, rule.begins) {
			return rule.means
		}
	}
	return activity.TitleSilent
}
