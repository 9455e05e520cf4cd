package daemon

import (
	"testing"
	"time"
)

func TestTheDaemonStaysAsLongAsItIsNeeded(t *testing.T) {
	start := time.Unix(1000, 0)
	at := func(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }
	type look struct {
		second int
		left   int // seconds; -1: no end
	}
	for name, c := range map[string]struct {
		do   func(*lifetime)
		want []look
	}{
		"nobody came":                {func(*lifetime) {}, []look{{0, 60}, {59, 1}, {60, 0}, {99, 0}}},
		"a client is there":          {func(l *lifetime) { l.clientCame() }, []look{{100, -1}}},
		"the last of two left":       {func(l *lifetime) { l.clientCame(); l.clientCame(); l.clientLeft(at(5)); l.clientLeft(at(9)) }, []look{{9, 3}, {11, 1}, {12, 0}}},
		"one of two left":            {func(l *lifetime) { l.clientCame(); l.clientCame(); l.clientLeft(at(5)) }, []look{{99, -1}}},
		"a session lives":            {func(l *lifetime) { l.clientCame(); l.hold(at(1), true); l.clientLeft(at(2)) }, []look{{99, -1}}},
		"the session ended later":    {func(l *lifetime) { l.clientCame(); l.hold(at(1), true); l.clientLeft(at(2)); l.hold(at(50), false) }, []look{{50, 3}, {53, 0}}},
		"it ended before the client": {func(l *lifetime) { l.clientCame(); l.hold(at(1), true); l.hold(at(2), false); l.clientLeft(at(7)) }, []look{{8, 2}}},
		"no hold again changes not":  {func(l *lifetime) { l.clientCame(); l.clientLeft(at(2)); l.hold(at(4), false) }, []look{{4, 1}}},
		"a hold before any client":   {func(l *lifetime) { l.hold(at(1), true); l.hold(at(30), false) }, []look{{30, 60}, {90, 0}}},
		"a client came in the grace": {func(l *lifetime) { l.clientCame(); l.clientLeft(at(2)); l.clientCame() }, []look{{99, -1}}},
	} {
		l := newLifetime(start, DefaultGrace, DefaultFirstClient)
		c.do(&l)
		for _, look := range c.want {
			left, ends := l.left(at(look.second))
			got := int(left / time.Second)
			if !ends {
				got = -1
			}
			if got != look.left {
				t.Errorf("%s: at %d s it has %d s left, want %d", name, look.second, got, look.left)
			}
		}
	}
}
