package main

import (
	"os"
	"runtime"
)

// procs is how many goroutines of a process may run at once. With more than one, Go wakes a thread for nearly each goroutine
// that becomes ready, which may find more to do. A process that hands on a key now and then, or a screen, spends more on that
// than on its work: so it has one, until there is work for more. $GOMAXPROCS stands where it is set.
type procs struct{ all int }

func newProcs() procs {
	if os.Getenv("GOMAXPROCS") != "" {
		return procs{}
	}
	return procs{all: runtime.GOMAXPROCS(0)}
}

// set stops the process for some ten microseconds when it changes something.
func (p procs) set(n int) {
	if n = min(n, p.all); n > 0 && n != runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(n)
	}
}

// flood is for the PTY host: all while there is a flood.
func (p procs) flood(on bool) {
	if on {
		p.set(p.all)
	} else {
		p.set(1)
	}
}

// clientsEach is how many clients one processor draws for, each at a full screen 60 times a second, with room to spare.
const clientsEach = 8

// crowd is for the SSH front: more, the more clients there are.
func (p procs) crowd(clients int) { p.set(1 + clients/clientsEach) }
