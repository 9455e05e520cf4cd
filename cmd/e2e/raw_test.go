//go:build unix

package e2e

import (
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

// rawClient is a session of a client that speaks SSH itself, for what OpenSSH
// is too well behaved to do.
type rawClient struct {
	*view
	conn *gossh.Client
	ch   gossh.Channel

	requests chan struct{} // closed when the server has nothing more to ask
	told     sync.Mutex
	deaf     bool
	status   int // exit status; -1 before it came
}

// key reads a private key.
func key(t testing.TB, path string) gossh.Signer {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	k, err := gossh.ParsePrivateKey(b)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// login opens an SSH connection with what auth offers.
func (in *instance) login(auth ...gossh.AuthMethod) (*gossh.Client, error) {
	nc, err := net.Dial("tcp4", in.addr())
	if err != nil {
		return nil, err
	}
	c, chans, reqs, err := gossh.NewClientConn(nc, in.addr(), &gossh.ClientConfig{
		User: "anyone", Auth: auth, HostKeyCallback: gossh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		nc.Close()
		return nil, err
	}
	return gossh.NewClient(c, chans, reqs), nil
}

// dial opens an SSH connection with the key that moorage made.
func (in *instance) dial() *gossh.Client {
	in.t.Helper()
	conn, err := in.login(gossh.PublicKeys(key(in.t, filepath.Join(in.home, "keys", "client_ed25519"))))
	if err != nil {
		in.t.Fatal(err)
	}
	in.t.Cleanup(func() { conn.Close() })
	return conn
}

// session opens a session channel and asks nothing of it yet.
func session(t testing.TB, conn *gossh.Client, cols, rows int) *rawClient {
	t.Helper()
	ch, reqs, err := conn.OpenChannel("session", nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &rawClient{view: newView(t, ch, cols, rows), conn: conn, ch: ch, status: -1, requests: make(chan struct{})}
	go r.serve(reqs)
	return r
}

// serve answers the server's requests, as every client does.
func (r *rawClient) serve(reqs <-chan *gossh.Request) {
	defer close(r.requests)
	for req := range reqs {
		r.told.Lock()
		deaf := r.deaf
		if req.Type == "exit-status" && len(req.Payload) == 4 {
			r.status = int(req.Payload[3])
		}
		r.told.Unlock()
		if req.WantReply && !deaf {
			_ = req.Reply(false, nil) // the server may be gone
		}
	}
}

// exit waits for the end of the session and returns its status.
func (r *rawClient) exit() int {
	r.t.Helper()
	eventually(r.t, "the session ends", func() bool {
		select {
		case <-r.requests:
			return true
		default:
			return false
		}
	}, r.screen)
	r.told.Lock()
	defer r.told.Unlock()
	return r.status
}

// ask makes a request that must be answered, and reports whether it was
// granted.
func (r *rawClient) ask(name string, payload any) bool {
	r.t.Helper()
	var b []byte
	if payload != nil {
		b = gossh.Marshal(payload)
	}
	ok, err := r.ch.SendRequest(name, true, b)
	if err != nil {
		r.t.Fatalf("%s: %v", name, err)
	}
	return ok
}

type ptyRequest struct {
	Term                      string
	Cols, Rows, Width, Height uint32
	Modes                     string
}

type windowChange struct{ Cols, Rows, Width, Height uint32 }

// terminal asks for a terminal of the size of the view.
func (r *rawClient) terminal(term string, cols, rows int) {
	r.t.Helper()
	if !r.ask("pty-req", ptyRequest{Term: term, Cols: uint32(cols), Rows: uint32(rows)}) {
		r.t.Fatal("no terminal")
	}
}

// window tells another size, without waiting for anything.
func (r *rawClient) window(cols, rows int) {
	r.t.Helper()
	if _, err := r.ch.SendRequest("window-change", false, gossh.Marshal(windowChange{Cols: uint32(cols), Rows: uint32(rows)})); err != nil {
		r.t.Fatal(err)
	}
}

// shell starts what a plain ssh starts, and follows it.
func (r *rawClient) shell() *rawClient {
	r.t.Helper()
	if !r.ask("shell", nil) {
		r.t.Fatal("no shell")
	}
	go r.follow()
	return r
}

// attachRaw is attach with a client of our own; a deaf one answers nothing that
// the server asks.
func (in *instance) attachRaw(cols, rows int, deaf bool) *rawClient {
	in.t.Helper()
	r := session(in.t, in.dial(), cols, rows)
	r.told.Lock()
	r.deaf = deaf
	r.told.Unlock()
	r.terminal("xterm-256color", cols, rows)
	return r.shell()
}
