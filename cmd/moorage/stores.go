package main

import (
	"encoding/json"
	"os"

	bolt "go.etcd.io/bbolt"

	"moorage/persistence"
	"moorage/workspace"
)

// The stores of a home. One process has each open while it runs; they can be looked at when it does not.
const (
	indexFile  = "index.db"  // the daemon's
	freezeFile = "freeze.db" // the PTY host's
)

// The buckets that are counted in them.
var (
	tasksBucket    = []byte("tasks")
	sessionsBucket = []byte("sessions")
)

// lookIndex counts what the index on disk holds. See persistence.LookStore for the errors; no index is no tasks.
func lookIndex(home persistence.Home) (tasks, tabs int, err error) {
	err = persistence.LookStore(home.Path(indexFile), func(tx *bolt.Tx) error {
		b := tx.Bucket(tasksBucket)
		if b == nil {
			return nil
		}
		return b.ForEach(func(_, v []byte) error {
			var t workspace.Task
			if err := json.Unmarshal(v, &t); err == nil { // one that cannot be read is a task still
				tabs += len(t.Tabs)
			}
			tasks++
			return nil
		})
	})
	return tasks, tabs, err
}

// lookFrozen counts the records of frozen sessions on disk. Errors as lookIndex.
func lookFrozen(home persistence.Home) (records int, err error) {
	err = persistence.LookStore(home.Path(freezeFile), func(tx *bolt.Tx) error {
		b := tx.Bucket(sessionsBucket)
		if b == nil {
			return nil
		}
		return b.ForEachBucket(func([]byte) error {
			records++
			return nil
		})
	})
	return records, err
}

// sizeOf is how many bytes a file has, 0 when there is none.
func sizeOf(path string) int64 {
	info, err := os.Lstat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// missing reports whether positively nothing is at path.
func missing(path string) bool {
	_, err := os.Lstat(path)
	return err != nil && os.IsNotExist(err)
}
