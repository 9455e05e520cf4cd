package sshd

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

const (
	// frameEvery paces frames of fullFrame bytes or more, smaller ones follow
	// each other sooner, but not sooner than smallEvery.
	frameEvery = time.Second / 60
	smallEvery = 4 * time.Millisecond
	fullFrame  = 4 << 10
	// After a key, for typedFor, typedFrames that show its echo may overtake
	// the pace: an echo does not wait behind a flood, and a flood that goes on
	// in the same pane does not run ahead.
	typedFor    = 150 * time.Millisecond
	typedFrames = 2
	// askFrom and maxInFlight bound what may be on the way to a client that
	// has not said that it took it: past the first the client is asked, past
	// the second nothing more is sent until it has answered. The very first
	// frame asks too, so that it is known of a client whether it answers at all
	// before it has reason not to.
	askFrom     = 32 << 10
	maxInFlight = 64 << 10
	// graceFor is how long a client may take for its first answer ever; one
	// that never answers such requests is paced by time alone, a frame each.
	graceFor = time.Second
	// keepAliveEvery is how often a client is asked whether it is there, whatever
	// goes on.
	keepAliveEvery = 30 * time.Second
	// writeLimit ends a connection that takes nothing, answerLimit one that
	// takes them and no longer answers.
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
// client answers in order, and OpenSSH only once its own output is written, if
// that waits at all) and holds back new frames while too much is unanswered.
//
// A frame after a pause costs no timer: what a frame has to wait for is settled
// when one is asked for too soon.
type writer struct {
	ch    gossh.Channel
	wake  func()           // called when there is something to flush; must not block
	ready func()           // called when a frame may be submitted; must not block
	kill  func(why string) // ends the connection

	acked chan struct{} // one slot: an answer came
	asks  sync.WaitGroup

	mu       sync.Mutex
	frame    []byte // submitted
	spare    []byte
	busy     bool        // a frame is on its way
	refused  bool        // somebody waits for ready
	echo     bool        // and has an echo to show
	due      time.Time   // when the next frame may follow
	pace     *time.Timer // calls ready then
	typed    time.Time
	credit   int // frames that may overtake the pace
	sent     uint64
	answered uint64 // bytes known to have been taken
	asking   bool
	over     bool        // stop was called
	heard    time.Time   // when it last answered; zero for never
	writing  time.Time   // when the write under way began; zero for none
	watch    *time.Timer // looks at writing; nil until it is needed
}

func newWriter(ch gossh.Channel, wake, ready func(), kill func(why string)) *writer {
	w := &writer{ch: ch, wake: wake, ready: ready, kill: kill, acked: make(chan struct{}, 1)}
	w.pace = time.AfterFunc(time.Hour, w.tell)
	w.pace.Stop()
	return w
}

// Ready reports whether a frame may be submitted; echo says that it shows what
// became of a key. If it may not, ready is called as soon as it may.
func (w *writer) Ready(echo bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	echo = echo && w.credit > 0 && time.Since(w.typed) < typedFor
	if w.busy {
		w.refused, w.echo = true, w.echo || echo
		return false
	}
	wait := time.Until(w.due)
	switch {
	case wait <= 0:
	case echo:
		w.credit--
	default:
		if !w.refused {
			w.refused = true
			w.pace.Reset(wait)
		}
		return false
	}
	w.refused, w.echo = false, false
	return true
}

// tell calls ready if somebody waits for it.
func (w *writer) tell() {
	w.mu.Lock()
	refused := w.refused && !w.busy
	if refused {
		w.refused, w.echo = false, false
	}
	w.mu.Unlock()
	if refused {
		w.ready()
	}
}

// Submit takes a frame to be written and returns a buffer for the next one.
// It never blocks.
func (w *writer) Submit(frame []byte) []byte {
	w.mu.Lock()
	spare := w.spare
	w.frame, w.spare, w.busy = frame, nil, true
	w.mu.Unlock()
	w.wake()
	return spare
}

// Hurry says that the client has typed.
func (w *writer) Hurry() {
	w.mu.Lock()
	w.typed, w.credit = time.Now(), typedFrames
	w.mu.Unlock()
}

func signal(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// flush writes the submitted frame, if there is one, and waits until the
// client has taken enough for the next. It reports whether somebody waits for
// that and may submit it now. An error means that nothing more can be written.
func (w *writer) flush(ctx context.Context) (wanted bool, err error) {
	w.mu.Lock()
	frame := w.frame
	w.mu.Unlock()
	if frame == nil {
		return false, nil
	}
	start := time.Now()
	if err := w.write(start, frame); err != nil {
		return false, err // the channel is closed: others of its connection may go on
	}
	w.mu.Lock()
	w.sent += uint64(len(frame))
	if w.heard.IsZero() || w.sent-w.answered >= askFrom {
		w.askOnce()
	}
	w.mu.Unlock()
	if !w.drained(ctx) {
		return false, ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spare, w.frame, w.busy = frame, nil, false
	w.due = start.Add(paceOf(len(frame)))
	if !w.refused {
		return false, nil
	}
	if wait := time.Until(w.due); wait > 0 && !w.echo {
		w.pace.Reset(wait)
		return false, nil
	}
	w.refused, w.echo = false, false
	return true, nil
}

// stop ends the timers, and waits until the client has answered or is gone.
func (w *writer) stop() {
	w.mu.Lock()
	w.over = true
	w.pace.Stop()
	if w.watch != nil {
		w.watch.Stop()
	}
	w.mu.Unlock()
	w.asks.Wait()
}

// paceOf is how long after the start of a frame of n bytes the next may start.
func paceOf(n int) time.Duration {
	return max(smallEvery, frameEvery*time.Duration(min(n, fullFrame))/fullFrame)
}

// write writes all of b; a client that takes nothing for too long is cut off.
func (w *writer) write(now time.Time, b []byte) error {
	for len(b) > 0 {
		n := min(len(b), writeSize)
		w.begin(now)
		_, err := w.ch.Write(b[:n])
		w.begin(time.Time{})
		if err != nil {
			return err
		}
		if b = b[n:]; len(b) > 0 {
			now = time.Now()
		}
	}
	return nil
}

// begin notes when a write began, or with no time that it is over. One timer
// looks now and then: setting one for each write costs more than the write.
func (w *writer) begin(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.writing = now; !now.IsZero() && w.watch == nil {
		w.watch = time.AfterFunc(writeLimit/2, w.watchWrite)
	}
}

// watchWrite ends the connection when the write under way is stuck. It is not
// while the client answers: then the connection is well, and what does not read
// is the terminal behind it, which OpenSSH has a window of bytes to hold for.
func (w *writer) watchWrite() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watch = nil
	if w.writing.IsZero() {
		return
	}
	next := writeLimit / 2
	since := w.writing
	if w.heard.After(since) {
		since = w.heard
	}
	switch silent := time.Since(since); {
	case silent >= writeLimit:
		go w.kill(fmt.Sprintf("it took no bytes for %v", writeLimit))
		return
	case silent >= next:
		w.askOnce()
		next = writeLimit - silent
	default:
		next -= silent
	}
	w.watch = time.AfterFunc(next, w.watchWrite)
}

// keepAlive asks a client that is not being asked. One that has gone without a
// word is cut off when the answer stays out; and OpenSSH's master of a
// multiplexed connection, which may sleep on the end of one of its clients, is
// woken by it and tells.
func (w *writer) keepAlive() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.askOnce()
}

// askOnce asks the client unless it is being asked. w.mu is held.
func (w *writer) askOnce() {
	if !w.asking && !w.over {
		w.asking = true
		w.asks.Go(w.ask)
	}
}

// ask asks the client to answer, which it does once it has taken what was sent
// before. It returns when it has, or when the connection is gone.
func (w *writer) ask() {
	w.mu.Lock()
	upTo, never := w.sent, w.heard.IsZero()
	w.mu.Unlock()
	limit := time.AfterFunc(answerLimit, func() {
		if !never {
			w.kill(fmt.Sprintf("it did not answer for %v", answerLimit))
		}
	})
	_, err := w.ch.SendRequest("keepalive@openssh.com", true, nil)
	limit.Stop()
	w.mu.Lock()
	w.asking = false
	if err == nil {
		w.answered = upTo
		w.heard = time.Now()
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
		never := w.heard.IsZero()
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

// farewell writes the last bytes, for at most limit, once nobody calls flush.
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
