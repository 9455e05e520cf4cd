package nowait

import "syscall"

// Writer writes without waiting. A nil one takes nothing. One goroutine at a
// time may use it, and none while another writes to the same file.
type Writer struct {
	raw  syscall.RawConn
	once func(fd uintptr) bool
	buf  []byte
	n    int
}

// New returns a writer for a file or socket of the runtime's poller, nil where
// writing to it might wait.
func New(c any) *Writer {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := sc.SyscallConn()
	if err != nil || !nonblocking(raw) {
		return nil
	}
	w := &Writer{raw: raw}
	w.once = func(fd uintptr) bool {
		w.n = write(fd, w.buf)
		return true // never wait
	}
	return w
}

// Write writes the beginning of p and returns how much that is. An error is
// the same as nothing: the usual way will meet it too.
func (w *Writer) Write(p []byte) int {
	if w == nil || len(p) == 0 {
		return 0
	}
	w.buf, w.n = p, 0
	err := w.raw.Write(w.once)
	n := w.n
	w.buf = nil
	if err != nil {
		return 0
	}
	return n
}
