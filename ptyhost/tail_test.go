package ptyhost

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestTheTailOfAnExitIsWhatSomebodyWouldHaveRead(t *testing.T) {
	for _, c := range []struct {
		name, in string
		cut      bool
		want     []string
	}{
		{"lines", "one\r\ntwo\r\n", false, []string{"one", "two"}},
		{"no end of line", "one\r\ntwo", false, []string{"one", "two"}},
		{"nothing", "", false, nil},
		{"blank at the end", "one\r\n\r\n  \r\n", false, []string{"one"}},
		{"blank between", "one\n\ntwo", false, []string{"one", "", "two"}},
		{"a carriage return folds", "10%\r50%\r100% done\r\n", false, []string{"100% done"}},
		{"and leaves what is longer", "progress\rdone", false, []string{"doneress"}},
		{"unless that is erased", "progress\r\x1b[Kdone", false, []string{"done"}},
		{"erased whole", "progress\x1b[2K\rdone", false, []string{"done"}},
		{"erased to the start", "abcdef\x1b[3D\x1b[1Kx", false, []string{"   xef"}},
		{"backspaces", "abc\b\bX", false, []string{"aXc"}},
		{"tabs", "a\tb", false, []string{"a       b"}},
		{"colours", "\x1b[1;38:2::1:2:3mred\x1b[m plain", false, []string{"red plain"}},
		{"title and link", "\x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", false, []string{"alink"}},
		{"a DCS with newlines", "a\x1bPq#0\n#1\x1b\\b", false, []string{"ab"}},
		{"charset and keypad", "\x1b(B\x1b=x\x1b>", false, []string{"x"}},
		{"CUP", "\x1b[H\x1b[2Jtop\x1b[5;3Hbelow\x1b[1;1H\x1b[9;9H", false, []string{"top", "below"}},
		{"CUD and NEL and IND", "a\x1b[Bb\x1bEc\x1bDd", false, []string{"a", "b", "c", "d"}},
		{"C1 as UTF-8", "a\u0085b\u009b31mc\u009d0;t\u009cd", false, []string{"a", "bcd"}},
		{"alternate screen", "sh\x1b[?1049hvim\x1b[?1049lsh", false, []string{"sh", "vim", "sh"}},
		{"CUF and CHA", "a\x1b[3Cb\x1b[2Gx", false, []string{"ax  b"}},
		{"REP and ECH and DCH", "-\x1b[4b\r\x1b[2X\x1b[PX", false, []string{"X---"}},
		{"wide overwritten", "日本\rab", false, []string{"ab本"}},
		{"half of a wide one", "日本\ra", false, []string{"a 本"}},
		{"combining", "e\u0301x", false, []string{"e\u0301x"}},
		{"bidi controls", "a\u202eb\u2066c", false, []string{"abc"}},
		{"not UTF-8", "a\xffb", false, []string{"a\ufffdb"}},
		{"ends inside a character", "a\xe6\x97", false, []string{"a"}},
		{"ends inside a sequence", "a\x1b[3", false, []string{"a"}},
		{"a wrapped line and what readline does at its end", "0123456789 \rabc\r\n", false, []string{"0123456789abc"}},
		{"a full row and a return", "0123456789\rX", false, []string{"X123456789"}},
		{"cut inside a sequence", "3;1mred\x1b[m\r\nnext", true, []string{"", "next"}},
		{"cut inside a character", "\x97\xa5plain", true, []string{"plain"}},
		{"cut inside a string", "AAAA\nBBBB\x1b\\text", true, []string{"text"}},
		{"cut inside a title", "my title\x07$ ls\r\nfile", true, []string{"$ ls", "file"}},
		{"cut, and no control at all", "plain", true, []string{"plain"}},
	} {
		got := plainTail([]byte(c.in), 10, c.cut)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q of %q, want %q", c.name, got, c.in, c.want)
		}
	}
}

func TestATailIsTheLastFortyLinesAndEachIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "line %d\r\n", i)
	}
	got := plainTail([]byte(b.String()), 80, false)
	if len(got) != tailLines || got[0] != "line 260" || got[39] != "line 299" {
		t.Errorf("%d lines, %q", len(got), got)
	}
	long := plainTail([]byte(strings.Repeat("日", 1000)), 80, false)
	if len(long) != 1 || len(long[0]) != 399 { // 400 is inside of the 134th
		t.Errorf("%d lines, the first of %d bytes", len(long), len(long[0]))
	}
}

func TestATailOfAnyBytesIsPlainText(t *testing.T) {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"\x1b[", "\x1b]", "\x1bP", "\x1b", "\x1b\\", "\x07", "\r", "\n", "\b", "\t", "999999999C", "1000b", "K", "2J", "H",
			"日", "e\u0301", "\u009b", "\xff", "\x9b", "text", "?1049h", ";", "31m",
		}), rapid.StringN(0, 8, -1))
	rapid.Check(t, func(rt *rapid.T) {
		in := strings.Join(rapid.SliceOfN(piece, 0, 200).Draw(rt, "output"), "")
		lines := plainTail([]byte(in), rapid.IntRange(1, 200).Draw(rt, "cols"), rapid.Bool().Draw(rt, "cut"))
		if len(lines) > tailLines {
			rt.Fatalf("%d lines", len(lines))
		}
		for _, l := range lines {
			if len(l) > tailLineBytes || !utf8.ValidString(l) {
				rt.Fatalf("%q", l)
			}
			for _, r := range l {
				if r < 0x20 || r >= 0x7f && r < 0xa0 || bidi(r) {
					rt.Fatalf("%q holds %U", l, r)
				}
			}
		}
	})
}
