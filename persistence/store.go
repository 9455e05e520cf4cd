package persistence

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// openTimeout is how long OpenStore waits for another process to let go of the file.
const openTimeout = 2 * time.Second

// lookTimeout is how long those wait who only look.
const lookTimeout = 300 * time.Millisecond

// The bucket that says what the others mean: key "schema", value u64 big endian.
var (
	metaBucket = []byte("moorage")
	schemaKey  = []byte("schema")
)

var (
	// ErrBusy says that another process has the store open.
	ErrBusy = errors.New("open in another process")
	// ErrNewer says that a newer moorage wrote the store. It is left as it is.
	ErrNewer = errors.New("written by a newer moorage")
)

// A Migration brings a store from schema To-1 to schema To. It runs in the transaction that records the new schema, so that
// a crash leaves the store wholly at the old one.
type Migration struct {
	To    int
	Apply func(*bolt.Tx) error
}

// Store is a bbolt database whose schema is known to be the caller's. Its transactions (View, Update) are bbolt's: Update
// returns after the data is on the disk.
type Store struct {
	*bolt.DB
	// SetAside is the name that an unreadable store in this one's place was renamed to, and SetAsideCause why it could
	// not be read. Both are zero when all went well. The caller logs them.
	SetAside      string
	SetAsideCause error
}

// OpenStore opens the store at path, creating it with mode 0600 if it is missing, and runs the migrations that its schema
// lacks, in order; a new store starts at schema 0. A file that cannot be read as a store, down to its last page, is renamed
// to <path>.corrupt-<time>, and a new one takes its place; see Store.SetAside. ErrBusy after two seconds when another process
// has it; ErrNewer when its schema is beyond the caller's.
func OpenStore(path string, schema int, migrations ...Migration) (*Store, error) {
	store := &Store{}
	cause := examine(path, openTimeout)
	if errors.Is(cause, errUnreadable) {
		aside, err := setAside(path)
		if err != nil {
			return nil, fmt.Errorf("open store %s: %w", path, errors.Join(cause, err))
		}
		store.SetAside, store.SetAsideCause = aside, cause
	} else if cause != nil {
		return nil, fmt.Errorf("open store %s: %w", path, cause)
	}
	if err := touchPrivate(path); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	db, err := bolt.Open(path, fileMode, &bolt.Options{Timeout: openTimeout})
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, named(err))
	}
	if err := migrate(db, schema, migrations); err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, errors.Join(err, db.Close()))
	}
	store.DB = db
	return store, nil
}

// errUnreadable marks what examine saw with its own eyes: the bytes are no store. It never stands for "could not look".
var errUnreadable = errors.New("not a readable store")

// examine reads every page that a lookup can reach. nil means sound, or missing, or empty, which is how a store begins.
// bbolt maps the file, so a torn one can fault where an error is expected; here a fault is an error.
func examine(path string, timeout time.Duration) (err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: not a regular file", errUnreadable)
	case info.Size() == 0:
		return nil
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errUnreadable, r)
		}
	}()
	db, err := bolt.Open(path, fileMode, &bolt.Options{Timeout: timeout, ReadOnly: true})
	if err != nil {
		if looked(err) {
			return fmt.Errorf("%w: %w", errUnreadable, err)
		}
		return named(err)
	}
	defer db.Close()
	return db.View(func(tx *bolt.Tx) error {
		if size := tx.Size(); size > info.Size() {
			return fmt.Errorf("%w: %d of %d bytes are there", errUnreadable, info.Size(), size)
		}
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error { return walk(b) })
	})
}

// walk visits every key of b and of the buckets in it.
func walk(b *bolt.Bucket) error {
	return b.ForEach(func(k, v []byte) error {
		if v == nil {
			if nested := b.Bucket(k); nested != nil {
				return walk(nested)
			}
		}
		return nil
	})
}

// looked tells bbolt's verdicts on a file's content from failures to look at it.
func looked(err error) bool {
	if errors.Is(err, bolterrors.ErrTimeout) {
		return false
	}
	_, os := errors.AsType[*fs.PathError](err)
	return !os
}

func named(err error) error {
	if errors.Is(err, bolterrors.ErrTimeout) {
		return ErrBusy
	}
	return err
}

// setAside renames an unreadable file so that its name tells what and when.
func setAside(path string) (string, error) {
	base := path + ".corrupt-" + time.Now().UTC().Format("20060102T150405Z")
	for n := range 100 {
		aside := base
		if n > 0 {
			aside = fmt.Sprintf("%s-%d", base, n)
		}
		if _, err := os.Lstat(aside); err == nil {
			continue
		}
		if err := os.Rename(path, aside); err != nil {
			return "", err
		}
		return aside, syncDir(filepath.Dir(path))
	}
	return "", fmt.Errorf("set aside %s: no free name", path)
}

// migrate runs what is missing, each step in a transaction of its own.
func migrate(db *bolt.DB, schema int, migrations []Migration) error {
	have, err := schemaOf(db)
	if err != nil {
		return err
	}
	if have > schema {
		return fmt.Errorf("schema %d, this build knows %d: %w", have, schema, ErrNewer)
	}
	for _, m := range migrations {
		if m.To <= have {
			continue
		}
		err := db.Update(func(tx *bolt.Tx) error {
			if err := m.Apply(tx); err != nil {
				return err
			}
			return putSchema(tx, m.To)
		})
		if err != nil {
			return fmt.Errorf("migrate to schema %d: %w", m.To, err)
		}
	}
	return nil
}

func schemaOf(db *bolt.DB) (schema int, err error) {
	err = db.View(func(tx *bolt.Tx) error {
		if b := tx.Bucket(metaBucket); b != nil {
			if v := b.Get(schemaKey); len(v) == 8 {
				schema = int(binary.BigEndian.Uint64(v))
			}
		}
		return nil
	})
	return schema, err
}

func putSchema(tx *bolt.Tx, schema int) error {
	b, err := tx.CreateBucketIfNotExists(metaBucket)
	if err != nil {
		return err
	}
	return b.Put(schemaKey, binary.BigEndian.AppendUint64(nil, uint64(schema)))
}
