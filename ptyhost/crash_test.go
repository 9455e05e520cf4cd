//go:build unix

package ptyhost

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"moorage/ptyhost/freeze"
	"moorage/ptyhost/wire"
)

// The crash matrix: a host that kills itself with SIGKILL between every two
// steps of everything that changes its store, and the one that comes after.

// doomed is a host that is to die at a point, in a home that holds four frozen
// sessions, of which the last is the victim of what is done.
type doomed struct {
	*childHost
	before map[string]string // the others' records, as bbolt has them
}

const (
	crashRecords = 4
	crashSize    = 8 << 10
)

var victim = fillKey(crashRecords - 1)

func newDoomed(t *testing.T, point string, env ...string) *doomed {
	t.Helper()
	home := newHome(t)
	fill(t, home, crashRecords, crashSize, func(i int, r *freeze.Record) {
		if i == crashRecords-1 {
			r.Exit = nil
			r.Argv = []string{"/bin/sh", "-c", "echo the next life; sleep 100"}
		}
	})
	d := &doomed{childHost: &childHost{t: t, home: home}, before: make(map[string]string)}
	for i := range crashRecords - 1 {
		d.before[fillKey(i)] = values(t, home.Path("freeze.db"), fillKey(i))
	}
	d.env = append(env, childFault+"="+point, childCeil+"=100ms")
	t.Cleanup(d.kill)
	return d
}

// died waits until the host has killed itself.
func (d *doomed) died() {
	d.t.Helper()
	done := make(chan error, 1)
	go func() { done <- d.cmd.Wait() }()
	select {
	case <-done:
		st, _ := d.cmd.ProcessState.Sys().(syscall.WaitStatus)
		if !st.Signaled() || st.Signal() != syscall.SIGKILL {
			d.t.Fatalf("it ended otherwise: %v", d.cmd.ProcessState)
		}
	case <-time.After(20 * time.Second):
		d.t.Fatal("it never came to the point")
	}
	if d.Client != nil {
		d.Client.Close()
	}
}

// next starts the host that comes after and checks the others.
func (d *doomed) next() *childHost {
	d.t.Helper()
	db := d.home.Path("freeze.db")
	for key, was := range d.before {
		if got := values(d.t, db, key); got != was {
			d.t.Errorf("the record of %s is not what it was", key)
		}
	}
	h := hosted(d.t, d.home)
	for key := range d.before {
		if s := h.session(key); s.State != wire.SessionThawed || !strings.Contains(screen(d.t, h.Client, key), "of what a program prints") {
			d.t.Errorf("%s came back as %+v", key, s)
		}
	}
	if left, _ := filepath.Glob(d.home.Path("*corrupt*")); len(left) > 0 {
		d.t.Errorf("set aside: %q", left)
	}
	return h
}

// lookup is a session of the list, if it is there.
func (h *childHost) lookup(key string) (wire.Session, bool) {
	h.t.Helper()
	list, err := h.List(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(s wire.Session) bool { return s.Key == key })
	if i < 0 {
		return wire.Session{}, false
	}
	return list[i], true
}

// output is all that the ring of a session holds.
func (h *childHost) output(key string) string {
	h.t.Helper()
	r, err := h.ReadOutput(h.t.Context(), key)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(r.Data)
}

// the points of a write, in their order.
var writePoints = []string{"write: begin", "write: record", "write: evicted", "write: state", "write: piece", "write: before commit", "write: committed"}

// committed reports whether the write had reached the disk at the point.
func committed(point string) bool {
	name, _, _ := strings.Cut(point[strings.Index(point, ">")+1:], "#")
	return name == "write: committed" || name == "kill: forgotten" || name == "kill: ended" || name == "reset: ended"
}

var lineNumber = regexp.MustCompile(`line (\d+)\r\n`)

// lines is how many of "line 1", "line 2"... an output holds; each must be there
// once, and in order.
func lines(t *testing.T, output string) int {
	t.Helper()
	n := 0
	for _, m := range lineNumber.FindAllStringSubmatch(output, -1) {
		if i, _ := strconv.Atoi(m[1]); i != n+1 {
			t.Fatalf("line %d follows line %d", i, n)
		}
		n++
	}
	return n
}

