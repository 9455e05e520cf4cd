package paint

import "moorage/ptyhost/vt"

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
		if r == 0xfe0f || r == 0x200d || i == 0 && lone(r) {
			return disputed
		}
		if r >= firstEmoji && i == 0 {
			a = newer
		}
		if r >= 0x1f1e6 && r <= 0x1f1ff {
			return disputed // regional indicators: a flag, or half of one
		}
		sum += vt.RuneWidth(r)
	}
	if sum != width {
		return disputed
	}
	return a
}

// lone reports whether a terminal that measures rune by rune may take r for a
// mark without width, even where it stands alone: a spacing mark, or the vowel
// or final of a Hangul syllable.
func lone(r rune) bool {
	if r < firstMark {
		return false
	}
	return r >= 0x1160 && r < 0x1200 || r >= 0xd7b0 && r < 0xd800 || vt.Joins(anyLetter, r)
}

var anyLetter = []byte{'a'}

// sumOfWidths is what wcwidth makes of a text.
func sumOfWidths(text string) (sum int) {
	for _, r := range text {
		sum += vt.RuneWidth(r)
	}
	return sum
}

// StringWidth is how many cells Frame.Text takes for s.
func StringWidth(s string) int { return vt.StringWidth(s) }
