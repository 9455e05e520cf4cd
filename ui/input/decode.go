package input

import (
	"unicode/utf8"
)

// decode names a whole token that is not text in a run. It looks at nothing
// but the bytes and what was asked for.
func (t *Tokenizer) decode(raw []byte) Token {
	tok := &t.token
	*tok = Token{}
	switch {
	case raw[0] != esc:
		decodeChar(raw, tok)
	case len(raw) == 1:
		tok.Kind, tok.Key = KindKey, Key{Code: Escape, Event: Press}
	case raw[1] == esc:
		// A terminal that has alt as ESC before every key's own sequence.
		t.decodeEscape(raw[1:], tok)
		if tok.Kind == KindKey && len(raw) > 3 {
			tok.Key.Mods |= Alt
			tok.dialect = dialectMode
		} else {
			tok.Kind = KindUnknown
		}
	default:
		t.decodeEscape(raw, tok)
	}
	tok.Raw = raw
	return *tok
}

// decodeEscape names a token of ESC and at least one byte.
func (t *Tokenizer) decodeEscape(raw []byte, tok *Token) {
	if len(raw) > 2 {
		switch raw[1] {
		case '[':
			t.decodeCSI(raw, tok)
			return
		case 'O':
			decodeSS3(raw[2:], tok)
			return
		case ']', 'P', '_':
			decodeString(raw, tok)
			return
		}
	}
	decodeChar(raw[1:], tok)
	switch tok.Kind {
	case KindText:
		r, _ := utf8.DecodeRune(raw[1:])
		tok.Kind, tok.Key = KindKey, textKey(r)
		tok.Key.Text = ""
		fallthrough
	case KindKey:
		tok.Key.Mods |= Alt
	}
}

// decodeChar names a single control or character.
func decodeChar(raw []byte, tok *Token) {
	c := raw[0]
	if c >= 0x20 && c != del {
		if textRun(raw) == len(raw) {
			tok.Kind = KindText
		}
		return
	}
	tok.Kind, tok.Key = KindKey, Key{Code: rune(c), Event: Press}
	switch c {
	case '\r', del:
		tok.dialect = dialectMode
	case '\t', esc:
	default:
		tok.Key = Key{Code: controlKey(c), Mods: Ctrl, Event: Press}
	}
}

// decodeSS3 names a key after ESC O: a cursor or keypad key in application
// mode, or F1 to F4. body may start with a modifier.
func decodeSS3(body []byte, tok *Token) {
	final := body[len(body)-1]
	k := Key{Event: Press}
	if len(body) > 1 {
		k.Mods = Mods(body[0] - '1')
	}
	tok.dialect = dialectMode
	switch {
	case letterKeys[final] != 0:
		k.Code = letterKeys[final]
		if k.Mods == 0 && final >= 'P' {
			tok.dialect = dialectPlain
		}
	case keypadKeys[final] != 0:
		k.Code = keypadKeys[final]
	default:
		k.Code = rxvtLetters[final]
		k.Mods |= Ctrl
	}
	tok.Kind, tok.Key = KindKey, k
}
