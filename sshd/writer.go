package sshd

import (
	"context"
	"io"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

const (
	// frameEvery paces frames under load; typedEvery does shortly after a key,
	// so that an echo does not wait behind a flood.
	frameEvery = time.Second / 60
	typedEvery = 3 * time.Millisecond
	typedFor   = 150 * time.Millisecond
	// askFrom and maxInFlight bound what may be on the way to a client that
	// has not said that it took it: past the first the client is asked, past
	// the second nothing more is sent until it has answered.
	askFrom     = 32 << 10
	maxInFlight = 64 << 10
	// graceFor is how long a client may take for its first answer ever; one
	// that never answers such requests is paced by time alone.
	graceFor = time.Second
	// writeLimit ends a connection that takes no bytes, answerLimit one that
	// takes them and does not answer.
	writeLimit  = 30 * time.Second
	answerLimit = 90 * time.Second
	writeSize   = 32 << 10
)

// writer owns the client's side of a channel: one frame at a time, and never
// more than the client takes.
//
// An SSH window lets megabytes be under way to a client that reads slowly, and
// all of it would be stale by the time it is seen. So the writer keeps count
// itself: it asks the client for a reply (keepalive@openssh.com, which every
// client answers in order, and OpenSSH only once its own output is written)
// and holds back new frames while too much is unanswered.
type writer struct {
	ch    gossh.Channel
	ready func() // called when a frame may be submitted; must not block
	kill  func() // ends the connection

	wake  chan struct{} // one slot: a frame waits
	hurry chan struct{} // one slot: the client has typed
	acked chan struct{} // one slot: an answer came

	mu       sync.Mutex
	frame    []byte // submitted
	spare    []byte
	busy     bool
	typed    time.Time
	sent     uint64 // bytes
	answered uint64 // bytes known to have been taken
	asking   bool
	answers  int
}

func newWriter(ch gossh.Channel, ready, kill func()) *writer {
	return &writer{
		ch: ch, ready: ready, kill: kill,
		wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1), acked: make(chan struct{}, 1),
	}
}

// Ready reports whether a frame may be submitted.
func (w *writer) Ready() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.busy
}

// Submit takes a frame to be written and returns a buffer for the next one.
// It never blocks.
func (w *writer) Submit(frame []byte) []byte {
	w.mu.Lock()
	spare := w.spare
	w.frame, w.spare, w.busy = frame, nil, true
	w.mu.Unlock()
	signal(w.wake)
	return spare
}

// Hurry says that the client has typed.
func (w *writer) Hurry() {
	w.mu.Lock()
	w.typed = time.Now()
	w.mu.Unlock()
	signal(w.hurry)
}

func signal(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// run writes frames until ctx ends or the client is gone.
func (w *writer) run(ctx context.Context) {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.wake:
		}
		w.mu.Lock()
		frame := w.frame
		w.mu.Unlock()
		start := time.Now()
		if w.write(frame) != nil {
			w.kill()
			return
		}
		w.mu.Lock()
		w.sent += uint64(len(frame))
		if !w.asking && w.sent-w.answered >= askFrom {
			w.asking = true
			wg.Go(w.ask)
		}
		w.mu.Unlock()
		if !w.drained(ctx) || !w.pace(ctx, start) {
			return
		}
		w.mu.Lock()
		w.spare, w.frame, w.busy = frame, nil, false
		w.mu.Unlock()
		w.ready()
	}
}

// write writes all of b; a client that takes nothing for too long is cut off.
func (w *writer) write(b []byte) error {
	for len(b) > 0 {
		n := min(len(b), writeSize)
		limit := time.AfterFunc(writeLimit, w.kill)
		_, err := w.ch.Write(b[:n])
		limit.Stop()
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// ask asks the client to answer, which it does once it has taken what was sent
// before. It returns when it has, or when the connection is gone.
func (w *writer) ask() {
	w.mu.Lock()
	upTo := w.sent
	w.mu.Unlock()
	limit := time.AfterFunc(answerLimit, w.kill)
	_, err := w.ch.SendRequest("keepalive@openssh.com", true, nil)
	limit.Stop()
	w.mu.Lock()
	w.asking = false
	if err == nil {
		w.answered = upTo
		w.answers++
	}
	w.mu.Unlock()
	signal(w.acked)
}

// drained waits until the client has taken enough for another frame. It is
// false when ctx ended.
func (w *writer) drained(ctx context.Context) bool {
	var grace <-chan time.Time
	for {
		w.mu.Lock()
		held := w.sent-w.answered >= maxInFlight && w.asking
		never := w.answers == 0
		w.mu.Unlock()
		if !held {
			return true
		}
		if never && grace == nil {
			grace = time.After(graceFor)
		}
		select {
		case <-ctx.Done():
			return false
		case <-w.acked:
		case <-grace:
			if never {
				return true
			}
		}
	}
}

// pace waits until the next frame is due. It is false when ctx ended.
func (w *writer) pace(ctx context.Context, start time.Time) bool {
	for {
		w.mu.Lock()
		every := frameEvery
		if time.Since(w.typed) < typedFor {
			every = typedEvery
		}
		w.mu.Unlock()
		wait := every - time.Since(start)
		if wait <= 0 {
			return true
		}
		t := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			t.Stop()
			return false
		case <-w.hurry:
			t.Stop()
		case <-t.C:
			return true
		}
	}
}

// farewell writes the last bytes, for at most limit, once run has returned.
func (w *writer) farewell(b []byte, limit time.Duration) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = w.ch.Write(b) // best effort
	}()
	select {
	case <-done:
	case <-time.After(limit):
	}
}

// watchEOF reads until the client has nothing more to say, handing each piece
// to take, which may block: that is what holds a client back.
func watchEOF(r io.Reader, take func([]byte) bool) {
	buf := make([]byte, 16<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 && !take(append([]byte(nil), buf[:n]...)) {
			return
		}
		if err != nil {
			return
		}
	}
}
