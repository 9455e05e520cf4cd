// Package corpora makes the output that terminals are measured with. It is for
// benchmarks alone.
package corpora

import (
	"fmt"
	"math/rand"
	"strings"
)

// Corpus is one kind of output.
type Corpus struct {
	Name string
	make func(r *rand.Rand, cols, rows int) []byte
}

// Make returns about a megabyte of it for a screen of that size, the same each
// time.
func (c Corpus) Make(cols, rows int) []byte {
	return c.make(rand.New(rand.NewSource(1)), cols, rows)
}

// All are the five corpora: a plain log, dense true-colour text, full-screen
// addressing, CJK with emoji and marks, and long lines that wrap.
var All = []Corpus{
	{"log", plainLog},
	{"sgr", denseSGR},
	{"screen", fullScreen},
	{"cjk", cjkEmoji},
	{"wrapped", longLines},
}

const words = "connection from client accepted request served in milliseconds cache miss retry error warning debug session closed user kernel module loaded "

func plainLog(r *rand.Rand, _, _ int) []byte {
	var b strings.Builder
	ws := strings.Fields(words)
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, "2026-11-30 12:%02d:%02d.%03d [%d] ", i/60%60, i%60, r.Intn(1000), r.Intn(9000))
		for range 3 + r.Intn(8) {
			b.WriteString(ws[r.Intn(len(ws))])
			b.WriteByte(' ')
		}
		b.WriteString("\r\n")
	}
	return []byte(b.String())
}

func denseSGR(r *rand.Rand, cols, _ int) []byte {
	var b strings.Builder
	for b.Len() < 1<<20 {
		for x := 0; x < cols; x += 4 {
			fmt.Fprintf(&b, "\x1b[38;2;%d;%d;%d;48;2;%d;%d;%dm%c%c\x1b[0;1;3%dmab",
				r.Intn(256), r.Intn(256), r.Intn(256), r.Intn(256), r.Intn(256), r.Intn(256),
				'a'+r.Intn(26), 'a'+r.Intn(26), r.Intn(8))
		}
		b.WriteString("\x1b[0m\r\n")
	}
	return []byte(b.String())
}

func fullScreen(r *rand.Rand, cols, rows int) []byte {
	var b strings.Builder
	ws := strings.Fields(words)
	b.WriteString("\x1b[?1049h")
	for b.Len() < 1<<20 {
		y := 1 + r.Intn(rows)
		fmt.Fprintf(&b, "\x1b[%d;1H\x1b[K", y)
		for x := 1; x < cols-14; x += 12 {
			fmt.Fprintf(&b, "\x1b[%d;%dH\x1b[3%dm%s\x1b[m", y, x, r.Intn(8), ws[r.Intn(len(ws))])
		}
		if r.Intn(8) == 0 {
			fmt.Fprintf(&b, "\x1b[2;%dr\x1b[%d;1H\n\x1b[r", rows-1, rows-1)
		}
	}
	return []byte(b.String())
}

func cjkEmoji(r *rand.Rand, _, _ int) []byte {
	var b strings.Builder
	odd := []string{"e\u0301", "👨‍👩‍👧", "❤️", "🇩🇪", "👍🏽", "क्षि", "ñ", "→", "─", "🎉"}
	for b.Len() < 1<<20 {
		for range 12 {
			for range 4 {
				b.WriteRune(rune(0x4e00 + r.Intn(0x5000)))
			}
			b.WriteString(odd[r.Intn(len(odd))])
			b.WriteString(" ok ")
		}
		b.WriteString("\r\n")
	}
	return []byte(b.String())
}

func longLines(r *rand.Rand, _, _ int) []byte {
	var b strings.Builder
	ws := strings.Fields(words)
	for b.Len() < 1<<20 {
		for range 400 {
			b.WriteString(ws[r.Intn(len(ws))])
			b.WriteByte(' ')
		}
		b.WriteString("\r\n")
	}
	return []byte(b.String())
}
