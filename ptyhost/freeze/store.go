package freeze

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/ring"

	bolt "go.etcd.io/bbolt"
)

// The layout: bucket "sessions", in it a bucket for each session's key, in it
//
//	"m"              the Record
//	"s" offset u64   the emulator's state there; of the first byte only
//	"d" offset u64   a run of output
//
// Runs are cut to runSize, so that a page holds a few of them and appending
// rewrites no more than the last page.
var sessionsBucket = []byte("sessions")

const (
	schema      = 1
	runSize     = 1900
	kindRecord  = 'm'
	kindState   = 's'
	kindRun     = 'd'
	appendsFill = 0.95 // keys only ever come at the end: fill the pages
)

// Store is the frozen sessions of a home.
type Store struct {
	db    *persistence.Store
	path  string
	file  fs.FileInfo // of the file that is open, as far as can be told
	fault func(point string)
}

// Open opens the store at path, making it if missing. See
// persistence.OpenStore for a file that cannot be read: SetAside says where it
// went. fault is nil, or is called between every two steps of a change with
// the name of the point, so that a test can end the process there.
func Open(path string, fault func(point string)) (*Store, error) {
	db, err := persistence.OpenStore(path, schema, persistence.Migration{To: 1, Apply: func(tx *bolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(sessionsBucket)
		return err
	}})
	if err != nil {
		return nil, fmt.Errorf("freeze store: %w", err)
	}
	if fault == nil {
		fault = func(string) {}
	}
	file, _ := os.Stat(path) // without it Vanished sees less
	return &Store{db: db, path: path, file: file, fault: fault}, nil
}

// Vanished reports whether the store's file was removed or replaced, so that
// what is written is found by nobody.
func (s *Store) Vanished() bool {
	now, err := os.Stat(s.path)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return s.file != nil && !os.SameFile(s.file, now)
}

// SetAside is where an unreadable store in this one's place went, and why; ""
// when all was well.
func (s *Store) SetAside() (name string, cause error) { return s.db.SetAside, s.db.SetAsideCause }

// Close closes the store.
func (s *Store) Close() error { return s.db.Close() }

// Batch is what one transaction brings, in this order.
type Batch struct {
	Drop     []string          // keys whose record goes for good
	Policies map[string]string // by key; a key without a record is passed over
	Updates  []Update
}

// Empty reports whether there is nothing in it.
func (b Batch) Empty() bool { return len(b.Drop)+len(b.Policies)+len(b.Updates) == 0 }

// Write stores a batch in one transaction: all or nothing.
func (s *Store) Write(b Batch) error {
	if b.Empty() {
		return nil
	}
	s.fault("write: begin")
	err := s.db.Update(func(tx *bolt.Tx) error {
		sessions := tx.Bucket(sessionsBucket)
		for _, key := range b.Drop {
			if err := sessions.DeleteBucket([]byte(key)); err != nil && !isMissing(err) {
				return fmt.Errorf("drop frozen %s: %w", key, err)
			}
			s.fault("write: dropped")
		}
		for key, policy := range b.Policies {
			if err := setPolicy(sessions, key, policy); err != nil {
				return fmt.Errorf("policy of frozen %s: %w", key, err)
			}
			s.fault("write: policy set")
		}
		for _, u := range b.Updates {
			if err := s.write(sessions, u); err != nil {
				return fmt.Errorf("freeze %s: %w", u.Record.Key, err)
			}
		}
		s.fault("write: before commit")
		return nil
	})
	if err == nil {
		s.fault("write: committed")
	}
	return err
}

// setPolicy changes one word of a record; its age stays what it was.
func setPolicy(sessions *bolt.Bucket, key, policy string) error {
	b := sessions.Bucket([]byte(key))
	if b == nil {
		return nil
	}
	r, err := unsealRecord(b.Get([]byte{kindRecord}))
	if err != nil {
		return nil // it will be set aside by whoever thaws it
	}
	r.Policy = policy
	record, err := sealRecord(r)
	if err != nil {
		return err
	}
	return b.Put([]byte{kindRecord}, record)
}

func (s *Store) write(sessions *bolt.Bucket, u Update) error {
	if u.Fresh {
		if err := sessions.DeleteBucket([]byte(u.Record.Key)); err != nil && !isMissing(err) {
			return err
		}
		s.fault("write: old record gone")
	}
	b, err := sessions.CreateBucketIfNotExists([]byte(u.Record.Key))
	if err != nil {
		return err
	}
	b.FillPercent = appendsFill
	record, err := sealRecord(u.Record)
	if err != nil {
		return err
	}
	if err := b.Put([]byte{kindRecord}, record); err != nil {
		return err
	}
	s.fault("write: record")
	for _, kind := range []byte{kindState, kindRun} {
		if err := dropBefore(b, kind, u.Record.Start); err != nil {
			return err
		}
	}
	s.fault("write: evicted")
	if u.State != nil {
		if err := b.Put(offsetKey(kindState, u.Record.Start), seal(u.State)); err != nil {
			return err
		}
	}
	s.fault("write: state")
	for _, p := range u.Pieces {
		for _, run := range p.cut(runSize) {
			if err := b.Put(offsetKey(kindRun, run.Offset), seal(run.payload())); err != nil {
				return err
			}
		}
		s.fault("write: piece")
	}
	return nil
}

