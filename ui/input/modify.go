package input

import "strconv"

// modified reports whether xterm writes the key as CSI 27 at this level of
// modifyOtherKeys (xterm's manual, and "XTerm - Modified Keys").
//
// Level 1 leaves alone what has well-known bytes already: ctrl with a
// character that is a control's, alt as an ESC before, Backspace. Level 2 takes
// all but plain characters, shifted ones included.
func modified(k Key, level uint8) bool {
	mods := k.Mods & (Shift | Alt | Ctrl | Meta)
	if mods == 0 || k.Mods&(Super|Hyper) != 0 {
		return false
	}
	switch k.Code {
	case Enter:
		return true
	case Tab:
		return mods != Shift // that is CSI Z
	case Escape:
		return level > 1 || mods&(Alt|Meta) != 0
	case Backspace:
		return level > 1 && mods != Ctrl
	case Space:
		if level > 1 {
			return true
		}
	}
	if isFunctional(k.Code) {
		return false
	}
	mods &^= Shift
	if level > 1 {
		return mods != 0
	}
	if mods == Ctrl {
		_, known := k.control()
		return !known
	}
	return mods&Ctrl != 0
}

// appendModified writes CSI 27 ; mods ; code ~, where code is the character
// with shift.
func appendModified(dst []byte, k Key) []byte {
	mods := k.Mods & (Shift | Alt | Ctrl)
	if k.Mods&Meta != 0 {
		mods |= 8
	}
	code := k.Code
	if !isFunctional(code) {
		code = k.shifted()
	}
	dst = append(dst, "\x1b[27;"...)
	dst = strconv.AppendInt(dst, int64(1+mods), 10)
	dst = append(dst, ';')
	dst = strconv.AppendInt(dst, int64(code), 10)
	return append(dst, '~')
}
