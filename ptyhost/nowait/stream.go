package nowait

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
)

// Stream reads and writes like the file or socket it was made of, deadlines
// included. Any goroutine may use it.
type Stream struct {
	raw syscall.RawConn
	in  direction
	out direction
}

// direction is one side of a stream: at most one call at a time.
type direction struct {
	do func(fd uintptr) bool

	mu   sync.Mutex
	buf  []byte
	n    int
	err  error
	busy int // system calls since the last that had to wait
}

// heardFrom is the number of system calls without a wait from which on the
// scheduler hears of each: the monitor must find a reader who never waits, to
// make room for others.
const heardFrom = 16

// NewStream returns the stream of a file or socket of the runtime's poller,
// nil where there is none.
func NewStream(c any) *Stream {
	sc, ok := c.(syscall.Conn)
	if !ok || !quickCalls {
		return nil
	}
	raw, err := sc.SyscallConn()
	if err != nil || !nonblocking(raw) {
		return nil
	}
	s := &Stream{raw: raw}
	s.in.do = func(fd uintptr) bool {
		s.in.busy++
		n, errno := quickRead(fd, s.in.buf, s.in.busy > heardFrom)
		switch {
		case errno == syscall.EAGAIN:
			s.in.busy = 0
			return false
		case errno != 0:
			s.in.err = os.NewSyscallError("read", errno)
		case n == 0:
			s.in.err = io.EOF
		}
		s.in.n = n
		return true
	}
	s.out.do = func(fd uintptr) bool {
		for s.out.busy = 0; s.out.n < len(s.out.buf); {
			s.out.busy++
			n, errno := quickWrite(fd, s.out.buf[s.out.n:], s.out.busy > heardFrom)
			switch {
			case errno == syscall.EAGAIN:
				s.out.busy = 0
				return false
			case errno != 0:
				s.out.err = os.NewSyscallError("write", errno)
				return true
			}
			s.out.n += n
		}
		return true
	}
	return s
}

// Read is io.Reader's.
func (s *Stream) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	return s.in.run(s.raw.Read, p)
}

// Write is io.Writer's.
func (s *Stream) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	return s.out.run(s.raw.Write, p) // its caller has waited for something to write
}

func (d *direction) run(call func(func(uintptr) bool) error, p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.buf, d.n, d.err = p, 0, nil
	err := call(d.do)
	d.buf = nil
	if err == nil {
		err = d.err
	}
	return d.n, err
}

// Conn returns a connection that reads and writes by a Stream, or the same
// one where there is none.
func Conn(nc net.Conn) net.Conn {
	s := NewStream(nc)
	if s == nil {
		return nc
	}
	return &conn{Conn: nc, s: s}
}

type conn struct {
	net.Conn
	s *Stream
}

func (c *conn) Read(p []byte) (int, error)  { return c.s.Read(p) }
func (c *conn) Write(p []byte) (int, error) { return c.s.Write(p) }
