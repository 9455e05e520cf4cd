//go:build unix

package ptyhost

import (
	"context"
	"log/slog"
	"os"
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
	for b.Loop() {
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
		b.StopTimer()
		c.Close()
		cancel()
		if err := <-done; err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
