package daemon

import (
	"encoding/json"
	"errors"
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
//	index       "projects"     -> []workspace.Project as JSON
//	index       "places"       -> map of client to clientPlace as JSON
//	index       "clones"       -> []cloning as JSON: those that are under way or have failed
//	failed      <task id>      -> workspace.Work as JSON, of what failed of a task and was neither tried again nor dismissed
//	reports     <report id>    -> workspace.Report as JSON, the newest maxReports
//	exits       <ULID>         -> workspace.ExitRecord as JSON, the newest workspace.MaxExits
//	notes       <task id>      -> taskNotes as JSON; none while a task has no notes
//	attention   "inbox"        -> workspace.Inbox as JSON
//	attention   "consent"      -> workspace.Consent as text, absent while the user was not asked
const indexSchema = 5

var (
	tasksBucket   = []byte("tasks")
	doomedBucket  = []byte("doomed")
	indexBucket   = []byte("index")
	recoveringKey = []byte("recovering")
	placesKey     = []byte("places")
	projectsKey   = []byte("projects")
	reportsBucket = []byte("reports")
	exitsBucket   = []byte("exits")
	notesBucket   = []byte("notes")
	failedBucket  = []byte("failed")
	clonesKey     = []byte("clones")

	attentionBucket = []byte("attention")
	inboxKey        = []byte("inbox")
	consentKey      = []byte("consent")
)

// maxReports is how many reports are kept.
const maxReports = 20

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
	places     map[string]clientPlace
	projects   map[string]workspace.Project
	reports    []workspace.Report     // the oldest first
	exits      []workspace.ExitRecord // likewise
	inbox      workspace.Inbox
	consent    workspace.Consent
	notes      map[string]taskNotes
	clones     []cloning
	failed     map[string]workspace.Work
}

