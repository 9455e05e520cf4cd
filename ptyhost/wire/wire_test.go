//go:build unix

package wire

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) {
	flag.Parse()
	goleak.VerifyTestMain(m)
}

// sockets returns both ends of a connected unix socket.
func sockets(t *testing.T) (net.Conn, net.Conn) {
	t.Helper()
	ln, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	x, err := net.Dial("unix", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	y, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return x, y
}

// pair joins two ends that have said hello.
func pair(t *testing.T, a, b Handler) (*Conn, *Conn) {
	t.Helper()
	x, y := sockets(t)
	mine := Hello{Build: "a", Home: "/h", Role: "ptyhost", PID: 1}
	other := Hello{Build: "b", Home: "/h", Role: "sshd", PID: 2}
	var first *Conn
	var firstErr error
	var wg sync.WaitGroup
	wg.Go(func() { first, firstErr = NewConn(x, mine) })
	second, err := NewConn(y, other)
	wg.Wait()
	if err != nil || firstErr != nil {
		t.Fatal(err, firstErr)
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = first.Serve(context.Background(), a) })
	serving.Go(func() { _ = second.Serve(context.Background(), b) })
	t.Cleanup(func() {
		first.Close()
		second.Close()
		serving.Wait()
	})
	return first, second
}

// recorder is a Handler that answers "echo" and keeps the rest.
type recorder struct {
	mu     sync.Mutex
	binary [][]byte
	events []string
	got    chan struct{}
}

func newRecorder() *recorder { return &recorder{got: make(chan struct{}, 1000)} }

func (r *recorder) Call(_ context.Context, _ *Conn, method string, params json.RawMessage) (any, error) {
	switch method {
	case "echo":
		return params, nil
	case "panic":
		panic("on purpose")
	}
	return nil, &Error{Code: CodeUnknownMethod, Message: "no " + method, Next: "nothing"}
}

func (r *recorder) Binary(_ *Conn, k Kind, payload []byte) {
	r.mu.Lock()
	r.binary = append(r.binary, append([]byte{byte(k)}, payload...))
	r.mu.Unlock()
	r.got <- struct{}{}
}

func (r *recorder) Event(_ *Conn, name string, payload json.RawMessage) {
	r.mu.Lock()
	r.events = append(r.events, name+string(payload))
	r.mu.Unlock()
	r.got <- struct{}{}
}

func TestACallIsAnswered(t *testing.T) {
	a, _ := pair(t, newRecorder(), newRecorder())
	var got map[string]int
	if err := a.Call(t.Context(), "echo", map[string]int{"x": 7}, &got); err != nil || got["x"] != 7 {
		t.Errorf("got %v, %v", got, err)
	}
	err := a.Call(t.Context(), "nothing", nil, nil)
	if CodeOf(err) != CodeUnknownMethod {
		t.Errorf("got %v", err)
	}
}

