//go:build unix

package persistence

import (
	"errors"

	"golang.org/x/sys/unix"
)

// isReadOnly reports whether err says that a file system takes no writes.
func isReadOnly(err error) bool { return errors.Is(err, unix.EROFS) }

// readOnlyFolder reports whether a folder's file system takes no writes. A mode that forbids them is another matter.
func readOnlyFolder(path string) bool { return isReadOnly(unix.Access(path, unix.W_OK)) }