func openIndex(path string) (*index, error) {
	store, err := persistence.OpenStore(path, indexSchema,
		persistence.Migration{To: 1, Apply: buckets(tasksBucket, doomedBucket, indexBucket)},
		persistence.Migration{To: 2, Apply: buckets(reportsBucket, exitsBucket)},
		persistence.Migration{To: 3, Apply: buckets(attentionBucket)},
		persistence.Migration{To: 4, Apply: buckets(notesBucket)},
		persistence.Migration{To: 5, Apply: buckets(failedBucket)})
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

// buckets is a migration that adds some.
func buckets(names ...[]byte) func(*bolt.Tx) error {
	return func(tx *bolt.Tx) error {
		for _, name := range names {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return nil
	}
}

func (ix *index) load() (indexed, error) {
	in := indexed{
		unreadable: map[string]error{}, doomed: map[string]bool{}, places: map[string]clientPlace{},
		projects: map[string]workspace.Project{}, notes: map[string]taskNotes{},
		failed: map[string]workspace.Work{},
	}
	err := ix.store.View(func(tx *bolt.Tx) error {
		in.recovering = tx.Bucket(indexBucket).Get(recoveringKey) != nil
		if b := tx.Bucket(indexBucket).Get(placesKey); b != nil && json.Unmarshal(b, &in.places) != nil {
			in.places = map[string]clientPlace{} // they only tell
		}
		if b := tx.Bucket(indexBucket).Get(clonesKey); json.Unmarshal(b, &in.clones) != nil {
			in.clones = nil // likewise
		}
		err := tx.Bucket(doomedBucket).ForEach(func(k, _ []byte) error {
			in.doomed[string(k)] = true
			return nil
		})
		if err != nil {
			return err
		}
		var projects []workspace.Project
		if b := tx.Bucket(indexBucket).Get(projectsKey); b != nil {
			if err := json.Unmarshal(b, &projects); err != nil {
				return fmt.Errorf("projects: %w", err)
			}
		}
		for _, p := range projects {
			in.projects[p.ID] = p
		}
		in.reports = readable[workspace.Report](tx.Bucket(reportsBucket))
		in.exits = readable[workspace.ExitRecord](tx.Bucket(exitsBucket))
		attention := tx.Bucket(attentionBucket)
		if data := attention.Get(inboxKey); json.Unmarshal(data, &in.inbox) != nil {
			in.inbox = workspace.Inbox{} // it only tells
		}
		in.consent = workspace.Consent(attention.Get(consentKey))
		_ = tx.Bucket(failedBucket).ForEach(func(k, v []byte) error { // only the function could fail
			var w workspace.Work
			if json.Unmarshal(v, &w) == nil {
				in.failed[string(k)] = w
			}
			return nil
		})
		if err := tx.Bucket(notesBucket).ForEach(func(k, v []byte) error {
			var n taskNotes
			if err := json.Unmarshal(v, &n); err != nil {
				return fmt.Errorf("notes of %s: %w", k, err)
			}
			in.notes[string(k)] = n
			return nil
		}); err != nil {
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

// readable decodes the records of a bucket, in the order of their keys. What cannot be read is passed over: these records only tell.
func readable[R any](b *bolt.Bucket) []R {
	var all []R
	_ = b.ForEach(func(_, v []byte) error { // only the function could fail
		var r R
		if json.Unmarshal(v, &r) == nil {
			all = append(all, r)
		}
		return nil
	})
	return all
}

// keep stores a record that only tells, and drops the oldest beyond limit.
func (ix *index) keep(bucket []byte, id string, record any, limit int) error {
	data, err := json.Marshal(record)
	if err != nil {
		return err
	}
	return ix.store.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucket)
		if err := b.Put([]byte(id), data); err != nil {
			return err
		}
		n := 0
		if err := b.ForEach(func(_, _ []byte) error { n++; return nil }); err != nil {
			return err
		}
		for ; n > limit; n-- {
			oldest, _ := b.Cursor().First()
			if err := b.Delete(oldest); err != nil {
				return err
			}
		}
		return nil
	})
}

// change is what one mutation does to the index.
type change struct {
	put      []workspace.Task
	drop     []string               // task ids
	doom     []workspace.Key        // sessions that have to end
	spared   []string               // keys that are no longer doomed: their sessions are gone
	places   map[string]clientPlace // nil: as they were
	projects *[]workspace.Project   // nil: as they were
	// recovered says that the sessions of an unreadable predecessor are in the tasks now.
	recovered bool
	inbox     *workspace.Inbox          // the whole, if it changes
	consent   workspace.Consent         // the user's answer, "" if it stays
	notes     map[string]taskNotes      // of tasks whose notes change, the whole of each
	clones    *[]cloning                // nil: as they were
	failed    map[string]workspace.Work // of tasks of which something failed; the zero Work, or one that goes on, takes it away
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
			if err := errors.Join(tx.Bucket(notesBucket).Delete([]byte(id)), tx.Bucket(failedBucket).Delete([]byte(id))); err != nil {
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
		if err := putIndex(tx.Bucket(indexBucket), c); err != nil {
			return err
		}
		if err := putEach(tx.Bucket(failedBucket), c.failed, func(w workspace.Work) bool { return w.Failed == "" }); err != nil {
			return err
		}
		if err := putAttention(tx.Bucket(attentionBucket), c); err != nil {
			return err
		}
		if err := putEach(tx.Bucket(notesBucket), c.notes, func(n taskNotes) bool { return len(n.Notes) == 0 }); err != nil {
			return err
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

// putIndex stores what is kept as one value of all.
func putIndex(b *bolt.Bucket, c change) error {
	put := func(key []byte, value any) error {
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		return b.Put(key, data)
	}
	var errs []error
	if c.projects != nil {
		errs = append(errs, put(projectsKey, *c.projects))
	}
	if c.places != nil {
		errs = append(errs, put(placesKey, c.places))
	}
	if c.clones != nil {
		errs = append(errs, put(clonesKey, *c.clones))
	}
	return errors.Join(errs...)
}

// putEach stores a record for each task, and drops those that are empty.
func putEach[R any](b *bolt.Bucket, records map[string]R, empty func(R) bool) error {
	for id, r := range records {
		if empty(r) {
			if err := b.Delete([]byte(id)); err != nil {
				return err
			}
			continue
		}
		data, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if err := b.Put([]byte(id), data); err != nil {
			return err
		}
	}
	return nil
}

func putAttention(b *bolt.Bucket, c change) error {
	if c.inbox != nil {
		data, err := json.Marshal(c.inbox)
		if err != nil {
			return err
		}
		if err := b.Put(inboxKey, data); err != nil {
			return err
		}
	}
	if c.consent != "" {
		return b.Put(consentKey, []byte(c.consent))
	}
	return nil
}

func (ix *index) setRecovering() error {
	return ix.store.Update(func(tx *bolt.Tx) error {
		return tx.Bucket(indexBucket).Put(recoveringKey, []byte{1})
	})
}

func (ix *index) close() error { return ix.store.Close() }
