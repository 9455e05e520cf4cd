package daemon

import "time"

// lifetime decides when the daemon stops: Grace after the last client has left, but not while something holds it, and FirstClient
// after its start when no client came at all. It is pure; times come in.
type lifetime struct {
	grace, firstClient time.Duration

	clients int
	ever    bool // a client was there
	held    bool
	since   time.Time // when it last became idle: no client, no hold
}

func newLifetime(now time.Time, grace, firstClient time.Duration) lifetime {
	return lifetime{grace: grace, firstClient: firstClient, since: now}
}

func (l *lifetime) idle() bool { return l.clients == 0 && !l.held }

func (l *lifetime) clientCame() {
	l.clients++
	l.ever = true
}

func (l *lifetime) clientLeft(now time.Time) {
	l.clients--
	if l.idle() {
		l.since = now
	}
}

// hold says whether there is a reason to stay besides clients: a live session, or not knowing.
func (l *lifetime) hold(now time.Time, held bool) {
	was := l.idle()
	l.held = held
	if l.idle() && !was {
		l.since = now
	}
}

// left is how long the daemon has to live if nothing happens; ok is false while it has no end.
func (l *lifetime) left(now time.Time) (left time.Duration, ok bool) {
	if !l.idle() {
		return 0, false
	}
	wait := l.grace
	if !l.ever {
		wait = l.firstClient
	}
	return max(l.since.Add(wait).Sub(now), 0), true
}
