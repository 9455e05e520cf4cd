package vt

import "unicode/utf8"

func appendRune(dst []byte, r rune) []byte {
	if uint32(r) < utf8.RuneSelf {
		return append(dst, byte(r))
	}
	return utf8.AppendRune(dst, r)
}

func firstRune(s string) uint32 {
	r, _ := utf8.DecodeRuneInString(s)
	return uint32(r)
}
