//go:build unix

package ptyhost

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/freeze"
	"moorage/ptyhost/wire"

	bolt "go.etcd.io/bbolt"
)

// raw calls f with the bucket of the frozen sessions, read by bbolt alone.
func raw(t *testing.T, path string, f func(sessions *bolt.Bucket) error) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Update(func(tx *bolt.Tx) error { return f(tx.Bucket([]byte("sessions"))) }); err != nil {
		t.Fatal(err)
	}
}

// values is everything that a store has of a session, "" for nothing.
func values(t *testing.T, path, key string) string {
	t.Helper()
	var b bytes.Buffer
	raw(t, path, func(sessions *bolt.Bucket) error {
		if s := sessions.Bucket([]byte(key)); s != nil {
			return s.ForEach(func(k, v []byte) error {
				fmt.Fprintf(&b, "%x=%x\n", k, v)
				return nil
			})
		}
		return nil
	})
	return b.String()
}

// spoil changes the first value of a kind.
func spoil(t *testing.T, path, key string, kind byte, f func([]byte) []byte) {
	t.Helper()
	raw(t, path, func(sessions *bolt.Bucket) error {
		s := sessions.Bucket([]byte(key))
		k, v := s.Cursor().Seek([]byte{kind})
		return s.Put(bytes.Clone(k), f(bytes.Clone(v)))
	})
}

// hosted runs a host in the home until the returned stop.
func hosted(t *testing.T, home persistence.Home, env ...string) (h *childHost) {
	t.Helper()
	h = &childHost{t: t, home: home, env: env}
	h.start()
	t.Cleanup(h.kill)
	return h
}

func newHome(t *testing.T) persistence.Home {
	t.Helper()
	dir, err := os.MkdirTemp("", "host")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	home, err := persistence.OpenHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	return home
}

func TestRecordsThatCannotBeReadAreSetAsideAndNamedAndTheRestWorks(t *testing.T) {
	home := newHome(t)
	db := home.Path("freeze.db")
	fill(t, home, 12, 20<<10, nil)
	spoiled := []int{0, 2, 4, 6, 8, 10}
	before := make(map[int]string)
	spoil(t, db, fillKey(0), 'd', func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
	spoil(t, db, fillKey(2), 'd', func(b []byte) []byte { return b[:len(b)/2] })
	spoil(t, db, fillKey(4), 's', func(b []byte) []byte { return make([]byte, len(b)) })
	spoil(t, db, fillKey(6), 'm', func(b []byte) []byte { b[0] = 77; return b })
	spoil(t, db, fillKey(8), 'm', func([]byte) []byte { return nil })
	raw(t, db, func(sessions *bolt.Bucket) error { // a run is missing in the middle
		s := sessions.Bucket([]byte(fillKey(10)))
		c := s.Cursor()
		c.Seek([]byte{'d'})
		k, _ := c.Next()
		return s.Delete(bytes.Clone(k))
	})
	for _, i := range spoiled {
		before[i] = values(t, db, fillKey(i))
	}
	h := hosted(t, home)
	st, err := h.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if st.Thaw.Restored != 6 || st.Thaw.Unreadable != 6 || len(st.Thaw.SetAside) != 6 {
		t.Errorf("%+v", st.Thaw)
	}
	for i := 1; i < 12; i += 2 {
		if got := screen(t, h.Client, fillKey(i)); !strings.Contains(got, "of what a program prints") {
			t.Errorf("%d shows\n%s", i, got)
		}
	}
	h.stop()
	for _, i := range spoiled {
		if v := values(t, db, fillKey(i)); v != "" {
			t.Errorf("%d is in the store still", i)
		}
		at := slices.IndexFunc(st.Thaw.SetAside, func(name string) bool {
			return strings.Contains(name, strings.ReplaceAll(fillKey(i), "/", "_")+".corrupt-")
		})
		if at < 0 {
			t.Errorf("%d is not named in %q", i, st.Thaw.SetAside)
			continue
		}
		if got := aside(t, home.Path(st.Thaw.SetAside[at]), fillKey(i)); got != before[i] {
			t.Errorf("%d was changed on its way", i)
		}
	}
}

// aside is what a file beside the store holds of a session; nothing of one that
// a crash left before it was filled.
func aside(t *testing.T, path, key string) string {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var b bytes.Buffer
	_ = db.View(func(tx *bolt.Tx) error {
		bucket := tx.Bucket([]byte(key))
		if bucket == nil {
			return nil
		}
		return bucket.ForEach(func(k, v []byte) error {
			fmt.Fprintf(&b, "%x=%x\n", k, v)
			return nil
		})
	})
	return b.String()
}

func TestAStoreThatIsNoneIsSetAsideAndNamed(t *testing.T) {
	home := newHome(t)
	junk := bytes.Repeat([]byte("no store at all "), 4096)
	if err := os.WriteFile(home.Path("freeze.db"), junk, 0o600); err != nil {
		t.Fatal(err)
	}
	h := hosted(t, home)
	st, err := h.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(st.Thaw.SetAside) != 1 || !strings.HasPrefix(st.Thaw.SetAside[0], "freeze.db.corrupt-") {
		t.Fatalf("%+v", st.Thaw)
	}
	if got, err := os.ReadFile(home.Path(st.Thaw.SetAside[0])); err != nil || !bytes.Equal(got, junk) {
		t.Errorf("it was changed: %d bytes, %v", len(got), err)
	}
	const key = "t/tab-1/pane-1"
	open(t, h.Client, key, "echo kept; exit 1")
	h.exited(key)
	h.kept(key, func(r freeze.Record, _ string) bool { return r.Exit != nil })
}

func TestTheNewestAreRestoredTheRestStaysUntouchedAndTheOldGo(t *testing.T) {
	home := newHome(t)
	n, size, budget := 200, 16<<10, 128*(16<<10)
	if os.Getenv(thorough) != "" {
		size, budget = 512<<10, freeze.ThawBudget
	}
	fill(t, home, n, size, func(i int, r *freeze.Record) {
		if i >= 190 {
			r.Frozen = time.Now().Add(-freeze.Keep - time.Duration(i)*time.Minute)
		}
	})
	db := home.Path("freeze.db")
	before := make([]string, n)
	for i := 128; i < n; i++ {
		before[i] = values(t, db, fillKey(i))
	}
	h := hosted(t, home, fmt.Sprintf("%s=%d", childThaw, budget))
	st, err := h.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := (wire.Thaw{Restored: 128, Deferred: 62, Expired: 10}); st.Thaw.Restored != want.Restored || st.Thaw.Deferred != want.Deferred || st.Thaw.Expired != want.Expired || st.Thaw.Unreadable != 0 {
		t.Errorf("%+v", st.Thaw)
	}
	list, err := h.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 190 {
		t.Errorf("%d sessions", len(list))
	}
	for i := range 128 {
		if s := h.session(fillKey(i)); s.Deferred {
			t.Errorf("%d is not restored", i)
		}
	}
	h.stop()
	for i := 128; i < n; i++ {
		got := values(t, db, fillKey(i))
		if i < 190 && got != before[i] {
			t.Errorf("%d was touched", i)
		}
		if i >= 190 && got != "" {
			t.Errorf("%d has not expired", i)
		}
	}
	if left, _ := filepath.Glob(home.Path("*corrupt*")); len(left) > 0 {
		t.Errorf("set aside: %q", left)
	}
}
