//go:build unix

package e2e

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"moorage/ptyhost/vt"
)

// view is a terminal that a client writes to and a user types into: it follows
// the screen and answers what it is asked.
type view struct {
	t    testing.TB
	line io.ReadWriter // to the client

	paused sync.Mutex    // held: nobody reads
	done   chan struct{} // closed when there is nothing more to read

	mu     sync.Mutex
	term   *vt.Terminal
	raw    []byte // everything it was sent, the last few MB
	events []vt.Event
	silent bool          // it answers nothing
	late   time.Duration // after which it answers
}

func newView(t testing.TB, line io.ReadWriter, cols, rows int) *view {
	return &view{
		t: t, line: line, done: make(chan struct{}),
		term: vt.New(vt.Options{Cols: cols, Rows: rows, Version: "tester(1)"}),
	}
}

const keepRaw = 8 << 20

// follow reads to the end.
func (v *view) follow() {
	defer close(v.done)
	buf := make([]byte, 32<<10)
	for {
		v.paused.Lock()
		n, err := v.line.Read(buf)
		v.paused.Unlock()
		v.take(buf[:n])
		if err != nil {
			return
		}
	}
}

func (v *view) take(p []byte) {
	v.mu.Lock()
	_, _ = v.term.Write(p)
	reply := v.term.TakeReplies(nil)
	v.events = v.term.TakeEvents(v.events)
	if v.raw = append(v.raw, p...); len(v.raw) > keepRaw {
		v.raw = v.raw[len(v.raw)-keepRaw:]
	}
	silent, late := v.silent, v.late
	v.mu.Unlock()
	if len(reply) == 0 || silent {
		return
	}
	if late > 0 {
		time.AfterFunc(late, func() { _, _ = v.line.Write(reply) }) // the client may be gone
		return
	}
	_, _ = v.line.Write(reply)
}

// pause makes nobody read until the test ends or the returned function is
// called.
func (v *view) pause() (resume func()) {
	v.paused.Lock()
	resume = sync.OnceFunc(v.paused.Unlock)
	v.t.Cleanup(resume)
	return resume
}

// send types.
func (v *view) send(keys string) {
	v.t.Helper()
	if _, err := io.WriteString(v.line, keys); err != nil {
		v.t.Fatalf("type %.80q: %v\n%s", keys, err, v.screen())
	}
}

// run types a command line.
func (v *view) run(line string) {
	v.t.Helper()
	v.send(line + "\r")
}

func (v *view) lines() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.term.ScreenText()
}

func (v *view) screen() string { return strings.Join(v.lines(), "\n") }

// sees waits for text on the screen.
func (v *view) sees(text string) {
	v.t.Helper()
	eventually(v.t, fmt.Sprintf("the client sees %q", text), func() bool { return strings.Contains(v.screen(), text) }, v.screen)
}

// seesMatch waits for a line that matches.
func (v *view) seesMatch(pattern string) {
	v.t.Helper()
	re := regexp.MustCompile(pattern)
	eventually(v.t, "the client sees /"+pattern+"/", func() bool {
		for _, l := range v.lines() {
			if re.MatchString(l) {
				return true
			}
		}
		return false
	}, v.screen)
}

// losesSight waits until text is no longer on the screen.
func (v *view) losesSight(text string) {
	v.t.Helper()
	eventually(v.t, fmt.Sprintf("the client no longer sees %q", text), func() bool { return !strings.Contains(v.screen(), text) }, v.screen)
}

// atPrompt waits until a shell is at its prompt.
func (v *view) atPrompt() {
	v.t.Helper()
	v.seesMatch(`│?\$ *$`)
}

// sized makes the screen another size.
func (v *view) sized(cols, rows int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.term.Resize(cols, rows)
}

// sentBytes is everything the client was sent so far.
func (v *view) sentBytes() []byte {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]byte(nil), v.raw...)
}
