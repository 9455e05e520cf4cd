//go:build unix

package ptyhost

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/vt/corpora"
	"moorage/ptyhost/wire"
)

// BenchmarkPane is how long a program takes that prints 16 MB of each corpus
// into a pane which nobody watches, here and in tmux, in turn in one run: the
// medians, and ours as a part of theirs.
func BenchmarkPane(b *testing.B) {
	if _, err := exec.LookPath("tmux"); err != nil {
		b.Skip("tmux is not installed")
	}
	const copies = 16
	for _, size := range [][2]int{{80, 24}, {200, 50}} {
		for _, c := range corpora.All {
			b.Run(fmt.Sprintf("%s/%dx%d", c.Name, size[0], size[1]), func(b *testing.B) {
				file := filepath.Join(b.TempDir(), "corpus")
				if err := os.WriteFile(file, bytes.Repeat(c.Make(size[0], size[1]), copies), 0o600); err != nil {
					b.Fatal(err)
				}
				p := newPanes(b)
				var ours, theirs []time.Duration
				for b.Loop() {
					ours = append(ours, p.ours(file, size[0], size[1]))
					theirs = append(theirs, p.tmux(file, size[0], size[1]))
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(middle(ours).Seconds()*1000, "ms")
				b.ReportMetric(middle(theirs).Seconds()*1000, "tmux-ms")
				b.ReportMetric(middle(ours).Seconds()/middle(theirs).Seconds(), "of-tmux")
			})
		}
	}
}

func middle(d []time.Duration) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2]
}

// panes are a host and a tmux server.
type panes struct {
	b     *testing.B
	c     *hostclient.Client
	ended chan string
	sock  string
	n     int
}

func newPanes(b *testing.B) *panes {
	c, _ := serve(b, nil)
	p := &panes{b: b, c: c, ended: make(chan string, 16), sock: filepath.Join(b.TempDir(), "t")}
	if _, err := c.Subscribe(b.Context(), func(ev wire.SessionEvent) {
		if ev.Kind == wire.SessionEnded {
			p.ended <- ev.Session.Key
		}
	}); err != nil {
		b.Fatal(err)
	}
	p.run("new-session", "-d", "-x", "80", "-y", "24", "sleep 1000")
	p.run("set", "-g", "history-limit", "20000")
	b.Cleanup(func() { _ = exec.Command("tmux", "-S", p.sock, "kill-server").Run() }) // it may be gone
	return p
}

func (p *panes) run(args ...string) {
	p.b.Helper()
	if out, err := exec.Command("tmux", append([]string{"-S", p.sock, "-f", "/dev/null"}, args...)...).CombinedOutput(); err != nil {
		p.b.Fatalf("tmux %v: %v: %s", args, err, out)
	}
}

func (p *panes) ours(file string, cols, rows int) time.Duration {
	p.n++
	key := fmt.Sprintf("bench/tab-%d/pane-1", p.n)
	start := time.Now()
	if _, err := p.c.Open(p.b.Context(), wire.OpenRequest{Key: key, Argv: []string{"cat", file}, Dir: "/", Cols: cols, Rows: rows}); err != nil {
		p.b.Fatal(err)
	}
	<-p.ended
	d := time.Since(start)
	if err := p.c.Kill(p.b.Context(), key); err != nil {
		p.b.Fatal(err)
	}
	return d
}

func (p *panes) tmux(file string, cols, rows int) time.Duration {
	start := time.Now()
	p.run("new-session", "-d", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows), "cat "+file+"; tmux -S "+p.sock+" wait-for -S done")
	p.run("wait-for", "done")
	return time.Since(start)
}
