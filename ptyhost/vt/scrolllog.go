package vt

// Scroll is a move of whole rows: Top..Bottom up by N lines, down if N is
// negative. What comes free is among the changed rows.
type Scroll struct{ Top, Bottom, N int }

const maxScrolls = 64

// scrollLog remembers the last scrolls, so that a watcher can move rows that it
// has instead of getting them again. Entries of one revision and region are
// added up.
type scrollLog struct {
	ring  [maxScrolls]loggedScroll
	n     int    // entries ever
	floor uint64 // older revisions cannot be brought up by scrolling
}

type loggedScroll struct {
	rev uint64
	Scroll
}

func (l *scrollLog) add(rev uint64, top, bottom, n int) {
	if l.n > 0 {
		last := &l.ring[(l.n-1)%maxScrolls]
		if last.rev == rev && last.Top == top && last.Bottom == bottom && last.N > 0 == (n > 0) {
			h := bottom + 1 - top
			last.N = min(max(last.N+n, -h), h)
			return
		}
	}
	e := &l.ring[l.n%maxScrolls]
	if l.n >= maxScrolls {
		l.floor = max(l.floor, e.rev)
	}
	*e = loggedScroll{rev, Scroll{top, bottom, n}}
	l.n++
}

// barrier says that at rev every row counts as changed.
func (l *scrollLog) barrier(rev uint64) {
	l.floor = max(l.floor, rev)
	l.n = 0
}

// since appends the scrolls after since up to rev to dst. It is false if the
// log does not reach back so far: then all rows must be sent.
func (l *scrollLog) since(dst []Scroll, since, upTo uint64) ([]Scroll, bool) {
	switch {
	case since == upTo:
		return dst, true
	case since < l.floor:
		return dst, false
	}
	for i := max(0, l.n-maxScrolls); i < l.n; i++ {
		e := l.ring[i%maxScrolls]
		if e.rev <= since || e.rev > upTo {
			continue
		}
		if k := len(dst) - 1; k >= 0 && dst[k].Top == e.Top && dst[k].Bottom == e.Bottom && dst[k].N > 0 == (e.N > 0) {
			h := e.Bottom + 1 - e.Top
			dst[k].N = min(max(dst[k].N+e.N, -h), h)
			continue
		}
		dst = append(dst, e.Scroll)
	}
	return dst, true
}
