package input

import (
	"bytes"
	"strings"
	"unicode"

	"moorage/ptyhost/vt"
)

// controlSequence is a CSI sequence taken apart (ECMA-48 5.4):
//
//	CSI private field ; field ; ... inter final
//
// where a field is numbers joined by ":".
type controlSequence struct {
	private, inter, final byte
	fields                [maxFields][]byte
	n                     int
}

const (
	maxFields = 20
	maxNumber = 1 << 24
)

func (s *controlSequence) parse(raw []byte) {
	s.private, s.inter, s.n = 0, 0, 0
	body := raw[2 : len(raw)-1]
	s.final = raw[len(raw)-1]
	if len(body) > 0 && body[0] >= '<' && body[0] <= '?' {
		s.private, body = body[0], body[1:]
	}
	if n := len(body); n > 0 && body[n-1] < '0' {
		s.inter, body = body[n-1], body[:n-1]
	}
	for start := 0; start <= len(body) && len(body) > 0 && s.n < maxFields; {
		end := start
		for end < len(body) && body[end] != ';' {
			end++
		}
		s.fields[s.n] = body[start:end]
		s.n++
		start = end + 1
	}
}

// num is number sub of a field, def if it is not there.
func (s *controlSequence) num(field, sub, def int) int {
	if field >= s.n {
		return def
	}
	value, digits := 0, false
	for _, c := range s.fields[field] {
		switch {
		case c == ':':
			if sub == 0 {
				return or(digits, value, def)
			}
			sub, value, digits = sub-1, 0, false
		case c >= '0' && c <= '9' && value < maxNumber:
			value, digits = value*10+int(c-'0'), true
		}
	}
	return or(digits && sub == 0, value, def)
}

func or(ok bool, value, def int) int {
	if ok {
		return value
	}
	return def
}

// args are the fields' first numbers.
func (s *controlSequence) args() []int {
	args := make([]int, s.n)
	for i := range args {
		args[i] = s.num(i, 0, 0)
	}
	return args
}

// form is what tells control sequences apart.
type form struct{ private, inter, final byte }

// decoder names a control sequence. It leaves tok Unknown if the numbers make
// no sense.
type decoder func(t *Tokenizer, s *controlSequence, tok *Token)

// csiForms are the control sequences that a terminal sends and we know.
var csiForms = func() map[form]decoder {
	forms := map[form]decoder{
		{0, 0, 'I'}:     focus(KindFocusIn),
		{0, 0, 'O'}:     focus(KindFocusOut),
		{0, 0, 'M'}:     decodeURXVT,
		{'<', 0, 'M'}:   decodeSGR,
		{'<', 0, 'm'}:   decodeSGR,
		{0, 0, '~'}:     decodeTilde,
		{0, 0, 'Z'}:     decodeBackTab,
		{0, 0, 'u'}:     decodeCSIu,
		{0, 0, 't'}:     decodeSize,
		{0, 0, 'n'}:     answer(ReplyStatus),
		{0, '$', 'y'}:   decodeMode,
		{'?', '$', 'y'}: decodeMode,
		{'?', 0, 'R'}:   decodeCursor,
		{'?', 0, 'c'}:   answer(ReplyDA1),
		{'>', 0, 'c'}:   answer(ReplyDA2),
		{'?', 0, 'n'}:   decodeDSR,
		{'?', 0, 'u'}:   decodeKittyFlags,
		{'?', 0, 'S'}:   answer(ReplyOther), // XTSMGRAPHICS
		{'>', 0, 'm'}:   decodeModifyKeys,
	}
	for final := range letterKeys {
		forms[form{0, 0, final}] = decodeLetter
	}
	forms[form{0, 0, 'R'}] = decodeR
	for final := range rxvtMods {
		forms[form{0, 0, final}] = decodeRxvt
	}
	for final := range rxvtLetters {
		forms[form{0, 0, final}] = decodeRxvt
	}
	return forms
}()

func (t *Tokenizer) decodeCSI(raw []byte, tok *Token) {
	switch {
	case len(raw) == 4 && raw[2] == '[':
		k := Key{Code: F1 + rune(raw[3]-linuxKeys[0]), Event: Press}
		tok.Kind, tok.Key, tok.dialect = KindKey, k, dialectMode
		return
	case len(raw) == 6 && raw[2] == 'M':
		tok.Kind, tok.Mouse = KindMouse, decodeMouse(int(raw[3])-32, false)
		tok.Mouse.X, tok.Mouse.Y = max(int(raw[4])-33, 0), max(int(raw[5])-33, 0)
		return
	}
	s := &t.sequence
	s.parse(raw)
	if f := csiForms[form{s.private, s.inter, s.final}]; f != nil {
		f(t, s, tok)
	}
}

