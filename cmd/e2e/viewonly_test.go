//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Typing, pasting, the pointer, the window's size and every key that would change something do nothing for view@; scrolling, turning
// to another pane and leaving work.
func TestWhoAttachesAsViewLooksOnly(t *testing.T) {
	t.Parallel()
	in := start(t)
	a := in.attach(100, 30).ready()
	a.run("seq 1 200")
	a.sees("200")
	a.send("\x01|") // a split, so that there is a pane to turn to
	in.eventually("two panes", func() bool { return len(in.sessions()) == 2 })
	a.run("echo second-$((40+2))")
	a.sees("second-42")
	before, list := in.sessions(), in.listed()

	v := in.attach(120, 40, "-l", "view")
	v.sees("looking only")
	v.sees("second-42")
	v.send("\x1b[<64;50;10M") // the wheel, over the pane that has what there is to scroll
	v.seesMatch(`[0-9]+/174`)
	v.send("echo INTRUDER\r")
	v.sees("connect without view@")
	v.send("\x1b[200~echo INTRUDER\r\x1b[201~")
	for _, keys := range []string{
		"\x14", "\x17", "\x1c", "\x1bOQ", "\x1b[15~", "\x01|", "\x01x", "\x01!", "\x01E", "\x01R", "\x01T", "\x01e", // panes and tabs
		"\x1b[<0;60;10M\x1b[<0;60;10m", "\x1b[<2;60;1M\x1b[<2;60;1m", // a click, and a menu on the strip
	} {
		v.send(keys)
	}
	v.resize(90, 24)
	v.send("\x1bOS" + "ndKJpS") // to the sidebar, and its keys
	v.send("\x1bOS")
	v.send("\x1bOR\x1bOR") // to the other pane and back

	v.send("\x01d")
	if code := v.gone(); code != 0 {
		t.Errorf("leaving ended with %d", code)
	}
	if after := in.sessions(); !slices.Equal(before, after) {
		t.Errorf("the sessions were %+v and are %+v", before, after)
	}
	if now := in.listed(); now != list {
		t.Errorf("the workspace was\n%s\nand is\n%s", list, now)
	}
	if s := a.screen(); strings.Contains(s, "INTRUDER") {
		t.Errorf("who may look only has typed:\n%s", s)
	}
	for _, command := range [][]string{{"api", "list"}, {"api", "send-keys", before[0].Key, "x"}} {
		if out, err := in.ssh(append([]string{"-l", "view"}, command...)...); err == nil || !strings.Contains(err.Error(), "looks only") {
			t.Errorf("view@ ran %v: %s %v", command, out, err)
		}
	}
}

// listed is the workspace as it is stored.
func (in *instance) listed() string {
	in.t.Helper()
	out, err := in.cli("api", "list")
	if err != nil {
		in.t.Fatal(err)
	}
	return out
}

// Who may look only opens nothing, not even into an empty workspace or into a task whose programs are gone.
func TestLookingStartsNothing(t *testing.T) {
	t.Parallel()
	in := start(t)
	v := in.attach(80, 24, "-l", "view")
	v.sees("nothing to look at")
	if n := len(in.sessions()); n != 0 {
		t.Fatalf("%d sessions were started by looking", n)
	}
	a := in.attach(80, 24).ready()
	a.run("echo mine-$((40+2))")
	v.sees("mine-42") // what comes first is shown
	in.addTab(in.tasks()[0].ID, "--policy", "always", "--", "sh", "-c", "echo >> runs; echo last words; exit 3")
	a.send("\x012")
	a.sees("exited with code 3")
	a.send("\x01d") // it may start the program again, as its policy says, until it is gone
	a.gone()
	var runs int64
	in.eventually("it stands still", func() bool {
		before := runs
		info, err := os.Stat(filepath.Join(in.user, "runs"))
		if err != nil {
			return false
		}
		runs = info.Size()
		return runs == before && in.session("tab-2/pane-1").State == "exited"
	})
	v.send("\x012")
	v.sees("exited with code 3")
	v.send("\r")
	v.sees("connect without view@")
	if s := v.screen(); strings.Contains(s, "Enter: start again") {
		t.Errorf("looking is offered a start:\n%s", s)
	}
	if info, err := os.Stat(filepath.Join(in.user, "runs")); err != nil || info.Size() != runs {
		t.Errorf("looking has started it again: %v, %v", info, err)
	}
}
