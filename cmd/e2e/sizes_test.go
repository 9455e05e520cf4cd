//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// B108: a client has a say in a tab's size while it uses it, not while it
// looks elsewhere; and nothing changes while nobody acts.
func TestASmallClientShrinksOnlyWhatItUses(t *testing.T) {
	t.Parallel()
	in := start(t)
	a := in.attach(200, 50).ready()
	a.send("\x14")
	a.sees(" 2 shell")
	a.atPrompt()
	a.send("\x011") // back to the first tab, which is where others begin
	a.losesSight("the next")
	sizeOf := func(tab string) string {
		s := in.session(tab + "/pane-1")
		return fmt.Sprintf("%dx%d", s.Cols, s.Rows)
	}
	in.eventually("A has the first tab's size", func() bool { return sizeOf("tab-1") == "165x48" })
	b := in.attach(40, 12, "-o", "SetEnv=MOORAGE_OPEN="+in.tasks()[0].ID).ready()
	b.send("\x012")
	in.eventually("B has the second tab's size", func() bool { return sizeOf("tab-2") == "40x10" })
	a.run(`clear; n=0; trap 'n=$((n+1))' WINCH`)
	in.eventually("A has its own size back", func() bool { return sizeOf("tab-1") == "165x48" })
	a.run("clear; stty size")
	a.seesMatch(`│48 165$`)
	a.run("clear; n=0; echo from''zero")
	a.sees("fromzero")

	b.send("\x011")
	b.send(" ") // a key: bash counts what comes between two commands once
	in.eventually("B has it now", func() bool { return sizeOf("tab-1") == "40x10" })
	b.run("echo from b")
	b.sees("from b")
	a.sees("from b")
	a.run("clear") // A types: it switches back, once
	in.eventually("A has it again", func() bool { return sizeOf("tab-1") == "165x48" })
	a.run("clear") // a shell may take this before it runs the trap for the size, but not the next
	a.run(`echo "winch:$n:"`)
	a.sees("winch:2:")
	for range 5 { // both idle: no flapping
		if got := sizeOf("tab-1"); got != "165x48" {
			t.Errorf("the size is %s", got)
		}
	}
	a.run(`echo "winch:$n:again"`)
	a.sees("winch:2:again")
}

// B113: sizes that no screen has are bounded before anything is made of them.
func TestAbsurdSizesAreBounded(t *testing.T) {
	t.Parallel()
	in := start(t)
	in.attach(80, 24).ready()
	server := in.server.Process.Pid
	before := rss(server)
	r := session(t, in.dial(), 1000, 500)
	r.terminal("xterm-256color", 100000, 100000)
	r.shell()
	in.eventually("the largest size there is", func() bool {
		s := in.session("tab-1/pane-1")
		return s.Cols == 1000-34-1 && s.Rows == 500-2
	})
	for _, size := range [][2]int{{1, 1}, {2, 2}, {10, 3}, {500, 200}, {65535, 1}, {1, 65535}, {9, 9}, {69, 5}, {70, 3}, {4000000000, 4000000000}} {
		r.sized(min(size[0], 1000), min(size[1], 500))
		r.window(size[0], size[1])
		r.send(" ") // and it takes a key in that size
	}
	r.sized(5, 2)
	r.window(5, 2)
	r.sees("too s")
	r.sized(100, 30)
	r.window(100, 30)
	r.atPrompt()
	r.run("clear; stty size")
	r.seesMatch(`│28 77$`)
	if after := rss(server); after-before > 4*grown() {
		t.Errorf("sshd grew from %d to %d MB", before, after)
	}
	for _, s := range in.sessions() {
		if s.Cols < 1 || s.Rows < 1 || strings.Contains(s.State, "exited") {
			t.Errorf("session %+v", s)
		}
	}
}