func TestACrashInAFreezeLosesNothingThatWasFrozen(t *testing.T) {
	points := append([]string{"write: old record gone"}, writePoints...)
	for _, point := range writePoints {
		points = append(points, point+"#3")
	}
	for _, point := range points {
		t.Run(point, func(t *testing.T) {
			d := newDoomed(t, point)
			d.start()
			const key = "t/trickle/pane-1"
			// It may be dead before it answers.
			_, _ = d.Open(t.Context(), wire.OpenRequest{Key: key, Argv: []string{"/bin/sh", "-c", "i=1; while echo line $i; do i=$((i+1)); sleep 0.02; done"}, Dir: "/", Cols: 80, Rows: 24})
			frozen := 0
			if _, output, ok := d.frozen(key); ok {
				frozen = lines(t, output)
			}
			d.died()
			h := d.next()
			s, ok := h.lookup(key)
			nth := strings.HasSuffix(point, "#3")
			if !ok && (nth || committed(point)) {
				t.Fatal("what was frozen is lost")
			}
			if !ok {
				return
			}
			if s.State != wire.SessionThawed || s.Exit != nil {
				t.Errorf("%+v", s)
			}
			n := lines(t, h.output(key))
			if n < frozen || nth && n == 0 {
				t.Errorf("%d lines came back, %d were frozen", n, frozen)
			}
			if got := screen(t, h.Client, key); n > 0 && n < 20 && !strings.HasSuffix(got, fmt.Sprintf("line %d", n)) {
				t.Errorf("%d lines, but the screen is\n%s", n, got)
			}
		})
	}
}

func TestASessionThatWasKilledNeverComesBackFromACrash(t *testing.T) {
	points := []string{"kill: taken", "write: begin", "write: dropped", "write: before commit", "write: committed", "kill: forgotten", "kill: ended"}
	for _, kind := range []string{"thawed", "deferred", "live"} {
		for _, point := range points {
			t.Run(kind+"/"+point, func(t *testing.T) {
				env := ""
				if kind == "deferred" {
					env = fmt.Sprintf("%s=%d", childThaw, crashSize)
				}
				d := newDoomed(t, point, env)
				key := victim
				if kind == "live" {
					key = "t/live/pane-1"
					switch { // a freeze may be under way when it is taken
					case point == "write: committed" || point == "write: before commit":
						d.env = append(d.env, childFault+"=write: dropped>"+point)
					case strings.HasPrefix(point, "write"):
						d.env = append(d.env, childFault+"=kill: taken>"+point)
					}
				}
				d.start()
				if kind == "live" {
					open(t, d.Client, key, "echo once; exec sleep 100")
					d.kept(key, func(_ freeze.Record, output string) bool { return strings.Contains(output, "once") })
				}
				err := d.Kill(t.Context(), key)
				d.died()
				h := d.next()
				s, back := h.lookup(key)
				if back && (err == nil || committed(point)) {
					t.Errorf("it is back: %+v, the kill was answered with %v", s, err)
				}
				if back && kind != "live" && !strings.Contains(h.output(key), "of what a program prints") {
					t.Error("a kill that was never answered has spoilt the session")
				}
			})
		}
	}
}

func TestACrashInAResetBringsTheOldOrTheNewAndNeverBoth(t *testing.T) {
	points := []string{"kill: taken", "write: dropped", "write: committed", "kill: forgotten", "kill: ended", "reset: ended", "respawn: started"}
	for _, point := range writePoints {
		points = append(points, "reset: ended>"+point) // the first freeze of the new one
	}
	for _, point := range points {
		t.Run(point, func(t *testing.T) {
			d := newDoomed(t, point)
			d.start()
			_, _ = d.Reset(t.Context(), wire.OpenRequest{Key: victim, Argv: []string{"/bin/sh", "-c", "echo the new one; sleep 100"}, Dir: "/", Cols: 80, Rows: 24})
			d.died()
			h := d.next()
			if _, ok := h.lookup(victim); !ok {
				if point == "kill: taken" || point == "write: dropped" {
					t.Error("it is gone before its end was written")
				}
				return
			}
			output := h.output(victim)
			older, newer := strings.Contains(output, "of what a program prints"), strings.Contains(output, "the new one")
			if older && (newer || point != "kill: taken" && point != "write: dropped") {
				t.Errorf("the old one is back (%t) beside the new one (%t)", older, newer)
			}
		})
	}
}

