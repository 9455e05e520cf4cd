package ui

import (
	"unicode"
	"unicode/utf8"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
)

// maxLine bounds what a line may hold, in characters.
const maxLine = 1000

// line is one line of text being edited.
type line struct {
	text []rune
	at   int
}

func newLine(text string) *line {
	l := &line{}
	l.paste(text)
	return l
}

func (l *line) String() string { return string(l.text) }

// key edits by the keys that shells have; false when it is none of them.
func (l *line) key(k input.Key) bool {
	ctrl := func(r rune) bool { return k.Matches(input.Key{Code: r, Mods: input.Ctrl}) }
	switch {
	case k.Code == input.Backspace && k.Mods == 0, ctrl('h'):
		if l.at > 0 {
			l.cut(l.at-1, l.at)
		}
	case k.Code == input.Delete:
		if l.at < len(l.text) {
			l.cut(l.at, l.at+1)
		}
	case k.Code == input.Left:
		l.at = max(l.at-1, 0)
	case k.Code == input.Right:
		l.at = min(l.at+1, len(l.text))
	case k.Code == input.Home, ctrl('a'):
		l.at = 0
	case k.Code == input.End, ctrl('e'):
		l.at = len(l.text)
	case ctrl('u'):
		l.cut(0, l.at)
	case ctrl('k'):
		l.cut(l.at, len(l.text))
	case ctrl('w'), k.Code == input.Backspace:
		l.cut(l.wordStart(), l.at)
	case k.Mods&(input.Ctrl|input.Alt|input.Super) == 0 && k.Typed() != "":
		l.paste(k.Typed())
	default:
		return false
	}
	return true
}

func (l *line) wordStart() int {
	i := l.at
	for i > 0 && l.text[i-1] == ' ' {
		i--
	}
	for i > 0 && l.text[i-1] != ' ' {
		i--
	}
	return i
}

func (l *line) cut(from, to int) {
	l.text = append(l.text[:from:from], l.text[to:]...)
	l.at = from
}

// paste inserts what of the text can be seen.
func (l *line) paste(text string) {
	for _, r := range text {
		if len(l.text) >= maxLine {
			return
		}
		if !unicode.IsPrint(r) {
			continue
		}
		l.text = append(l.text[:l.at], append([]rune{r}, l.text[l.at:]...)...)
		l.at++
	}
}

// draw shows the part around the cursor and returns where that is.
func (l *line) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	before := string(l.text[:l.at])
	for paint.StringWidth(before) > r.W-1 {
		_, n := utf8.DecodeRuneInString(before)
		before = before[n:]
	}
	w := f.Text(r.X, r.Y, r.W, before, theme.Text)
	f.Text(r.X+w, r.Y, r.W-w, string(l.text[l.at:]), theme.Text)
	return vt.Cursor{X: r.X + w, Y: r.Y, Visible: true}
}
