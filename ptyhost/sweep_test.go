package ptyhost

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"moorage/ptyhost/freeze"
	"moorage/ptyhost/proc"
	"moorage/ptyhost/ring"
	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
)

// thorough is the environment variable that asks for all of what the tests
// otherwise take samples of.
const thorough = "MOORAGE_THOROUGH"

// step is a piece of a program's output and the size that the PTY takes after
// it, 0 by 0 for none.
type step struct {
	out        []byte
	cols, rows int
}

// program is about n bytes of everything that a replay could get wrong.
func program(n int) []step {
	r := rand.New(rand.NewPCG(1, 2))
	var steps []step
	clusters := []string{"e\u0301", "日", "本", "👩‍💻", "🇩🇪", "한", "क्षि", "❤️", "a\u0308\u0304", "x"}
	alt := false
	for total := 0; total < n; {
		var b []byte
		switch k := r.IntN(20); {
		case k < 8: // a line of true colour text, sometimes longer than the screen
			for range 1 + r.IntN(30) {
				b = fmt.Appendf(b, "\x1b[38;2;%d;%d;%d;48;5;%dmword%d ", r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(1000))
			}
			b = append(b, "\x1b[m\r\n"...)
		case k < 11:
			for range 1 + r.IntN(60) {
				b = append(b, clusters[r.IntN(len(clusters))]...)
			}
			b = append(b, "\r\n"...)
		case k < 13: // margins, and scrolling within
			b = fmt.Appendf(b, "\x1b[%d;%dr\x1b[%d;1H", 2+r.IntN(5), 10+r.IntN(8), 10+r.IntN(8))
			for range r.IntN(20) {
				b = fmt.Appendf(b, "in the margins %d\r\n", r.IntN(100))
			}
			b = append(b, "\x1b[2S\x1b[T\x1b[r\x1b[999;1H"...)
		case k < 14:
			b = fmt.Appendf(b, "\x1b[?69h\x1b[%d;%ds\x1b[5;5Hleft and right margins that wrap within themselves\x1b[2L\x1b[M\x1b[?69l\x1b[999;1H", 3+r.IntN(5), 30+r.IntN(20))
		case k < 15:
			b = fmt.Appendf(b, "\x1b]0;title %d\x07\x1b]8;id=%d;http://example.com/%d\x1b\\link\x1b]8;;\x1b\\\x1b]133;A\x07$ \x1b]133;C\x07", r.IntN(100), r.IntN(9), r.IntN(9))
		case k < 16:
			b = fmt.Appendf(b, "\x1b[%d;%dH\x1b[4:3m\x1b[58:2::%d:2:3mcurly\x1b[m\x1b7\x1b[K\x1b8\x1b[3P\x1b[2@", 1+r.IntN(30), 1+r.IntN(90), r.IntN(256))
		case k < 17:
			b = append(b, "\x1b(0lqqk\x1b(B\x1bPq#0;2;0;0;0#0~~@@\x1b\\\x1b[?2026h\x1b[2J\x1b[Hframe\x1b[?2026l\x1b[999;1H"...)
		case k < 18 && alt:
			b, alt = append(b, "\x1b[?1049l"...), false
		case k < 18:
			b, alt = append(b, "\x1b[?1049h\x1b[2J\x1b[Hfull screen\x1b[5;5Hpanel"...), true
		default:
			for range r.IntN(10) {
				b = append(b, "10%\r20%\r30%\tmore\x08\x08\r\n"...)
			}
		}
		s := step{out: b}
		if r.IntN(60) == 0 {
			s.cols, s.rows = 40+r.IntN(100), 15+r.IntN(30)
		}
		steps = append(steps, s)
		total += len(b)
	}
	if alt {
		steps = append(steps, step{out: []byte("\x1b[?1049l")})
	}
	return steps
}

// bare is a session without a process: what it prints is given to output.
func bare(key string, o vt.Options, ringSize int) *session {
	s := &session{
		key: key, created: time.Unix(0, 0), proc: &proc.Process{}, log: slog.New(slog.DiscardHandler),
		emit: func(wire.SessionEvent) {}, ended: make(chan struct{}), fresh: func() {},
		options: o, term: vt.New(o), state: wire.SessionLive, notices: make(map[wire.SessionEventKind]*notice),
	}
	s.kept.enough = freeze.DefaultLimits.Enough
	s.changed = pacer{every: time.Hour, last: time.Now().Add(time.Hour), fire: func() {}}
	s.ring = ring.New(ringSize, s.term.AppendSnapshotRows(nil, ringRows))
	s.input = newInput(os.Stdin, nil, nil)
	s.input.closed = true
	return s
}

// bareHost is a host that only thaws.
func bareHost(store *freeze.Store) *host {
	return &host{cfg: Config{RingBytes: defaultRing}, log: slog.New(slog.DiscardHandler), store: store, defaults: vt.DarkDefaults()}
}

