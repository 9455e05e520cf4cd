//go:build unix

package nowait

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// nonblocking reports whether the descriptor is in non-blocking mode: then a
// write takes what fits and returns.
func nonblocking(raw syscall.RawConn) bool {
	is := false
	err := raw.Control(func(fd uintptr) {
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		is = err == nil && flags&unix.O_NONBLOCK != 0
	})
	return err == nil && is
}

func write(fd uintptr, p []byte) int {
	if quickCalls {
		done := 0
		for done < len(p) {
			n, errno := quickWrite(fd, p[done:], false)
			if errno != 0 {
				break
			}
			done += n
		}
		return done
	}
	for {
		n, err := unix.Write(int(fd), p)
		if err != unix.EINTR {
			return max(n, 0)
		}
	}
}
