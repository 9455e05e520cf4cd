package sshd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	gossh "golang.org/x/crypto/ssh"
)

// pipe is a channel whose other end is a test.
type pipe struct {
	gossh.Channel
	mu    sync.Mutex
	wrote bytes.Buffer
	stuck chan struct{} // a write waits for it
	reply chan error    // a request waits for it
}

func (p *pipe) Write(b []byte) (int, error) {
	if p.stuck != nil {
		<-p.stuck
		return 0, io.EOF
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wrote.Write(b)
}

func (p *pipe) SendRequest(string, bool, []byte) (bool, error) { return true, <-p.reply }

// bench is a writer that a goroutine flushes as the mailbox does.
type bench struct {
	*writer
	p      *pipe
	asked  chan struct{}
	killed chan struct{}
}

// once closes ended when a connection is ended for the first time.
func once(ended chan struct{}) func(string) {
	end := sync.OnceFunc(func() { close(ended) })
	return func(string) { end() }
}

func newBench(t *testing.T) *bench {
	b := &bench{p: &pipe{reply: make(chan error)}, asked: make(chan struct{}, 8), killed: make(chan struct{})}
	wake, end := make(chan struct{}, 1), make(chan struct{})
	b.writer = newWriter(b.p, func() { signal(wake) }, func() { b.asked <- struct{}{} }, once(b.killed))
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-end:
				return
			case <-wake:
			}
			if wanted, _ := b.flush(t.Context()); wanted {
				b.asked <- struct{}{}
			}
		}
	})
	t.Cleanup(func() {
		close(end)
		close(b.p.reply)
		wg.Wait()
		b.stop()
	})
	return b
}

func TestTheFirstFrameAfterAPauseGoesAtOnceAndAFloodIsPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		start := time.Now()
		for range 10 {
			for !b.Ready(false) {
				<-b.asked
			}
			b.Submit(make([]byte, fullFrame))
			synctest.Wait()
		}
		if took := time.Since(start); took < 9*frameEvery || took > 10*frameEvery {
			t.Errorf("ten full frames took %v", took)
		}
		time.Sleep(time.Second)
		if !b.Ready(false) {
			t.Error("a frame after a pause has to wait")
		}
	})
}

func TestSmallFramesFollowSooner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		start := time.Now()
		for range 10 {
			for !b.Ready(false) {
				<-b.asked
			}
			b.Submit(make([]byte, 100))
			synctest.Wait()
		}
		if took := time.Since(start); took != 9*smallEvery {
			t.Errorf("ten small frames took %v", took)
		}
	})
}

func TestAnEchoOvertakesThePaceAndAFloodDoesNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		frame := func(echo bool) bool {
			ok := b.Ready(echo)
			if ok {
				b.Submit(make([]byte, fullFrame))
				synctest.Wait()
			}
			return ok
		}
		if !frame(false) || frame(true) {
			t.Error("a change nobody typed overtakes the pace")
		}
		b.Hurry()
		if frame(false) {
			t.Error("another pane's change overtakes the pace after a key")
		}
		for range 2 { // of one key, and of the next
			if !frame(true) {
				t.Error("an echo waits")
			}
		}
		if frame(true) {
			t.Error("what goes on after an echo is not paced")
		}
		time.Sleep(time.Second)
		b.Hurry()
		time.Sleep(typedFor)
		if !frame(false) || frame(true) {
			t.Error("a key long ago lets a frame overtake")
		}
	})
}

func TestNoMoreIsUnderWayThanTheClientTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.Ready(false)
		b.Submit(make([]byte, maxInFlight))
		time.Sleep(graceFor / 2)
		b.Hurry()
		if b.Ready(true) {
			t.Fatal("a frame is taken while too much is unanswered")
		}
		b.p.reply <- nil
		<-b.asked
		if !b.Ready(true) {
			t.Fatal("no frame is taken after the answer")
		}
		b.Submit(make([]byte, maxInFlight))
		time.Sleep(10 * time.Second)
		if b.Ready(false) {
			t.Fatal("a client that has answered before is not waited for")
		}
		b.p.reply <- errors.New("gone")
	})
}

func TestAClientThatStallsEarlyIsHeldBackToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.Ready(false)
		b.Submit([]byte("its first frame"))
		b.p.reply <- nil // and no answer after it
		synctest.Wait()
		flood(b, time.Minute)
		if n := b.p.wrote.Len(); n > maxInFlight+fullFrame {
			t.Errorf("%d bytes were written to a client that stands still", n)
		}
	})
}

func TestAClientThatNeverAnswersIsPacedByTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		const long = 2 * answerLimit
		flood(b, long)
		frames := (b.p.wrote.Len() - maxInFlight) / fullFrame
		if most := int(long / graceFor); frames < most/2 || frames > most {
			t.Errorf("it got %d frames in %v", frames, long)
		}
		select {
		case <-b.killed:
			t.Error("it was cut off")
		default:
		}
	})
}

// flood submits full frames as soon as they may be, for a while.
func flood(b *bench, long time.Duration) {
	for end := time.After(long); ; {
		if b.Ready(false) {
			b.Submit(make([]byte, fullFrame))
			synctest.Wait()
			continue
		}
		select {
		case <-b.asked:
		case <-end:
			return
		}
	}
}

func TestAClientThatTakesNoBytesIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.p.stuck = make(chan struct{})
		start := time.Now()
		b.Ready(false)
		b.Submit([]byte("x"))
		<-b.killed
		if took := time.Since(start); took != writeLimit {
			t.Errorf("cut off after %v", took)
		}
		close(b.p.stuck)
	})
}

// OpenSSH goes on answering when its terminal does not read, and a write of
// ours waits for its window.
func TestAClientWhoseTerminalDoesNotReadIsKeptWhileItAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.p.stuck = make(chan struct{})
		b.Ready(false)
		b.Submit([]byte("x"))
		for range 5 {
			b.p.reply <- nil
		}
		last := time.Now()
		<-b.killed
		if took := time.Since(last); took != writeLimit {
			t.Errorf("cut off %v after it answered last", took)
		}
		close(b.p.stuck)
	})
}

func TestAWriteLongAfterAnotherHasItsFullTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.Ready(false)
		b.Submit([]byte("x"))
		time.Sleep(writeLimit - time.Second)
		synctest.Wait()
		b.p.stuck = make(chan struct{})
		start := time.Now()
		b.Ready(false)
		b.Submit([]byte("y"))
		<-b.killed
		if took := time.Since(start); took != writeLimit {
			t.Errorf("cut off after %v", took)
		}
		close(b.p.stuck)
	})
}

func TestAClientIsAskedWhetherItIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipe{reply: make(chan error)}
		killed := make(chan struct{})
		out := newWriter(p, func() {}, func() {}, once(killed))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			newMailbox().run(ctx, func(tea.Msg) bool { return true }, out)
		}()
		start := time.Now()
		p.reply <- nil // it answers once, and then no more
		if took := time.Since(start); took != keepAliveEvery {
			t.Errorf("it is asked after %v", took)
		}
		<-killed
		if took := time.Since(start); took != 2*keepAliveEvery+answerLimit {
			t.Errorf("it is cut off after %v", took)
		}
		close(p.reply)
		cancel()
		<-done
	})
}
