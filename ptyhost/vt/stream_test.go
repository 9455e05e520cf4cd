package vt

import (
	"fmt"
	"math/rand"
	"strings"
)

// stream makes output of a grammar: mostly well-formed sequences with likely
// parameters, so that states deep in the emulator are reached.
type stream struct {
	r          *rand.Rand
	cols, rows int
	b          strings.Builder
	rules      []rule
	total      int
}

type rule struct {
	weight int
	make   func(s *stream)
}

func newStream(seed int64, cols, rows int, rules ...[]rule) *stream {
	s := &stream{r: rand.New(rand.NewSource(seed)), cols: cols, rows: rows}
	for _, list := range rules {
		s.rules = append(s.rules, list...)
	}
	for _, r := range s.rules {
		s.total += r.weight
	}
	return s
}

// take returns n more pieces of output.
func (s *stream) take(n int) []byte {
	s.b.Reset()
	for range n {
		at := s.r.Intn(s.total)
		for _, r := range s.rules {
			if at -= r.weight; at < 0 {
				r.make(s)
				break
			}
		}
	}
	return []byte(s.b.String())
}

func (s *stream) printf(format string, a ...any) { fmt.Fprintf(&s.b, format, a...) }
func (s *stream) pick(list ...string)            { s.b.WriteString(list[s.r.Intn(len(list))]) }
func (s *stream) x() int                         { return 1 + s.r.Intn(s.cols) }
func (s *stream) y() int                         { return 1 + s.r.Intn(s.rows) }

// few is a small count, and now and then a large one.
func (s *stream) few() int {
	if s.r.Intn(20) == 0 {
		return s.r.Intn(300)
	}
	return s.r.Intn(5)
}

func (s *stream) text(n int) {
	for range n {
		s.b.WriteByte(byte(' ' + s.r.Intn(95)))
	}
}

func csi(final string) func(*stream) {
	return func(s *stream) { s.printf("\x1b[%d%s", s.few(), final) }
}

// commonRules are what every terminal of this kind agrees on.
var commonRules = []rule{
	{30, func(s *stream) { s.text(1 + s.r.Intn(12)) }},
	{4, func(s *stream) { s.text(s.cols - 2 + s.r.Intn(5)) }},
	{15, func(s *stream) { s.pick("\r\n", "\r\n", "\n", "\r", "\b", "\t") }},
	{12, func(s *stream) { s.printf("\x1b[%d;%dH", s.y(), s.x()) }},
	{3, csi("A")},
	{3, csi("B")},
	{3, csi("C")},
	{3, csi("D")},
	{1, csi("E")},
	{1, csi("F")},
	{2, func(s *stream) { s.printf("\x1b[%dG", s.x()) }},
	{2, func(s *stream) { s.printf("\x1b[%dd", s.y()) }},
	{3, csi("@")},
	{3, csi("P")},
	{3, csi("X")},
	{2, csi("L")},
	{2, csi("M")},
	{2, csi("S")},
	{2, csi("T")},
	{3, func(s *stream) { s.printf("\x1b[%dK", s.r.Intn(3)) }},
	{1, func(s *stream) { s.printf("\x1b[%dJ", s.r.Intn(3)) }},
	{2, func(s *stream) {
		top := 1 + s.r.Intn(s.rows-1)
		s.printf("\x1b[%d;%dr", top, top+1+s.r.Intn(s.rows-top))
	}},
	{1, func(s *stream) { s.pick("\x1b[r") }},
	{3, func(s *stream) { s.pick("\x1bM", "\x1bD", "\x1bE") }},
	{2, func(s *stream) { s.pick("\x1b7", "\x1b8") }},
	{2, func(s *stream) { s.pick("\x1b[?6h", "\x1b[?6l") }},
	{2, func(s *stream) { s.pick("\x1b[4h", "\x1b[4l", "\x1b[4l") }},
	{6, func(s *stream) {
		s.pick("\x1b[m", "\x1b[1m", "\x1b[31m", "\x1b[44m", "\x1b[7m", "\x1b[38;5;200m", "\x1b[48;2;1;2;3m", "\x1b[4m", "\x1b[0;33m")
	}},
}

