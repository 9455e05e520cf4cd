package freeze

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moorage/ptyhost/ring"

	bolt "go.etcd.io/bbolt"
	"pgregory.net/rapid"
)

func openStore(t testing.TB) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "freeze.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestWhatWasWrittenInPiecesComesBackWhole(t *testing.T) {
	s := openStore(t)
	pane := 0
	rapid.Check(t, func(rt *rapid.T) {
		pane++
		key := fmt.Sprintf("t/tab-1/pane-%d", pane)
		var all []byte
		var marks []ring.Mark
		start, frozen := uint64(0), uint64(0)
		for i := range rapid.IntRange(1, 12).Draw(rt, "freezes") {
			data := bytes.Repeat([]byte{byte('a' + i)}, rapid.IntRange(0, 9000).Draw(rt, "bytes"))
			p := Piece{Offset: frozen, Data: data}
			if rapid.Bool().Draw(rt, "resized") {
				m := ring.Mark{Offset: frozen + uint64(rapid.IntRange(0, len(data)).Draw(rt, "at")), Cols: 80 + i, Rows: 24}
				p.Marks = []ring.Mark{m}
				marks = append(marks, m)
			}
			all = append(all, data...)
			frozen += uint64(len(data))
			u := Update{Record: Record{Key: key, End: frozen}, Pieces: []Piece{p}}
			if len(data) == 0 { // nothing to freeze: no piece, and no mark in it
				u.Pieces = nil
				marks = marks[:len(marks)-len(p.Marks)]
			}
			if i == 0 {
				u.State = []byte("state 0")
			}
			u.Record.Start = start
			if err := s.Write(Batch{Updates: []Update{u}}); err != nil {
				rt.Fatal(err)
			}
		}
		r, chunks, err := s.Load(key)
		if err != nil {
			rt.Fatal(err)
		}
		if r.End != frozen || string(chunks[0].State) != "state 0" || !bytes.Equal(chunks[0].Data, all) {
			rt.Fatalf("%d bytes came back, %d were written", len(chunks[0].Data), len(all))
		}
		if fmt.Sprint(chunks[0].Marks) != fmt.Sprint(marks) && len(marks)+len(chunks[0].Marks) > 0 {
			rt.Fatalf("marks %v, were %v", chunks[0].Marks, marks)
		}
	})
}

