package vt

import "unicode/utf8"

// The parser is the state machine of DEC's terminals as written down by Paul
// Williams (vt100.net/emu/dec_ansi_parser), with three changes that a UTF-8
// terminal needs: C1 controls exist only as UTF-8 (U+0080..U+009F), so that no
// byte inside a character is one; sub-parameters are split by colons; and OSC
// may end with BEL.

type state uint8

const (
	stGround state = iota
	stUTF8         // inside a character
	stEscape
	stEscapeInter
	stCSI
	stCSIIgnore
	stOSC
	stDCSEntry  // parameters of a DCS
	stDCS       // its string, kept
	stSkip      // a string that is thrown away: SOS, PM, APC, other DCS
	stStringEsc // ESC inside any of the strings
)

const (
	maxParams     = 32
	maxParam      = 65535
	maxString     = 64 << 10
	maxClipboard  = 1<<20 + 64 // base64 of an OSC 52, with its head
	maxTitleBytes = 1 << 10
)

// parser is what must be remembered between two writes.
type parser struct {
	state  state
	inner  state // the string that stStringEsc interrupts
	prefix byte  // private marker < = > ?
	inter  [2]byte
	ninter int

	params  [maxParams]int32
	nparams int    // parameters begun, 0 if there was none
	colons  uint32 // bit i: a colon came before parameter i

	str      []byte // OSC or DCS string so far
	overflow bool   // it grew too long and will be ignored
	lastByte byte   // of a string: for U+009C as a terminator
	final    byte   // of the DCS
	bel      bool   // an OSC ended with BEL: its answer does too

	part  [4]byte // a character begun
	npart int
}

// Ground reports that no sequence, string or character is half read.
func (t *Terminal) Ground() bool { return t.state == stGround }

func (t *Terminal) parse(p []byte) {
	for i := 0; i < len(p); {
		switch t.state {
		case stGround:
			i = t.ground(p, i)
		case stCSI, stCSIIgnore, stDCSEntry:
			i = t.control(p, i)
		case stUTF8:
			i = t.utf8Rest(p, i)
		case stEscape, stEscapeInter:
			i = t.escape(p, i)
		case stStringEsc:
			i = t.stringEsc(p, i)
		default:
			i = t.collect(p, i)
		}
	}
}

// ground takes text and C0 controls from p[i:] until a sequence begins.
func (t *Terminal) ground(p []byte, i int) int {
	for i < len(p) {
		b := p[i]
		switch {
		case b-0x20 < 0x5f:
			n := i + asciiRun(p[i:])
			t.printASCII(p[i:n])
			i = n
		case b == 0x1b:
			t.enterEscape()
			i++
			if i < len(p) && p[i] == '[' {
				t.enterControl(stCSI)
				return i + 1
			}
			return i
		case b < 0x20:
			t.execute(b)
			i++
		case b == 0x7f: // DEL is ignored (ECMA-48 8.3 has it as no function)
			i++
		case b-0xe1 < 0xec-0xe1 && i+2 < len(p) && p[i+1]&0xc0 == 0x80 && p[i+2]&0xc0 == 0x80:
			// Most of what is not ASCII: three bytes that cannot be
			// overlong, a surrogate or a C1 control.
			t.printRune(rune(b&0x0f)<<12 | rune(p[i+1]&0x3f)<<6 | rune(p[i+2]&0x3f))
			i += 3
		default:
			r, n := utf8.DecodeRune(p[i:])
			switch {
			case n > 1:
				i += n
				if r < 0xa0 {
					t.c1(byte(r))
					if t.state != stGround {
						return i
					}
					continue
				}
				t.printRune(r)
			case !utf8.FullRune(p[i:]):
				t.npart = copy(t.part[:], p[i:])
				t.state = stUTF8
				return len(p)
			default:
				i += maximalSubpart(p[i:])
				t.printRune(utf8.RuneError)
			}
		}
	}
	return i
}

// asciiRun is how many bytes at the head of p are printable ASCII.
func asciiRun(p []byte) int {
	n := 0
	for n < len(p) && p[n]-0x20 < 0x5f {
		n++
	}
	return n
}

// maximalSubpart is the length of the ill-formed piece at the head of p that
// becomes one U+FFFD: the longest start of a well-formed sequence, or one byte
// (Unicode 16, 3.9, "U+FFFD Substitution of Maximal Subparts").
func maximalSubpart(p []byte) int {
	for n := 1; n < min(len(p), utf8.UTFMax); n++ {
		if utf8.FullRune(p[:n+1]) {
			// p[:n] was a start, since it was not full; p[:n+1] is none.
			if utf8.FullRune(p[:n]) {
				return 1
			}
			return n
		}
	}
	return 1
}