// moreRules are the rest of what this terminal does.
var moreRules = []rule{
	{6, func(s *stream) { s.pick("日", "本語", "한국", "ｱ", "→", "é", "─") }},
	{6, func(s *stream) {
		s.pick("e\u0301", "\u0301", "👨\u200d👩\u200d👧", "\u200d", "❤\ufe0f", "\ufe0f", "🇩🇪", "🇩", "👍🏽", "क्षि", "\u1100\u1161", "\u200b")
	}},
	{3, func(s *stream) {
		s.pick("\x1b[?1049h", "\x1b[?1049l", "\x1b[?47h", "\x1b[?47l", "\x1b[?1047h", "\x1b[?1047l")
	}},
	{2, func(s *stream) {
		s.pick("\x1b[?7l", "\x1b[?7h", "\x1b[?7h", "\x1b[?45h", "\x1b[?1045h", "\x1b[?45;1045l")
	}},
	{3, func(s *stream) { s.printf("\x1b[?69h\x1b[%d;%ds", s.x(), s.x()) }},
	{2, func(s *stream) { s.pick("\x1b[?69l", "\x1b[s", "\x1b[u") }},
	{2, csi("b")},
	{1, csi(" @")},
	{1, csi(" A")},
	{1, csi("'}")},
	{1, csi("'~")},
	{1, csi("I")},
	{1, csi("Z")},
	{2, func(s *stream) { s.printf("\x1b[%d;%d;%d;%d$z", s.y(), s.x(), s.y(), s.x()) }},
	{2, func(s *stream) { s.printf("\x1b[%d;%d;%d;%d;%d$x", 32+s.r.Intn(95), s.y(), s.x(), s.y(), s.x()) }},
	{2, func(s *stream) { s.printf("\x1b[%d;%d;%d;%d;1;%d;%d;1$v", s.y(), s.x(), s.y(), s.x(), s.y(), s.x()) }},
	{1, func(s *stream) { s.printf("\x1b[%d;%d;%d;%d;1;7$r", s.y(), s.x(), s.y(), s.x()) }},
	{1, func(s *stream) { s.printf("\x1b[%d;%d;%d;%d;1;4$t", s.y(), s.x(), s.y(), s.x()) }},
	{1, func(s *stream) { s.printf("\x1b[%d;%d;%d;%d${", s.y(), s.x(), s.y(), s.x()) }},
	{2, func(s *stream) { s.pick("\x1b6", "\x1b9", "\x1b#8", "\x1bH", "\x1b[g", "\x1b[3g", "\x1b[?5W") }},
	{2, func(s *stream) {
		s.pick("\x1b(0", "\x1b(B", "\x1b)0", "\x0e", "\x0f", "\x1bn", "\x1bN", "\x1b*0", "\x1b-A", "\x1b[?42h", "\x1b(K", "\x1b+%5")
	}},
	{2, func(s *stream) { s.pick("\x1b[1\"q", "\x1b[0\"q", "\x1b[?K", "\x1b[?2J", "\x1bV", "\x1bW") }},
	{3, func(s *stream) { s.pick("\x1b[?2026h", "\x1b[?2026l", "\x1b[?2026l") }},
	{1, func(s *stream) { s.pick("\x1b[?2027l", "\x1b[?2027h") }},
	{3, func(s *stream) {
		s.printf("\x1b]8;id=%d;http://h/%d\a", s.r.Intn(3), s.r.Intn(3))
	}},
	{1, func(s *stream) { s.pick("\x1b]8;;\a", "\x1b[58:5:3m", "\x1b[59m", "\x1b[4:3m") }},
	{3, func(s *stream) {
		s.pick("\x1b]2;title\a", "\x1b]0;日本\x1b\\", "\x1b[22t", "\x1b[23t", "\x1b]7;file:///x\a", "\x1b]133;A\a", "\x1b]133;D;3\a", "\x1b]4;1;#123456\a", "\x1b]104\a", "\x1b]11;red\a", "\x1b[#P", "\x1b[#Q", "\x1b[#{", "\x1b[#}")
	}},
	{2, func(s *stream) {
		s.pick("\x1b[c", "\x1b[6n", "\x1b]11;?\a", "\x1bP$qm\x1b\\", "\x1bP+q544e\x1b\\", "\x1b[?7$p")
	}},
	{2, func(s *stream) {
		s.pick("\x1b[>1u", "\x1b[<u", "\x1b[=3u", "\x1b[>4;2m", "\x1b[?1003h", "\x1b[?1006h", "\x1b[?1004;2004h", "\x1b[?2004l", "\x1b[?2004s", "\x1b[?2004r")
	}},
	{1, func(s *stream) { s.pick("\x1bc", "\x1b[!p", "\x1b[3J", "\x1b[?3h", "\x1b[?40h") }},
	{2, func(s *stream) {
		s.pick("\x1b", "\x1b[", "\x1b[3", "\x1b]2;x", "\x1bP$q", "\xe6", "\xf0\x9f", "\x18", "\x1a", "\xff", "\x1b_G")
	}},
}
