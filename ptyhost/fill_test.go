package ptyhost

import (
	"fmt"
	"testing"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/freeze"
	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
)

func fillKey(i int) string { return fmt.Sprintf("t/tab-%d/pane-1", i) }

// fill writes n records of that many bytes of output to the home's store, each
// a minute older than the one before, unless change makes them otherwise.
func fill(t testing.TB, home persistence.Home, n, size int, change func(i int, r *freeze.Record)) {
	t.Helper()
	store, err := freeze.Open(home.Path("freeze.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	now := time.Now()
	var out []byte
	for i := 0; len(out) < size; i++ {
		out = fmt.Appendf(out, "\x1b[38;5;%dmrow %d\x1b[m of what a program prints when it has a lot to say\r\n", i%256, i)
	}
	out = append(out[:size-1], '\n')
	state := vt.New(vt.Options{Cols: 80, Rows: 24}).AppendSnapshot(nil, false)
	for at := 0; at < n; at += 20 {
		var b freeze.Batch
		for i := at; i < min(at+20, n); i++ {
			r := freeze.Record{
				Key: fillKey(i), Dir: "/", CWD: "/tmp", Cols: 80, Rows: 24, Scrollback: 1000, Title: "title", Policy: "if-lost",
				Exit:    &wire.Exit{Code: 7, Time: now},
				Created: now.Add(-time.Hour), Frozen: now.Add(-time.Duration(i) * time.Minute), End: uint64(size),
			}
			if change != nil {
				change(i, &r)
			}
			b.Updates = append(b.Updates, freeze.Update{Record: r, Fresh: true, State: state, Pieces: []freeze.Piece{{Data: out}}})
		}
		if err := store.Write(b); err != nil {
			t.Fatal(err)
		}
	}
}
