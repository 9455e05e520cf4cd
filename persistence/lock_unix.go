//go:build unix

package persistence

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes flock(2)'s exclusive lock on the open file, without waiting.
func lockFile(file *os.File) error {
	for {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrLocked
		}
		return err
	}
}
