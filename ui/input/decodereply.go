package input

import (
	"bytes"
	"encoding/hex"
	"strconv"
	"strings"

	"moorage/ptyhost/vt"
)

func answer(kind ReplyKind) decoder {
	return func(_ *Tokenizer, s *controlSequence, tok *Token) {
		tok.Kind = KindReply
		tok.Reply = Reply{Kind: kind, OK: true, Args: s.args()}
	}
}

// decodeR tells CSI R apart: a cursor report if one was asked for, else F3.
func decodeR(t *Tokenizer, s *controlSequence, tok *Token) {
	switch {
	case t.cursors > 0 && s.n == 2:
		t.cursors--
		decodeCursor(t, s, tok)
	case s.num(0, 0, 1) == 1:
		decodeLetter(t, s, tok)
	default:
		tok.Kind = KindDropped
	}
}

func decodeCursor(_ *Tokenizer, s *controlSequence, tok *Token) {
	tok.Kind = KindReply
	tok.Reply = Reply{Kind: ReplyCursor, OK: true, Private: s.private != 0, Row: s.num(0, 0, 1), Col: s.num(1, 0, 1)}
}

// decodeMode reads DECRPM. A Value of 0 is "not recognised".
func decodeMode(_ *Tokenizer, s *controlSequence, tok *Token) {
	if s.n != 2 {
		return
	}
	tok.Kind = KindReply
	tok.Reply = Reply{Kind: ReplyMode, Private: s.private != 0, Number: s.num(0, 0, 0), Value: s.num(1, 0, 0)}
	tok.Reply.OK = tok.Reply.Value != 0
}

func decodeDSR(t *Tokenizer, s *controlSequence, tok *Token) {
	if s.n == 2 && s.num(0, 0, 0) == 997 {
		tok.Kind, tok.Reply = KindReply, Reply{Kind: ReplyColorScheme, OK: true, Value: s.num(1, 0, 0)}
		return
	}
	answer(ReplyOther)(t, s, tok)
}

func decodeModifyKeys(_ *Tokenizer, s *controlSequence, tok *Token) {
	tok.Kind = KindReply
	tok.Reply = Reply{Kind: ReplyModifyKeys, OK: true, Number: s.num(0, 0, 0), Value: s.num(1, 0, 0)}
}

// decodeSize reads the size reports, CSI Ps ; ... t. They are believed only if
// asked for: a client's user could type one.
func decodeSize(t *Tokenizer, s *controlSequence, tok *Token) {
	r := Reply{OK: true}
	needs := ExpectSize
	a, b := s.num(1, 0, 0), s.num(2, 0, 0)
	switch n := s.num(0, 0, 0); {
	case n == 48 && s.n >= 3:
		needs = ExpectResize
		r.Kind, r.Rows, r.Cols, r.Height, r.Width = ReplyResize, a, b, s.num(3, 0, 0), s.num(4, 0, 0)
	case n == 8 && s.n == 3:
		r.Kind, r.Rows, r.Cols = ReplyCells, a, b
	case n == 4 && s.n == 3:
		r.Kind, r.Height, r.Width = ReplyPixels, a, b
	case n == 6 && s.n == 3:
		r.Kind, r.Height, r.Width = ReplyCellPixels, a, b
	default:
		return
	}
	tok.Kind = KindDropped
	if t.expect&needs != 0 {
		tok.Kind, tok.Reply = KindReply, r
	}
}

// decodeString reads an OSC, DCS or APC string. One that is no answer stays
// Unknown.
func decodeString(raw []byte, tok *Token) {
	body := raw[2:]
	if bytes.HasSuffix(body, []byte("\x1b\\")) {
		body = body[:len(body)-2]
	} else {
		body = body[:len(body)-1] // BEL
	}
	var (
		r  Reply
		ok bool
	)
	switch raw[1] {
	case ']':
		r, ok = decodeOSC(string(body))
	case 'P':
		r, ok = decodeDCS(string(body))
	case '_':
		r.Kind, r.OK = ReplyGraphics, true
		r.Name, r.Text, _ = strings.Cut(strings.TrimPrefix(string(body), "G"), ";")
		ok = true
	}
	if ok {
		tok.Kind, tok.Reply = KindReply, r
	}
}

// oscColors are the OSC numbers that report one colour.
var oscColors = map[string]ReplyKind{"10": ReplyForeground, "11": ReplyBackground, "12": ReplyCursorColor}

func decodeOSC(body string) (Reply, bool) {
	number, rest, _ := strings.Cut(body, ";")
	switch number {
	case "4":
		index, spec, _ := strings.Cut(rest, ";")
		n, err := strconv.ParseUint(index, 10, 8)
		c, ok := parseColor(spec)
		return Reply{Kind: ReplyPalette, OK: true, Number: int(n), Color: c}, err == nil && ok
	case "52":
		r := Reply{Kind: ReplyClipboard, OK: true}
		r.Name, r.Text, _ = strings.Cut(rest, ";")
		return r, true
	case "99":
		r := Reply{Kind: ReplyNotification, OK: true}
		r.Name, r.Text, _ = strings.Cut(rest, ";")
		return r, true
	}
	kind, ok := oscColors[number]
	if !ok {
		return Reply{}, false
	}
	c, ok := parseColor(rest)
	return Reply{Kind: kind, OK: true, Color: c}, ok
}

// parseColor reads XParseColor's rgb:r/g/b with one to four digits each, the
// same with rgba:, and #rrggbb.
func parseColor(spec string) (vt.Color, bool) {
	if hex, ok := strings.CutPrefix(spec, "#"); ok && len(hex) == 6 {
		spec = "rgb:" + hex[:2] + "/" + hex[2:4] + "/" + hex[4:]
	}
	spec, ok := strings.CutPrefix(spec, "rgb")
	if !ok {
		return 0, false
	}
	channels := strings.Split(strings.TrimPrefix(strings.TrimPrefix(spec, "a"), ":"), "/")
	if len(channels) < 3 {
		return 0, false
	}
	var rgb [3]uint8
	for i := range rgb {
		n := len(channels[i])
		v, err := strconv.ParseUint(channels[i], 16, 16)
		if err != nil || n > 4 {
			return 0, false
		}
		top := uint64(1)<<(4*n) - 1
		rgb[i] = uint8((v*255 + top/2) / top)
	}
	return vt.RGB(rgb[0], rgb[1], rgb[2]), true
}

// decodeDCS reads XTVERSION, DA3, XTGETTCAP and DECRQSS.
func decodeDCS(body string) (Reply, bool) {
	if text, ok := strings.CutPrefix(body, ">|"); ok {
		return Reply{Kind: ReplyVersion, OK: true, Text: text}, true
	}
	if text, ok := strings.CutPrefix(body, "!|"); ok {
		return Reply{Kind: ReplyDA3, OK: true, Text: text}, true
	}
	if len(body) < 3 || body[2] != 'r' {
		return Reply{}, false
	}
	r := Reply{OK: body[0] == '1', Text: body[3:]}
	switch body[1] {
	case '$':
		r.Kind = ReplySetting
		return r, true
	case '+':
		first, _, _ := strings.Cut(body[3:], ";")
		name, value, _ := strings.Cut(first, "=")
		r.Kind, r.Name, r.Text = ReplyCapability, unhex(name), unhex(value)
		return r, true
	}
	return Reply{}, false
}

// unhex decodes what it can; a terminal that answers in clear is taken so.
func unhex(s string) string {
	b, err := hex.DecodeString(s)
	if err != nil {
		return s
	}
	return string(b)
}
