package paint

import (
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// nextCluster splits the first grapheme cluster off s (UAX 29) and says how
// many cells it takes.
func nextCluster(s string) (cluster string, width int, rest string) {
	if len(s) > 0 && s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return s[:1], 1, s[1:]
	}
	g := displaywidth.StringGraphemes(s)
	if !g.Next() {
		return "", 0, ""
	}
	c := g.Value()
	return c, min(g.Width(), 2), s[len(c):]
}

// StringWidth is how many cells s takes when Frame.Text draws it.
func StringWidth(s string) int {
	width := 0
	for s != "" {
		var w int
		_, w, s = nextCluster(s)
		width += w
	}
	return width
}

// agreement says how far terminals agree on a cluster's width.
type agreement uint8

const (
	agreed   agreement = iota
	newer              // an emoji that an old table has as narrow
	disputed           // the sum of its runes' widths is not its width
)

// firstEmoji is where the planes begin in which each version of Unicode makes
// some characters wide.
const firstEmoji = 0x1f000

// agreementOn looks at the text of a cell that takes width cells. Terminals
// measure either clusters, as we do, or rune by rune, as wcwidth does: they
// differ on ZWJ sequences, flags, variation selectors, skin tones and
// conjuncts.
func agreementOn(text string, width int) agreement {
	sum, a := 0, agreed
	for i, r := range text {
		if r == 0xfe0f || r == 0x200d {
			return disputed
		}
		if r >= firstEmoji && i == 0 {
			a = newer
		}
		if r >= 0x1f1e6 && r <= 0x1f1ff {
			return disputed // regional indicators: a flag, or half of one
		}
		sum += displaywidth.Rune(r)
	}
	if sum != width {
		return disputed
	}
	return a
}

// sumOfWidths is what wcwidth makes of a text.
func sumOfWidths(text string) (sum int) {
	for _, r := range text {
		sum += displaywidth.Rune(r)
	}
	return sum
}
