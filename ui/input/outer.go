package input

import "moorage/ptyhost/vt"

// OuterModes is what we put a client's terminal into: how its keys come in.
type OuterModes struct {
	AppCursor       bool
	AppKeypad       bool
	Kitty           vt.KittyFlags // 0 also if the terminal does not know the protocol
	ModifyOtherKeys uint8
	Mouse           vt.MouseTracking
	MouseEncoding   vt.MouseEncoding
	FocusEvents     bool
	BracketedPaste  bool
}

// AppendFor appends the token as a program with modes m expects it, given the
// modes that the client's terminal was in. Text, unknown sequences and keys in
// a form that both ends use go verbatim; other keys are written anew. Dropped
// input and answers to our own questions give nothing, and so does a pointer
// or focus event that the program did not ask for.
//
// Pointer coordinates must already be the pane's own. For the tokens of one
// paste m must stay what it was at PasteStart, so that the program gets one
// pair of brackets or none.
func (t Token) AppendFor(dst []byte, outer OuterModes, m vt.Modes) []byte {
	switch t.Kind {
	case KindUnknown:
		return append(dst, t.Raw...)
	case KindText:
		if m.Kitty&vt.KittyAllAsEscape == 0 {
			return append(dst, t.Raw...)
		}
		for k := range t.Keys() {
			dst = AppendKey(dst, k, m)
		}
	case KindKey:
		if t.alike(outer, m) {
			return append(dst, t.Raw...)
		}
		return AppendKey(dst, t.Key, m)
	case KindMouse:
		return AppendMouse(dst, t.Mouse, m)
	case KindFocusIn, KindFocusOut:
		return AppendFocus(dst, t.Kind == KindFocusIn, m)
	case KindPasteStart:
		return AppendPasteStart(dst, m)
	case KindPasteData:
		return AppendPasteData(dst, t.Raw)
	case KindPasteEnd:
		return AppendPasteEnd(dst, m)
	}
	return dst
}

// alike reports whether the key's bytes are already what the program expects.
func (t Token) alike(outer OuterModes, m vt.Modes) bool {
	switch t.dialect {
	case dialectPlain:
		// ESC before a character may be Meta, and may be Escape and a fast
		// hand: only the same bytes are right for both.
		return m.Kitty == 0 && (m.ModifyOtherKeys == 0 || t.Raw[0] == esc)
	case dialectModify:
		return m.Kitty == 0 && m.ModifyOtherKeys != 0 && m.ModifyOtherKeys == outer.ModifyOtherKeys
	case dialectKitty:
		return m.Kitty != 0 && m.Kitty == outer.Kitty
	}
	return false
}

// AppendFocus appends a focus event, if the program asked for them (mode 1004).
func AppendFocus(dst []byte, in bool, m vt.Modes) []byte {
	switch {
	case !m.FocusEvents:
		return dst
	case in:
		return append(dst, "\x1b[I"...)
	}
	return append(dst, "\x1b[O"...)
}
