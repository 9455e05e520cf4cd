package ptyhost

import (
	"bytes"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"moorage/ptyhost/freeze"
	"moorage/ptyhost/nowait"
	"moorage/ptyhost/proc"
	"moorage/ptyhost/ring"
	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
)

const (
	// syncLimit is how long a program may hold its screen back (mode 2026).
	syncLimit = time.Second
	// resizeEvery, changedEvery and noticeEvery pace window changes, title and
	// directory changes, and a program's bells and notifications.
	resizeEvery  = 100 * time.Millisecond
	changedEvery = 100 * time.Millisecond
	noticeEvery  = time.Second
	readSize     = 64 << 10
	// ringRows is how much scrollback a state in the ring has: what a terminal
	// that grows takes back onto its screen.
	ringRows = 100
)

// session is one hosted PTY. Its reader goroutine runs in run; everything else
// may be called by any goroutine.
type session struct {
	key     string
	id      uint64
	spec    proc.Spec
	policy  string
	created time.Time
	proc    *proc.Process
	input   *input
	log     *slog.Logger
	emit    func(wire.SessionEvent) // never blocks
	ended   chan struct{}           // closed when the exit has been reported
	env     []string                // as the opener asked for it
	fresh   func()                  // tells the freezer; nil of a thawed one
	frozen  time.Time               // of a thawed one: when its record was written

	options vt.Options // the emulator began with

	mu       sync.Mutex
	term     *vt.Terminal
	ring     *ring.Ring
	watchers []*watcher
	state    wire.SessionState
	exit     *wire.Exit
	leftover bool           // processes of the session outlived its leader
	unplayed *freeze.Record // of a thawed one whose term is at the ring's start still
	removed  bool           // killed or replaced: nothing of it is told any more
	lostAt   time.Time      // when a life was lost with a host: its own, or that of the one before it
	lastSeen []string       // the end of the screen of the one before it
	cwd      string         // the program's own OSC 7 word
	moves    moves

	syncTimer *time.Timer
	resize    pacer
	wantCols  int
	wantRows  int
	changed   pacer
	notices   map[wire.SessionEventKind]*notice
	called    *wire.Call // the last notification of its program
	rang      time.Time
	status    programStatus

	kept kept

	leftovers leftovers
	typed     atomic.Int64 // when a watcher last sent input, in milliseconds since 1970
	keysCoded atomic.Bool  // keys are written as control sequences now

	events  []vt.Event
	replies []byte
	update  []byte
	undo    []byte
}

// notice is the newest of one kind of a program's notifications and its pace.
type notice struct {
	pacer
	event wire.SessionEvent
}

// startSession starts a child. emit is called for each event but the session's
// creation, on the session's own goroutines, and never blocks.
func startSession(id uint64, req wire.OpenRequest, spec proc.Spec, o vt.Options, ringSize int, log *slog.Logger, emit func(wire.SessionEvent)) (*session, error) {
	p, err := proc.Start(spec)
	if err != nil {
		return nil, err
	}
	s := &session{
		key: req.Key, id: id, spec: spec, policy: req.Policy, created: time.Now(),
		proc: p, log: log.With("session", req.Key, "pid", p.PID), emit: emit,
		ended:   make(chan struct{}),
		options: o, term: vt.New(o), state: wire.SessionLive, moves: moves{last: spec.Dir},
		notices: make(map[wire.SessionEventKind]*notice),
	}
	s.ring = ring.New(ringSize, s.term.AppendSnapshotRows(nil, ringRows))
	s.input = newInput(p.PTY, p.SignalIn, s.interrupt)
	s.resize = pacer{every: resizeEvery, fire: s.resizeFired}
	s.changed = pacer{every: changedEvery, fire: s.changedFired}
	return s, nil
}