func focus(kind Kind) decoder {
	return func(_ *Tokenizer, s *controlSequence, tok *Token) {
		if s.n == 0 {
			tok.Kind = kind
		}
	}
}

// key sets the key, with the modifiers and event of field 1.
func (s *controlSequence) key(code rune, tok *Token) {
	mods, event := s.num(1, 0, 1), s.num(1, 1, 0)
	k := Key{Code: code, Event: Press}
	if mods > 1 && mods <= 256 {
		k.Mods = Mods(mods - 1)
	}
	if event >= int(Press) && event <= int(Release) {
		k.Event = Event(event)
	}
	if event != 0 || k.Mods&(locks|Hyper|Meta) != 0 {
		tok.dialect = dialectKitty
	}
	tok.Kind, tok.Key = KindKey, k
}

func decodeLetter(_ *Tokenizer, s *controlSequence, tok *Token) {
	s.key(letterKeys[s.final], tok)
	tok.Key.Text = s.text()
	if tok.dialect == dialectPlain && tok.Key.Mods == 0 {
		tok.dialect = dialectMode
	}
}

func decodeTilde(_ *Tokenizer, s *controlSequence, tok *Token) {
	n := s.num(0, 0, 0)
	switch n {
	case 27:
		decodeModified(s, tok)
		return
	case 200:
		tok.Kind = KindPasteStart
		return
	case 201:
		tok.Kind = KindDropped // the end of no paste
		return
	}
	code, ok := tildeKeys[n]
	if !ok {
		return
	}
	s.key(code, tok)
	tok.Key.Text = s.text()
	if tok.dialect == dialectPlain && sequences[code] != (sequence{n, '~'}) {
		tok.dialect = dialectMode
	}
}

func decodeBackTab(_ *Tokenizer, s *controlSequence, tok *Token) {
	s.key(Tab, tok)
	tok.Key.Mods |= Shift
}

func decodeRxvt(_ *Tokenizer, s *controlSequence, tok *Token) {
	code, mods := rxvtLetters[s.final], Shift
	if code == 0 {
		code, mods = tildeKeys[s.num(0, 0, 0)], rxvtMods[s.final]
	}
	if code != 0 {
		tok.Kind, tok.dialect = KindKey, dialectMode
		tok.Key = Key{Code: code, Mods: mods, Event: Press}
	}
}

// decodeModified reads CSI 27 ; modifiers ; code ~ (modifyOtherKeys). The code
// is the character that the key gives with shift.
func decodeModified(s *controlSequence, tok *Token) {
	code := rune(s.num(2, 0, 0))
	if code <= 0 || code > unicode.MaxRune {
		return
	}
	s.key(code, tok)
	tok.dialect = dialectModify
	tok.Key.unshift()
}

// unshift is for codes that are what the key gives with shift.
func (k *Key) unshift() {
	if isFunctional(k.Code) {
		return
	}
	if low := unicode.ToLower(k.Code); low != k.Code {
		k.Shifted, k.Code = k.Code, low
	} else if k.Mods&Shift != 0 && !unicode.IsLetter(k.Code) && k.Code != Space {
		k.Shifted = k.Code
	}
}

// decodeCSIu reads the kitty keyboard protocol's
//
//	CSI code : shifted : base ; modifiers : event ; text u
func decodeCSIu(_ *Tokenizer, s *controlSequence, tok *Token) {
	code := s.num(0, 0, -1)
	if code < 0 || code > unicode.MaxRune {
		return
	}
	s.key(rune(code), tok)
	tok.dialect = dialectKitty
	k := &tok.Key
	if unicode.IsUpper(k.Code) {
		k.unshift() // fixterms' form, which has the shifted character
	}
	if r := s.num(0, 1, 0); r > 0 && r <= unicode.MaxRune {
		k.Shifted = rune(r)
	}
	if r := s.num(0, 2, 0); r > 0 && r <= unicode.MaxRune {
		k.Base = rune(r)
	}
	k.Text = s.text()
}

// text is the associated text of field 2: characters as numbers.
func (s *controlSequence) text() string {
	if s.n < 3 || len(s.fields[2]) == 0 {
		return ""
	}
	var text strings.Builder
	for sub := range 1 + bytes.Count(s.fields[2], []byte{':'}) {
		r := rune(s.num(2, sub, 0))
		if r > 0 && r <= unicode.MaxRune && !unicode.IsControl(r) {
			text.WriteRune(r)
		}
	}
	return text.String()
}

func decodeKittyFlags(_ *Tokenizer, s *controlSequence, tok *Token) {
	tok.Kind = KindReply
	tok.Reply = Reply{Kind: ReplyKitty, OK: true, Flags: vt.KittyFlags(s.num(0, 0, 0))}
}
