//go:build !linux

package nowait

import "syscall"

const quickCalls = false

func quickRead(uintptr, []byte, bool) (int, syscall.Errno) { return 0, syscall.ENOSYS }

func quickWrite(uintptr, []byte, bool) (int, syscall.Errno) { return 0, syscall.ENOSYS }