// cut divides a piece into pieces of at most n bytes. Marks at a border belong
// to the piece that begins there; those behind the last byte to the last.
func (p Piece) cut(n int) []Piece {
	if len(p.Data) <= n {
		return []Piece{p}
	}
	var out []Piece
	marks := p.Marks
	for at := 0; at < len(p.Data); at += n {
		end := min(at+n, len(p.Data))
		run := Piece{Offset: p.Offset + uint64(at), Data: p.Data[at:end]}
		last := end == len(p.Data)
		for len(marks) > 0 && (last || marks[0].Offset < p.Offset+uint64(end)) {
			run.Marks = append(run.Marks, marks[0])
			marks = marks[1:]
		}
		out = append(out, run)
	}
	return out
}

// dropBefore removes what the ring has evicted.
func dropBefore(b *bolt.Bucket, kind byte, start uint64) error {
	c := b.Cursor()
	var gone [][]byte
	for k, _ := c.Seek([]byte{kind}); len(k) == 9 && k[0] == kind && keyOffset(k) < start; k, _ = c.Next() {
		gone = append(gone, bytes.Clone(k))
	}
	for _, k := range gone {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

func offsetKey(kind byte, offset uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{kind}, offset)
}

func keyOffset(k []byte) uint64 { return binary.BigEndian.Uint64(k[1:]) }

// Bad is a record that cannot be read.
type Bad struct {
	Key   string
	Cause error
}

// Records returns all records that can be read, without their bytes, and
// those that cannot.
func (s *Store) Records() (good []Record, bad []Bad, err error) {
	err = s.db.View(func(tx *bolt.Tx) error {
		return tx.Bucket(sessionsBucket).ForEachBucket(func(key []byte) error {
			b := tx.Bucket(sessionsBucket).Bucket(key)
			r, err := unsealRecord(b.Get([]byte{kindRecord}))
			if err == nil && r.Key != string(key) {
				err = fmt.Errorf("%w: it says %q", ErrCorrupt, r.Key)
			}
			if err != nil {
				bad = append(bad, Bad{string(key), err})
				return nil
			}
			good = append(good, r)
			return nil
		})
	})
	return good, bad, err
}

// Load returns a record with the ring's chunks: the state at its first byte,
// and all bytes and sizes behind it. ErrCorrupt when anything of it is missing
// or wrong.
func (s *Store) Load(key string) (Record, []*ring.Chunk, error) {
	var r Record
	var chunks []*ring.Chunk
	err := s.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket(sessionsBucket).Bucket([]byte(key))
		if b == nil {
			return errMissing
		}
		var err error
		if r, err = unsealRecord(b.Get([]byte{kindRecord})); err != nil {
			return err
		}
		chunks, err = load(b, r)
		return err
	})
	if err != nil {
		return Record{}, nil, fmt.Errorf("thaw %s: %w", key, err)
	}
	return r, chunks, nil
}

// errMissing means that there is no such record.
var errMissing = errors.New("no such record")

// load joins the runs into one chunk.
func load(b *bolt.Bucket, r Record) ([]*ring.Chunk, error) {
	state, err := unseal(b.Get(offsetKey(kindState, r.Start)))
	if err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	// The record may lie about its size, so only so much is made room for.
	chunk := &ring.Chunk{Offset: r.Start, State: bytes.Clone(state), Data: make([]byte, 0, min(r.Size(), 4<<20))}
	c := b.Cursor()
	for k, v := c.Seek(offsetKey(kindRun, r.Start)); len(k) == 9 && k[0] == kindRun; k, v = c.Next() {
		payload, err := unseal(v)
		if err != nil {
			return nil, fmt.Errorf("output at %d: %w", keyOffset(k), err)
		}
		p, err := parsePiece(keyOffset(k), payload)
		if err != nil {
			return nil, fmt.Errorf("output at %d: %w", keyOffset(k), err)
		}
		if p.Offset != chunk.End() {
			return nil, fmt.Errorf("%w: output at %d follows %d", ErrCorrupt, p.Offset, chunk.End())
		}
		chunk.Marks = append(chunk.Marks, p.Marks...)
		chunk.Data = append(chunk.Data, p.Data...)
	}
	if chunk.End() != r.End {
		return nil, fmt.Errorf("%w: output ends at %d, not %d", ErrCorrupt, chunk.End(), r.End)
	}
	return []*ring.Chunk{chunk}, nil
}

// Quarantine takes an unreadable record out of the store into a file beside
// it, <store>.<key>.corrupt-<time>, and returns the file's name. The file is a
// store of its own that holds nothing else.
func (s *Store) Quarantine(key string, now time.Time) (string, error) {
	name := fmt.Sprintf("%s.%s.corrupt-%s", s.path, strings.ReplaceAll(key, "/", "_"), now.UTC().Format("20060102T150405Z"))
	_, missing := os.Lstat(name)
	out, err := bolt.Open(name, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		return "", fmt.Errorf("set aside frozen %s: %w", key, err)
	}
	s.fault("quarantine: file made")
	err = s.db.Update(func(tx *bolt.Tx) error {
		from := tx.Bucket(sessionsBucket).Bucket([]byte(key))
		if from == nil {
			return errMissing
		}
		if err := out.Update(func(o *bolt.Tx) error {
			to, err := o.CreateBucketIfNotExists([]byte(key))
			if err != nil {
				return err
			}
			return from.ForEach(to.Put)
		}); err != nil {
			return err
		}
		s.fault("quarantine: copied")
		return tx.Bucket(sessionsBucket).DeleteBucket([]byte(key))
	})
	if err := errors.Join(err, out.Close()); err != nil {
		if errors.Is(missing, fs.ErrNotExist) {
			_ = os.Remove(name) // the record is in the store still
		}
		return "", fmt.Errorf("set aside frozen %s: %w", key, err)
	}
	s.fault("quarantine: done")
	return filepath.Base(name), nil
}
