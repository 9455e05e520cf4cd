package ptyhost

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A flood is told when it begins and when it has been over for a second;
// trickles, repaints and single bursts are none.
func TestAFloodIsToldWhenItBeginsAndWhenItIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []bool
		l := load{tell: func(flood bool) { told = append(told, flood) }}
		defer l.stop()
		prints := func(bytesEach int, every, span time.Duration) {
			for end := time.Now().Add(span); time.Now().Before(end); {
				l.drained(bytesEach)
				time.Sleep(every)
			}
		}
		says := func(what string, want ...bool) {
			t.Helper()
			l.mu.Lock()
			defer l.mu.Unlock()
			if !slices.Equal(told, want) {
				t.Fatalf("%s: told %v, want %v", what, told, want)
			}
		}
		l.begin() // a host that starts has much to do
		says("at the start", true)
		time.Sleep(2 * calmAfter)
		says("when nothing comes", true, false)
		prints(30<<10, time.Second/60, 3*time.Second) // full repaints
		says("repaints", true, false)
		prints(64<<10, time.Millisecond, 3*time.Second)
		says("a flood", true, false, true)
		time.Sleep(2 * calmAfter)
		says("after the flood", true, false, true, false)
	})
}
