package persistence

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"
)

func TestLookingAtAHomeMakesAndMendsNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	home, err := LookHome(dir)
	if err != nil || home.Dir() != dir {
		t.Fatalf("home %q, %v", home.Dir(), err)
	}
	for _, name := range []string{"ssh", "daemon"} {
		if _, err := home.SocketPath(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("socket %s: %v", name, err)
		}
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the home was made")
	}
	if err := os.MkdirAll(filepath.Join(dir, "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	if path, err := home.SocketPath("ssh"); err != nil || path != filepath.Join(dir, "run", "ssh.sock") {
		t.Errorf("got %q, %v", path, err)
	}
	wantMode(t, filepath.Join(dir, "run"), 0o755)
}

func TestASocketFolderThatIsGoneIsNotChosenAnewByLooking(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a-home-whose-name-is-much-too-long-for-a-socket-address-to-hold-it-as-one-has-little-more-than-a-hundred-bytes")
	run := filepath.Join(dir, "run")
	if err := os.MkdirAll(run, 0o700); err != nil {
		t.Fatal(err)
	}
	home, err := LookHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := home.SocketPath("ssh"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	record := filepath.Join(run, "socket-dir")
	if err := os.WriteFile(record, []byte(filepath.Join(dir, "gone")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := home.SocketPath("ssh"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(record); err != nil {
		t.Errorf("the record: %v", err)
	}
}

func TestLookingAtAStoreTellsSoundMissingBusyAndTorn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "some.db")
	look := func() error { return LookStore(path, func(*bolt.Tx) error { return nil }) }
	if err := look(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	store, err := OpenStore(path, 1, Migration{To: 1, Apply: func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket([]byte("things"))
		if err != nil {
			return err
		}
		for i := range 2000 {
			if err := b.Put([]byte{byte(i >> 8), byte(i)}, make([]byte, 100)); err != nil {
				return err
			}
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := look(); !errors.Is(err, ErrBusy) {
		t.Errorf("open elsewhere: %v", err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := look(); err != nil {
		t.Errorf("sound: %v", err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, torn := range [][]byte{whole[:len(whole)/3], slices.Concat(whole[:8192], make([]byte, len(whole)-8192))} {
		if err := os.WriteFile(path, torn, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := look(); err == nil || errors.Is(err, ErrBusy) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("torn: %v", err)
		}
	}
	if names, err := filepath.Glob(path + ".corrupt-*"); err != nil || len(names) > 0 {
		t.Errorf("set aside: %v, %v", names, err)
	}
}
