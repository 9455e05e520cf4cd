package vt

// Control strings: OSC, DCS, SOS, PM and APC (ECMA-48 5.6). They end with ST,
// as ESC \ or as U+009C, and an OSC with BEL too; CAN, SUB and any other
// escape sequence break them off.

func (t *Terminal) beginString(s state) {
	t.state = s
	t.str = t.str[:0]
	t.overflow = false
	t.lastByte = 0
}

// collect reads a string up to its terminator.
func (t *Terminal) collect(p []byte, i int) int {
	start := i
	for ; i < len(p); i++ {
		b := p[i]
		if b >= 0x20 && b != 0x9c {
			continue
		}
		switch {
		case b == 0x9c && t.before(p, start, i) == 0xc2:
			t.keep(p[start:i])
			if n := len(t.str); n > 0 {
				t.str = t.str[:n-1] // the first byte of U+009C
			}
			t.endString(t.state)
			return i + 1
		case b == 0x9c:
			continue
		case b == 0x1b:
			t.keep(p[start:i])
			t.inner = t.state
			t.state = stStringEsc
			return i + 1
		case b == 0x07 && t.state == stOSC:
			t.keep(p[start:i])
			t.bel = true
			t.endString(stOSC)
			return i + 1
		case b == 0x18 || b == 0x1a:
			t.dropString()
			return i + 1
		case t.state == stDCS: // a DCS may hold format effectors
			continue
		}
		t.keep(p[start:i])
		start = i + 1
	}
	t.keep(p[start:i])
	return i
}

// before is the byte of the string in front of p[i].
func (t *Terminal) before(p []byte, start, i int) byte {
	if i > start {
		return p[i-1]
	}
	return t.lastByte
}

// keep adds to the string within its bound.
func (t *Terminal) keep(b []byte) {
	if len(b) == 0 {
		return
	}
	t.lastByte = b[len(b)-1]
	if t.state == stSkip || t.overflow {
		return
	}
	if n := len(t.str) + len(b); n > maxString && (n > maxClipboard || !isClipboard(t.str, b)) {
		t.overflow = true
		t.str = nil
		return
	}
	t.str = append(t.str, b...)
}

func isClipboard(str, b []byte) bool {
	if len(str) == 0 {
		str = b
	}
	return len(str) >= 3 && string(str[:3]) == "52;"
}

// stringEsc decides what an ESC inside a string was: half of ST, or the end of
// the string and the beginning of another sequence. tmux's passthrough doubles
// the ESC of what it wraps.
func (t *Terminal) stringEsc(p []byte, i int) int {
	s := t.inner
	switch {
	case p[i] == '\\':
		t.endString(s)
		return i + 1
	case p[i] == 0x1b && s == stDCS && t.final == 't':
		t.state = s
		t.keep(p[i : i+1])
		return i + 1
	}
	t.dropString()
	t.enterEscape()
	return i
}

func (t *Terminal) dropString() {
	t.state = stGround
	t.str = t.str[:0]
	t.lastByte, t.overflow = 0, false
}

// endString acts on a whole string.
func (t *Terminal) endString(s state) {
	t.state = stGround
	t.joinable = false
	if !t.overflow {
		switch s {
		case stOSC:
			t.dispatchOSC()
		case stDCS:
			t.dispatchDCS()
		}
	}
	t.bel, t.overflow, t.lastByte = false, false, 0
	if cap(t.str) > 8<<10 {
		t.str = nil
	}
	t.str = t.str[:0]
}
