package vt

import (
	"sync/atomic"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// This file is the one authority on how many columns text takes. The grid and
// everything that draws beside it ask here, so that they cannot disagree.

// runeProps is what placing a rune must know of it: its width in bits 0..1,
// and whether it can continue the cluster before it.
type runeProps uint8

const (
	propWidth runeProps = 3
	// propExtends: continues any cluster (Extend, SpacingMark, ZWJ of UAX 29).
	propExtends runeProps = 1 << 2
	// propMayJoin: continues some clusters (Hangul, flags, emoji after ZWJ,
	// Indic conjuncts); extends decides.
	propMayJoin runeProps = 1 << 3
	propKnown   runeProps = 1 << 7
)

func (p runeProps) width() int { return int(p & propWidth) }

// propBlocks caches properties by block of 256 runes, filled when first asked
// for: the tables underneath answer for a string, not for a rune.
var propBlocks [(utf8.MaxRune + 1) >> 8]atomic.Pointer[[256]runeProps]

func propsOf(r rune) runeProps {
	b := propBlocks[r>>8].Load()
	if b == nil {
		b = fillProps(r >> 8)
	}
	return b[r&0xff]
}

func fillProps(block rune) *[256]runeProps {
	b := new([256]runeProps)
	for i := range b {
		b[i] = computeProps(block<<8 | rune(i))
	}
	propBlocks[block].CompareAndSwap(nil, b)
	return b
}

// joinProbes end in each of the ways that let something other than an
// extending rune go on: regional indicator, ZWJ after a pictograph, Hangul L,
// LV and LVT, an Indic linker.
var joinProbes = []string{"\U0001F1E6", "\U0001F469\u200D", "\u1100", "\uAC00", "\uAC01", "\u0915\u094D"}

func computeProps(r rune) runeProps {
	p := propKnown | runeProps(min(displaywidth.Rune(r), 2))
	var buf [16]byte
	if isCluster(utf8.AppendRune(append(buf[:0], 'a'), r)) {
		return p | propExtends
	}
	for _, s := range joinProbes {
		if isCluster(utf8.AppendRune(append(buf[:0], s...), r)) {
			return p | propMayJoin
		}
	}
	return p
}

// isCluster reports whether b is a single grapheme cluster (UAX 29).
func isCluster(b []byte) bool {
	n, _, _ := graphemes.SplitFunc(b, true)
	return n == len(b)
}

// joins reports whether the rune with properties p at the end of b continues
// the cluster that is the rest of b.
func joins(b []byte, p runeProps) bool {
	switch {
	case p&propExtends != 0:
		return true
	case p&propMayJoin == 0 || b[0] < utf8.RuneSelf:
		return false
	}
	return isCluster(b)
}

// Joins reports whether a terminal that draws r right behind the cluster makes
// it part of that.
func Joins(cluster []byte, r rune) bool {
	if uint32(r) > utf8.MaxRune || len(cluster) == 0 {
		return false
	}
	p := propsOf(r)
	return p&(propExtends|propMayJoin) != 0 && joins(utf8.AppendRune(cluster, r), p)
}

// maxClusterBytes bounds a cluster: marks past it are dropped.
const maxClusterBytes = 128

const variationSelector16 = '\uFE0F'

// NextCluster cuts the first grapheme cluster off s and says how many columns
// the terminal gives it: 0, 1 or 2. A control character is a cluster of width
// 0. Of a cluster that is too long for a cell the rest follows as clusters of
// width 0. Bytes that are not UTF-8 take a column each, as U+FFFD.
func NextCluster(s string) (cluster string, width int, rest string) {
	if s == "" {
		return "", 0, ""
	}
	r, n := utf8.DecodeRuneInString(s)
	if r < 0x20 || r == 0x7f {
		return s[:n], 0, s[n:]
	}
	p := propsOf(r)
	if width = p.width(); width == 0 {
		return s[:n], 0, s[n:]
	}
	first := n
	for n < len(s) {
		c := s[n]
		if c < utf8.RuneSelf {
			break
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		p := propsOf(r)
		if p&(propExtends|propMayJoin) == 0 || n+size > maxClusterBytes {
			break
		}
		if p&propExtends == 0 && !isCluster([]byte(s[:n+size])) {
			break
		}
		if r == variationSelector16 && n == first {
			width = 2
		}
		n += size
	}
	return s[:n], width, s[n:]
}

// StringWidth is how many columns s takes on one row. Control characters take
// none.
func StringWidth(s string) int {
	w := 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
			if c >= 0x20 && c != 0x7f {
				w++
			}
			i++
			continue
		}
		_, n, rest := NextCluster(s[i:])
		w += n
		i = len(s) - len(rest)
	}
	return w
}

// RuneWidth is how many columns r takes where nothing precedes it.
func RuneWidth(r rune) int {
	if uint32(r) > utf8.MaxRune {
		return 1
	}
	return propsOf(r).width()
}
