package input

import (
	"bytes"
	"unicode/utf8"

	"moorage/ptyhost/vt"
)

// The brackets around a paste (xterm ctlseqs, "Bracketed Paste Mode").
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// AppendPasteStart opens a paste for a program with modes m.
func AppendPasteStart(dst []byte, m vt.Modes) []byte {
	if m.BracketedPaste {
		dst = append(dst, pasteStart...)
	}
	return dst
}

// AppendPasteEnd closes a paste. m are the modes that it was opened with.
func AppendPasteEnd(dst []byte, m vt.Modes) []byte {
	if m.BracketedPaste {
		dst = append(dst, pasteEnd...)
	}
	return dst
}

// AppendPaste appends a whole paste.
func AppendPaste(dst, text []byte, m vt.Modes) []byte {
	return AppendPasteEnd(AppendPasteData(AppendPasteStart(dst, m), text), m)
}

// AppendPasteData appends a piece of a paste, cleaned: what it contains can
// neither end the brackets early nor start a control sequence. A closing
// bracket goes whole, and any other ESC and CSI (U+009B, or the byte 9B where
// it is no part of a character) by itself. Line ends of every kind become CR,
// as xterm does it. A piece must not end between the bytes of one of these;
// those of a Tokenizer do not.
func AppendPasteData(dst, p []byte) []byte {
	for len(p) > 0 {
		n := plainPaste(p)
		dst, p = append(dst, p[:n]...), p[n:]
		if len(p) == 0 {
			break
		}
		switch p[0] {
		case 0x1b:
			p = p[len(pasteEscape(p)):]
		case '\r':
			dst, p = append(dst, '\r'), p[1:]
			if len(p) > 0 && p[0] == '\n' {
				p = p[1:]
			}
		case '\n':
			dst, p = append(dst, '\r'), p[1:]
		default:
			r, n := utf8.DecodeRune(p)
			if r != 0x9b && (r != utf8.RuneError || n > 1 || p[0] != 0x9b) {
				dst = append(dst, p[:n]...)
			}
			p = p[n:]
		}
	}
	return dst
}

// plainPaste is the length of the leading run that needs no thought.
func plainPaste(p []byte) int {
	for i, c := range p {
		if c == 0x1b || c == '\r' || c == '\n' || c >= utf8.RuneSelf {
			return i
		}
	}
	return len(p)
}

// pasteEscape is the escape at the start of p that is to go.
func pasteEscape(p []byte) []byte {
	if bytes.HasPrefix(p, []byte(pasteEnd)) {
		return p[:len(pasteEnd)]
	}
	return p[:1]
}

// pasteTail is how many bytes at the end of a piece of a paste must wait for
// what follows: the start of a closing bracket, of a character, of CR LF.
func pasteTail(p []byte) int {
	if n := len(p); n > 0 && p[n-1] == '\r' {
		return 1
	}
	for n := min(len(pasteEnd)-1, len(p)); n > 0; n-- {
		if bytes.HasPrefix([]byte(pasteEnd), p[len(p)-n:]) {
			return n
		}
	}
	return partialRune(p)
}

// partialRune is the length of an incomplete UTF-8 character at the end of p.
func partialRune(p []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(p); n++ {
		if c := p[len(p)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(p[len(p)-n:]) {
				return n
			}
			break
		}
	}
	return 0
}
