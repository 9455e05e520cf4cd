//go:build unix

package sshd

import (
	"errors"

	"golang.org/x/sys/unix"
)

func addrInUse(err error) bool { return errors.Is(err, unix.EADDRINUSE) }
