//go:build unix

package e2e

import (
	"testing"
)

func TestPanesAreMovedAboutWithoutNoticing(t *testing.T) {
	in := start(t)
	a := in.attach(120, 30).ready()
	b := in.attach(120, 30)
	b.atPrompt()
	a.run("echo the le\"\"ft one")
	a.sees("the left one")
	a.send("\x1c")
	a.seesMatch(`│.*│\$ *$`)
	a.run("echo the ri\"\"ght one; sleep 1000")
	a.seesMatch(`the left one.*the right one`)
	pids := in.live()
	a.send("\x01{") // swap
	a.seesMatch(`the right one.*the left one`)
	b.seesMatch(`the right one.*the left one`)
	a.send("\x01\x0f") // rotate
	a.seesMatch(`the left one.*the right one`)
	a.send("\x01!") // a tab of its own
	a.seesMatch(`1 .*2 `)
	a.losesSight("the left one")
	a.sees("the right one")
	b.sees("the left one")
	b.losesSight("the right one")
	after := in.live()
	if len(after) != len(pids) {
		t.Errorf("%v, were %v", after, pids)
	}
	for _, pid := range pids {
		found := false
		for _, p := range after {
			found = found || p == pid
		}
		if !found {
			t.Errorf("pid %d is gone: %v", pid, after)
		}
	}
	a.send("\x01@1\r") // and back
	a.seesMatch(`the left one.*the right one`)
	a.send("\x01 \x01 ") // below each other
	a.seesMatch(`│├?─{20}`)
	in.shutdown()
	c := in.attach(120, 30)
	c.sees("the left one")
	c.sees("the right one")
}
