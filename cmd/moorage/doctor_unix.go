//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// freeBytes is the room that this user has on dir's disk.
func freeBytes(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * int64(st.Bsize), nil
}

// readOnly reports whether dir is on a disk that takes no writes from anybody.
func readOnly(dir string) bool { return errors.Is(unix.Access(dir, unix.W_OK), unix.EROFS) }

// ownFile reports whether a file is this user's.
func ownFile(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
