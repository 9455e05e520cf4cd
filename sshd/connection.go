package sshd

import (
	"context"
	"io"
	"sync"
	"time"

	"moorage/ui"

	tea "charm.land/bubbletea/v2"
)

// mailbox wakes one program: each kind of news has one slot, the newest wins,
// and posting never blocks. One goroutine carries the news into the program.
type mailbox struct {
	wake chan struct{}

	mu     sync.Mutex
	size   *ui.SizeMsg
	world  *ui.WorldMsg
	screen bool
	ready  bool
	bye    *ui.GoodbyeMsg
}

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{}, 1)} }

func (b *mailbox) post(f func(*mailbox)) {
	b.mu.Lock()
	f(b)
	b.mu.Unlock()
	signal(b.wake)
}

// take returns the news and empties the box, in the order to be told.
func (b *mailbox) take() []tea.Msg {
	b.mu.Lock()
	defer b.mu.Unlock()
	var msgs []tea.Msg
	if b.size != nil {
		msgs = append(msgs, *b.size)
	}
	if b.world != nil {
		msgs = append(msgs, *b.world)
	}
	if b.screen {
		msgs = append(msgs, ui.ScreenMsg{})
	}
	if b.ready {
		msgs = append(msgs, ui.ReadyMsg{})
	}
	if b.bye != nil {
		msgs = append(msgs, *b.bye)
	}
	b.size, b.world, b.screen, b.ready, b.bye = nil, nil, false, false, nil
	return msgs
}

// run carries news into the program until ctx ends.
func (b *mailbox) run(ctx context.Context, send func(tea.Msg)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
		}
		for _, msg := range b.take() {
			send(msg)
		}
	}
}

const (
	// farewellFor bounds the last bytes to a client.
	farewellFor = 300 * time.Millisecond
	// answersFor is how long a client that leaves early is waited for to
	// answer what it was asked, so that nothing is typed into its shell.
	answersFor = 300 * time.Millisecond
)

// runUI runs the program of a client with a terminal until either ends.
func (s *session) runUI(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	box := newMailbox()
	s.mu.Lock()
	now, term := s.size, s.term
	env := s.environ()
	openTask := s.env["MOORAGE_OPEN"]
	s.resized = func(z size) { box.post(func(b *mailbox) { m := ui.SizeMsg{Cols: z.cols, Rows: z.rows}; b.size = &m }) }
	s.mu.Unlock()

	viewer := s.srv.screens.Viewer(func() { box.post(func(b *mailbox) { b.screen = true }) })
	defer viewer.Close()
	out := newWriter(s.ch, func() { box.post(func(b *mailbox) { b.ready = true }) }, func() { s.conn.Close() })
	model := ui.New(ui.Config{
		Daemon: daemonOf{s.srv.world}, Screens: screensOf{viewer}, Output: out,
		Keys: s.srv.keymap, Caps: capsOf(term, env),
		Size: ui.Size{Cols: now.cols, Rows: now.rows}, Open: openTask, Clock: s.srv.cfg.Settings.Clock, Build: s.srv.cfg.Build,
	})
	leave := s.srv.world.subscribe(func(w ui.World) { box.post(func(b *mailbox) { m := ui.WorldMsg(w); b.world = &m }) })
	defer leave()
	stop := context.AfterFunc(s.srv.stopping, func() {
		box.post(func(b *mailbox) { m := ui.GoodbyeMsg("moorage is stopping: your sessions go on"); b.bye = &m })
	})
	defer stop()

	prog := tea.NewProgram(model,
		tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutRenderer(),
		tea.WithoutSignalHandler(), tea.WithFilter(ui.Quick), tea.WithFPS(1), tea.WithEnvironment(env))
	var wg sync.WaitGroup
	writing, stopWriting := context.WithCancel(ctx)
	defer stopWriting()
	var writerDone sync.WaitGroup
	writerDone.Go(func() { out.run(writing) })
	wg.Go(func() { box.run(ctx, prog.Send) })
	wg.Go(func() {
		watchEOF(s.ch, func(b []byte) bool {
			prog.Send(ui.InputMsg(b))
			if ctx.Err() != nil {
				return false
			}
			return true
		})
		prog.Send(ui.GoodbyeMsg("")) // the end of input is the end of the client
	})
	final, err := prog.Run()
	if err != nil && ctx.Err() == nil {
		s.srv.log.Error("program", "err", err)
	}
	stopWriting()
	waitLimited(&writerDone, farewellFor)
	bye := ""
	if m, ok := final.(*ui.Model); ok {
		bye = m.Goodbye()
	}
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

// environ is the client's environment as its terminal's capabilities are
// looked up in. s.mu is held.
func (s *session) environ() []string {
	env := []string{"TERM=" + s.term}
	for k, v := range s.env {
		env = append(env, k+"="+v)
	}
	return env
}
