package daemon

import (
	"encoding/json"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"moorage/persistence"
	"moorage/workspace"
)

// indexSchema is the version of the layout below.
//
//	tasks       <task id>      -> workspace.Task as JSON
//	doomed      <session key>  -> empty: to be ended as soon as the host can be reached
//	index       "recovering"   -> present until the live sessions of an unreadable predecessor have been taken in
const indexSchema = 1

var (
	tasksBucket   = []byte("tasks")
	doomedBucket  = []byte("doomed")
	indexBucket   = []byte("index")
	recoveringKey = []byte("recovering")
)

// index is the durable part of the state.
type index struct {
	store *persistence.Store
}

// indexed is what an index holds.
type indexed struct {
	tasks      []workspace.Task
	unreadable map[string]error // records that could not be read; they stay on disk and their sessions are left alone
	doomed     map[string]bool
	recovering bool
}

func openIndex(path string) (*index, error) {
	store, err := persistence.OpenStore(path, indexSchema, persistence.Migration{To: 1, Apply: func(tx *bolt.Tx) error {
		for _, name := range [][]byte{tasksBucket, doomedBucket, indexBucket} {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return nil
	}})
	if err != nil {
		return nil, err
	}
	ix := &index{store: store}
	if store.SetAside != "" {
		if err := ix.setRecovering(); err != nil {
			store.Close()
			return nil, err
		}
	}
	return ix, nil
}

func (ix *index) load() (indexed, error) {
	in := indexed{unreadable: map[string]error{}, doomed: map[string]bool{}}
	err := ix.store.View(func(tx *bolt.Tx) error {
		in.recovering = tx.Bucket(indexBucket).Get(recoveringKey) != nil
		err := tx.Bucket(doomedBucket).ForEach(func(k, _ []byte) error {
			in.doomed[string(k)] = true
			return nil
		})
		if err != nil {
			return err
		}
		return tx.Bucket(tasksBucket).ForEach(func(k, v []byte) error {
			var task workspace.Task
			err := json.Unmarshal(v, &task)
			if err == nil {
				err = task.Check()
			}
			if err != nil {
				in.unreadable[string(k)] = err
			} else {
				in.tasks = append(in.tasks, task)
			}
			return nil
		})
	})
	if err != nil {
		return indexed{}, fmt.Errorf("load index: %w", err)
	}
	return in, nil
}

// change is what one mutation does to the index.
type change struct {
	put    []workspace.Task
	drop   []string        // task ids
	doom   []workspace.Key // sessions that have to end
	spared []string        // keys that are no longer doomed: their sessions are gone
	// recovered says that the sessions of an unreadable predecessor are in the tasks now.
	recovered bool
}

// write makes the whole change durable, or none of it.
func (ix *index) write(c change) error {
	err := ix.store.Update(func(tx *bolt.Tx) error {
		tasks, doomed := tx.Bucket(tasksBucket), tx.Bucket(doomedBucket)
		for _, task := range c.put {
			data, err := json.Marshal(task)
			if err != nil {
				return err
			}
			if err := tasks.Put([]byte(task.ID), data); err != nil {
				return err
			}
		}
		for _, id := range c.drop {
			if err := tasks.Delete([]byte(id)); err != nil {
				return err
			}
		}
		for _, key := range c.doom {
			if err := doomed.Put([]byte(key.String()), nil); err != nil {
				return err
			}
		}
		for _, key := range c.spared {
			if err := doomed.Delete([]byte(key)); err != nil {
				return err
			}
		}
		if c.recovered {
			return tx.Bucket(indexBucket).Delete(recoveringKey)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	return nil
}

func (ix *index) setRecovering() error {
	return ix.store.Update(func(tx *bolt.Tx) error {
		return tx.Bucket(indexBucket).Put(recoveringKey, []byte{1})
	})
}

func (ix *index) close() error { return ix.store.Close() }
