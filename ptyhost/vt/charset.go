package vt

import "strings"

// charset is a designated character set. Text is UTF-8, so that GR is never
// used; what is written through GL may still ask for another set.
type charset uint8

const (
	setASCII charset = iota
	setSpecial
	setUK
	setLatin1
	setSupplemental
	setNational // the first of the national replacement sets
)

// charsets is the state of ISO 2022: what G0 to G3 hold, which one is invoked
// into GL, and a pending single shift (2 or 3; 0 is none).
type charsets struct {
	g      [4]charset
	gl     uint8
	single uint8
}

func (s *charsets) plain() bool { return s.g[s.gl] == setASCII && s.single == 0 }

// translate maps a byte through GL, or through the set of a single shift.
func (s *charsets) translate(b byte) rune {
	set := s.g[s.gl]
	if s.single != 0 {
		set = s.g[s.single]
		s.single = 0
	}
	switch set {
	case setASCII:
	case setSpecial:
		if b >= 0x5f && b <= 0x7e {
			return specialGraphics[b-0x5f]
		}
	case setUK:
		if b == '#' {
			return '£'
		}
	case setLatin1:
		return rune(b) | 0x80
	case setSupplemental:
		return supplemental(rune(b) | 0x80)
	default:
		if i := strings.IndexByte(nationalPlaces, b); i >= 0 {
			return nationalSets[set-setNational].runes[i]
		}
	}
	return rune(b)
}

// specialGraphics is DEC's line drawing set from 0x5f on (VT100 User Guide,
// table 3-9).
var specialGraphics = [...]rune{
	' ', '◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋',
	'┘', '┐', '┌', '└', '┼', '⎺', '⎻', '─', '⎼', '⎽',
	'├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
}

// supplemental is DEC's supplemental set: Latin-1 but for a few places (VT220
// Programmer Reference, table 2-3). Places without a character show U+2426, as
// in xterm.
func supplemental(r rune) rune {
	switch r {
	case 0xa8:
		return '¤'
	case 0xd7:
		return 'Œ'
	case 0xdd:
		return 'Ÿ'
	case 0xf7:
		return 'œ'
	case 0xfd:
		return 'ÿ'
	case 0xa4, 0xa6, 0xac, 0xad, 0xae, 0xaf, 0xb4, 0xb8, 0xbe, 0xd0, 0xde, 0xf0, 0xfe:
		return '␦'
	}
	return r
}

// nationalPlaces are the bytes that national replacement sets replace.
const nationalPlaces = "#@[\\]^_`{|}~"

// nationalSet is one of them, with the final bytes that designate it.
type nationalSet struct {
	finals string
	runes  [len(nationalPlaces)]rune
}

// nationalSets are the national replacement character sets (VT220 Programmer
// Reference, table 2-5; VT510 manual). Snapshots store their places here: add
// at the end.
var nationalSets = []nationalSet{
	{"4", [12]rune{'£', '¾', 'ĳ', '½', '|', '^', '_', '`', '¨', 'ƒ', '¼', '´'}},   // Dutch
	{"5C", [12]rune{'#', '@', 'Ä', 'Ö', 'Å', 'Ü', '_', 'é', 'ä', 'ö', 'å', 'ü'}},  // Finnish
	{"Rf", [12]rune{'£', 'à', '°', 'ç', '§', '^', '_', '`', 'é', 'ù', 'è', '¨'}},  // French
	{"9Q", [12]rune{'#', 'à', 'â', 'ç', 'ê', 'î', '_', 'ô', 'é', 'ù', 'è', 'û'}},  // French Canadian
	{"K", [12]rune{'#', '§', 'Ä', 'Ö', 'Ü', '^', '_', '`', 'ä', 'ö', 'ü', 'ß'}},   // German
	{"Y", [12]rune{'£', '§', '°', 'ç', 'é', '^', '_', 'ù', 'à', 'ò', 'è', 'ì'}},   // Italian
	{"6E`", [12]rune{'#', 'Ä', 'Æ', 'Ø', 'Å', 'Ü', '_', 'ä', 'æ', 'ø', 'å', 'ü'}}, // Norwegian, Danish
	{"Z", [12]rune{'£', '§', '¡', 'Ñ', '¿', '^', '_', '`', '°', 'ñ', 'ç', '~'}},   // Spanish
	{"7H", [12]rune{'#', 'É', 'Ä', 'Ö', 'Å', 'Ü', '_', 'é', 'ä', 'ö', 'å', 'ü'}},  // Swedish
	{"=", [12]rune{'ù', 'à', 'é', 'ç', 'ê', 'î', 'è', 'ô', 'ä', 'ö', 'ü', 'û'}},   // Swiss
}

// maxCharset is the last set that there is.
var maxCharset = setNational + charset(len(nationalSets)) - 1

// name is what designates the set, as DECCIR reports it.
func (s charset) name() string {
	switch s {
	case setASCII:
		return "B"
	case setSpecial:
		return "0"
	case setUK, setLatin1:
		return "A"
	case setSupplemental:
		return "%5"
	}
	return nationalSets[s-setNational].finals[:1]
}

// designate handles SCS: the intermediate says which of G0 to G3 gets a set,
// and whether of 94 characters, ( ) * +, or of 96, - . and /. Sets that we do
// not have leave what was designated before; the national ones are there in
// mode 42 only.
func (t *Terminal) designate(inter byte, name string) {
	if g := strings.IndexByte("-./", inter); g >= 0 {
		if name == "A" {
			t.sets.g[g+1] = setLatin1
		}
		return
	}
	g := strings.IndexByte("()*+", inter)
	switch name {
	case "B", "1":
		t.sets.g[g] = setASCII
	case "0", "2":
		t.sets.g[g] = setSpecial
	case "A":
		t.sets.g[g] = setUK
	case "<", "%5":
		t.sets.g[g] = setSupplemental
	default:
		if t.flags&flagNational == 0 || len(name) != 1 {
			return
		}
		for i, n := range nationalSets {
			if strings.Contains(n.finals, name) {
				t.sets.g[g] = setNational + charset(i)
			}
		}
	}
}
