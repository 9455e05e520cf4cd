package screens

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/wire"
)

// Config is what the screens need to find the host.
type Config struct {
	Home      persistence.Home
	Build     string
	Log       *slog.Logger
	StartHost func(context.Context) error
}

// Screens are all shown sessions of an SSH front.
type Screens struct {
	cfg  Config
	poke chan struct{} // one slot: a session is wanted

	mu      sync.Mutex
	client  *hostclient.Client // nil while the host is away
	problem string             // why it is, for people; "" while it was never wanted
	screens map[string]*Screen
	viewers map[*Viewer]bool
	tabs    map[string]*tab
	warning string // the host's own
	probing bool
	mute    bool // the host holds a connection and does not answer
}

// New returns screens that connect to the host once Run runs and something is
// shown.
func New(cfg Config) *Screens {
	return &Screens{
		cfg:     cfg,
		poke:    make(chan struct{}, 1),
		screens: make(map[string]*Screen),
		viewers: make(map[*Viewer]bool),
		tabs:    make(map[string]*tab),
	}
}

const (
	redialFirst = 50 * time.Millisecond
	redialMax   = 2 * time.Second
	// callLimit bounds a request to the host: one that takes longer means that
	// it does not answer.
	callLimit = 5 * time.Second
)

// Run keeps the connection to the host until ctx ends. It blocks.
func (s *Screens) Run(ctx context.Context) {
	wait := redialFirst
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.poke:
		}
		for ctx.Err() == nil && s.wanted() {
			err := s.connection(ctx)
			if err == nil {
				wait = redialFirst
			} else {
				s.cfg.Log.Warn("PTY host", "err", err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(wait):
			}
			wait = min(2*wait, redialMax)
		}
	}
}

// wanted reports whether any client shows a session.
func (s *Screens) wanted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sc := range s.screens {
		if sc.shown() {
			return true
		}
	}
	return false
}

// connection runs one connection to the host until it is lost. The error is
// nil when it had been made.
func (s *Screens) connection(ctx context.Context) error {
	c, err := hostclient.Ensure(ctx, s.cfg.Home, s.cfg.Build, "sshd", s.cfg.StartHost)
	if err != nil {
		s.lost(explain(err))
		return err
	}
	defer c.Close()
	c.OnRefused(s.refused)
	c.OnWarning(func(text string) {
		s.mu.Lock()
		s.warning = text
		s.mu.Unlock()
		s.wakeAll()
	})
	call, cancel := context.WithTimeout(ctx, callLimit)
	_, err = c.Subscribe(call, s.event)
	cancel()
	if err != nil {
		s.lost(explain(err))
		return err
	}
	s.mu.Lock()
	s.client, s.problem, s.mute = c, "", false
	shown := make([]*Screen, 0, len(s.screens))
	for _, sc := range s.screens {
		if sc.shown() {
			shown = append(shown, sc)
		}
	}
	s.mu.Unlock()
	for _, sc := range shown {
		sc.attach(c)
	}
	s.wakeAll()
	select {
	case <-c.Done():
	case <-ctx.Done():
	}
	s.lost("the PTY host has gone away")
	return nil
}

// explain turns a failure to reach the host into words for a pane.
func explain(err error) string {
	if e, ok := errors.AsType[*wire.Error](err); ok {
		return e.Message
	}
	if errors.Is(err, context.DeadlineExceeded) || !wire.IsAbsent(err) {
		return "the PTY host does not answer"
	}
	return "the PTY host is not there"
}

// lost marks every screen as cut off.
func (s *Screens) lost(problem string) {
	s.mu.Lock()
	s.client, s.problem = nil, problem
	for _, sc := range s.screens {
		sc.detach(problem)
	}
	s.mu.Unlock()
	s.wakeAll()
}

func (s *Screens) wakeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for v := range s.viewers {
		v.wake()
	}
}

// event takes what the host tells of a session.
func (s *Screens) event(ev wire.SessionEvent) {
	s.mu.Lock()
	sc := s.screens[ev.Session.Key]
	client := s.client
	viewers := make([]*Viewer, 0, len(s.viewers))
	for v := range s.viewers {
		viewers = append(viewers, v)
	}
	s.mu.Unlock()
	switch ev.Kind {
	case wire.SessionClipboard:
		for _, v := range viewers {
			v.queue(ev)
		}
	case wire.SessionCreated:
		if sc != nil && client != nil && sc.shown() && sc.stale(ev.Session.ID) {
			sc.attach(client)
		}
	case wire.SessionEnded, wire.SessionChanged, wire.SessionRemoved:
		if sc != nil {
			sc.told(ev)
		}
	}
}

// refused tells the viewers of a session that input of theirs was not taken.
func (s *Screens) refused(r wire.InputRefused) {
	s.mu.Lock()
	sc := s.screens[r.Key]
	s.mu.Unlock()
	if sc != nil {
		sc.eachViewer(func(v *Viewer) { v.queueRefused(r) })
	}
}

// probe finds out whether the host still answers when a client types or comes
// in; one probe at a time. It blocks nobody.
func (s *Screens) probe(c *hostclient.Client) {
	s.mu.Lock()
	if s.probing || s.client != c {
		s.mu.Unlock()
		return
	}
	s.probing = true
	s.mu.Unlock()
	heard := c.Heard()
	go func() {
		defer func() {
			s.mu.Lock()
			s.probing = false
			s.mu.Unlock()
		}()
		select {
		case <-time.After(probeAfter):
		case <-c.Done():
			return
		}
		if c.Heard() != heard {
			return
		}
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			if _, err := c.Status(context.Background()); err == nil { // or the connection's end
				s.arrived(c)
			}
		}()
		select {
		case <-answered:
			return
		case <-time.After(muteAfter):
		}
		s.setMute(c, true)
		<-answered
		s.setMute(c, false)
	}()
}

// arrived notes that the host has taken all that was typed.
func (s *Screens) arrived(c *hostclient.Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sc := range s.screens {
		sc.arrived(c)
	}
}

const (
	// probeAfter is how long a host may be silent before it is asked.
	probeAfter = time.Second
	// muteAfter is how long it may take to answer until nothing more is typed
	// for it.
	muteAfter = 2 * time.Second
)

func (s *Screens) setMute(c *hostclient.Client, mute bool) {
	s.mu.Lock()
	if s.client == c {
		s.mute = mute
	}
	s.mu.Unlock()
	s.wakeAll()
}

func (s *Screens) isMute() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mute
}