func TestAPanicOfAHandlerFailsItsRequestOnly(t *testing.T) {
	a, _ := pair(t, newRecorder(), newRecorder())
	if err := a.Call(t.Context(), "panic", nil, nil); CodeOf(err) != CodeInternal {
		t.Errorf("got %v", err)
	}
	if err := a.Call(t.Context(), "echo", 1, nil); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestBinaryAndEventsKeepTheirOrder(t *testing.T) {
	r := newRecorder()
	a, _ := pair(t, newRecorder(), r)
	for i := range 50 {
		if err := a.Send(KindInput, Handle(9), fmt.Appendf(nil, "%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Notify("bell", 1); err != nil {
		t.Fatal(err)
	}
	for range 51 {
		<-r.got
	}
	for i, b := range r.binary {
		if want := fmt.Sprintf("\x10\x00\x00\x00\x09%d", i); string(b) != want {
			t.Fatalf("message %d is %q", i, b)
		}
	}
}

func TestAPeerThatDoesNotReadIsCutOff(t *testing.T) {
	x, y := net.Pipe()
	defer y.Close()
	c := &Conn{nc: x, done: make(chan struct{}), wake: make(chan struct{}, 1), calls: map[uint64]chan response{}}
	piece := make([]byte, 1<<20)
	var err error
	for range 100 {
		if err = c.Send(KindScreen, piece); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrBacklog) {
		t.Fatalf("got %v", err)
	}
	<-c.Done()
	if !errors.Is(c.Err(), ErrBacklog) {
		t.Errorf("closed with %v", c.Err())
	}
}

func TestHellosOfOtherHomesAndProtocolsAreRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		other Hello
		code  string
	}{
		"home":     {Hello{Protocol: Protocol, Home: "/other", Role: "daemon"}, CodeOtherHome},
		"protocol": {Hello{Protocol: Protocol + 1, Home: "/h", Role: "daemon"}, CodeOtherProtocol},
	} {
		t.Run(name, func(t *testing.T) {
			x, y := sockets(t)
			var wg sync.WaitGroup
			wg.Go(func() { _, _ = NewConn(y, tc.other) })
			_, err := NewConn(x, Hello{Home: "/h", Role: "sshd"})
			wg.Wait()
			if CodeOf(err) != tc.code {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestPathsOfOneHomeCompareEqual(t *testing.T) {
	for _, p := range [][2]string{
		{"/a/b", "/a/b/"}, {`C:\Users\me\.moorage`, "c:/Users/me/.moorage/"}, {"/a/./b", "/a/b"},
	} {
		if !SamePath(p[0], p[1]) {
			t.Errorf("%q and %q differ", p[0], p[1])
		}
	}
	if SamePath("/a/b", "/a/B") || SamePath(`/a\b`, "/a/b") {
		t.Error("different paths compare equal")
	}
}

func TestTheSocketIsPrivateUnderAnyUmask(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	path := filepath.Join(t.TempDir(), "s.sock")
	ln, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if _, err := Listen(path); !errors.Is(err, ErrInUse) {
		t.Errorf("a second one: %v", err)
	}
	CloseListener(ln, path)
	if _, err := os.Stat(path); err == nil {
		t.Error("the socket file stays")
	}
}

func TestAStaleSocketIsReplacedAndANewcomersIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.sock")
	stale, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	stale.Close() // as kill -9 leaves it: the file is there
	first, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(path)
	second, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	CloseListener(first, path)
	if _, err := os.Stat(path); err != nil {
		t.Error("the newcomer's socket was removed")
	}
}

func TestASilentListenerIsNotWaitedForLong(t *testing.T) {
	t.Setenv("MOORAGE_CONNECT_TIMEOUT_MS", "100")
	path := filepath.Join(t.TempDir(), "s.sock")
	ln, err := net.Listen("unix", path) // accepts nothing
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	start := time.Now()
	if _, err := Dial(t.Context(), path, Hello{Home: "/h"}); err == nil || IsAbsent(err) {
		t.Errorf("got %v", err)
	}
	if time.Since(start) > 5*time.Second {
		t.Errorf("took %v", time.Since(start))
	}
}

func TestADialThatTheOtherEndFallsAtCountsWhatIsThereAfterwards(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.sock")
	ln, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	fallen := make(chan struct{})
	go func() {
		defer close(fallen)
		if nc, err := ln.Accept(); err == nil {
			ln.Close() // as a process that is killed: all of its descriptors at once
			nc.Close()
		}
	}()
	_, err = Dial(t.Context(), path, Hello{Home: "/h"})
	<-fallen
	if !IsAbsent(err) {
		t.Errorf("a process that fell is not absent: %v", err)
	}
}

// golden messages: one per kind and version. They must never change, because
// the host outlives its clients' upgrades.
func TestGolden(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	j := func(v any) []byte {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	session := Session{
		Key: "t/tab-1/pane-1", ID: 7, PID: 42, State: SessionExited, Exit: &Exit{Code: 3, Signal: "SIGTERM", Time: at},
		Title: "title", CWD: "/c", Cols: 80, Rows: 24, Argv: []string{"sh"}, Dir: "/d", Policy: "if-lost", Created: at, Output: 99,
	}
	messages := []struct {
		name  string
		kind  Kind
		parts [][]byte
	}{
		{"hello", KindHello, [][]byte{j(Hello{Protocol: 1, Build: "b", Home: "/h", Role: "sshd", PID: 1})}},
		{"request", KindRequest, [][]byte{j(request{ID: 1, Method: MethodOpen, Params: j(OpenRequest{Key: "t/tab-1/pane-1", Argv: []string{"sh"}, Dir: "/", Env: []string{"A=b"}, Cols: 80, Rows: 24, Policy: "always", Scrollback: 9, Recycle: true})})}},
		{"response", KindResponse, [][]byte{j(response{ID: 1, Result: j(session)})}},
		{"response-error", KindResponse, [][]byte{j(response{ID: 1, Error: &Error{Code: CodeNotFound, Message: "m", Next: "n"}})}},
		{"event-session", KindEvent, [][]byte{j(event{Name: EventSession, Payload: j(SessionEvent{Kind: SessionNotify, Session: session, Title: "t", Text: "x", Code: 1, Data: []byte("d")})})}},
		{"event-refused", KindEvent, [][]byte{j(event{Name: EventInputRefused, Payload: j(InputRefused{Key: "k", Bytes: 5, Reason: "r"})})}},
		{"input", KindInput, [][]byte{Handle(258), []byte("keys")}},
		{"screen", KindScreen, [][]byte{Handle(258), []byte("update")}},
		{"ack", KindAck, [][]byte{Handle(258), {0, 0, 0, 0, 0, 0, 1, 2}}},
		{"resize", KindResize, [][]byte{Handle(258), {0, 80, 0, 24}}},
	}
	for _, m := range messages {
		got, err := appendMessage(nil, m.kind, m.parts...)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", fmt.Sprintf("v%d-%s.hex", Protocol, m.name))
		if *update {
			if err := os.WriteFile(file, []byte(hex.Dump(got)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if hex.Dump(got) != string(want) {
			t.Errorf("%s is now\n%s\nwas\n%s", m.name, hex.Dump(got), want)
		}
		kind, payload, err := readMessage(bytes.NewReader(got), nil)
		if err != nil || kind != m.kind || !bytes.Equal(payload, bytes.Join(m.parts, nil)) {
			t.Errorf("%s reads back as %d %q, %v", m.name, kind, payload, err)
		}
	}
}

func FuzzReadMessage(f *testing.F) {
	ok, _ := appendMessage(nil, KindInput, []byte("xyz"))
	f.Add(ok)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 1})
	f.Add([]byte{0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bytes.NewReader(b)
		var buf []byte
		for {
			kind, payload, err := readMessage(r, buf)
			if err != nil {
				return
			}
			again, err := appendMessage(nil, kind, payload)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(b, again) {
				t.Fatalf("%x does not read back", again)
			}
			if cap(payload) > 2*len(b)+512<<10 {
				t.Fatalf("%d bytes allocated for %d", cap(payload), len(b))
			}
			buf = payload
		}
	})
}

func FuzzServe(f *testing.F) {
	req, _ := appendMessage(nil, KindRequest, []byte(`{"id":1,"method":"echo","params":[1]}`))
	f.Add(req)
	f.Add([]byte("\x00\x00\x00\x02\x03{"))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, y := net.Pipe()
		c := &Conn{nc: x, r: newReader(x), done: make(chan struct{}), wake: make(chan struct{}, 1), calls: map[uint64]chan response{}}
		var wg sync.WaitGroup
		wg.Go(func() { _ = c.Serve(context.Background(), discard{}) })
		wg.Go(func() {
			buf := make([]byte, 4096)
			for {
				if _, err := y.Read(buf); err != nil {
					return
				}
			}
		})
		_ = y.SetWriteDeadline(time.Now().Add(5 * time.Second))
		_, _ = y.Write(b)
		y.Close()
		wg.Wait()
	})
}

type discard struct{}

func (discard) Call(_ context.Context, _ *Conn, _ string, p json.RawMessage) (any, error) {
	return strings.ToValidUTF8(string(p), "?"), nil
}
func (discard) Binary(*Conn, Kind, []byte)           {}
func (discard) Event(*Conn, string, json.RawMessage) {}
