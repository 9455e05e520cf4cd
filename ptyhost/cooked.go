package ptyhost

import "bytes"

// A program that reads whole lines cannot read keys as the kitty keyboard
// protocol or modifyOtherKeys write them: who left those on was killed, or runs
// it. The keys for which the line discipline has a meaning reach it as its own
// characters then: interrupt, quit, suspend and end of file. All others stay as
// they are.

// cook returns p with those keys replaced, p itself if there are none. special
// asks for the characters, and is false unless lines are read.
func cook(p []byte, special func() ([]byte, bool)) []byte {
	var chars, out []byte
	last := 0
	for i := 0; i < len(p); {
		at := bytes.Index(p[i:], []byte("\x1b["))
		if at < 0 {
			break
		}
		i += at
		c, press, n := controlKey(p[i:])
		if n == 0 {
			i += 2
			continue
		}
		if chars == nil {
			var ok bool
			if chars, ok = special(); !ok {
				return p
			}
		}
		if bytes.IndexByte(chars, c) >= 0 {
			out = append(out, p[last:i]...)
			if press {
				out = append(out, c)
			}
			last = i + n
		}
		i += n
	}
	if last == 0 {
		return p
	}
	return append(out, p[last:]...)
}

const (
	modCtrl  = 4
	modLocks = 64 | 128 // caps lock and num lock
)

// controlKey reads a key at the beginning of p that is ctrl and a character,
// written as CSI code:shifted:base ; modifiers:event ; text u or as
// CSI 27 ; modifiers ; code ~. It returns the control that these type, whether
// the key went down, and the length; 0 for anything else.
func controlKey(p []byte) (c byte, press bool, n int) {
	var v [3][3]int
	field, sub := 0, 0
	for n = 2; n < len(p); n++ {
		b := p[n]
		switch {
		case b >= '0' && b <= '9':
			if field < 3 && sub < 3 && v[field][sub] < 1<<21 {
				v[field][sub] = 10*v[field][sub] + int(b-'0')
			}
			continue
		case b == ';':
			field, sub = field+1, 0
			continue
		case b == ':':
			sub++
			continue
		}
		break
	}
	if n == len(p) {
		return 0, false, 0
	}
	code, base := v[0][0], v[0][2]
	switch {
	case p[n] == 'u':
	case p[n] == '~' && code == 27:
		code, base = v[2][0], 0
	default:
		return 0, false, 0
	}
	if (v[1][0]-1)&^modLocks != modCtrl {
		return 0, false, 0
	}
	if code >= 0x80 && base != 0 { // a layout that is not Latin
		code = base
	}
	if code < '@' || code > 'z' || code > '_' && code < 'a' {
		return 0, false, 0
	}
	return byte(code & 0x1f), v[1][1] != 3, n + 1
}