func TestEvictedBytesLeaveTheDisk(t *testing.T) {
	s := openStore(t)
	key := "t/tab-1/pane-1"
	piece := func(at uint64, n int) []Piece { return []Piece{{Offset: at, Data: make([]byte, n)}} }
	must(t, s.Write(Batch{Updates: []Update{{Record: Record{Key: key, End: 10_000}, State: []byte("s0"), Pieces: piece(0, 10_000)}}}))
	// The ring now begins at 7600, where a chunk began: runs are cut at 1900.
	must(t, s.Write(Batch{Updates: []Update{{Record: Record{Key: key, Start: 7600, End: 12_000}, State: []byte("s1"), Pieces: piece(10_000, 2000)}}}))
	_, chunks, err := s.Load(key)
	must(t, err)
	if c := chunks[0]; c.Offset != 7600 || len(c.Data) != 4400 || string(c.State) != "s1" {
		t.Errorf("offset %d, %d bytes, state %q", c.Offset, len(c.Data), c.State)
	}
	n := 0
	must(t, s.db.View(func(tx *bolt.Tx) error {
		return tx.Bucket(sessionsBucket).Bucket([]byte(key)).ForEach(func(k, _ []byte) error {
			n++
			return nil
		})
	}))
	if n != 1+1+4 { // the record, the state, two runs of each write
		t.Errorf("%d values on disk", n)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestBadRecordsAreNamedAndTheRestWorks(t *testing.T) {
	s := openStore(t)
	for i := range 6 {
		must(t, s.Write(Batch{Updates: []Update{{Record: Record{Key: fmt.Sprintf("t/tab-%d/pane-1", i), End: 5}, State: []byte("s"), Pieces: []Piece{{Data: []byte("hello")}}}}}))
	}
	spoil := func(key string, kind byte, f func([]byte) []byte) {
		must(t, s.db.Update(func(tx *bolt.Tx) error {
			b := tx.Bucket(sessionsBucket).Bucket([]byte(key))
			k := []byte{kind}
			if kind != kindRecord {
				k = offsetKey(kind, 0)
			}
			return b.Put(k, f(bytes.Clone(b.Get(k))))
		}))
	}
	spoil("t/tab-0/pane-1", kindRun, func(b []byte) []byte { b[len(b)-1] ^= 1; return b })         // corrupt
	spoil("t/tab-1/pane-1", kindRun, func(b []byte) []byte { return b[:3] })                       // truncated
	spoil("t/tab-2/pane-1", kindState, func(b []byte) []byte { return make([]byte, len(b)) })      // zeroed
	spoil("t/tab-3/pane-1", kindRecord, func(b []byte) []byte { b[0] = 9; return b })              // of another version
	spoil("t/tab-4/pane-1", kindRecord, func(b []byte) []byte { return append(b[:5:5], "{}"...) }) // not its checksum
	good, bad, err := s.Records()
	must(t, err)
	if len(good) != 4 || len(bad) != 2 {
		t.Errorf("%d good and %d bad heads", len(good), len(bad))
	}
	for i := range 6 {
		key := fmt.Sprintf("t/tab-%d/pane-1", i)
		_, chunks, err := s.Load(key)
		if i == 5 {
			if err != nil || string(chunks[0].Data) != "hello" {
				t.Errorf("the good one: %v", err)
			}
			continue
		}
		if !errors.Is(err, ErrCorrupt) && !errors.Is(err, errVersion) {
			t.Errorf("%s: %v", key, err)
			continue
		}
		name, err := s.Quarantine(key, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
		must(t, err)
		if !strings.Contains(name, ".corrupt-20260102T030405Z") {
			t.Errorf("set aside as %s", name)
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(s.path), name)); err != nil {
			t.Error(err)
		}
	}
	if good, bad, _ := s.Records(); len(good) != 1 || len(bad) != 0 {
		t.Errorf("afterwards %d good and %d bad", len(good), len(bad))
	}
}

func TestTheNewestAreThawedWithinTheBudget(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	var records []Record
	for i := range 200 {
		records = append(records, Record{Key: fmt.Sprint(i), End: 512 << 10, Frozen: now.Add(-time.Duration(i) * 3 * time.Hour)})
	}
	p := MakePlan(records, now, ThawBudget, Keep)
	if len(p.Thaw) != 113 { // 14 days of 3 h each, both ends counted
		t.Errorf("%d thawed", len(p.Thaw))
	}
	if p.Thaw[0].Key != "0" || len(p.Thaw)+len(p.Defer)+len(p.Old) != 200 {
		t.Errorf("first %s; %d + %d + %d", p.Thaw[0].Key, len(p.Thaw), len(p.Defer), len(p.Old))
	}
	for _, r := range p.Old {
		if now.Sub(r.Frozen) <= Keep {
			t.Errorf("%s expired at %v", r.Key, now.Sub(r.Frozen))
		}
	}
}

// trickle is 10 minutes of 500 bytes a second under the gates, on a clock of
// its own. It returns the freezes and the bytes given to write.
func trickle(l Limits, perSecond int, seconds int, write func(from, to uint64)) (freezes int) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	g := Gate{Last: now}
	output := uint64(0)
	for range seconds {
		now = now.Add(time.Second)
		output += uint64(perSecond)
		if at, ok := g.Due(l, output); ok && !at.After(now) {
			freezes++
			write(g.Bytes, output)
			g = Gate{Last: now, Bytes: output}
		}
	}
	return freezes
}

func TestTheGates(t *testing.T) {
	nothing := func(uint64, uint64) {}
	if n := trickle(DefaultLimits, 500, 600, nothing); n != 10 {
		t.Errorf("a trickle of 10 minutes: %d freezes", n)
	}
	if n := trickle(DefaultLimits, 10<<20, 10, nothing); n != 2 {
		t.Errorf("a flood of 10 s: %d freezes", n)
	}
	if n := trickle(DefaultLimits, 0, 600, nothing); n != 0 {
		t.Errorf("silence: %d freezes", n)
	}
	if at, ok := (Gate{Force: true}).Due(DefaultLimits, 0); !ok || !at.IsZero() {
		t.Error("an exit waits")
	}
	last := time.Unix(1000, 0)
	if at, ok := (Gate{Last: last, Soon: true}).Due(DefaultLimits, 0); !ok || !at.Equal(last.Add(DefaultLimits.Floor)) {
		t.Errorf("another directory waits until %v, %v", at, ok)
	}
}

func TestATrickleWritesAtMostThreeTimesItsBytes(t *testing.T) {
	s := openStore(t)
	before := written(s)
	key := "t/tab-1/pane-1"
	first := true
	trickle(DefaultLimits, 500, 600, func(from, to uint64) {
		u := Update{Record: Record{Key: key, End: to, Argv: []string{"claude"}, Dir: "/home/user/project"}, Pieces: []Piece{{Offset: from, Data: make([]byte, to-from)}}}
		if first {
			u.State, first = make([]byte, 4000), false
		}
		must(t, s.Write(Batch{Updates: []Update{u}}))
	})
	if n, limit := written(s)-before, int64(3*500*600); n > limit {
		t.Errorf("%d bytes written for %d of output", n, 500*600)
	}
}

// written is how many bytes of pages the store has written in its life.
func written(s *Store) int64 {
	stats := s.db.Stats()
	return stats.TxStats.GetPageAlloc()
}
