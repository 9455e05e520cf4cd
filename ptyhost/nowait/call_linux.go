package nowait

import (
	"syscall"
	"unsafe"
)

// quickCalls says that there are system calls that the scheduler does not
// hear of. They are for descriptors in non-blocking mode only.
const quickCalls = true

func quickRead(fd uintptr, p []byte, heard bool) (int, syscall.Errno) {
	return quick(syscall.SYS_READ, fd, p, heard)
}

func quickWrite(fd uintptr, p []byte, heard bool) (int, syscall.Errno) {
	return quick(syscall.SYS_WRITE, fd, p, heard)
}

// maxQuick bounds what one call copies: meanwhile the goroutine cannot be
// stopped.
const maxQuick = 64 << 10

// quick makes the call; the scheduler hears of it only if heard.
func quick(call, fd uintptr, p []byte, heard bool) (n int, errno syscall.Errno) {
	p = p[:min(len(p), maxQuick)]
	for {
		var n uintptr
		if heard {
			n, _, errno = syscall.Syscall(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
		} else {
			n, _, errno = syscall.RawSyscall(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
		}
		switch errno {
		case 0:
			return int(n), 0
		case syscall.EINTR:
		default:
			return 0, errno
		}
	}
}
