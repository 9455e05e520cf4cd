package daemon

import (
	"context"
	"errors"
	"sync"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// Host is the PTY host as the daemon needs it: a *hostclient.Client, or a fake one in tests.
type Host interface {
	Remote() wire.Hello
	// Subscribe returns every session, then calls f for what happens to them, in order. f does not block.
	Subscribe(ctx context.Context, f func(wire.SessionEvent)) ([]wire.Session, error)
	List(ctx context.Context) ([]wire.Session, error)
	Open(ctx context.Context, req wire.OpenRequest) (wire.Session, error)
	Reset(ctx context.Context, req wire.OpenRequest) (wire.Session, error)
	Kill(ctx context.Context, key string) error
	Rename(ctx context.Context, key, to string) (wire.Session, error)
	SetPolicy(ctx context.Context, key, policy string) error
	ReadScreen(ctx context.Context, key string) (wire.ScreenResult, error)
	Peek(ctx context.Context, key string) (wire.PeekResult, error)
	SendInput(ctx context.Context, key string, p []byte) error
	Done() <-chan struct{}
	Close() error
}

const (
	// startLimit is how long a host that was started may take to listen.
	startLimit = 15 * time.Second

	firstRetry = 100 * time.Millisecond
	lastRetry  = 15 * time.Second
)

// hostLink keeps the one connection to the host: dials it again when it is lost, and starts it when somebody wants it and
// positively nothing listens.
type hostLink struct {
	dial  func(context.Context) (Host, error)
	start func(context.Context) error
	// The link's news, called from run, one at a time.
	up     func(ctx context.Context, hello wire.Hello, sessions []wire.Session)
	events func(ctx context.Context, events []wire.SessionEvent)
	down   func(ctx context.Context, state workspace.HostState, cause error)

	// replace ends a host that does not answer, if it is known to hold no session; else it says what keeps it. nil: never.
	replace func(context.Context) error

	answer time.Duration // how long the host may take to answer
	wants  chan want

	mu     sync.Mutex
	host   Host      // nil while there is none
	silent time.Time // since when it has not answered; zero while it does
}

// want asks for the connected host. With start, it is started if need be.
type want struct {
	answer chan<- wanted // has room for one
}

type wanted struct {
	host Host
	err  error
}

// current is the connected host, nil when there is none. It never waits.
func (l *hostLink) current() Host {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.host
}

func (l *hostLink) set(host Host) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.host = host
}

// ensure returns the connected host, starting it if nothing listens. It fails with CodeHostAway or CodeHostUnresponsive.
func (l *hostLink) ensure(ctx context.Context) (Host, error) {
	if host := l.current(); host != nil {
		return host, nil
	}
	answer := make(chan wanted, 1)
	select {
	case l.wants <- want{answer}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case got := <-answer:
		return got.host, got.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// call asks the connected host something, within its time to answer. A host that lets it pass is dropped, so that the link finds
// out, by dialling, whether it is there at all; until it answers again the state says unresponsive.
func (l *hostLink) call(ctx context.Context, host Host, ask func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, l.answer)
	defer cancel()
	err := ask(limited)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		l.silentSince(time.Now().Add(-l.answer))
		host.Close()
		return hostError(workspace.HostUnresponsive, err)
	}
	return err
}

// run keeps the link until ctx ends.
func (l *hostLink) run(ctx context.Context) {
	var waiting []want
	retry := firstRetry
	for ctx.Err() == nil {
		host, err := l.connect(ctx, len(waiting) > 0)
		if err == nil {
			if err = l.serve(ctx, host, waiting); err == nil {
				waiting, retry = nil, firstRetry
				continue
			}
		}
		state := workspace.HostUnresponsive
		switch {
		case wire.IsAbsent(err):
			state = workspace.HostOff
		case errors.Is(err, errNotStarted):
			state = workspace.HostAway
		case ctx.Err() == nil && l.replace != nil && time.Since(l.silentSince(time.Now())) >= l.answer:
			kept := l.replace(ctx)
			if kept == nil {
				l.answered()
				continue
			}
			err = kept
		}
		if state != workspace.HostUnresponsive {
			l.answered()
		}
		l.down(ctx, state, err)
		reply(waiting, wanted{err: hostError(state, err)})
		waiting = nil
		select {
		case <-ctx.Done():
		case w := <-l.wants:
			waiting = append(waiting, w)
		case <-time.After(retry):
			retry = min(2*retry, lastRetry)
		}
	}
	reply(waiting, wanted{err: ctx.Err()})
}

