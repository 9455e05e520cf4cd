package ptyhost

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	"moorage/ptyhost/nowait"
)

const (
	// maxInput bounds the bytes that wait for a child to read them; past it
	// further input is refused.
	maxInput = 8 << 20
	// maxReplies is where answers to queries are dropped: a child that asks
	// and does not read gets no more of them.
	maxReplies = 64 << 10
)

// input is the queue in front of a PTY. push never blocks: while nothing
// waits it writes what the PTY takes at once; run writes the rest.
type input struct {
	tty  *os.File
	now  *nowait.Writer // used under mu and while nothing is pending
	wake chan struct{}  // one slot
	done chan struct{}

	// signalIn and interrupt are the line discipline's way past input that
	// the child does not read.
	signalIn  func([]byte) (at int, sig syscall.Signal, ok bool)
	interrupt func(syscall.Signal)

	mu           sync.Mutex
	buf          []byte
	pending      int            // bytes in buf and in the write under way
	epoch        int            // counts the times that everything pending was dropped
	sig          syscall.Signal // to be sent by run, before what is in buf; 0 for none
	interrupting bool           // run is at it
	closed       bool
}

func newInput(tty *os.File, signalIn func([]byte) (int, syscall.Signal, bool), interrupt func(syscall.Signal)) *input {
	return &input{
		tty: tty, now: nowait.New(tty), signalIn: signalIn, interrupt: interrupt,
		wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
}

// push queues p as one piece. It is false when the queue is full or the child
// is gone; then none of p is taken.
//
// An interrupt, quit or suspend character behind input that the child has not
// read would wait for ever where a kernel's own input queue is full. A line
// discipline drops unread input on such a character, what came just before it
// included; so does the queue.
func (q *input) push(p []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.pending > 0 && !q.closed {
		at, sig, ok := q.signalIn(p)
		if !ok {
			break
		}
		q.buf, q.pending = q.buf[:0], 0
		q.epoch++
		q.sig = sig
		_ = q.tty.SetWriteDeadline(time.Unix(1, 0)) // wakes a blocked write
		q.signal()
		p = p[at+1:]
	}
	if q.closed || q.pending+len(p) > maxInput {
		return false
	}
	q.add(p)
	return true
}

// add writes or queues p behind what is pending. q.mu is held.
func (q *input) add(p []byte) {
	if q.pending == 0 && q.sig == 0 && !q.interrupting {
		p = p[q.now.Write(p):]
	}
	if len(p) == 0 {
		return
	}
	q.buf = append(q.buf, p...)
	q.pending += len(p)
	q.signal()
}

// reply queues an answer of the emulator's, or drops it.
func (q *input) reply(p []byte) {
	q.mu.Lock()
	if q.closed || q.pending+len(p) > maxReplies {
		q.mu.Unlock()
		return
	}
	q.add(p)
	q.mu.Unlock()
}

func (q *input) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// close ends run; what is queued is dropped, there is no reader for it.
func (q *input) close() {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.done)
	}
	q.buf, q.pending = nil, 0
	q.mu.Unlock()
	_ = q.tty.SetWriteDeadline(time.Unix(1, 0))
}

// run writes until close.
func (q *input) run() {
	var out []byte
	for {
		select {
		case <-q.done:
			return
		case <-q.wake:
		}
		q.mu.Lock()
		for q.sig != 0 {
			q.sendSignal()
		}
		out, q.buf = q.buf, out[:0]
		epoch := q.epoch
		q.mu.Unlock()
		q.write(out, epoch)
		if cap(out) > 1<<20 {
			out = nil
		}
	}
}

// sendSignal interrupts the child. It is run's, so that no write is under way
// that would go on behind the line discipline's back. q.mu is held.
func (q *input) sendSignal() {
	sig := q.sig
	q.sig, q.interrupting = 0, true
	q.mu.Unlock()
	_ = q.tty.SetWriteDeadline(time.Time{}) // it was for what has been dropped
	q.interrupt(sig)
	q.mu.Lock()
	q.interrupting = false
}

// write writes out unless everything pending is dropped meanwhile.
func (q *input) write(out []byte, epoch int) {
	for len(out) > 0 {
		n, err := q.tty.Write(out)
		out = out[n:]
		q.mu.Lock()
		if !q.closed && errors.Is(err, os.ErrDeadlineExceeded) {
			_ = q.tty.SetWriteDeadline(time.Time{}) // it was for what has been dropped
		}
		if q.closed || q.epoch != epoch {
			if !q.closed {
				q.signal() // something newer may wait
			}
			q.mu.Unlock()
			return
		}
		q.pending -= n
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			q.pending -= len(out)
			q.mu.Unlock()
			return // the child is gone: the reader sees that too
		}
		q.mu.Unlock()
	}
}
