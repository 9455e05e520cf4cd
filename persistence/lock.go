package persistence

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// ErrLocked says that another process holds the lock.
var ErrLocked = errors.New("locked by another process")

// A Lock is the right to be the only one. The kernel drops it when its holder dies, however it dies. The file stays: to
// remove it would let two holders lock two files of one name.
type Lock struct {
	file *os.File
}

// TryLock takes the lock at path, or fails at once: with ErrLocked when somebody holds it (the error names their pid when
// the file tells it). The file is created as 0600 and contains the holder's pid in decimal. Child processes do not
// inherit the lock.
func TryLock(path string) (*Lock, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if err := lockFile(file); err != nil {
		if pid := readPID(file); pid > 0 && errors.Is(err, ErrLocked) {
			err = fmt.Errorf("%w (pid %d)", err, pid)
		}
		file.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	// The lock is held whether or not the disk has room for the pid.
	_ = writePID(file)
	return &Lock{file: file}, nil
}

// Release gives the lock back. The file is emptied first, so that no stale pid is read.
func (l *Lock) Release() error {
	return errors.Join(l.file.Truncate(0), l.file.Close())
}

// LockHolder reads the pid that the lock file at path names: 0 when there is none. It does not say whether that process
// lives or holds the lock; only TryLock can.
func LockHolder(path string) int {
	file, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer file.Close()
	return readPID(file)
}

func readPID(file *os.File) int {
	text, err := io.ReadAll(io.NewSectionReader(file, 0, 32))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid < 0 {
		return 0
	}
	return pid
}

func writePID(file *os.File) error {
	if err := file.Chmod(fileMode); err != nil {
		return err
	}
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

// WaitLock is TryLock for a lock that is held for moments only: it waits for it, up to ten seconds.
func WaitLock(path string) (*Lock, error) {
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		l, err := TryLock(path)
		if !errors.Is(err, ErrLocked) || time.Now().After(end) {
			return l, err
		}
	}
}
