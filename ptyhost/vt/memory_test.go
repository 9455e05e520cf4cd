package vt

import (
	"fmt"
	"math/rand"
	"os"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

// memoryBound is what doc.go promises.
func memoryBound(cols, rows, scrollback int) uint64 {
	return uint64(16<<20 + 256*cols*rows + 2<<10*scrollback)
}

// A message of the host's takes 16 MiB.
func TestAnUpdateOfTheLargestScreenFits(t *testing.T) {
	x := New(Options{Cols: MaxCols, Rows: MaxRows})
	for i := range MaxCols {
		fmt.Fprintf(x, "\x1b]8;;%s%d\a\x1b[38;2;%d;2;3;48;2;%d;5;6;4;1mé%s", strings.Repeat("u", 2000), i, i%256, i/256,
			strings.Repeat(string(rune(0x300+i%0x60)), 60))
	}
	fmt.Fprintf(x, "\x1b[1;1;1;%d;1;2;1;1$v", MaxCols) // DECCRA doubles what there is
	for n := 2; n < MaxRows; n *= 2 {
		fmt.Fprintf(x, "\x1b[1;1;%d;%d;1;%d;1;1$v", n, MaxCols, n+1)
	}
	update, _ := x.AppendUpdate(nil, 0)
	if len(update) > 16<<20-1<<10 {
		t.Errorf("an update of %d bytes", len(update))
	}
	var m Mirror
	if err := m.Apply(update); err != nil {
		t.Fatal(err)
	}
	first, last := m.Row(MaxRows - 1)[0], m.Row(MaxRows - 1)[MaxCols-1]
	if text := m.Table().Text(first); len(text) != 2+60*2 || m.Table().Ext(first.Ext()).LinkURI == "" {
		t.Errorf("the first cell is %q %+v", text, m.Table().Ext(first.Ext()))
	}
	if text := m.Table().Text(last); text != "é" || last.Underline() != UnderlineSingle || last.FG != RGB(231, 2, 3) {
		t.Errorf("the last cell is %q %+v", text, last)
	}
	if n := x.table.linkBytes; n > maxLinkBytes {
		t.Errorf("%d bytes of links", n)
	}
}

// Once a full table has room again, links come back.
func TestLinksComeBackWhenTheScreenHasRoom(t *testing.T) {
	x := New(Options{Cols: 200, Rows: 50})
	for i := range 200 * 50 {
		fmt.Fprintf(x, "\x1b]8;;%s%d\ax", strings.Repeat("u", 2000), i)
	}
	if n := x.table.linkBytes; n > maxLinkBytes || n < maxLinkBytes/2 {
		t.Fatalf("%d bytes of links on a full screen", n)
	}
	x.Write([]byte("\x1b[H\x1b[2J"))
	for i := range 999 {
		fmt.Fprintf(x, "\x1b]8;;http://h/%d\ax", i)
	}
	if e := x.table.Ext(x.on.rows[x.cur.y].cells[x.cur.x-1].Ext()); e.LinkURI != "http://h/998" {
		t.Errorf("the last link is %q", e.LinkURI)
	}
	checkSound(t, x)
}

// A reflow of the scrollback keeps what it holds, however many links and
// clusters those are, and none of them stay in the table.
func TestAReflowTakesItsOwnTable(t *testing.T) {
	const lines = 80_000
	x := New(Options{Cols: 10, Rows: 2, Scrollback: MaxScrollback})
	for i := range lines {
		fmt.Fprintf(x, "\x1b]8;;http://h/%d\ax\x1b]8;;\a\r\n", i)
	}
	x.Resize(9, 2)
	first, end := x.History()
	for _, abs := range []uint64{first, first + lines/2, end - 1} {
		var table Table
		rows, err := DecodeRows(x.AppendRows(nil, abs, 1), &table)
		if err != nil || len(rows) != 1 {
			t.Fatal(len(rows), err)
		}
		if got, want := table.Ext(rows[0].Cells[0].Ext()).LinkURI, fmt.Sprintf("http://h/%d", abs-first); got != want {
			t.Errorf("row %d links to %q, want %q", abs-first, got, want)
		}
	}
	if n := x.table.size(); n.exts > 2*sweepMin {
		t.Errorf("the table holds %+v", n)
	}
}

// TestRandomBytesStayWithinTheMemoryBound feeds random bytes, streams of the
// grammar and the inputs that bloat others, in terminals of all sizes, with
// resizes between. MOORAGE_SOAK makes it 10 GiB.
func TestRandomBytesStayWithinTheMemoryBound(t *testing.T) {
	total := 32 << 20
	if os.Getenv("MOORAGE_SOAK") != "" {
		total = 10 << 30
	}
	if testing.Short() {
		total = 4 << 20
	}
	sizes := [][2]int{{1, 1}, {2, 2}, {80, 24}, {200, 50}, {1, 500}, {1000, 1}, {1000, 500}, {37, 11}}
	const scrollback = 20_000
	var peakLive, peakHeap uint64
	began, fed := time.Now(), 0
	for round := 0; fed < total; round++ {
		size := sizes[round%len(sizes)]
		s := newSoakInput(int64(round), size[0], size[1])
		x := New(Options{Cols: size[0], Rows: size[1], Scrollback: scrollback})
		cols, rows := size[0], size[1] // the largest of each so far
		share := min(total/(4*len(sizes)), 320<<20)
		for n := 0; n < share && fed < total; {
			p := s.next()
			n, fed = n+len(p), fed+len(p)
			x.Write(p)
			x.TakeReplies(nil)
			x.TakeEvents(nil)
			if s.r.Intn(256) == 0 {
				c, r := 1+s.r.Intn(2*size[0]), 1+s.r.Intn(2*size[1])
				x.Resize(c, r)
				x.History()
				c, r = x.Size()
				cols, rows = max(cols, c), max(rows, r)
			}
			live, heap := heapSize()
			peakLive, peakHeap = max(peakLive, live), max(peakHeap, heap)
			if bound := memoryBound(cols, rows, scrollback) + s.size; live > bound {
				t.Fatalf("%d MiB live at %dx%d after %d MiB of seed %d, the bound is %d MiB", live>>20, cols, rows, n>>20, round, bound>>20)
			}
		}
	}
	took := time.Since(began)
	t.Logf("%d MiB in %v, %.0f MB/s: at most %d MiB live, %d MiB of heap with what was garbage", fed>>20, took.Round(time.Second), float64(fed)/took.Seconds()/1e6, peakLive>>20, peakHeap>>20)
}

// heapSize is what the last collection found in use, and what the heap takes
// now.
func heapSize() (live, heap uint64) {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64(), s[1].Value.Uint64()
}

// soakInput is an endless input of several kinds in turn.
type soakInput struct {
	r       *rand.Rand
	random  []byte
	grammar []byte
	units   []string
	size    uint64 // its own memory, with what else the test has
}

func newSoakInput(seed int64, cols, rows int) *soakInput {
	s := &soakInput{r: rand.New(rand.NewSource(seed)), random: make([]byte, 256<<10), size: 4 << 20}
	g := newStream(seed, max(cols, 2), max(rows, 2), commonRules, moreRules)
	for len(s.grammar) < 1<<20 {
		s.grammar = append(s.grammar, g.take(500)...)
	}
	for _, unit := range nastyInputs {
		s.units = append(s.units, unit)
	}
	return s
}

func (s *soakInput) next() []byte {
	switch s.r.Intn(64) {
	case 0, 1, 2, 3, 4, 5, 6, 7:
		at := s.r.Intn(len(s.grammar) - 32<<10)
		return s.grammar[at : at+32<<10]
	case 8, 9, 10, 11: // random bytes within sequences that mean something
		p := append([]byte(nil), s.grammar[:32<<10]...)
		at := s.r.Intn(len(s.grammar) - len(p))
		copy(p, s.grammar[at:])
		for range 400 {
			p[s.r.Intn(len(p))] = byte(s.r.Intn(256))
		}
		return p
	case 12:
		return s.distinct()
	case 13:
		unit := s.units[s.r.Intn(len(s.units))]
		return []byte(strings.Repeat(unit, 1+(4<<10)/len(unit)))
	}
	s.r.Read(s.random)
	return s.random
}

// distinct is text of links and clusters that are all different.
func (s *soakInput) distinct() []byte {
	var b []byte
	for len(b) < 32<<10 {
		if s.r.Intn(4) == 0 {
			b = fmt.Appendf(b, "\x1b]8;;%s%d\a\x1b[58;5;%dm", strings.Repeat("u", s.r.Intn(2000)), s.r.Int63(), s.r.Intn(256))
		}
		b = append(b, 'e')
		for range s.r.Intn(30) {
			b = appendRune(b, rune(0x300+s.r.Intn(0x60)))
		}
	}
	return b
}
