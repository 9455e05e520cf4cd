package sshd

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"moorage/persistence"
	"moorage/ptyhost"
	"moorage/workspace/daemon"
	"moorage/workspace/settings"

	"go.uber.org/goleak"
	gossh "golang.org/x/crypto/ssh"
)

// served is an SSH front with its daemon and its PTY host, all in this process.
type served struct {
	addr string
	key  gossh.Signer
	stop func()
}

func serve(t *testing.T) served {
	t.Helper()
	dir, err := os.MkdirTemp("", "sshd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	home, err := persistence.OpenHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	log := slog.New(slog.DiscardHandler)
	host := func(context.Context) error {
		wg.Go(func() {
			_ = ptyhost.Run(ctx, ptyhost.Config{
				Home: home, Log: log, Login: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "SHELL=/bin/sh", "PS1=$ "},
			}) // of two that are started one gives way
		})
		return nil
	}
	addrs := make(chan []net.Addr, 1)
	wg.Go(func() {
		err := Run(ctx, Config{
			Home: home, Settings: settings.Default(), Log: log, StartHost: host,
			StartDaemon: func(context.Context) error {
				wg.Go(func() { _ = daemon.Run(ctx, daemon.Config{Home: home, Log: log, StartHost: host}) })
				return nil
			},
			RunCLI:    func(context.Context, []string, io.Reader, io.Writer, io.Writer) int { return 0 },
			Listening: func(list []net.Addr, _ int) { addrs <- list },
		})
		if err != nil {
			t.Errorf("sshd: %v", err)
		}
	})
	keys, err := EnsureKeys(home)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(keys.ClientKey)
	if err != nil {
		t.Fatal(err)
	}
	key, err := gossh.ParsePrivateKey(b)
	if err != nil {
		t.Fatal(err)
	}
	return served{addr: (<-addrs)[0].String(), key: key, stop: func() {
		cancel()
		wg.Wait()
	}}
}

// attach opens a terminal and waits for its first frame. drop cuts the line.
func (s served) attach(t *testing.T) (session *gossh.Session, drop func()) {
	t.Helper()
	nc, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	conn, chans, reqs, err := gossh.NewClientConn(nc, s.addr, &gossh.ClientConfig{
		User: "me", Auth: []gossh.AuthMethod{gossh.PublicKeys(s.key)}, HostKeyCallback: gossh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		t.Fatal(err)
	}
	client := gossh.NewClient(conn, chans, reqs)
	session, err = client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if err := session.RequestPty("xterm-256color", 30, 100, nil); err != nil {
		t.Fatal(err)
	}
	in, err := session.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := session.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Shell(); err != nil {
		t.Fatal(err)
	}
	var seen strings.Builder
	buf := make([]byte, 32<<10)
	for !strings.Contains(seen.String(), "scratch") {
		n, err := out.Read(buf)
		if err != nil {
			t.Fatalf("before the first frame: %v: %q", err, seen.String())
		}
		seen.Write(buf[:n])
	}
	if _, err := io.WriteString(in, "echo typed\r"); err != nil {
		t.Fatal(err)
	}
	return session, func() { nc.Close() }
}

func TestClientsThatComeAndGoLeaveNoGoroutine(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := serve(t)
	defer s.stop()
	_, drop := s.attach(t)
	defer drop()
	settled := func() int {
		n := runtime.NumGoroutine()
		for same := 0; same < 20; same++ {
			time.Sleep(10 * time.Millisecond)
			if now := runtime.NumGoroutine(); now != n {
				n, same = now, 0
			}
		}
		return n
	}
	before := settled()
	for i := range 60 {
		session, drop := s.attach(t)
		switch i % 3 {
		case 0: // the line is cut
		case 1: // the channel ends first
			session.Close()
		case 2: // it says goodbye
			if err := session.Signal(gossh.SIGHUP); err != nil {
				t.Fatal(err)
			}
			session.Close()
		}
		drop()
	}
	const noise = 3 // timers and calls of the one that stays
	end := time.Now().Add(20 * time.Second)
	after := settled()
	for after > before+noise && time.Now().Before(end) {
		after = settled()
	}
	if after > before+noise {
		buf := make([]byte, 1<<20)
		t.Errorf("%d goroutines, were %d:\n%s", after, before, buf[:runtime.Stack(buf, true)])
	}
}
