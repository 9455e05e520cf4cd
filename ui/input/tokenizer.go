package input

import "unicode/utf8"

import "bytes"

const (
	esc = 0x1b
	bel = 0x07
	can = 0x18
	sub = 0x1a
	del = 0x7f

	// maxSequence is how much of one sequence is held. A longer one is passed
	// over to its end.
	maxSequence = 64 << 10
)

// Pending says what a Tokenizer holds back, and so how long its owner waits
// for more before it calls Flush.
type Pending uint8

// What can be pending.
const (
	// None: nothing is held.
	None Pending = iota

	// LoneEscape: an ESC that may be a key or the start of a sequence. At most
	// 50 ms.
	LoneEscape

	// Partial: the start of a sequence or of a character. At least 500 ms
	// since the last byte.
	Partial

	// Paste: a paste that has not ended. Every byte until its end is data, so
	// that its owner may give up after some seconds without one.
	Paste
)

// Tokenizer cuts a client's input into tokens. The zero value is ready to use.
type Tokenizer struct {
	state state
	held  []byte // the unfinished token, as far as earlier calls brought it
	over  bool   // it grew too long: what came was dropped, what comes will be
	alone bool   // the last token was an ESC that Flush took for a key

	digits bool // state csi: nothing but digits so far
	need   int  // state x10: bytes to come

	expect  Reports
	cursors int // cursor reports to come

	token    Token // what decode fills in; here, so as not to be allocated
	sequence controlSequence
}

// Expect says that a report was asked for and is to be believed when it comes.
func (t *Tokenizer) Expect(r Reports) {
	if r&ExpectCursor != 0 {
		t.cursors++
	}
	t.expect |= r &^ ExpectCursor
}

// Pending says what is held back after the last Feed.
func (t *Tokenizer) Pending() Pending { return pendingIn[t.state] }

// Feed takes the next bytes and calls emit for each token that they complete.
// It keeps no reference to p.
func (t *Tokenizer) Feed(p []byte, emit func(Token)) {
	if t.alone && len(p) > 0 {
		t.alone = false
		p = p[t.late(p, emit):]
	}
	if t.state == afterEsc && len(p) > 0 && !introduces(p[0]) {
		t.Flush(emit)
		t.alone = false
	}
	for len(p) > 0 {
		if t.state == inPaste {
			p = t.paste(p, emit)
			continue
		}
		if t.state == ground {
			if n := textRun(p); n > 0 {
				emit(Token{Kind: KindText, Raw: p[:n]})
				p = p[n:]
				continue
			}
		}
		n, v := t.scan(p)
		if v == more {
			t.hold(p[:n], emit)
			return
		}
		raw := p[:n]
		if len(t.held) > 0 {
			t.held = append(t.held, raw...)
			raw = t.held
		}
		p = p[n:]
		t.finish(raw, v, emit)
	}
}

// introduces reports whether c after an ESC that came by itself may still
// start a sequence, cut in two on its way. A terminal sends Meta with a key as
// one piece; what comes apart was typed apart, and is Escape and a key.
func introduces(c byte) bool { return c == esc || c < utf8.RuneSelf && firstOf[c] != 0 }

// hold keeps the start of a token for the next call.
func (t *Tokenizer) hold(p []byte, emit func(Token)) {
	t.held = append(t.held, p...)
	if len(t.held) >= maxSequence {
		emit(Token{Kind: KindDropped, Raw: t.held})
		t.held = nil
		t.over = true
	}
}

// finish emits the token that scan found the end of.
func (t *Tokenizer) finish(raw []byte, v verdict, emit func(Token)) {
	next := ground
	switch {
	case v == firstEscape:
		// ESC ESC x: the first is a key, the second may start x.
		emit(Token{Kind: KindKey, Raw: raw[:1], Key: Key{Code: Escape, Event: Press}})
		next, raw = afterEsc, raw[1:]
	case v == lastEscape:
		// A string that something else's ESC cut short.
		if len(raw) > 1 {
			emit(Token{Kind: KindDropped, Raw: raw[:len(raw)-1]})
		}
		next, raw = afterEsc, raw[len(raw)-1:]
	case t.over, v == broken, len(raw) > maxSequence:
		emit(Token{Kind: KindDropped, Raw: raw})
	default:
		tok := t.decode(raw)
		emit(tok)
		if tok.Kind == KindPasteStart {
			next = inPaste
		}
	}
	t.state, t.over = next, false
	if next == afterEsc {
		t.held = append(t.held[:0], raw...)
	} else {
		t.held = t.held[:0]
	}
}

// Flush is for the owner to call when what Pending named has waited long
// enough. An ESC becomes the Escape key, ESC with one more byte that key with
// alt, and any other partial sequence or character is dropped. A paste is
// ended.
func (t *Tokenizer) Flush(emit func(Token)) {
	raw := t.held
	switch {
	case t.state == inPaste:
		if len(raw) > 0 {
			emit(Token{Kind: KindPasteData, Raw: raw})
		}
		emit(Token{Kind: KindPasteEnd})
	case t.state == ground:
		return
	case t.state == afterEsc, t.state == afterEscEsc:
		for i := range raw {
			emit(Token{Kind: KindKey, Raw: raw[i : i+1], Key: Key{Code: Escape, Event: Press}})
		}
		t.alone = true
	case !t.over && t.bare():
		emit(t.decode(raw))
	case len(raw) > 0:
		emit(Token{Kind: KindDropped, Raw: raw})
	}
	t.state, t.over = ground, false
	t.held = t.held[:0]
}

// bare reports whether what is held is an introducer and nothing after it,
// which may as well be a key with alt.
func (t *Tokenizer) bare() bool {
	switch t.state {
	case ss3, stringStart:
		return true
	case csi:
		return t.digits && t.lastIsIntroducer(nil)
	}
	return false
}

// late looks at the first bytes after an ESC that was taken for a key. If they
// complete a sequence just there, a slow link had split it: it is decoded as
// what it was, and not typed as the text that it would be by itself. SS3 is
// left out: "OA" is what somebody types in vi. It returns how many bytes it
// used.
func (t *Tokenizer) late(p []byte, emit func(Token)) int {
	if p[0] >= 0x80 || p[0] == 'O' || firstOf[p[0]] == 0 {
		return 0
	}
	t.state = afterEsc
	n, v := t.scan(p)
	t.state = ground
	if v != done || n < 2 || n < len(p) && p[n] != esc {
		return 0
	}
	tok := t.decode(append([]byte{esc}, p[:n]...))
	switch tok.Kind {
	case KindUnknown, KindDropped, KindText:
		return 0
	case KindPasteStart:
		t.state = inPaste
	}
	tok.Raw = p[:n]
	tok.dialect = dialectMode // the ESC went already: never verbatim
	emit(tok)
	return n
}

// paste passes on the data of a paste and returns what follows its end.
func (t *Tokenizer) paste(p []byte, emit func(Token)) []byte {
	data := p
	if len(t.held) > 0 {
		t.held = append(t.held, p...)
		data = t.held
	}
	end := bytes.Index(data, []byte(pasteEnd))
	n := end
	if end < 0 {
		n = len(data) - pasteTail(data)
	}
	if n > 0 {
		emit(Token{Kind: KindPasteData, Raw: data[:n]})
	}
	if end < 0 {
		t.held = append(t.held[:0], data[n:]...)
		return nil
	}
	after := end + len(pasteEnd)
	emit(Token{Kind: KindPasteEnd, Raw: data[end:after]})
	rest := len(data) - after
	t.state, t.held = ground, t.held[:0]
	return p[len(p)-rest:] // the end was not whole before p, so that it is in p
}
