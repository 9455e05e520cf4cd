package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"charm.land/ssh"
	"github.com/anmitsu/go-shlex"
	gossh "golang.org/x/crypto/ssh"
)

// session is one session channel of a connection: what was asked of it, then
// what runs on it. Its context ends with the channel, not with the connection.
type session struct {
	srv  *server
	conn *gossh.ServerConn
	ch   gossh.Channel

	refusal error // why it runs nothing; nil for all but a few

	mu      sync.Mutex
	env     map[string]string
	term    string
	hasPTY  bool
	size    size
	resized func(size) // set once something runs that cares
	started bool
}

type size struct{ cols, rows int }

// clamp bounds what a client claims, before anything is allocated for it. A
// size that is not known yet counts as 80x24.
func (s size) clamp() size {
	if s.cols <= 0 || s.rows <= 0 {
		return size{80, 24}
	}
	return size{min(s.cols, 1000), min(s.rows, 500)}
}

const (
	maxEnv      = 32
	maxEnvBytes = 1 << 10
)

// envAllowed lists what a client may set: what helps to draw, which task to
// open, and how to tell it what wants the user.
func envAllowed(name string) bool {
	return name == "LANG" || strings.HasPrefix(name, "LC_") ||
		slices.Contains([]string{"COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "NO_COLOR", "MOORAGE_OPEN", "MOORAGE_NOTIFY"}, name)
}

// serveSession runs one session channel. It is called on a goroutine of its
// own and returns when the channel's requests end.
func (s *server) serveSession(_ *ssh.Server, conn *gossh.ServerConn, newCh gossh.NewChannel, cctx ssh.Context) {
	refusal := s.enter(conn)
	switch {
	case refusal == nil:
		defer s.leave(conn)
	case errors.Is(refusal, errConnections):
		// OpenSSH shows why a channel is rejected only to those who want to
		// read much. So this one is opened, told, and closed with all it has.
		limit := time.AfterFunc(handshakeLimit, func() { conn.Close() })
		defer limit.Stop()
		defer conn.Close()
	default:
		_ = newCh.Reject(gossh.ResourceShortage, refusal.Error()) // a client that is gone hears nothing
		return
	}
	ch, reqs, err := newCh.Accept()
	if err != nil {
		return
	}
	sess := &session{srv: s, conn: conn, ch: ch, refusal: refusal, env: make(map[string]string)}
	ctx, cancel := context.WithCancel(cctx)
	defer cancel()
	var wg sync.WaitGroup
	defer wg.Wait()
	for req := range reqs {
		run := sess.request(req)
		if run == nil {
			continue
		}
		wg.Go(func() {
			defer sess.recover()
			run(ctx)
		})
	}
	cancel()
}

// recover keeps a panic from ending the other sessions.
func (s *session) recover() {
	if r := recover(); r != nil {
		s.srv.log.Error("session panic", "panic", r, "stack", string(debug.Stack()))
		s.exit(1)
	}
}

// request answers one channel request. It returns what to run when the request
// starts something. Everything not named here is refused: subsystems, X11, and
// agent forwarding among it.
func (s *session) request(req *gossh.Request) (run func(context.Context)) {
	ok := false
	switch req.Type {
	case "pty-req":
		ok = s.requestPTY(req.Payload)
	case "window-change":
		ok = s.windowChange(req.Payload)
	case "env":
		ok = s.setEnv(req.Payload)
	case "signal":
		ok = true // nothing of ours takes signals; refusing breaks clients
	case "shell":
		run, ok = s.start("")
	case "exec":
		var p struct{ Command string }
		if gossh.Unmarshal(req.Payload, &p) == nil {
			run, ok = s.start(p.Command)
		}
	}
	if req.WantReply {
		_ = req.Reply(ok, nil) // the reader of a lost channel is gone too
	}
	return run
}

// requestPTY is RFC 4254, 6.2.
func (s *session) requestPTY(payload []byte) bool {
	var p struct {
		Term                string
		Cols, Rows, Wpx, Hp uint32
		Modes               string
	}
	if gossh.Unmarshal(payload, &p) != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hasPTY || s.started {
		return false
	}
	s.hasPTY, s.term = true, p.Term
	s.size = size{int(min(p.Cols, 1<<20)), int(min(p.Rows, 1<<20))}.clamp()
	return true
}

// windowChange is RFC 4254, 6.7: the newest size wins, at once.
func (s *session) windowChange(payload []byte) bool {
	var p struct{ Cols, Rows, Wpx, Hpx uint32 }
	if gossh.Unmarshal(payload, &p) != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.hasPTY {
		return false
	}
	if p.Cols == 0 || p.Rows == 0 {
		return true // not known: the last one stands
	}
	s.size = size{int(min(p.Cols, 1<<20)), int(min(p.Rows, 1<<20))}.clamp()
	if s.resized != nil {
		s.resized(s.size)
	}
	return true
}

// setEnv is RFC 4254, 6.4.
func (s *session) setEnv(payload []byte) bool {
	var p struct{ Name, Value string }
	if gossh.Unmarshal(payload, &p) != nil || !envAllowed(p.Name) || len(p.Value) > maxEnvBytes {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started || len(s.env) >= maxEnv {
		return false
	}
	s.env[p.Name] = p.Value
	return true
}

// start decides what a shell or exec request runs.
func (s *session) start(command string) (func(context.Context), bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return nil, false
	}
	s.started = true
	switch {
	case s.refusal != nil:
		return func(context.Context) {
			s.say(s.refusal.Error())
			s.exit(1)
		}, true
	case command != "" && viewOnly(s.conn):
		return func(context.Context) {
			s.say("moorage: " + viewUser + "@ looks only and runs no commands: connect without it")
			s.exit(1)
		}, true
	case command != "":
		return func(ctx context.Context) { s.runCommand(ctx, command) }, true
	case !s.hasPTY:
		return func(context.Context) {
			s.say("moorage needs a terminal: connect with ssh -t, or run a command such as `ssh HOST -- api list`")
			s.exit(1)
		}, true
	case dumb(s.term):
		return func(context.Context) {
			s.say(fmt.Sprintf("moorage cannot draw on a terminal of type %q: set TERM, for example TERM=xterm-256color", s.term))
			s.exit(1)
		}, true
	}
	return s.runUI, true
}

func dumb(term string) bool { return term == "dumb" || term == "unknown" }

// say writes one line to the client's stderr.
func (s *session) say(line string) {
	nl := "\n"
	if s.hasPTY {
		nl = "\r\n"
	}
	_, _ = io.WriteString(s.ch.Stderr(), line+nl) // nobody to tell
}

// runCommand runs one of moorage's own command lines.
func (s *session) runCommand(ctx context.Context, command string) {
	args, err := shlex.Split(command, true)
	if err != nil {
		s.say("moorage: " + err.Error())
		s.exit(2)
		return
	}
	var stdout, stderr io.Writer = s.ch, s.ch.Stderr()
	if s.hasPTY {
		stdout, stderr = crlf{stdout}, crlf{stderr}
	}
	s.exit(s.srv.cfg.RunCLI(ctx, args, s.ch, stdout, stderr))
}

// crlf ends lines as a terminal in raw mode needs them.
type crlf struct{ w io.Writer }

func (c crlf) Write(p []byte) (int, error) {
	if _, err := io.WriteString(c.w, strings.ReplaceAll(string(p), "\n", "\r\n")); err != nil {
		return 0, err
	}
	return len(p), nil
}

// exitLimit bounds the farewell to a client that does not read.
const exitLimit = 500 * time.Millisecond

// exit reports the status and closes the channel, also when the client does
// not read.
func (s *session) exit(code int) {
	status := struct{ Status uint32 }{uint32(code)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = s.ch.SendRequest("exit-status", false, gossh.Marshal(&status)) // best effort
		_ = s.ch.CloseWrite()
	}()
	select {
	case <-done:
	case <-time.After(exitLimit):
	}
	_ = s.ch.Close()
}
