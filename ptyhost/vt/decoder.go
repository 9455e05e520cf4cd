package vt

import (
	"encoding/binary"
	"unicode/utf8"
)

// decoder reads what the append functions of this package wrote. After the
// first error it returns zeros.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) fail() {
	if d.err == nil {
		d.err = errPacked
	}
	d.b = nil
}

func (d *decoder) u8() byte {
	if len(d.b) == 0 {
		d.fail()
		return 0
	}
	v := d.b[0]
	d.b = d.b[1:]
	return v
}

func (d *decoder) bool() bool { return d.u8() != 0 }

func (d *decoder) u32() uint32 {
	if len(d.b) < 4 {
		d.fail()
		return 0
	}
	v := binary.LittleEndian.Uint32(d.b)
	d.b = d.b[4:]
	return v
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

// int reads a number of at most limit.
func (d *decoder) int(limit int) int {
	v := d.uint()
	if v > uint64(limit) {
		d.fail()
		return 0
	}
	return int(v)
}

// bytes returns the next n bytes, which alias the input.
func (d *decoder) bytes(n int) []byte {
	if n > len(d.b) {
		d.fail()
		return nil
	}
	v := d.b[:n]
	d.b = d.b[n:]
	return v
}

func (d *decoder) string(limit int) string { return string(d.bytes(d.int(limit))) }

// rune reads a rune that a cell can hold.
func (d *decoder) rune() rune {
	r, n := utf8.DecodeRune(d.b)
	if n == 0 || r == utf8.RuneError && n == 1 || r < 0x20 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return r
}

func appendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func appendInt(dst []byte, v int) []byte { return binary.AppendUvarint(dst, uint64(v)) }
