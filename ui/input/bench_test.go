package input

import (
	"bytes"
	"strings"
	"testing"

	"moorage/ptyhost/vt"
)

// BenchmarkForward measures from a client's bytes to a pane's: a large paste
// with and without brackets, typing, and the pointer's motion.
func BenchmarkForward(b *testing.B) {
	lines := strings.Repeat(strings.Repeat("some text, pasted ", 5)+"\r", 100)
	for _, bb := range []struct {
		name string
		in   string
		m    vt.Modes
	}{
		{"paste", pasteStart + lines + pasteEnd, vt.Modes{BracketedPaste: true}},
		{"unbracketed", lines, vt.Modes{}},
		{"keys", strings.Repeat("a\x1b[A\x1b[1;5C\x1bx\x11", 200), vt.Modes{AppCursor: true}},
		{"kitty keys to legacy", strings.Repeat("\x1b[97;;97u\x1b[97;5u\x1b[97;1:3u", 200), vt.Modes{}},
		{"pointer", strings.Repeat("\x1b[<35;100;40M", 200), vt.Modes{Mouse: vt.MouseAny, MouseEncoding: vt.MouseEncodingSGR}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			var (
				t   Tokenizer
				out []byte
			)
			in := bytes.Clone([]byte(bb.in))
			emit := func(tok Token) { out = tok.AppendFor(out, OuterModes{}, bb.m) }
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				out = out[:0]
				t.Feed(in, emit)
			}
		})
	}
}
