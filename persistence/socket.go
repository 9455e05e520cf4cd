package persistence

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// SocketPath returns where the socket of that name lives, "daemon", "ptyhost" or "ssh", and makes its folder. Usually
// <home>/run/<name>.sock. When that is longer than a socket address can be, a 0700 folder of this home's own under
// $XDG_RUNTIME_DIR or the temp folder is used. The first process to choose records its choice in <home>/run/socket-dir, so
// that processes with other environments find the same socket. A home that cannot be written has its sockets in such a
// folder too, unrecorded; who listens there, or listened in the home before, keeps the place when that changes. It may
// connect to a socket to learn that.
func (h Home) SocketPath(name string) (string, error) {
	file := name + ".sock"
	run, err := h.MakeDir("run")
	readOnly := isReadOnly(err) || err == nil && readOnlyFolder(run)
	if err != nil && !readOnly {
		return "", fmt.Errorf("place socket %s: %w", name, err)
	}
	path := h.Path("run", file)
	short := len(path) <= maxSocketPath()
	switch {
	case short && readOnly && listening(path):
		return path, nil
	case short:
		if far := h.listeningElsewhere(file); far != "" {
			return far, nil
		}
		if !readOnly || h.look {
			return path, nil
		}
	}
	dir, err := h.farSocketDir(h.Path("run", "socket-dir"), len(file)+1, !readOnly)
	if err != nil {
		return "", fmt.Errorf("place socket %s: %w", name, err)
	}
	return filepath.Join(dir, file), nil
}

// listening reports whether somebody accepts connections at path.
func listening(path string) bool {
	if _, err := os.Lstat(path); err != nil {
		return false
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// listeningElsewhere is the socket of a process that began while the home could not be written, "" when there is none.
func (h Home) listeningElsewhere(file string) string {
	for _, dir := range h.socketDirs() {
		if path := filepath.Join(dir, file); listening(path) && checkSocketDir(dir) == nil {
			return path
		}
	}
	return ""
}

// socketDirs are the folders outside of the home that its sockets may be in, the best first.
func (h Home) socketDirs() (dirs []string) {
	sum := sha256.Sum256([]byte(h.dir))
	leaf := "moorage-" + hex.EncodeToString(sum[:8])
	for _, parent := range []string{os.Getenv("XDG_RUNTIME_DIR"), os.TempDir(), "/tmp"} {
		if dir := filepath.Join(parent, leaf); filepath.IsAbs(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// maxSocketPath is how many bytes sun_path holds before its final NUL: sys/un.h has char[108] on Linux and in
// Windows' afunix.h, char[104] on the BSDs and on macOS.
func maxSocketPath() int {
	if runtime.GOOS == "linux" || runtime.GOOS == "windows" {
		return 107
	}
	return 103
}

// farSocketDir returns the recorded folder, or chooses, makes and records one that leaves room for need bytes. A recorded
// folder that is gone, as after a reboot, is chosen anew. Without write nothing is recorded.
func (h Home) farSocketDir(record string, need int, write bool) (string, error) {
	for range 2 {
		if text, err := os.ReadFile(record); err == nil {
			dir := strings.TrimSpace(string(text))
			if _, err := os.Lstat(dir); err == nil {
				return dir, checkSocketDir(dir)
			}
			if h.look {
				return "", fmt.Errorf("socket folder %s: %w", dir, fs.ErrNotExist)
			}
			if err := os.Remove(record); write && err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
		if h.look {
			return "", fmt.Errorf("socket folder: none chosen: %w", fs.ErrNotExist)
		}
		dir, err := h.chooseSocketDir(need)
		if err != nil || !write { // who comes next chooses alike
			return dir, err
		}
		switch err := writeFirst(record, []byte(dir+"\n")); {
		case err == nil:
			return dir, nil
		case !errors.Is(err, fs.ErrExist):
			return "", err
		}
	}
	return "", fmt.Errorf("choose socket folder: %s keeps changing", record)
}

func (h Home) chooseSocketDir(need int) (string, error) {
	for _, dir := range h.socketDirs() {
		if len(dir)+need > maxSocketPath() {
			continue
		}
		if _, err := os.Stat(filepath.Dir(dir)); err != nil {
			continue
		}
		if err := os.Mkdir(dir, dirMode); err == nil {
			if err := os.Chmod(dir, dirMode); err != nil {
				return "", err
			}
		} else if !errors.Is(err, fs.ErrExist) {
			continue
		}
		return dir, checkSocketDir(dir)
	}
	return "", errors.New("choose socket folder: every candidate's path is too long; set a shorter " + HomeVariable)
}

// checkSocketDir refuses what somebody else may have put at a name in a shared folder: a link, another user's folder, or one
// that others can enter. It repairs nothing, because who could make it wrong once could do so again.
func checkSocketDir(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("use socket folder %s: not a folder", dir)
	case !ownedByUs(info):
		return fmt.Errorf("use socket folder %s: %w", dir, ErrForeign)
	case runtime.GOOS != "windows" && info.Mode().Perm() != dirMode:
		return fmt.Errorf("use socket folder %s: mode is %o, must be %o", dir, info.Mode().Perm(), dirMode)
	}
	return nil
}
