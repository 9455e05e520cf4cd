package vt

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"moorage/ptyhost/vt/corpora"
)

var benchSizes = [][2]int{{80, 24}, {200, 50}}

// BenchmarkWrite is the throughput of parser and screen with a scrollback of
// 20 000 rows, in pieces of 32 KiB as a PTY gives them.
func BenchmarkWrite(b *testing.B) {
	for _, c := range corpora.All {
		for _, s := range benchSizes {
			b.Run(fmt.Sprintf("%s/%dx%d", c.Name, s[0], s[1]), func(b *testing.B) {
				in := c.Make(s[0], s[1])
				t := New(Options{Cols: s[0], Rows: s[1], Scrollback: 20000})
				b.SetBytes(int64(len(in)))
				for range 3 { // fill the scrollback
					t.Write(in)
				}
				b.ReportAllocs()
				for b.Loop() {
					for p := in; len(p) > 0; {
						n := min(len(p), 32<<10)
						t.Write(p[:n])
						p = p[n:]
					}
				}
			})
		}
	}
}

// filled is a terminal with a screen of coloured text.
func filled(cols, rows int) *Terminal {
	t := New(Options{Cols: cols, Rows: rows, Scrollback: 20000})
	t.Write(corpora.All[1].Make(cols, rows)[:32<<10])
	return t
}

// BenchmarkUpdate is what a watcher costs: one echoed key, one scrolled line,
// a whole plain screen, a whole true-colour screen; made and applied.
func BenchmarkUpdate(b *testing.B) {
	key := func(t *Terminal, i int) { t.Write([]byte{'a' + byte(i%26), '\b'}) }
	line := func(t *Terminal, i int) { t.Write([]byte("one more line of the log\r\n")) }
	screen := func(t *Terminal, i int) { t.Write([]byte("\x1b#8")) }
	color := func(t *Terminal, i int) { t.touchAll(); t.next++ }
	for _, c := range []struct {
		name   string
		change func(*Terminal, int)
	}{{"key", key}, {"line", line}, {"plain", screen}, {"color", color}} {
		b.Run(c.name, func(b *testing.B) {
			t := filled(200, 50)
			var m Mirror
			var buf []byte
			b.ReportAllocs()
			n, i := 0, 0
			for b.Loop() {
				c.change(t, i)
				buf, _ = t.AppendUpdate(buf[:0], m.Rev())
				if err := m.Apply(buf); err != nil {
					b.Fatal(err)
				}
				n += len(buf)
				i++
			}
			b.ReportMetric(float64(n)/float64(i), "bytes/update")
		})
	}
}

// BenchmarkSnapshot is one without scrollback, as the host takes it every 64
// KiB of output.
func BenchmarkSnapshot(b *testing.B) {
	for _, s := range benchSizes {
		b.Run(fmt.Sprintf("%dx%d", s[0], s[1]), func(b *testing.B) {
			t := filled(s[0], s[1])
			var buf []byte
			b.ReportAllocs()
			for b.Loop() {
				buf = t.AppendSnapshot(buf[:0], false)
			}
			b.ReportMetric(float64(len(buf)), "bytes")
		})
	}
}

// BenchmarkResize is a change of width back and forth with 20 000 rows of
// scrollback, which is wrapped anew only when somebody looks.
func BenchmarkResize(b *testing.B) {
	for _, look := range []bool{false, true} {
		b.Run(fmt.Sprintf("look=%v", look), func(b *testing.B) {
			t := New(Options{Cols: 200, Rows: 50, Scrollback: 20000})
			t.Write(corpora.All[0].Make(200, 50))
			t.Write(corpora.All[0].Make(200, 50))
			for i := 0; b.Loop(); i++ {
				t.Resize(100+i%2*100, 50)
				if look {
					t.History()
				}
			}
		})
	}
}

// BenchmarkSearch looks for what is not in 20 000 rows.
func BenchmarkSearch(b *testing.B) {
	t := New(Options{Cols: 200, Rows: 50, Scrollback: 20000})
	for range 3 {
		t.Write(corpora.All[0].Make(200, 50))
	}
	for b.Loop() {
		t.Search("nowhere to be found", 0, false, 10)
	}
}

// BenchmarkMemory reports what a terminal holds: idle at 200x50, and with 20
// 000 full rows of 200 columns.
func BenchmarkMemory(b *testing.B) {
	row := []byte(strings.Repeat("a line of text that is full ", 8)[:200])
	for _, c := range []struct {
		name string
		rows int
	}{{"idle", 0}, {"full", 20000}} {
		b.Run(c.name, func(b *testing.B) {
			var keep []*Terminal
			before := heapInUse()
			for b.Loop() {
				t := New(Options{Cols: 200, Rows: 50, Scrollback: 20000})
				for range c.rows + 50 {
					t.Write(row)
				}
				if c.rows == 0 {
					t = New(Options{Cols: 200, Rows: 50, Scrollback: 20000})
				}
				keep = append(keep, t)
				if len(keep) == 4 {
					b.StopTimer()
					b.ReportMetric(float64(heapInUse()-before)/4/1024, "KiB/terminal")
					b.StartTimer()
				}
				if len(keep) > 4 {
					keep = keep[:4]
				}
			}
			runtime.KeepAlive(keep)
		})
	}
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkNasty is what hung, bloated or crashed other emulators, 4 KiB of
// each at 200x50.
func BenchmarkNasty(b *testing.B) {
	for name, unit := range nastyInputs {
		b.Run(name, func(b *testing.B) {
			in := []byte(strings.Repeat(unit, 4096/len(unit)+1)[:4096])
			t := New(Options{Cols: 200, Rows: 50, Scrollback: 20000})
			for b.Loop() {
				t.Write(in)
				t.TakeReplies(nil)
			}
		})
	}
}

// nastyInputs are repeated until there is enough of them.
var nastyInputs = map[string]string{
	"repeat":        "a\x1b[99999999b",
	"repeat wide":   "日\x1b[99999999b",
	"insert chars":  "\x1b[999999999@",
	"insert lines":  "\x1b[999999999L",
	"delete lines":  "\x1b[999999999M",
	"delete chars":  "\x1b[999999999P",
	"scroll up":     "\x1b[999999999S",
	"scroll down":   "\x1b[999999999T",
	"erase chars":   "\x1b[999999999X",
	"erase":         "\x1b[2J",
	"alignment":     "\x1b#8",
	"alternate":     "\x1b[?1049h\x1b[?1049l",
	"sync":          "\x1b[?2026hx\x1b[?2026l",
	"margins":       "\x1b[?69h\x1b[2;199s\x1b[99S",
	"columns":       "\x1b[99'}",
	"copy":          "\x1b[1;1;50;200;1;2;2;1$v",
	"fill":          "\x1b[65;1;1;50;200$x",
	"checksum":      "\x1b[1;1;1;1;50;200*y",
	"report":        "\x1b[1;1;50;200#|",
	"reset":         "\x1bc",
	"marks":         "\u0301\u0302\u0303",
	"links":         "\x1b]8;;http://a/\ax\x1b]8;;http://b/\ay",
	"palette":       "\x1b]4;1;red\a",
	"capabilities":  "\x1bP+q544E;544E;544E\x1b\\",
	"tabs":          "\x1b[99999I\x1b[99999Z",
	"reverse wrap":  "\x1b[?1045h\x1b[65535D",
	"parameters":    "\x1b[1;2;3;4;5;6;7;8;9;1;2;3;4;5;6;7;8;9;1;2;3;4;5;6;7;8;9;1;2;3;4;5;6;7;8;9m",
	"notifications": "\x1b]9;x\a",
}
