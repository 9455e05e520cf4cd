//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// logLines are at least size bytes of a server's log.
func logLines(size int) []byte {
	var lines bytes.Buffer
	for i := 0; lines.Len() < size; i++ {
		fmt.Fprintf(&lines, "2026-11-30T10:%02d:%02d.%03dZ level=INFO msg=\"request served\" id=%08x path=/api/v1/items/%d\n", i/60%60, i%60, i%1000, i*2654435761%(1<<32), i)
	}
	return lines.Bytes()
}

// BenchmarkFlood has a pane print 10 MB of log lines through its PTY, until the
// line after them is on the client's screen: how long that takes, what the
// server's processes spend on it, and what is sent.
func BenchmarkFlood(b *testing.B) {
	lines := logLines(10 << 20)
	file := filepath.Join(b.TempDir(), "lines")
	if err := os.WriteFile(file, lines, 0o600); err != nil {
		b.Fatal(err)
	}
	in := start(b)
	clients := []*typist{in.typist(b, false)}
	pids := [][]int{in.pids()}
	if x := newTmux(b); x != nil {
		clients = append(clients, x.client(b, false))
		pids = append(pids, x.pids(b))
	}
	took, spent, sent := make([]time.Duration, len(clients)), make([]time.Duration, len(clients)), make([]int, len(clients))
	rounds := 0
	for b.Loop() {
		rounds++
		for i, c := range clients {
			start, from, before := time.Now(), c.took(), work(b, pids[i])
			c.sees(fmt.Sprintf("cat %s; echo the''end%d\r", file, rounds), fmt.Sprintf("theend%d", rounds))
			took[i] += time.Since(start)
			sent[i] += c.took() - from
			time.Sleep(100 * time.Millisecond) // what is still to be done belongs to it
			spent[i] += work(b, pids[i]) - before
		}
	}
	megabytes := float64(len(lines)) * float64(rounds) / 1e6
	b.ReportMetric(float64(took[0])/float64(rounds), "ns/op")
	b.ReportMetric(megabytes/took[0].Seconds(), "MB/s")
	b.ReportMetric(spent[0].Seconds()*1000/megabytes, "cpu-ms/MB")
	b.ReportMetric(float64(sent[0])/1e3/float64(rounds), "sent-kB")
	if len(clients) > 1 {
		b.ReportMetric(float64(took[0])/float64(took[1]), "time-x-tmux")
		b.ReportMetric(float64(spent[0])/float64(spent[1]), "cpu-x-tmux")
		b.ReportMetric(float64(sent[1])/1e3/float64(rounds), "tmux-sent-kB")
	}
}

// work is the processor time of processes so far.
func work(b *testing.B, pids []int) (total time.Duration) {
	for _, pid := range pids {
		total += cpu(b, pid)
	}
	return total
}

// BenchmarkTraffic is what a client is sent while somebody works: moorage with
// its sidebar, tmux with a pane of 120 columns, and with one beside another.
func BenchmarkTraffic(b *testing.B) {
	text := filepath.Join(b.TempDir(), "text")
	if err := os.WriteFile(text, logLines(100<<10), 0o600); err != nil {
		b.Fatal(err)
	}
	pages := func(c *typist) {
		c.sees("clear; less "+text+"; echo ov''er\r", "items/10")
		for range 15 {
			c.send(" ")
			time.Sleep(60 * time.Millisecond)
		}
		c.sees("q", "over")
	}
	for _, task := range []struct {
		name string
		do   func(c *typist)
	}{
		{"scroll", func(c *typist) {
			c.sees("clear; head -n 300 "+text+" | while read -r l; do echo \"$l\"; sleep .02; done; echo the''end\r", "theend")
		}},
		{"less", pages},
		{"vim", func(c *typist) {
			c.sees("clear; vim -u NONE -N -n; echo ov''er\r", "~")
			c.send("i")
			for range 3 {
				for _, k := range "the quick brown fox jumps over the lazy dog " {
					c.send(string(k))
					time.Sleep(15 * time.Millisecond)
				}
				c.send("\r")
			}
			c.send("\x1b")
			time.Sleep(100 * time.Millisecond)
			c.sees(":q!\r", "over")
		}},
	} {
		b.Run(task.name, func(b *testing.B) {
			clients := map[string]*typist{"sent": ours(b, false)}
			if x := newTmux(b); x != nil {
				clients["tmux"] = x.client(b, false)
			}
			if x := newTmux(b); x != nil {
				c := x.client(b, false)
				x.run(b, "split-window", "-d", "-h", "-b", "-l", "22", "-t", "b", "sleep 1000")
				clients["tmux-beside"] = c
			}
			sent := make(map[string]int)
			rounds := 0
			for b.Loop() {
				rounds++
				for name, c := range clients {
					from := c.took()
					task.do(c)
					time.Sleep(50 * time.Millisecond)
					sent[name] += c.took() - from
				}
			}
			b.ReportMetric(0, "ns/op")
			for name, n := range sent {
				b.ReportMetric(float64(n)/1e3/float64(rounds), strings.TrimSpace(name)+"-kB")
			}
		})
	}
}
