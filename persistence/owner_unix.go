//go:build unix

package persistence

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByUs reports whether the file belongs to the user that this process acts as.
func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
