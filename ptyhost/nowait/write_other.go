//go:build !unix

package nowait

import "syscall"

func nonblocking(syscall.RawConn) bool { return false }

func write(uintptr, []byte) int { return 0 }
