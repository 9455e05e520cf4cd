package ring

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// tape is an emulator that only remembers.
type tape struct {
	seen  []byte
	sizes []string
}

func (e *tape) Write(p []byte) (int, error) {
	e.seen = append(e.seen, p...)
	return len(p), nil
}

func (e *tape) Resize(cols, rows int) {
	e.sizes = append(e.sizes, fmt.Sprintf("%d:%dx%d", len(e.seen), cols, rows))
}

func TestARingKeepsItsLimitAndAtMostAChunkMore(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.IntRange(ChunkSize, 4*ChunkSize).Draw(rt, "limit")
		r := New(limit, []byte("s0"))
		var all []byte
		for range rapid.IntRange(1, 200).Draw(rt, "writes") {
			p := bytes.Repeat([]byte{byte(rapid.IntRange(0, 255).Draw(rt, "b"))}, rapid.IntRange(1, 8192).Draw(rt, "n"))
			r.Append(p)
			all = append(all, p...)
			if r.Full(rapid.Bool().Draw(rt, "ground")) {
				r.Begin(fmt.Appendf(nil, "at %d", len(all)))
			}
			if r.Len() > limit+forceAt+8192 {
				rt.Fatalf("%d bytes for a limit of %d", r.Len(), limit)
			}
			if r.Len() < min(limit, len(all)) {
				rt.Fatalf("only %d of %d bytes kept, limit %d", r.Len(), len(all), limit)
			}
		}
		if got := r.AppendTail(nil, r.Len()); !bytes.Equal(got, all[len(all)-r.Len():]) {
			rt.Fatal("the tail is not the tail")
		}
		first := r.Chunks()[0]
		if first.Offset > 0 && string(first.State) != fmt.Sprintf("at %d", first.Offset) {
			rt.Fatalf("the first byte is %d, its state %q", first.Offset, first.State)
		}
	})
}

func TestAReplayHonoursTheSizesWhereTheyWereTaken(t *testing.T) {
	r := New(ChunkSize, nil)
	r.Append([]byte("abc"))
	r.Resize(100, 30)
	r.Resize(90, 20) // nothing was printed between: only the last counts
	r.Append([]byte("def"))
	r.Begin([]byte("state"))
	r.Append([]byte("g"))
	r.Resize(80, 24)
	var e tape
	Replay(r.Chunks(), &e)
	if string(e.seen) != "abcdefg" {
		t.Errorf("replayed %q", e.seen)
	}
	if got := fmt.Sprint(e.sizes); got != "[3:90x20 7:80x24]" {
		t.Errorf("sizes %s", got)
	}
}