// run reads the PTY to its end and then reports the exit. drained counts what
// came.
func (s *session) run(drained func(int)) {
	defer close(s.ended)
	var wg sync.WaitGroup
	wg.Go(s.input.run)
	exit := make(chan proc.Exit, 1)
	wg.Go(func() {
		e := s.proc.Wait()
		exit <- e
		// The kernel hangs the terminal up with its leader, and the reader
		// sees the end behind the last byte. Where it does not, the reader
		// must not wait for ever.
		_ = s.proc.PTY.SetReadDeadline(time.Now().Add(2 * time.Second))
	})
	var pty io.Reader = s.proc.PTY
	if quick := nowait.NewStream(s.proc.PTY); quick != nil {
		pty = quick
	}
	drain(pty, func(p []byte) {
		drained(len(p))
		s.output(p)
	})
	e := <-exit
	s.input.close()
	wg.Wait()
	s.proc.PTY.Close()
	s.finish(e)
}

// drain hands all that the PTY has to take. Only the second error in a row is
// its end: Linux looks for output first and for the closed terminal afterwards
// (n_tty_read), and tells the end before bytes that came between the two.
func drain(pty io.Reader, take func([]byte)) {
	buf := make([]byte, readSize)
	for failed := 0; failed < 2; {
		n, err := pty.Read(buf)
		if n > 0 {
			failed = 0
			take(buf[:n])
		}
		if err != nil {
			failed++
		}
	}
}

// output takes in what the child printed.
func (s *session) output(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.contain(p)
	s.clearLeftovers()
	_, _ = s.term.Write(p) // never fails
	s.ring.Append(p)
	s.noteModes()
	if s.ring.Full(s.term.Ground()) {
		s.update = s.term.AppendSnapshotRows(s.update[:0], ringRows)
		s.ring.Begin(bytes.Clone(s.update)) // it stays: none of it is slack
	}
	s.noteFresh()
	s.noteMoves()
	if s.replies = s.term.TakeReplies(s.replies[:0]); len(s.replies) > 0 {
		s.input.reply(s.replies)
	}
	if s.events = s.term.TakeEvents(s.events[:0]); len(s.events) > 0 {
		s.handle(s.events)
	}
	s.watchSync()
	s.pushAll()
}

// contain, deferred around whatever uses the emulator, turns a panic of it into
// the loss of one screen. The bytes that did it are logged, so that they become
// a test. s.mu is held.
func (s *session) contain(p []byte) {
	r := recover()
	if r == nil {
		return
	}
	s.log.Error("emulator panic: screen lost", "panic", r, "output", string(p[:min(len(p), 4096)]), "stack", string(debug.Stack()))
	o := s.options
	o.Cols, o.Rows = s.term.Size()
	s.term = vt.New(o)
	s.ring.Begin(s.term.AppendSnapshotRows(nil, ringRows))
	for _, w := range s.watchers {
		w.sent = 0
	}
}

// watchSync bounds how long a program may hold its screen back.
func (s *session) watchSync() {
	switch {
	case !s.term.SyncPending():
		if s.syncTimer != nil {
			s.syncTimer.Stop()
			s.syncTimer = nil
		}
	case s.syncTimer == nil:
		s.syncTimer = time.AfterFunc(syncLimit, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.syncTimer = nil
			s.term.EndSync()
			s.pushAll()
		})
	}
}

// finish reports the exit, after the last byte.
func (s *session) finish(e proc.Exit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = wire.SessionExited
	s.exit = &wire.Exit{Code: e.Code, Signal: e.Signal, Time: time.Now(), Tail: s.tail()}
	s.leftover = proc.SessionRuns(s.proc.PID)
	s.kept.gate.Force = true
	s.noteFresh()
	s.stopTimers()
	if s.status.records.Exit() {
		s.tellStatus()
		s.changed.stop() // the end tells it
	}
	if s.term.SyncPending() {
		s.term.EndSync()
	}
	s.pushAll()
	s.log.Info("session ended", "code", e.Code, "signal", e.Signal)
	if !s.removed {
		s.emit(wire.SessionEvent{Kind: wire.SessionEnded, Session: s.infoLocked()})
	}
}

