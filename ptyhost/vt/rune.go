package vt

import "unicode/utf8"

func appendRune(dst []byte, r rune) []byte {
	if uint32(r) < utf8.RuneSelf {
		return append(dst, byte(r))
	}
	if r >= 0x800 && r < 0x10000 && r&0xf800 != 0xd800 {
		return append(dst, byte(0xe0|r>>12), byte(0x80|r>>6&0x3f), byte(0x80|r&0x3f))
	}
	return utf8.AppendRune(dst, r)
}

func firstRune(s string) uint32 {
	r, _ := utf8.DecodeRuneInString(s)
	return uint32(r)
}