// silentSince notes that the host does not answer, and returns since when.
func (l *hostLink) silentSince(t time.Time) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.silent.IsZero() {
		l.silent = t
	}
	return l.silent
}

func (l *hostLink) answered() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.silent = time.Time{}
}

var errNotStarted = errors.New("the PTY host does not start")

// connect dials, and when told so starts the host that is absent.
func (l *hostLink) connect(ctx context.Context, start bool) (Host, error) {
	host, err := l.dial(ctx)
	if err == nil || !start || !wire.IsAbsent(err) {
		return host, err
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	if err := l.start(ctx); err != nil {
		return nil, errors.Join(errNotStarted, err)
	}
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 200*time.Millisecond) {
		host, err := l.dial(ctx)
		if err == nil || !wire.IsAbsent(err) {
			return host, err
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(errNotStarted, err)
		case <-time.After(pause):
		}
	}
}

// serve subscribes and passes on what happens, until the connection is lost. An error means that it never stood.
func (l *hostLink) serve(ctx context.Context, host Host, waiting []want) error {
	defer host.Close()
	var box mailbox
	box.wake = make(chan struct{}, 1)
	subscribing, cancel := context.WithTimeout(ctx, l.answer)
	sessions, err := host.Subscribe(subscribing, box.put)
	cancel()
	if err != nil {
		return err
	}
	l.answered()
	l.set(host)
	l.up(ctx, host.Remote(), sessions)
	reply(waiting, wanted{host: host})
	defer l.set(nil)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-host.Done():
			l.set(nil)
			l.events(ctx, box.take())
			l.down(ctx, workspace.HostAway, nil)
			return nil
		case w := <-l.wants:
			reply([]want{w}, wanted{host: host})
		case <-box.wake:
			l.events(ctx, box.take())
		}
	}
}

func reply(wants []want, got wanted) {
	for _, w := range wants {
		w.answer <- got
	}
}

// hostError says what a caller who needed the host should read.
func hostError(state workspace.HostState, cause error) error {
	if coded, ok := errors.AsType[*wire.Error](cause); ok && state == workspace.HostUnresponsive && coded.Code == string(workspace.CodeHostUnresponsive) {
		return coded // it knows more
	}
	if state == workspace.HostUnresponsive {
		return workspace.Fail(workspace.CodeHostUnresponsive,
			"its sessions may still run: `moorage status` names its pid; it goes on by itself after `kill -CONT`",
			"the PTY host does not answer: %v", cause)
	}
	return workspace.Fail(workspace.CodeHostAway, "see ptyhost.log in the home's log folder", "the PTY host is away: %v", cause)
}

// mailbox holds of each session the latest of its life, its latest bell and its latest notification, until the link gets to them. Its size is
// bounded by the sessions there are.
type mailbox struct {
	wake chan struct{} // one slot

	mu     sync.Mutex
	latest map[slot]wire.SessionEvent
	order  []slot
}

// slot is the place of a session's events of a kind; those of its life have one.
type slot struct {
	key  string
	kind wire.SessionEventKind
}

// put never blocks. Progress and clipboards are for those who show screens.
func (b *mailbox) put(ev wire.SessionEvent) {
	at := slot{key: ev.Session.Key}
	switch ev.Kind {
	case wire.SessionCreated, wire.SessionChanged, wire.SessionEnded, wire.SessionRemoved:
	case wire.SessionBell, wire.SessionNotify:
		at.kind = ev.Kind
	default:
		return
	}
	b.mu.Lock()
	if b.latest == nil {
		b.latest = make(map[slot]wire.SessionEvent)
	}
	if _, there := b.latest[at]; !there {
		b.order = append(b.order, at)
	}
	b.latest[at] = ev
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *mailbox) take() []wire.SessionEvent {
	b.mu.Lock()
	defer b.mu.Unlock()
	events := make([]wire.SessionEvent, 0, len(b.order))
	for _, at := range b.order {
		events = append(events, b.latest[at])
	}
	b.latest, b.order = nil, nil
	return events
}
