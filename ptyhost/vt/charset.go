package vt

// charset is a designated character set. Only sets of 94 characters matter
// here: text is UTF-8, so GR is never used.
type charset uint8

const (
	setASCII charset = iota
	setSpecial
	setUK
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
	case setSpecial:
		if b >= 0x5f && b <= 0x7e {
			return specialGraphics[b-0x5f]
		}
	case setUK:
		if b == '#' {
			return '£'
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

// charsetFinals are the final bytes of SCS that designate a set we have. Other
// sets leave what was designated before.
var charsetFinals = map[byte]charset{'B': setASCII, '0': setSpecial, '2': setSpecial, 'A': setUK, '1': setASCII}

// designate handles SCS, ESC I F with I one of ( ) * + for a set of 94
// characters.
func (t *Terminal) designate(g int, final byte) {
	if set, ok := charsetFinals[final]; ok {
		t.sets.g[g] = set
	}
}
