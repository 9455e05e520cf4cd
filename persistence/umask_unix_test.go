//go:build unix

package persistence

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestModesAreTheSameUnderAnyUmask(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077, 0o777} {
		parent := t.TempDir()
		old := unix.Umask(mask)
		home, err := OpenHome(filepath.Join(parent, "home"))
		if err == nil {
			err = WriteFile(home.Path("file"), []byte("x"))
		}
		var log interface{ Close() error }
		if err == nil {
			log, err = home.Log("daemon")
		}
		var lock *Lock
		if err == nil {
			lock, err = TryLock(home.Path("lock"))
		}
		unix.Umask(old)
		if err != nil {
			t.Fatalf("umask %o: %v", mask, err)
		}
		log.Close()
		lock.Release()
		wantMode(t, home.Dir(), 0o700)
		wantMode(t, home.Path("log"), 0o700)
		for _, file := range []string{"file", "lock", filepath.Join("log", "daemon.log")} {
			wantMode(t, home.Path(file), 0o600)
		}
	}
}

func TestAHomeOfAnotherUserIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	dir := t.TempDir()
	if err := os.Chown(dir, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenHome(dir); err == nil {
		t.Error("accepted")
	}
}