// tail is the end of the output as plain text. s.mu is held.
func (s *session) tail() []string {
	cols, _ := s.term.Size()
	// A ring that has evicted something is longer than that.
	cut := s.ring.Len() > tailBytes
	return plainTail(s.ring.AppendTail(nil, tailBytes), cols, cut)
}

func (s *session) stopTimers() {
	s.resize.stop()
	s.changed.stop()
	for _, n := range s.notices {
		n.stop()
	}
	if s.syncTimer != nil {
		s.syncTimer.Stop()
		s.syncTimer = nil
	}
	if s.status.delay != nil {
		s.status.delay.Stop()
		s.status.delay = nil
	}
	s.moves.stop()
}

// interrupt sends a signal past input that the child does not read.
func (s *session) interrupt(sig syscall.Signal) {
	if group := s.proc.Interrupt(sig); group > 0 {
		s.log.Info("signal", "signal", sig.String(), "group", group)
	}
}

// remove notes that the session is to be forgotten: it tells nothing more of
// itself, and nothing of it is frozen any more.
func (s *session) remove() wire.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed = true
	return s.infoLocked()
}

// kill ends every process of the session and waits for the end. The session
// tells nothing more of itself.
func (s *session) kill() {
	s.mu.Lock()
	s.removed = true
	alive := s.state == wire.SessionLive || s.leftover
	s.mu.Unlock()
	if alive {
		proc.End(s.proc.PID, func(sig string, pids []int) {
			s.log.Info("signal", "signal", sig, "pids", pids)
		})
	}
	<-s.ended
}

// alive reports whether the child runs.
func (s *session) alive() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == wire.SessionLive
}

// setSize changes the PTY's and the emulator's size: the first of a storm at
// once, then at most one per resizeEvery, the last always.
func (s *session) setSize(cols, rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wantCols, s.wantRows = cols, rows
	if s.state != wire.SessionLive {
		return
	}
	if c, r := s.term.Size(); c == cols && r == rows && s.resize.timer == nil {
		return
	}
	if s.resize.due(time.Now()) {
		s.applySize()
	}
}

func (s *session) resizeFired() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resize.fired(time.Now())
	if s.state == wire.SessionLive {
		s.applySize()
	}
}

func (s *session) applySize() {
	defer s.contain(nil)
	if c, r := s.term.Size(); c == s.wantCols && r == s.wantRows {
		return
	}
	if err := s.proc.Resize(s.wantCols, s.wantRows); err != nil {
		s.log.Warn("resize", "err", err)
	}
	s.term.Resize(s.wantCols, s.wantRows)
	s.ring.Resize(s.wantCols, s.wantRows)
	if s.replies = s.term.TakeReplies(s.replies[:0]); len(s.replies) > 0 {
		s.input.reply(s.replies)
	}
	s.pushAll()
	s.noteChanged()
}

// setDefaults hands the colours of the last active client to the emulator.
func (s *session) setDefaults(d vt.Defaults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.term.SetDefaults(d)
	if s.replies = s.term.TakeReplies(s.replies[:0]); len(s.replies) > 0 && s.input != nil {
		s.input.reply(s.replies)
	}
}

// info is what the host tells of the session.
func (s *session) info() wire.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.infoLocked()
}

func (s *session) infoLocked() wire.Session {
	cols, rows, title := s.shape()
	pid := 0
	if s.proc != nil {
		pid = s.proc.PID
	}
	return wire.Session{
		Key: s.key, ID: s.id, PID: pid, State: s.state, Exit: s.exit,
		Title: title, CWD: s.dir(), Cols: cols, Rows: rows,
		Argv: s.spec.Argv, Dir: s.spec.Dir, Policy: s.policy, Created: s.created,
		Output: s.ring.End(), Frozen: s.frozen, Lost: s.lostAt, Status: s.status.told,
		Called: s.called, Rang: s.rang,
	}
}
