package vt

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// drawn is a terminal with a stream for it, drawn by rapid.
func drawn(t *rapid.T) (*Terminal, *stream) {
	cols := rapid.IntRange(1, 30).Draw(t, "cols")
	rows := rapid.IntRange(2, 12).Draw(t, "rows")
	seed := rapid.Int64().Draw(t, "seed")
	x := New(Options{Cols: cols, Rows: rows, Scrollback: rapid.IntRange(0, 40).Draw(t, "scrollback")})
	return x, newStream(seed, cols, rows, commonRules, moreRules)
}

func TestAnyOutputLeavesASoundTerminal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x, s := drawn(rt)
		for range rapid.IntRange(1, 8).Draw(rt, "writes") {
			x.Write(s.take(20))
			checkSound(t, x)
		}
	})
}

func TestASplitWriteIsTheSameWrite(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x, s := drawn(rt)
		y := New(x.opts)
		in := s.take(60)
		x.Write(in)
		for len(in) > 0 {
			n := rapid.IntRange(1, min(len(in), 9)).Draw(rt, "n")
			y.Write(in[:n])
			in = in[n:]
		}
		sameState(t, x, y)
	})
}

func TestAMirrorFollowsTheTerminal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x, s := drawn(rt)
		var fast, slow Mirror
		follow := func(m *Mirror) {
			update, _ := x.AppendUpdate(nil, m.Rev())
			if err := m.Apply(update); err != nil {
				t.Fatalf("apply: %v", err)
			}
			sameMirror(t, x, m)
		}
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			switch rapid.IntRange(0, 9).Draw(rt, "step") {
			case 0:
				s.cols, s.rows = rapid.IntRange(1, 30).Draw(rt, "cols"), rapid.IntRange(2, 12).Draw(rt, "rows")
				x.Resize(s.cols, s.rows)
			case 1:
				follow(&slow)
			case 2:
				x.EndSync()
			case 3:
				x.SoftReset()
			default:
				x.Write(s.take(rapid.IntRange(1, 15).Draw(rt, "n")))
			}
			follow(&fast)
		}
		follow(&slow)
	})
}

func TestARestoredTerminalGoesOnAlike(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x, s := drawn(rt)
		x.Write(s.take(60))
		y, err := Restore(x.AppendSnapshot(nil, true), x.opts)
		if err != nil {
			t.Fatal(err)
		}
		in := s.take(30)
		cols, rows := rapid.IntRange(1, 30).Draw(rt, "cols2"), rapid.IntRange(2, 12).Draw(rt, "rows2")
		for _, z := range []*Terminal{x, y} {
			z.Write(in)
			z.Resize(cols, rows)
			z.Write(in)
		}
		sameState(t, x, y)
		if a, b := x.TakeReplies(nil), y.TakeReplies(nil); !bytes.Equal(a, b) {
			t.Fatalf("restored terminal answers %q, want %q", b, a)
		}
	})
}

func TestResizingKeepsTheTerminalSound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x, s := drawn(rt)
		for range rapid.IntRange(1, 10).Draw(rt, "steps") {
			x.Write(s.take(10))
			s.cols, s.rows = rapid.IntRange(1, 30).Draw(rt, "cols"), rapid.IntRange(2, 12).Draw(rt, "rows")
			x.Resize(s.cols, s.rows)
			checkSound(t, x)
			if rapid.Bool().Draw(rt, "look") {
				first, end := x.History()
				if rows, err := DecodeRows(x.AppendRows(nil, first, int(end-first)), &Table{}); err != nil || len(rows) != int(end-first) {
					t.Fatalf("%d rows of %d: %v", len(rows), end-first, err)
				}
			}
		}
	})
}

// Lines of text keep their characters whatever the widths that they are
// wrapped at, as long as nothing leaves the scrollback.
func TestReflowLosesNoText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`([a-z]|日|é){0,40}`), 1, 8).Draw(rt, "lines")
		x := New(Options{Cols: 20, Rows: 6, Scrollback: 2000})
		for i, l := range lines {
			if i > 0 {
				x.Write([]byte("\r\n"))
			}
			x.Write([]byte(l))
		}
		for range rapid.IntRange(1, 6).Draw(rt, "resizes") {
			x.Resize(rapid.IntRange(2, 40).Draw(rt, "cols"), rapid.IntRange(2, 12).Draw(rt, "rows"))
		}
		first, end := x.History()
		var got []string
		text, open := []byte(nil), false
		for abs := first; abs < end+uint64(x.rows); abs++ {
			if !open {
				text = nil
			}
			var wrap bool
			text, wrap, _ = x.appendRowText(text, abs)
			if open = wrap; !open {
				got = append(got, string(bytes.TrimRight(text, " ")))
			}
		}
		for len(got) > len(lines) && got[len(got)-1] == "" {
			got = got[:len(got)-1]
		}
		for i, l := range lines {
			if i >= len(got) || got[i] != l {
				t.Fatalf("lines %q, want %q", got, lines)
			}
		}
	})
}

func TestStringWidthIsWhatTheGridUses(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var s string
		for range rapid.IntRange(1, 12).Draw(rt, "n") {
			s += rapid.SampledFrom([]string{"a", " ", "日", "é", "e\u0301", "\u0301", "👨", "\u200d", "👩", "❤", "\ufe0f", "🇩", "🇪", "👍", "🏽", "क", "\u094d", "ष", "\u093e", "\u1100", "\u1161", "\u11a8", "\u200b", "→"}).Draw(rt, "s")
		}
		x := New(Options{Cols: 100, Rows: 1})
		x.Write([]byte(s))
		if got := StringWidth(s); got != x.cur.x {
			t.Fatalf("StringWidth(%+q) = %d, the cursor is in column %d", s, got, x.cur.x)
		}
		for rest := s; rest != ""; {
			c, _, more := NextCluster(rest)
			if c == "" || c+more != rest {
				t.Fatalf("NextCluster(%+q) = %+q, %+q", rest, c, more)
			}
			rest = more
		}
	})
}
