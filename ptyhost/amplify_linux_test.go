package ptyhost

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"moorage/ptyhost/freeze"
	"moorage/ptyhost/vt"
)

// bytesWritten is what this process has given to write(2) and its kin in its
// life (proc(5), io: wchar).
func bytesWritten(t testing.TB) int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skip("no count of written bytes: ", err)
	}
	var rchar, wchar int
	if _, err := fmt.Sscanf(string(b), "rchar: %d\nwchar: %d", &rchar, &wchar); err != nil {
		t.Skip("no count of written bytes: ", err)
	}
	return wchar
}

// onClock is a session and its freezer on a clock that the test turns.
type onClock struct {
	t       testing.TB
	s       *session
	f       *freezer
	now     time.Time
	rewrite bool  // each freeze writes the whole ring, as if nothing were there
	freezes []int // bytes that each wrote
	at      []time.Time
}

func newOnClock(t testing.TB) *onClock {
	t.Helper()
	store, err := freeze.Open(filepath.Join(t.TempDir(), "freeze.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	c := &onClock{t: t, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	c.s = bare("t/tab-1/pane-1", vt.Options{Cols: 120, Rows: 40, Scrollback: defaultScrollback}, defaultRing)
	c.s.kept.gate.Last = c.now
	c.f = &freezer{
		store: store, limits: freeze.DefaultLimits, log: slog.New(slog.DiscardHandler),
		sessions: func() []*session { return []*session{c.s} }, warn: func(text string) { t.Error(text) },
		wake: make(chan struct{}, 1),
	}
	return c
}

// second prints for a second and freezes what is due then.
func (c *onClock) second(out []byte) {
	c.t.Helper()
	for len(out) > 0 {
		n := min(len(out), 4096)
		c.s.output(out[:n])
		out = out[n:]
	}
	c.now = c.now.Add(time.Second)
	if c.rewrite {
		c.s.kept.any = false
	}
	last := c.s.kept.gate.Last
	before := bytesWritten(c.t)
	c.f.step(c.now, false)
	if c.s.kept.gate.Last.After(last) {
		c.freezes = append(c.freezes, bytesWritten(c.t)-before)
		c.at = append(c.at, c.now)
	}
}

func (c *onClock) written() (n int) {
	for _, w := range c.freezes {
		n += w
	}
	return n
}

// logLines is n bytes of what a program prints line by line.
func logLines(n int) []byte {
	var b []byte
	for i := 0; len(b) < n; i++ {
		b = fmt.Appendf(b, "\x1b[32m12:00:%02d\x1b[m INFO request %d served in %d ms\r\n", i%60, i, i%977)
	}
	return b[:n]
}

func TestTenMinutesOfATrickleWriteAtMostThreeTimesTheirBytes(t *testing.T) {
	for _, full := range []bool{false, true} {
		c := newOnClock(t)
		if full { // what is evicted, and the state at the new first byte, count too
			for range 10 {
				c.second(logLines(100 << 10))
			}
			c.freezes, c.at = nil, nil
		}
		line := logLines(500 * 600)
		for at := 0; at < len(line); at += 500 {
			c.second(line[at : at+500])
		}
		ratio := float64(c.written()) / float64(len(line))
		t.Logf("full ring: %t; %d freezes, %d bytes for %d of output: %.2f times", full, len(c.freezes), c.written(), len(line), ratio)
		if ratio > 3 {
			t.Errorf("written %.2f times", ratio)
		}
		if len(c.freezes) < 9 {
			t.Errorf("%d freezes in 10 minutes", len(c.freezes))
		}
	}
}

func TestAFloodIsFrozenAtMostEveryFiveSecondsAndInAtMostAMiB(t *testing.T) {
	c := newOnClock(t)
	size := 20 << 20
	if os.Getenv(thorough) != "" {
		size = 100 << 20
	}
	second := logLines(1 << 20)
	for range size / len(second) {
		c.second(second)
	}
	t.Logf("%d freezes, %d bytes for %d of output", len(c.freezes), c.written(), size)
	if len(c.freezes) < size>>20/6 {
		t.Errorf("only %d freezes", len(c.freezes))
	}
	for i, n := range c.freezes {
		if n > 1<<20 {
			t.Errorf("freeze %d wrote %d bytes", i, n)
		}
		if i > 0 && c.at[i].Sub(c.at[i-1]) < freeze.DefaultLimits.Floor {
			t.Errorf("freeze %d came %v after the one before", i, c.at[i].Sub(c.at[i-1]))
		}
	}
}

// BenchmarkFreeze compares what is written, in bytes per byte of output, with
// writing the whole ring at each freeze.
func BenchmarkFreeze(b *testing.B) {
	for _, c := range []struct {
		name      string
		perSecond int
		rewrite   bool
	}{
		{"trickle/append", 500, false},
		{"trickle/rewrite", 500, true},
		{"stream/append", 10 << 10, false},
		{"stream/rewrite", 10 << 10, true},
		{"flood/append", 1 << 20, false},
		{"flood/rewrite", 1 << 20, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			var written, output int
			for b.Loop() {
				k := newOnClock(b)
				k.rewrite = c.rewrite
				for range 10 {
					k.second(logLines(100 << 10))
				}
				k.freezes = nil
				out := logLines(c.perSecond)
				for range 120 {
					k.second(out)
					output += len(out)
				}
				written += k.written()
			}
			b.ReportMetric(float64(written)/float64(output), "written/byte")
		})
	}
}
