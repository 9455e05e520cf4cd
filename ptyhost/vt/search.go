package vt

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Match is where a search found its text: from column Col of row Abs to before
// column EndCol of row EndAbs.
type Match struct {
	Abs    uint64
	Col    int
	EndAbs uint64
	EndCol int
}

const (
	maxPattern     = 256
	maxMatches     = 1000
	maxSearchLine  = 64 << 10 // bytes of one line that are searched
	maxSearchBatch = 64       // rows a line may be joined from
)

// Search looks for pattern, without regard to case, in lines joined over soft
// wraps: forward from row from, or backward from it, nearest first. It returns
// at most limit matches, never more than 1000; they do not overlap.
func (t *Terminal) Search(pattern string, from uint64, backward bool, limit int) []Match {
	t.settleHistory()
	limit = min(limit, maxMatches)
	needle := foldText([]byte(pattern))
	if len(needle) == 0 || len(pattern) > maxPattern || limit <= 0 {
		return nil
	}
	s := searcher{t: t, needle: needle}
	first, last := t.history.first, t.history.end+uint64(t.rows)
	if !backward {
		from = max(from, first)
		if from >= last {
			return nil
		}
		for abs := s.lineStart(from); abs < last && len(s.found) < limit; {
			abs = s.line(abs, last)
			s.found = dropBefore(s.found, from)
		}
		return s.found[:min(len(s.found), limit)]
	}
	for end := min(from, last-1) + 1; end > first && len(s.found) < limit; {
		start := s.lineStart(end - 1)
		n := len(s.found)
		s.line(start, last)
		reverseMatches(s.found[n:])
		s.found = append(s.found[:n], dropAfter(s.found[n:], from)...)
		end = start
	}
	return s.found[:min(len(s.found), limit)]
}

func dropBefore(m []Match, from uint64) []Match {
	for len(m) > 0 && m[0].Abs < from {
		m = m[1:]
	}
	return m
}

// dropAfter drops matches below row from off the head of a list that goes up.
func dropAfter(m []Match, from uint64) []Match {
	for len(m) > 0 && m[0].Abs > from {
		m = m[1:]
	}
	return m
}

func reverseMatches(m []Match) {
	for i, j := 0, len(m)-1; i < j; i, j = i+1, j-1 {
		m[i], m[j] = m[j], m[i]
	}
}

// searcher joins the rows of a line and finds the needle in them.
type searcher struct {
	t      *Terminal
	needle []byte
	text   []byte
	rows   []int // where in text each row begins
	found  []Match
}

// lineStart goes up to the row on which the line of abs begins.
func (s *searcher) lineStart(abs uint64) uint64 {
	for n := 0; abs > s.t.history.first && n < maxSearchBatch && s.t.wrappedAt(abs-1); n++ {
		abs--
	}
	return abs
}

// wrappedAt reports whether the line of a row that exists goes on.
func (t *Terminal) wrappedAt(abs uint64) bool {
	if abs >= t.history.end {
		return t.on.rows[abs-t.history.end].wrap
	}
	return t.history.row(abs)[0]&packWrapped != 0
}

// line searches the line that begins at abs and returns where the next one
// does.
func (s *searcher) line(abs, last uint64) uint64 {
	s.text, s.rows = s.text[:0], s.rows[:0]
	start := abs
	for more := true; more && abs < last && len(s.rows) < maxSearchBatch && len(s.text) < maxSearchLine; abs++ {
		s.rows = append(s.rows, len(s.text))
		s.text, more, _ = s.t.appendRowText(s.text, abs)
	}
	folded := foldText(s.text)
	if len(folded) != len(s.text) { // folding moved bytes: look at the text as it is
		folded = s.text
	}
	for at := 0; ; {
		i := bytes.Index(folded[at:], s.needle)
		if i < 0 {
			return abs
		}
		m := Match{}
		m.Abs, m.Col = s.place(start, at+i)
		m.EndAbs, m.EndCol = s.place(start, at+i+len(s.needle)-1)
		m.EndCol += s.widthAt(at + i + len(s.needle) - 1)
		s.found = append(s.found, m)
		at += i + len(s.needle)
	}
}

// place turns an offset in the text into a row and a column.
func (s *searcher) place(start uint64, off int) (abs uint64, col int) {
	k := len(s.rows) - 1
	for s.rows[k] > off {
		k--
	}
	for off > 0 && !utf8.RuneStart(s.text[off]) {
		off--
	}
	return start + uint64(k), StringWidth(string(s.text[s.rows[k]:off]))
}

// widthAt is the width of the cluster that the byte at off belongs to.
func (s *searcher) widthAt(off int) int {
	for off > 0 && !utf8.RuneStart(s.text[off]) {
		off--
	}
	_, w, _ := NextCluster(string(s.text[off:min(len(s.text), off+maxClusterBytes)]))
	return w
}

// foldText maps letters to lower case where that keeps their length in bytes.
func foldText(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if l := unicode.ToLower(r); r != utf8.RuneError && utf8.RuneLen(l) == n {
			r = l
		}
		if r == utf8.RuneError {
			out = append(out, b[:n]...)
		} else {
			out = utf8.AppendRune(out, r)
		}
		b = b[n:]
	}
	return out
}
