//go:build unix

package ptyhost

import (
	"context"
	"log/slog"
	"os"
	"syscall"
	"testing"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/hostclient"
)

// BenchmarkStart is the time from a host's start until it answers, with 200
// frozen sessions of 512 KiB in its store: 64 MiB of them are restored.
func BenchmarkStart(b *testing.B) {
	dir, err := os.MkdirTemp("", "host")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	home, err := persistence.OpenHome(dir)
	if err != nil {
		b.Fatal(err)
	}
	fill(b, home, 200, 512<<10, nil)
	var used time.Duration
	for b.Loop() {
		before := processorTime(b)
		ctx, cancel := context.WithCancel(b.Context())
		done := make(chan error, 1)
		go func() {
			done <- Run(ctx, Config{Home: home, Build: "test", Log: slog.New(slog.DiscardHandler), Login: os.Environ()})
		}()
		var c *hostclient.Client
		for c == nil {
			if c, err = hostclient.Dial(ctx, home, "test", "tester"); err != nil {
				time.Sleep(time.Millisecond)
			}
		}
		used += processorTime(b) - before
		b.StopTimer()
		c.Close()
		cancel()
		if err := <-done; err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(used.Milliseconds())/float64(b.N), "cpu-ms/op")
}

// processorTime is what this process has used of the processors: on a busy
// machine it says more than the clock does.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
