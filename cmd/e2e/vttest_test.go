//go:build unix

package e2e

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moorage/ptyhost/vt"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// TestVttest drives vttest, the VT100 to VT420 conformance program, over the
// emulator itself and compares each of its screens with a golden one. The
// golden screens were looked at by eye once, against what vttest says that
// they should show.
func TestVttest(t *testing.T) {
	if _, err := exec.LookPath("vttest"); err != nil {
		t.Skip("vttest is not installed: `make test` installs it where it can")
	}
	for _, g := range vttestGroups {
		t.Run(g.name, func(t *testing.T) {
			cmd := exec.Command("vttest", "24x80.80")
			cmd.Env = []string{"TERM=vt420", "PATH=" + os.Getenv("PATH"), "LANG=C"}
			c := newClient(t, cmd, 80, 24)
			c.sees("Enter choice number (0 - 12):")
			var got strings.Builder
			for _, choice := range g.menu {
				c.choose(choice)
			}
			for n := range 80 {
				if c.settledAt("Enter choice number") {
					break
				}
				fmt.Fprintf(&got, "== %s, screen %d\n%s\n", g.name, n+1, c.picture())
				c.press()
			}
			golden(t, "vttest-"+g.name+".txt", got.String())
		})
	}
}

var vttestGroups = []struct {
	name string
	menu []string
}{
	{"cursor-movements", []string{"1"}},
	{"screen-features", []string{"2"}},
	{"character-sets", []string{"3", "8"}},
	{"status-reports", []string{"6", "3"}},
	{"insert-delete", []string{"8"}},
	{"vt220-erase-char", []string{"11", "1", "2", "3"}},
	{"vt220-protected", []string{"11", "1", "2", "4"}},
	{"vt220-soft-reset", []string{"11", "1", "6"}},
	{"vt320-pan-down", []string{"11", "2", "2", "1"}},
	{"vt320-pan-up", []string{"11", "2", "2", "2"}},
	{"vt420-back-index", []string{"11", "3", "2", "7"}},
	{"vt420-forward-index", []string{"11", "3", "2", "8"}},
	{"vt420-movement", []string{"11", "3", "2", "9"}},
	{"vt420-movement-margins", []string{"11", "3", "2", "3", "5", "9"}},
	{"vt420-columns", []string{"11", "3", "3", "9"}},
	{"vt420-scrolling", []string{"11", "3", "3", "10"}},
	{"vt420-insert-line-margins", []string{"11", "3", "3", "2", "4", "11"}},
	{"vt420-insert-char", []string{"11", "3", "3", "12"}},
	{"vt420-insert-char-margins", []string{"11", "3", "3", "2", "4", "12"}},
	{"vt420-formatting-margins", []string{"11", "3", "3", "2", "4", "13"}},
	{"iso6429-colors", []string{"11", "6", "2"}},
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs:\n%s", name, firstDifference(string(want), got))
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		a, b := "", ""
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return fmt.Sprintf("line %d was\n%s\nis\n%s", i+1, a, b)
		}
	}
	return "nothing"
}

// picture is the screen with its attributes: below each row that has any, a
// row that marks bold *, underlined _, blinking !, and inverse #.
func (c *client) picture() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var m vt.Mirror
	b, _ := c.term.AppendUpdate(nil, 0)
	if err := m.Apply(b); err != nil {
		c.t.Fatal(err)
	}
	_, rows := m.Size()
	var out strings.Builder
	for y := range rows {
		var text, marks []byte
		for _, cell := range m.Row(y) {
			text = m.Table().AppendText(text, cell)
			mark := byte(' ')
			switch {
			case cell.At&vt.AttrInverse != 0:
				mark = '#'
			case cell.At&vt.AttrBlink != 0:
				mark = '!'
			case cell.Underline() != vt.UnderlineNone:
				mark = '_'
			case cell.At&vt.AttrBold != 0:
				mark = '*'
			}
			marks = append(marks, mark)
		}
		fmt.Fprintf(&out, "|%s\n", strings.TrimRight(string(text), " "))
		if line := strings.TrimRight(string(marks), " "); line != "" {
			fmt.Fprintf(&out, "~%s\n", line)
		}
	}
	return out.String()
}

// choose answers a menu of vttest's.
func (c *client) choose(choice string) {
	c.t.Helper()
	c.step(choice + "\r")
}

// press goes on to vttest's next screen.
func (c *client) press() {
	c.t.Helper()
	c.step("\r")
}

// settledAt reports whether the screen that has come to rest shows text.
func (c *client) settledAt(text string) bool { return strings.Contains(c.screen(), text) }

// step types and waits until the program has taken it and waits for more: it
// has run, it is blocked in a read of its terminal, and nothing more comes.
func (c *client) step(keys string) {
	c.t.Helper()
	proc := fmt.Sprintf("/proc/%d/", c.cmd.Process.Pid)
	waits := func() (n int) {
		status, _ := os.ReadFile(proc + "status")
		_, rest, _ := strings.Cut(string(status), "\nvoluntary_ctxt_switches:")
		_, _ = fmt.Sscan(rest, &n) // a process that is gone waits no more
		return n
	}
	before, last, still := waits(), -1, 0
	c.send(keys)
	eventually(c.t, "the program waits", func() bool {
		state, _ := os.ReadFile(proc + "wchan")
		c.mu.Lock()
		n := len(c.raw)
		c.mu.Unlock()
		if now := waits(); now == before || !strings.Contains(string(state), "wait_woken") || n != last {
			last, still = n, 0
			return false
		}
		still++
		return still >= 5
	}, c.screen)
}
