package persistence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// LookStore hands the store at path to view, to read from only, after it has been read down to its last page and its books were
// found to be in order (bbolt's Check). Nothing is made, changed or set aside. The errors are fs.ErrNotExist when there is none,
// ErrBusy when a process has it open (then ask that process), or what is wrong with it.
func LookStore(path string, view func(*bolt.Tx) error) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() == 0 {
		return fmt.Errorf("%s is empty: %w", path, fs.ErrNotExist) // a store begins so
	}
	if err := examine(path, lookTimeout); err != nil {
		return fmt.Errorf("look at %s: %w", path, err)
	}
	db, err := bolt.Open(path, fileMode, &bolt.Options{Timeout: lookTimeout, ReadOnly: true})
	if err != nil {
		return fmt.Errorf("look at %s: %w", path, named(err))
	}
	defer db.Close()
	return db.View(func(tx *bolt.Tx) error {
		var wrong error
		for problem := range tx.Check() { // to its end, or its goroutine would wait for ever
			if wrong == nil {
				wrong = problem
			}
		}
		if wrong != nil {
			return fmt.Errorf("look at %s: %w: %w", path, errUnreadable, wrong)
		}
		return view(tx)
	})
}

// SetAsides are the files that were set aside in the home as unreadable, stores and single records, by name.
func (h Home) SetAsides() ([]string, error) {
	entries, err := os.ReadDir(h.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if ok, _ := filepath.Match("*.corrupt-*", e.Name()); ok { // the pattern is well formed
			names = append(names, e.Name())
		}
	}
	return names, nil
}
