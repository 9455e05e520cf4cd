package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// ErrInUse is returned by Listen when somebody listens on the socket already.
var ErrInUse = errors.New("somebody listens there already")

// Listen listens on a unix socket with mode 0600, whatever the umask. A socket
// file that nobody listens on is removed first; one that somebody listens on
// never is. Callers that may race hold a lock of their own around it.
func Listen(path string) (*net.UnixListener, error) {
	if _, err := os.Lstat(path); err == nil {
		nc, err := net.DialTimeout("unix", path, time.Second)
		if err == nil {
			nc.Close()
			return nil, fmt.Errorf("listen %s: %w", path, ErrInUse)
		}
		if !refused(err) {
			// It accepts nothing, or slowly: somebody is there.
			return nil, fmt.Errorf("listen %s: %w (%w)", path, ErrInUse, err)
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("listen: remove stale socket: %w", err)
		}
	}
	ln, err := listenPrivate(path)
	if err != nil {
		return nil, fmt.Errorf("listen %s: %w", path, err)
	}
	if id, err := socketID(path); err == nil {
		listening.Store(path, id)
	}
	return ln, nil
}

// connectTimeout is how long a connect may take before the other side counts
// as absent: MOORAGE_CONNECT_TIMEOUT_MS, 5000 by default.
func connectTimeout() time.Duration {
	if ms, err := strconv.Atoi(os.Getenv("MOORAGE_CONNECT_TIMEOUT_MS")); err == nil && ms > 0 {
		return time.Duration(ms) * time.Millisecond
	}
	return 5 * time.Second
}

// Dial connects to a socket and exchanges hellos. It fails when nobody accepts
// and answers within MOORAGE_CONNECT_TIMEOUT_MS. Where the other end falls at
// that, what is there afterwards counts.
func Dial(ctx context.Context, path string, mine Hello) (*Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout())
	defer cancel()
	c, err := dial(ctx, path, mine)
	if fell(err) {
		return dial(ctx, path, mine)
	}
	return c, err
}

// fell reports whether the other end of a connection went away without a word.
func fell(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

func dial(ctx context.Context, path string, mine Hello) (*Conn, error) {
	var d net.Dialer
	nc, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	if err := checkPeer(nc); err != nil {
		nc.Close()
		return nil, fmt.Errorf("dial %s: %w", path, err)
	}
	// The hello has its own bound; a shorter one of ours closes the socket.
	stop := context.AfterFunc(ctx, func() { nc.SetDeadline(time.Unix(1, 0)) })
	c, err := NewConn(nc, mine)
	if !stop() && err == nil {
		c.Close()
		err = ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", path, err)
	}
	return c, nil
}

// Accept takes the next connection of ln whose peer is this user, without the
// hello: NewConn does that, on a goroutine where it may take its time.
func Accept(ln net.Listener) (net.Conn, error) {
	for {
		nc, err := ln.Accept()
		if err != nil {
			return nil, err
		}
		if err := checkPeer(nc); err != nil {
			nc.Close()
			continue
		}
		return nc, nil
	}
}

// IsAbsent reports whether a Dial failed because nobody is there: no socket,
// or one that nobody listens on. Anything else (a timeout, say) means that
// somebody may be there.
func IsAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || refused(err)
}

// CloseListener closes ln and removes its socket file, unless the file has
// become somebody else's.
func CloseListener(ln *net.UnixListener, path string) {
	mine, _ := socketID(path)
	held, ok := listening.LoadAndDelete(path)
	ln.Close()
	if ok && held == mine {
		_ = os.Remove(path)
	}
}

// listening holds the identity of each socket file that this process made.
var listening sync.Map // path -> fileID

// fileID tells one file from another of the same name.
type fileID struct{ dev, ino uint64 }

// watchEvery is how often WatchSocket looks.
const watchEvery = 4 * time.Second

// WatchSocket calls gone once when the socket file that Listen made is no
// longer there or has become another one: nobody can reach this process any
// more, and a newcomer may have its place. It blocks until then or until ctx
// ends.
func WatchSocket(ctx context.Context, path string, gone func()) {
	mine, ok := listening.Load(path)
	if !ok {
		return
	}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if now, err := socketID(path); err != nil && errors.Is(err, fs.ErrNotExist) || err == nil && now != mine {
				gone()
				return
			}
		}
	}
}
