package ptyhost

import (
	"sync"
	"time"
)

const (
	// floodBytes within floodSpan, of all sessions together, are a flood; less
	// than calmBytes in calmAfter are none any more.
	floodBytes = 256 << 10
	floodSpan  = 20 * time.Millisecond
	calmBytes  = 4 << 20
	calmAfter  = time.Second
)

// load tells when what the sessions print becomes a flood, and when it has
// been none for a while.
type load struct {
	tell func(flood bool) // nil for nobody; must not block

	mu    sync.Mutex
	flood bool
	bytes int       // since then
	since time.Time // while there is no flood
	calm  *time.Timer
}

// begin says that there is a flood, until calmAfter shows otherwise.
func (l *load) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rise()
}

func (l *load) rise() {
	if l.tell == nil {
		return
	}
	l.flood = true
	l.tell(true)
	l.calm = time.AfterFunc(calmAfter, l.look)
}

// drained counts what a session printed.
func (l *load) drained(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bytes += n
	if l.flood || l.bytes < floodBytes {
		return
	}
	now := time.Now()
	if now.Sub(l.since) < floodSpan {
		l.rise()
	}
	l.bytes, l.since = 0, now
}

// look ends a flood that is none any more.
func (l *load) look() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bytes < calmBytes {
		l.flood = false
		l.tell(false)
	} else {
		l.calm.Reset(calmAfter)
	}
	l.bytes = 0
}

// stop ends the timer.
func (l *load) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calm != nil {
		l.calm.Stop()
	}
}