func TestACrashInARespawnShowsTheOldScreenOnce(t *testing.T) {
	points := append([]string{"respawn: started", "respawn: inherited", "write: old record gone"}, writePoints...)
	for _, point := range points {
		t.Run(point, func(t *testing.T) {
			d := newDoomed(t, point)
			d.start()
			const last = "row 114 of what" // is the last whole one
			if !strings.Contains(screen(t, d.Client, victim), last) {
				t.Fatalf("the screen is\n%s", screen(t, d.Client, victim))
			}
			_, _ = d.Open(t.Context(), wire.OpenRequest{Key: victim, Respawn: true})
			d.died()
			h := d.next()
			s, ok := h.lookup(victim)
			if !ok || s.State != wire.SessionThawed || s.Exit != nil || len(s.Argv) != 3 {
				t.Fatalf("%t, %+v", ok, s)
			}
			if n := strings.Count(screen(t, h.Client, victim), last); n != 1 {
				t.Errorf("%q is there %d times in\n%s", last, n, screen(t, h.Client, victim))
			}
			// And it can be started again, once.
			if s, err := h.Open(t.Context(), wire.OpenRequest{Key: victim, Respawn: true}); err != nil || s.State != wire.SessionLive {
				t.Fatalf("%+v, %v", s, err)
			}
			shows(t, h.Client, victim, "the next life")
			if n := strings.Count(screen(t, h.Client, victim), last); n != 1 {
				t.Errorf("%q is there %d times after the respawn", last, n)
			}
		})
	}
}

func TestACrashInAChangeOfPolicyLeavesOneOfTheTwo(t *testing.T) {
	for _, kind := range []string{"thawed", "deferred"} {
		for _, point := range []string{"policy: noted", "write: begin", "write: policy set", "write: before commit", "write: committed"} {
			t.Run(kind+"/"+point, func(t *testing.T) {
				env := ""
				if kind == "deferred" {
					env = fmt.Sprintf("%s=%d", childThaw, crashSize)
				}
				d := newDoomed(t, point, env)
				d.start()
				_ = d.SetPolicy(t.Context(), victim, "always")
				d.died()
				h := d.next()
				s, ok := h.lookup(victim)
				if !ok || s.Policy != "always" && (s.Policy != "if-lost" || committed(point)) {
					t.Errorf("%t, policy %q", ok, s.Policy)
				}
				if !strings.Contains(screen(t, h.Client, victim), "of what a program prints") {
					t.Error("its screen is lost")
				}
			})
		}
	}
}

func TestACrashInAThawCostsNothing(t *testing.T) {
	for _, point := range []string{"thaw: planned", "thaw: one restored", "thaw: one restored#3", "quarantine: file made", "quarantine: copied", "quarantine: done"} {
		t.Run(point, func(t *testing.T) {
			d := newDoomed(t, point)
			db := d.home.Path("freeze.db")
			spoil(t, db, victim, 'd', func(b []byte) []byte { b[9] ^= 1; return b })
			was := values(t, db, victim)
			d.launch()
			d.died()
			h := hosted(t, d.home)
			for key := range d.before {
				if !strings.Contains(screen(t, h.Client, key), "of what a program prints") {
					t.Errorf("%s is not what it was", key)
				}
			}
			h.stop()
			if values(t, db, victim) != "" {
				t.Error("the unreadable record is in the store still")
			}
			files, _ := filepath.Glob(d.home.Path("freeze.db.*.corrupt-*"))
			if !slices.ContainsFunc(files, func(f string) bool { return aside(t, f, victim) == was }) {
				t.Errorf("the unreadable record is in none of %q", files)
			}
		})
	}
}

func TestACrashInAShutdownKeepsWhatWasFrozen(t *testing.T) {
	for _, point := range append([]string{"stop: frozen"}, writePoints...) {
		t.Run(point, func(t *testing.T) {
			d := newDoomed(t, "stop: begin>"+point)
			d.env = append(d.env, childCeil+"=1h")
			d.start()
			const key = "t/tab-9/pane-1"
			open(t, d.Client, key, "echo printed; read x; echo more; exec sleep 100")
			d.kept(key, func(_ freeze.Record, output string) bool { return strings.Contains(output, "printed") })
			if err := d.SendInput(t.Context(), key, []byte("\r")); err != nil {
				t.Fatal(err)
			}
			shows(t, d.Client, key, "more")
			if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, syscall.ESRCH) {
				t.Fatal(err)
			}
			d.died()
			h := d.next()
			_, ok := h.lookup(key)
			if !ok && (committed(point) || point == "stop: frozen") {
				t.Error("what was frozen is lost")
			}
			if !ok {
				return
			}
			got := screen(t, h.Client, key)
			if all := committed(point) || point == "stop: frozen"; !strings.Contains(got, "printed") || all && !strings.Contains(got, "more") {
				t.Errorf("its screen is\n%s", got)
			}
		})
	}
}
