package input

import "unicode/utf8"

// state says where in a token the input stands.
type state uint8

const (
	ground      state = iota
	afterEsc          // ESC
	afterEscEsc       // ESC ESC
	inRune            // some bytes of a UTF-8 character, perhaps with an ESC before
	ss3               // ESC O
	ss3Modifier       // ESC O and a digit
	csi               // ESC [ and parameters
	linuxKey          // ESC [ [
	x10               // ESC [ M and up to two bytes
	stringStart       // ESC ] or ESC P or ESC _
	inString          // and more
	stringEsc         // and an ESC, which may be the first half of ST
	inPaste           // after ESC [ 200 ~
)

// pendingIn is what a state holds back.
var pendingIn = [...]Pending{
	ground: None, afterEsc: LoneEscape, afterEscEsc: LoneEscape, inRune: Partial, ss3: Partial,
	ss3Modifier: Partial, csi: Partial, linuxKey: Partial, x10: Partial, stringStart: Partial,
	inString: Partial, stringEsc: Partial, inPaste: Paste,
}

// verdict is what a byte means for the token it comes in.
type verdict uint8

const (
	more        verdict = iota // it belongs to the token, which goes on
	done                       // it ends the token
	before                     // the token ended before it
	broken                     // it ends the token, which is then void
	cut                        // the token ended before it, void
	firstEscape                // before it are two ESC, of which the first is a token
	lastEscape                 // before it are a void token and an ESC
)

// scan moves the state over p until a token ends. It returns how many bytes
// of p belong to the token; with more, all of them do.
func (t *Tokenizer) scan(p []byte) (int, verdict) {
	for n, c := range p {
		switch v := t.step(c, p[:n]); v {
		case more:
		case done, broken:
			return n + 1, v
		case before, firstEscape, lastEscape:
			return n, v
		case cut:
			return n, broken
		}
	}
	return len(p), more
}

// firstOf are the bytes after ESC that start more than alt with a key.
var firstOf = [utf8.RuneSelf]state{'[': csi, 'O': ss3, ']': stringStart, 'P': stringStart, '_': stringStart}

// step takes one byte. so far are the bytes of this call before it.
func (t *Tokenizer) step(c byte, soFar []byte) verdict {
	switch t.state {
	case ground:
		return t.stepGround(c)
	case afterEsc:
		return t.stepEsc(c)
	case afterEscEsc:
		if c != '[' && c != 'O' {
			return firstEscape
		}
		return t.stepEsc(c)
	case inRune:
		return t.stepRune(c, soFar)
	case ss3, ss3Modifier:
		return t.stepSS3(c)
	case csi:
		return t.stepCSI(c, soFar)
	case linuxKey:
		if c >= 'A' && c <= 'E' {
			return done
		}
		return cut
	case x10:
		if c < 0x20 {
			return cut
		}
		if t.need--; t.need == 0 {
			return done
		}
		return more
	case stringStart:
		return t.stepStringStart(c, soFar)
	}
	return t.stepString(c, soFar)
}

func (t *Tokenizer) stepGround(c byte) verdict {
	switch {
	case c == esc:
		t.state = afterEsc
		return more
	case c < utf8.RuneSelf:
		return done
	case c >= 0xc2 && c <= 0xf4:
		t.state = inRune
		return more
	}
	return done // no character starts so
}

func (t *Tokenizer) stepEsc(c byte) verdict {
	switch {
	case c == esc:
		t.state = afterEscEsc
		return more
	case c >= 0xc2 && c <= 0xf4:
		t.state = inRune
		return more
	case c >= utf8.RuneSelf:
		return before
	case firstOf[c] != 0:
		t.state = firstOf[c]
		t.digits = true
		return more
	}
	return done
}

func (t *Tokenizer) stepRune(c byte, soFar []byte) verdict {
	if c&0xc0 != 0x80 {
		return cut
	}
	var buf [8]byte
	s := append(append(append(buf[:0], t.held...), soFar...), c)
	if s[0] == esc {
		s = s[1:]
	}
	if utf8.FullRune(s) {
		return done
	}
	return more
}

func (t *Tokenizer) stepSS3(c byte) verdict {
	if t.state == ss3 && c >= '2' && c <= '8' {
		t.state = ss3Modifier
		return more
	}
	if letterKeys[c] != 0 || keypadKeys[c] != 0 || rxvtLetters[c] != 0 {
		return done
	}
	if t.state == ss3Modifier {
		return cut
	}
	return before
}

// stepCSI follows ECMA-48 5.4: parameters and intermediates 20 to 3F, a final
// byte 40 to 7E.
func (t *Tokenizer) stepCSI(c byte, soFar []byte) verdict {
	first := !t.over && t.digits && t.lastIsIntroducer(soFar)
	switch {
	case c >= '0' && c <= '9':
		return more
	case c == '$' && t.digits && !first:
		return done // rxvt's shift, and no DECRPM, which has two numbers
	case c >= 0x20 && c < 0x40:
		t.digits = false
		return more
	case c == '[' && first:
		t.state = linuxKey
		return more
	case c == 'M' && first:
		t.state, t.need = x10, 3
		return more
	case c >= 0x40 && c < del:
		return done
	case c == can || c == sub:
		return broken
	case first:
		return before // alt+[, then something else
	}
	return cut
}

// lastIsIntroducer reports whether the byte before this one is CSI's "[".
func (t *Tokenizer) lastIsIntroducer(soFar []byte) bool {
	if n := len(soFar); n > 0 {
		return soFar[n-1] == '['
	}
	n := len(t.held)
	return n > 0 && t.held[n-1] == '['
}

// stringOpeners are the bytes with which the strings that a terminal sends
// begin. After another it was alt with "]", "P" or "_".
var stringOpeners = map[byte]string{
	']': "0123456789",
	'P': "0123456789>!$+?;=",
	'_': "G",
}

func (t *Tokenizer) stepStringStart(c byte, soFar []byte) verdict {
	kind := byte(0)
	if n := len(soFar); n > 0 {
		kind = soFar[n-1]
	} else if n := len(t.held); n > 0 {
		kind = t.held[n-1]
	}
	for _, opener := range []byte(stringOpeners[kind]) {
		if c == opener {
			t.state = inString
			return more
		}
	}
	return before
}

// stepString follows ECMA-48 5.6 and xterm: a string ends at ST, or at BEL as
// an OSC may. 9C is not ST but part of a UTF-8 character.
func (t *Tokenizer) stepString(c byte, soFar []byte) verdict {
	switch {
	case t.state == stringEsc && c == '\\':
		return done
	case t.state == stringEsc:
		return lastEscape
	case c == esc:
		t.state = stringEsc
	case c == bel:
		return done
	case c == can || c == sub:
		return broken
	}
	return more
}

// textRun is the length of the printable characters that p starts with: no
// C0, DEL or C1 control, nothing that is not whole and valid UTF-8.
func textRun(p []byte) int {
	n := 0
	for n < len(p) {
		c := p[n]
		if c < utf8.RuneSelf {
			if c < 0x20 || c == del {
				break
			}
			n++
			continue
		}
		r, size := utf8.DecodeRune(p[n:])
		if r < 0xa0 || r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}
