package sshd

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"slices"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"moorage/ui"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// mailbox holds the news for one program: each kind has one slot, the newest
// wins, and posting never blocks. One goroutine tells the program, and writes
// the frames that come of it: while a client takes no frame its news waits, and
// costs nothing.
type mailbox struct {
	wake chan struct{}

	mu     sync.Mutex
	size   *ui.SizeMsg
	world  *ui.WorldMsg
	screen bool
	ready  bool
}

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{}, 1)} }

func (b *mailbox) post(f func(*mailbox)) {
	b.mu.Lock()
	f(b)
	b.mu.Unlock()
	signal(b.wake)
}

// next takes one of the news out, in the order to be told; nil when there is
// none.
func (b *mailbox) next() (msg tea.Msg) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.size != nil:
		msg, b.size = *b.size, nil
	case b.world != nil:
		msg, b.world = *b.world, nil
	case b.screen:
		msg, b.screen = ui.ScreenMsg{}, false
	case b.ready:
		msg, b.ready = ui.ReadyMsg{}, false
	}
	return msg
}

// run tells the news and writes frames until ctx ends or either has enough.
func (b *mailbox) run(ctx context.Context, take func(tea.Msg) bool, out *writer) {
	defer out.stop()
	alive := time.NewTicker(keepAliveEvery)
	defer alive.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-alive.C:
			out.keepAlive()
			continue
		case <-b.wake:
		}
		for msg := b.next(); msg != nil; msg = b.next() {
			if !take(msg) {
				return
			}
		}
		more, err := true, error(nil)
		for more {
			if more, err = out.flush(ctx); err != nil || more && !take(ui.ReadyMsg{}) {
				return
			}
		}
	}
}

// farewellFor bounds the last bytes to a client.
const farewellFor = 300 * time.Millisecond

// runUI runs the program of a client with a terminal until either ends.
func (s *session) runUI(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.srv.clients.Add(1)
	defer s.srv.clients.Add(-1)
	box := newMailbox()
	s.mu.Lock()
	now, term := s.size, s.term
	env := s.environ()
	openTask, notifyText := s.env["MOORAGE_OPEN"], s.env["MOORAGE_NOTIFY"]
	s.resized = func(z size) { box.post(func(b *mailbox) { m := ui.SizeMsg{Cols: z.cols, Rows: z.rows}; b.size = &m }) }
	s.mu.Unlock()

	view := viewOnly(s.conn)
	wake := func() { box.post(func(b *mailbox) { b.screen = true }) }
	viewer := s.srv.screens.Viewer(wake)
	if view {
		viewer = s.srv.screens.Onlooker(wake)
	}
	defer viewer.Close()
	place := &floorPlace{floor: &s.srv.floor, freed: s.srv.world.again}
	defer place.Leave()
	out := newWriter(s.ch, func() { signal(box.wake) }, func() { box.post(func(b *mailbox) { b.ready = true }) }, func(why string) {
		s.srv.log.Warn("a client's connection is ended", "from", s.conn.RemoteAddr(), "why", why)
		s.conn.Close()
	})
	notify, fixed, mistakes := s.srv.notify, false, s.srv.cfg.Mistakes
	if n, err := workspace.ParseNotify(notifyText); err == nil {
		notify, fixed = n, true
	} else if notifyText != "" {
		mistakes = append(slices.Clone(mistakes), "MOORAGE_NOTIFY: "+err.Error())
	}
	who := identity(s.conn)
	model := ui.New(ui.Config{
		View: view, Daemon: daemonOf{s.srv.world, view}, Screens: screensOf{viewer}, Output: out, Floor: place,
		Keys: s.srv.keymap, Caps: capsOf(term, env),
		Size: ui.Size{Cols: now.cols, Rows: now.rows}, Open: openTask, Client: who, Clock: s.srv.cfg.Settings.Clock, Build: s.srv.cfg.Build,
		Mistakes: mistakes, Notify: notify, Fixed: fixed, Told: func(item string, looking bool) { s.srv.tally.add(item, who, looking) },
	})
	leave := s.srv.world.subscribe(func(w ui.World) { box.post(func(b *mailbox) { m := ui.WorldMsg(w); b.world = &m }) })
	defer leave()
	prog := newProgram(model,
		tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutRenderer(),
		tea.WithoutSignalHandler(), tea.WithFPS(1), tea.WithEnvironment(env))
	take := func(msg tea.Msg) bool {
		if err := prog.take(msg); err != nil {
			s.srv.log.Error("program", "err", err)
			cancel()
		}
		return ctx.Err() == nil
	}
	stop := context.AfterFunc(s.srv.stopping, func() {
		if prog.started(ctx) {
			take(ui.GoodbyeMsg(s.srv.goodbye()))
		}
	})
	defer stop()
	var wg sync.WaitGroup
	writing, stopWriting := context.WithCancel(ctx)
	defer stopWriting()
	var writerDone sync.WaitGroup
	writerDone.Go(func() {
		if prog.started(writing) {
			box.run(writing, take, out)
		}
	})
	wg.Go(func() {
		if prog.started(ctx) {
			watchEOF(s.ch, func(b []byte) bool { return take(ui.InputMsg(b)) })
			take(ui.GoodbyeMsg("")) // the end of input is the end of the client
		}
	})
	err := prog.run()
	if err != nil && ctx.Err() == nil {
		s.srv.log.Error("program", "err", err)
	}
	stopWriting()
	waitLimited(&writerDone, farewellFor)
	bye := model.Goodbye()
	b := model.Leave(nil)
	if bye != "" {
		b = append(b, bye+"\r\n"...)
	}
	if ctx.Err() == nil {
		out.farewell(b, farewellFor)
		s.exit(0)
	}
	cancel()
	_ = s.ch.Close()
	wg.Wait()
	writerDone.Wait()
}

// identity names who connects, by the fingerprint of the key that let the
// connection in (RFC 4253, 6.6, by SHA-256); "" when it is not known.
func identity(conn *gossh.ServerConn) string {
	if conn.Permissions == nil {
		return ""
	}
	key, err := base64.StdEncoding.DecodeString(conn.Permissions.Extensions["gliderlabs/ssh.PublicKey"])
	if err != nil || len(key) == 0 {
		return ""
	}
	sum := sha256.Sum256(key)
	return base64.RawStdEncoding.EncodeToString(sum[:])
}

// environ is the client's environment as its terminal's capabilities are
// looked up in. s.mu is held.
func (s *session) environ() []string {
	env := []string{"TERM=" + s.term}
	for k, v := range s.env {
		env = append(env, k+"="+v)
	}
	return env
}
