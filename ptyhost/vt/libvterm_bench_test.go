//go:build unix

package vt

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"moorage/ptyhost/vt/corpora"
)

// BenchmarkLibvterm compares with libvterm on the same corpora in the same
// run: MB of each per second of processor time, and how many times as fast we
// are. It needs the driver of testdata/libvterm.c, named by MOORAGE_LIBVTERM;
// `make bench-libvterm` builds it.
func BenchmarkLibvterm(b *testing.B) {
	driver := os.Getenv("MOORAGE_LIBVTERM")
	if driver == "" {
		b.Skip("`make bench-libvterm` runs it")
	}
	const seconds = 1.0
	for _, c := range corpora.All {
		for _, s := range benchSizes {
			b.Run(fmt.Sprintf("%s/%dx%d", c.Name, s[0], s[1]), func(b *testing.B) {
				in := c.Make(s[0], s[1])
				var ours, theirs []float64
				for range 3 {
					ours = append(ours, cpuRate(in, s[0], s[1], seconds))
					cmd := exec.Command(driver, strconv.Itoa(s[0]), strconv.Itoa(s[1]), fmt.Sprint(seconds))
					cmd.Stdin = bytes.NewReader(in)
					out, err := cmd.Output()
					if err != nil {
						b.Fatal(err)
					}
					rate, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
					if err != nil {
						b.Fatal(err)
					}
					theirs = append(theirs, rate)
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(median(ours)/1e6, "MB/cpu-s")
				b.ReportMetric(median(theirs)/1e6, "libvterm-MB/cpu-s")
				b.ReportMetric(median(ours)/median(theirs), "x")
			})
		}
	}
}

// cpuRate is how many bytes a second of processor time takes.
func cpuRate(in []byte, cols, rows int, seconds float64) float64 {
	t := New(Options{Cols: cols, Rows: rows, Scrollback: 20000})
	t.Write(in)
	start, taken := cpuTime(), 0
	for {
		for p := in; len(p) > 0; {
			n := min(len(p), 32<<10)
			t.Write(p[:n])
			p = p[n:]
		}
		taken += len(in)
		if d := cpuTime() - start; d.Seconds() >= seconds {
			return float64(taken) / d.Seconds()
		}
	}
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it has no way to fail
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func median(v []float64) float64 {
	v = append([]float64(nil), v...)
	for i := range v {
		for j := i; j > 0 && v[j] < v[j-1]; j-- {
			v[j], v[j-1] = v[j-1], v[j]
		}
	}
	return v[len(v)/2]
}
