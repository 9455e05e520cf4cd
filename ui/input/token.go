package input

import "iter"

// Kind says what a Token is and which of its fields are set.
type Kind uint8

// The kinds of token.
const (
	// KindUnknown is a sequence that means nothing to us. It goes to the pane as
	// it came.
	KindUnknown Kind = iota

	// KindText is a run of printable characters, as long as the input had it.
	KindText

	// KindKey is one key, in Token.Key. (A release is one too: see Key.Event.)
	KindKey

	// KindMouse is a mouse report, in Token.Mouse.
	KindMouse

	// KindFocusIn and KindFocusOut are CSI I and CSI O.
	KindFocusIn
	KindFocusOut

	// KindPasteStart, KindPasteData and KindPasteEnd are a bracketed paste, streamed: any
	// number of KindPasteData, none of which ends inside a character or inside
	// CR LF. KindPasteEnd has no Raw if Flush gave the paste up.
	KindPasteStart
	KindPasteData
	KindPasteEnd

	// KindReply is a terminal's report, in Token.Reply. It never goes to a pane:
	// what a pane asks is answered by its own emulator.
	KindReply

	// KindDropped is input that nobody gets: a sequence that never ended or grew
	// too long, a report that was not asked for.
	KindDropped
)

// Token is one unit of input. Raw are its bytes; they alias the slice that was
// fed or a buffer of the Tokenizer, and are valid until emit returns.
type Token struct {
	Kind  Kind
	Raw   []byte
	Key   Key
	Mouse Mouse
	Reply Reply

	dialect dialect
}

// dialect is the convention that a key's bytes follow.
type dialect uint8

const (
	dialectPlain  dialect = iota // the same bytes in every mode of xterm's
	dialectMode                  // depends on a mode, or is another terminal's habit
	dialectModify                // CSI 27 ; mods ; code ~
	dialectKitty                 // CSI u, and the protocol's additions to other forms
)

// Keys yields the token as single keys: a text token character by character, a
// key once. It is for widgets; a pane gets its bytes by AppendFor.
func (t Token) Keys() iter.Seq[Key] {
	return func(yield func(Key) bool) {
		switch t.Kind {
		case KindKey:
			yield(t.Key)
		case KindText:
			for _, r := range string(t.Raw) {
				if !yield(textKey(r)) {
					return
				}
			}
		}
	}
}