// TestAThawedScreenIsTheOneThatWasSeen moves a program by a byte at a time, so
// that the ring's first byte, and each freeze, falls into every place of it.
func TestAThawedScreenIsTheOneThatWasSeen(t *testing.T) {
	by := 1
	if os.Getenv(thorough) == "" {
		by = 97 // 601 of them take minutes with the race detector
	}
	prog := program(700 << 10)
	store, err := freeze.Open(filepath.Join(t.TempDir(), "freeze.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for prefix := 0; prefix <= 600; prefix += by {
		sweep(t, store, prefix, prog)
		if t.Failed() {
			return
		}
	}
}

func sweep(t *testing.T, store *freeze.Store, prefix int, prog []step) {
	t.Helper()
	const key = "t/tab-1/pane-1"
	o := vt.Options{Cols: 80, Rows: 24, Scrollback: defaultScrollback, Defaults: vt.DarkDefaults()}
	r := rand.New(rand.NewPCG(uint64(prefix), 3))
	s := bare(key, o, defaultRing)
	seen := vt.New(o)
	now := time.Now()
	frozen := 0
	write := func() {
		u, ok := s.freeze(now)
		if !ok {
			t.Fatal("nothing to freeze")
		}
		if err := store.Write(freeze.Batch{Updates: []freeze.Update{u}}); err != nil {
			t.Fatal(err)
		}
		s.froze(u, now)
	}
	for _, st := range slices.Concat([]step{{out: bytes.Repeat([]byte{'x'}, prefix)}}, prog) {
		_, _ = seen.Write(st.out)
		for rest := st.out; len(rest) > 0; {
			n := min(1+r.IntN(4096), len(rest))
			s.output(rest[:n])
			rest = rest[n:]
			if frozen += n; frozen > 100<<10 {
				frozen = 0
				write()
			}
		}
		if st.cols > 0 {
			seen.Resize(st.cols, st.rows)
			s.wantCols, s.wantRows = st.cols, st.rows
			s.applySize()
		}
	}
	write()
	if s.ring.Start() == 0 {
		t.Fatal("nothing was evicted: the program is too short")
	}
	th, err := bareHost(store).restore(key)
	if err != nil {
		t.Fatal(err)
	}
	th.play()
	same(t, prefix, seen, th.term)
}

// same compares what a thawed terminal shows with what was seen: the whole
// screen, and of the scrollback what the ring covers, without the line that may
// have begun before it.
func same(t *testing.T, prefix int, seen, thawed *vt.Terminal) {
	t.Helper()
	sc, sr := seen.Size()
	if c, r := thawed.Size(); c != sc || r != sr {
		t.Fatalf("prefix %d: %dx%d, was %dx%d", prefix, c, r, sc, sr)
	}
	if seen.Cursor() != thawed.Cursor() || seen.Modes() != thawed.Modes() || seen.Title() != thawed.Title() {
		t.Errorf("prefix %d: cursor %+v, modes %+v, title %q; were %+v, %+v, %q", prefix, thawed.Cursor(), thawed.Modes(), thawed.Title(), seen.Cursor(), seen.Modes(), seen.Title())
	}
	want, got := rowsOf(t, seen), rowsOf(t, thawed)
	first := 0
	for first < len(got)-sr && got[first].wrapped {
		first++
	}
	got = got[first+1:]
	if len(got) < 800 {
		t.Fatalf("prefix %d: only %d rows are covered", prefix, len(got))
	}
	want = want[len(want)-len(got):]
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("prefix %d: row %d of %d\n%+v\nwas\n%+v", prefix, i-len(got), len(got), got[i], want[i])
			return
		}
	}
}

// shown is a row, decoded by what clients decode it with.
type shown struct {
	text    string
	style   string
	wrapped bool
}

func rowsOf(t *testing.T, term *vt.Terminal) []shown {
	t.Helper()
	var out []shown
	var tab vt.Table
	first, screen := term.History()
	_, rows := term.Size()
	for at := first; at < screen+uint64(rows); at += 4096 {
		list, err := vt.DecodeRows(term.AppendRows(nil, at, 4096), &tab)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			s := shown{wrapped: r.Wrapped}
			var text, style []byte
			var last vt.Cell
			var pen string
			for _, c := range r.Cells {
				text = tab.AppendText(text, c)
				if c.FG != last.FG || c.BG != last.BG || c.At != last.At {
					last = c
					if p := fmt.Sprintf("%x/%x/%x/%+v ", c.FG, c.BG, c.At&0xffff, tab.Ext(c.Ext())); p != pen {
						style = fmt.Appendf(style, "%d:%s", len(text), p)
						pen = p
					}
				}
			}
			s.text, s.style = string(text), string(style)
			out = append(out, s)
		}
	}
	return out
}