// utf8Rest goes on with a character whose first bytes came in an earlier
// write.
func (t *Terminal) utf8Rest(p []byte, i int) int {
	for i < len(p) {
		t.part[t.npart] = p[i]
		part := t.part[:t.npart+1]
		if !utf8.FullRune(part) {
			t.npart++
			i++
			continue
		}
		t.state = stGround
		n := t.npart
		t.npart = 0
		r, size := utf8.DecodeRune(part)
		if size > 1 {
			i++
			if r < 0xa0 {
				t.c1(byte(r))
			} else {
				t.printRune(r)
			}
			return i
		}
		if n == 0 { // cannot happen: a part holds at least its first byte
			i++
		}
		t.printRune(utf8.RuneError) // the part so far; p[i] is read anew
		return i
	}
	return i
}

func (t *Terminal) enterEscape() {
	t.state = stEscape
	t.ninter = 0
}

// enterControl begins a CSI or the head of a DCS.
func (t *Terminal) enterControl(s state) {
	t.state = s
	t.prefix, t.ninter, t.nparams, t.colons = 0, 0, 0, 0
}

// escape reads the rest of an escape sequence: intermediates and a final byte.
func (t *Terminal) escape(p []byte, i int) int {
	for ; i < len(p); i++ {
		switch b := p[i]; {
		case b < 0x20:
			if !t.inSequence(b) {
				return i + 1
			}
		case b < 0x30:
			if t.ninter < len(t.inter) {
				t.inter[t.ninter] = b
			}
			t.ninter = min(t.ninter+1, len(t.inter)+1)
			t.state = stEscapeInter
		case b < 0x7f:
			s := t.state
			t.state = stGround
			if s == stEscape && b-'@' < 0x20 {
				t.c1(b + 0x40) // ESC Fe is the 7-bit form of a C1 control
			} else {
				t.dispatchEscape(b)
			}
			return i + 1
		case b == 0x7f:
		default: // not part of any sequence: give up, and read it as text
			t.state = stGround
			return i
		}
	}
	return i
}

// inSequence executes a C0 control inside a sequence and reports whether the
// sequence goes on: CAN and SUB end it, ESC begins another.
func (t *Terminal) inSequence(b byte) bool {
	switch b {
	case 0x18:
		t.state = stGround
		return false
	case 0x1a:
		t.state = stGround
		t.substitute()
		return false
	case 0x1b:
		t.enterEscape()
		return false
	}
	t.execute(b)
	return true
}

// control reads a control sequence, or the head of a DCS, up to its final
// byte: one pass, the parameter being read in locals.
func (t *Terminal) control(p []byte, i int) int {
	n := t.nparams
	for ; i < len(p); i++ {
		b := p[i]
		switch {
		case b-'0' < 10:
			if n == 0 {
				n = 1
				t.params[0] = 0
			}
			slot := min(n, maxParams) - 1
			v := t.params[slot]
			for {
				v = min(v*10+int32(b-'0'), maxParam)
				if i+1 == len(p) || p[i+1]-'0' >= 10 {
					break
				}
				i++
				b = p[i]
			}
			if n <= maxParams { // one past the last is read and dropped
				t.params[slot] = v
			}
			if t.ninter > 0 {
				t.ignore()
			}
		case b == ';' || b == ':':
			if n == 0 {
				n = 1
				t.params[0] = 0
			}
			if n < maxParams {
				t.params[n] = 0
				if b == ':' {
					t.colons |= 1 << n
				}
			}
			n = min(n+1, maxParams+1)
			if t.ninter > 0 {
				t.ignore()
			}
		case b >= 0x40 && b < 0x7f:
			t.nparams = min(n, maxParams)
			t.finish(b)
			return i + 1
		case b < 0x20:
			t.nparams = n
			if !t.inSequence(b) {
				return i + 1
			}
		case b < 0x30:
			if t.ninter < len(t.inter) {
				t.inter[t.ninter] = b
			}
			t.ninter = min(t.ninter+1, len(t.inter)+1)
		case b < 0x40: // < = > ?
			if t.prefix != 0 || n > 0 || t.ninter > 0 {
				t.ignore()
			}
			t.prefix = b
		case b == 0x7f:
		default:
			t.nparams = n
			if t.state == stDCSEntry { // text without a head is a string still
				t.beginString(stSkip)
				return i
			}
			t.state = stGround
			return i
		}
	}
	t.nparams = n
	return i
}

// ignore makes the rest of a malformed sequence be read but not obeyed.
func (t *Terminal) ignore() {
	if t.state == stCSI {
		t.state = stCSIIgnore
	} else if t.state == stDCSEntry {
		t.ninter = len(t.inter) + 1
	}
}

// finish acts on the final byte of a control sequence or of a DCS head.
func (t *Terminal) finish(b byte) {
	switch t.state {
	case stCSI:
		t.state = stGround
		t.dispatchCSI(b)
	case stDCSEntry:
		t.final = b
		t.beginString(stSkip)
		if t.dcsWanted() {
			t.state = stDCS
		}
	default:
		t.state = stGround
	}
}
