package sshd

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"moorage/persistence"
	"moorage/workspace/settings"
)

func TestAGreetingIsReadAsItWasSaid(t *testing.T) {
	for _, g := range []Greeting{{Build: "v1-3-gabc-dirty", Clients: 2}, {Build: strings.Repeat("x", 100), Taken: 7022}, {}} {
		line := g.String() + "\r\n"
		got, err := ReadGreeting(strings.NewReader(line))
		if err != nil || got != g || len(line) > maxIdentification {
			t.Errorf("%q: got %+v, %v", line, got, err)
		}
	}
	if g := (Greeting{Build: "a b\nc"}).String(); strings.Count(g, " ") != 3 || strings.Contains(g, "\n") {
		t.Errorf("got %q", g)
	}
	for line, told := range map[string]bool{"SSH-2.0-moorage\r\n": true, "SSH-2.0-OpenSSH_9.2\r\n": false, "": false, "SSH-2.0-moorage": false} {
		if g, err := ReadGreeting(strings.NewReader(line)); (err == nil) != told || g.Clients != -1 {
			t.Errorf("%q: got %+v, %v", line, g, err)
		}
	}
}

// opener is net.ListenConfig's Listen on a machine whose IPv6 answers with that error.
func opener(v6 error) func(context.Context, string, string) (net.Listener, error) {
	return func(ctx context.Context, network, addr string) (net.Listener, error) {
		if network == "tcp6" && v6 != nil {
			return nil, &net.OpError{Op: "listen", Net: network, Err: os.NewSyscallError("bind", v6)}
		}
		var lc net.ListenConfig
		return lc.Listen(ctx, network, addr)
	}
}

func TestAMachineWithoutIPv6IsServedOnTheOtherAddress(t *testing.T) {
	for _, err := range []error{syscall.EADDRNOTAVAIL, syscall.EAFNOSUPPORT} {
		list, lerr := listen(0, opener(err))
		if lerr != nil || len(list) != 1 {
			t.Fatalf("%v: %d listeners, %v", err, len(list), lerr)
		}
		list[0].Close()
	}
	if _, err := listen(0, opener(syscall.EADDRINUSE)); !addrInUse(err) {
		t.Errorf("a port taken on ::1: %v", err)
	}
}

// records is a log's output, read while it is written.
type records struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (r *records) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Write(p)
}

func (r *records) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.String()
}

func TestAPortThatIsTakenLeavesTheSocketToThoseWhoDoWithIt(t *testing.T) {
	other, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	port := other.Addr().(*net.TCPAddr).Port
	dir, err := os.MkdirTemp("", "sshd")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	home, err := persistence.OpenHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	var logged records
	type told struct {
		addrs []net.Addr
		taken int
	}
	listening := make(chan told, 1)
	cfg := Config{
		Home: home, Build: "b1", Port: port, Settings: settings.Default(), Log: slog.New(slog.NewTextHandler(&logged, nil)),
		Listening: func(addrs []net.Addr, taken int) { listening <- told{addrs, taken} },
	}
	if err := Run(t.Context(), cfg); !addrInUse(err) || !strings.Contains(err.Error(), fmt.Sprint(port)) {
		t.Fatalf("in the foreground: %v", err)
	}
	cfg.PortOptional = true
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := Run(ctx, cfg); err != nil {
			t.Errorf("sshd: %v", err)
		}
	})
	defer wg.Wait()
	defer cancel()
	if got := <-listening; got.taken != port || len(got.addrs) != 1 {
		t.Fatalf("got %+v", got)
	}
	socket, err := home.SocketPath("ssh")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 { // looks, as status looks
		nc, err := net.Dial("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		if err := nc.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		g, err := ReadGreeting(nc)
		nc.Close()
		if want := (Greeting{Build: "b1", Taken: port}); err != nil || g != want {
			t.Errorf("got %+v, %v; want %+v", g, err, want)
		}
	}
	cancel()
	wg.Wait()
	if strings.Contains(logged.String(), "connection refused") {
		t.Errorf("a look is in the log:\n%s", logged.String())
	}
}

func TestByTCPNothingIsToldButTheName(t *testing.T) {
	s := serve(t)
	defer s.stop()
	nc, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	buf := make([]byte, maxIdentification)
	n, err := nc.Read(buf)
	if got := string(buf[:n]); err != nil || got != identification+"\r\n" {
		t.Errorf("got %q, %v", got, err)
	}
}
