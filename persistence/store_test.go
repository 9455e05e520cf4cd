package persistence

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

var bucket = []byte("things")

func create(tx *bolt.Tx) error {
	_, err := tx.CreateBucket(bucket)
	return err
}

func mustStore(t *testing.T, path string, schema int, migrations ...Migration) *Store {
	t.Helper()
	store, err := OpenStore(path, schema, migrations...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func TestAStoreKeepsWhatWasPut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	store := mustStore(t, path, 1, Migration{1, create})
	wantMode(t, path, 0o600)
	if err := store.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucket).Put([]byte("k"), []byte("v")) }); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	again := mustStore(t, path, 1, Migration{1, func(*bolt.Tx) error { return errors.New("ran twice") }})
	again.View(func(tx *bolt.Tx) error {
		if got := tx.Bucket(bucket).Get([]byte("k")); string(got) != "v" {
			t.Errorf("read %q", got)
		}
		return nil
	})
}

func TestMigrationsRunInOrderFromTheSchemaThatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	mustStore(t, path, 1, Migration{1, create}).Close()
	var ran []int
	step := func(n int) Migration {
		return Migration{n, func(*bolt.Tx) error { ran = append(ran, n); return nil }}
	}
	mustStore(t, path, 3, step(1), step(2), step(3))
	if fmt.Sprint(ran) != "[2 3]" {
		t.Errorf("ran %v", ran)
	}
}

func TestAFailedMigrationLeavesTheOldSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	mustStore(t, path, 1, Migration{1, create}).Close()
	torn := Migration{2, func(tx *bolt.Tx) error {
		if err := tx.DeleteBucket(bucket); err != nil {
			return err
		}
		return errors.New("half way")
	}}
	if _, err := OpenStore(path, 2, torn); err == nil {
		t.Fatal("opened")
	}
	again := mustStore(t, path, 1)
	again.View(func(tx *bolt.Tx) error {
		if tx.Bucket(bucket) == nil {
			t.Error("the bucket is gone")
		}
		return nil
	})
}

func TestAStoreOfANewerBuildIsRefusedAndLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	mustStore(t, path, 2, Migration{1, create}, Migration{2, func(*bolt.Tx) error { return nil }}).Close()
	if _, err := OpenStore(path, 1); !errors.Is(err, ErrNewer) {
		t.Errorf("error %v", err)
	}
	mustStore(t, path, 2)
}

func TestAStoreOpenElsewhereIsBusyNotCorrupt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	mustStore(t, path, 1, Migration{1, create})
	if _, err := OpenStore(path, 1); !errors.Is(err, ErrBusy) {
		t.Errorf("error %v", err)
	}
}

func TestAnUnreadableStoreIsSetAsideWholeAndReplaced(t *testing.T) {
	good := filepath.Join(t.TempDir(), "good.db")
	store := mustStore(t, good, 1, Migration{1, create})
	err := store.Update(func(tx *bolt.Tx) error {
		for i := range 2000 {
			if err := tx.Bucket(bucket).Put(fmt.Appendf(nil, "key-%04d", i), bytes.Repeat([]byte{'x'}, 100)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	store.Close()
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	page := os.Getpagesize()
	spoil := map[string][]byte{
		"text":           []byte("this is not a store"),
		"long text":      bytes.Repeat([]byte("not a store at all\n"), 5000),
		"zeroed":         make([]byte, len(whole)),
		"truncated":      whole[:len(whole)/2],
		"only its metas": whole[:2*page],
		"zeroed pages":   append(bytes.Clone(whole[:2*page]), make([]byte, len(whole)-2*page)...),
	}
	for name, data := range spoil {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.db")
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			store := mustStore(t, path, 1, Migration{1, create})
			if store.SetAside == "" || store.SetAsideCause == nil {
				t.Fatal("the caller was not told")
			}
			kept, err := os.ReadFile(store.SetAside)
			if err != nil || !bytes.Equal(kept, data) {
				t.Errorf("kept %d bytes of %d, %v", len(kept), len(data), err)
			}
			if err := store.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucket).Put([]byte("k"), []byte("v")) }); err != nil {
				t.Errorf("the new one does not work: %v", err)
			}
		})
	}
}
