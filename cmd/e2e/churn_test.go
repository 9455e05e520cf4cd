//go:build unix

package e2e

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// Connects and kills, at random moments and by the hundred, leave nothing
// behind in any of the three processes, and cut nobody else off (B11).
func TestConnectsAndKillsLeaveNothing(t *testing.T) {
	t.Parallel()
	in := start(t)
	stays := in.attach(100, 30).ready()
	const rounds = 500
	churn := func(n int) {
		const atOnce = 6
		for done := 0; done < n; done += atOnce {
			batch := make([]*client, atOnce)
			for i := range batch {
				batch[i] = in.attach(80+rand.IntN(60), 24+rand.IntN(20))
			}
			c := batch[rand.IntN(atOnce)]
			if rand.IntN(2) == 0 {
				// And something is under way. ctrl+q would not always come through:
				// until ssh has made it raw, a terminal takes it as XON.
				c.send("\x01sN")
			}
			time.Sleep(time.Duration(rand.IntN(150)) * time.Millisecond) // the random moment
			for _, c := range batch {
				_ = c.cmd.Process.Kill()
				c.gone()
			}
		}
	}
	type usage struct{ files, threads, memory int }
	measure := func() (u [3]usage) {
		for i, pid := range []int{in.server.Process.Pid, in.pid("daemon"), in.pid("ptyhost")} {
			u[i] = usage{files(t, pid), status(pid, "Threads"), rss(pid)}
		}
		return u
	}
	churn(rounds / 5) // what is made once is made
	stays.run("echo st\"ill\" here")
	stays.sees("still here")
	before, sessions := measure(), len(in.sessions())
	churn(rounds)
	added := len(in.sessions()) - sessions // new tasks, each with a shell of its own
	var after [3]usage
	eventually(t, "everything is closed again", func() bool {
		after = measure()
		return after[0].files <= before[0].files+1 && after[1].files <= before[1].files+1 && after[2].files <= before[2].files+4*added+1
	}, func() string { return fmt.Sprintf("before %+v, after %+v, and %d sessions more", before, after, added) })
	for i, name := range []string{"sshd", "daemon", "host"} {
		if after[i].threads > before[i].threads+12 || after[i].memory > before[i].memory+grown() {
			t.Errorf("%s: %+v, was %+v", name, after[i], before[i])
		}
	}
	stays.echoes(1)
	t.Logf("before %+v, after %+v", before, after)
}

// With clients that do nothing, nothing is computed: the three processes sleep.
func TestIdleClientsCostNothing(t *testing.T) {
	t.Parallel()
	in := start(t)
	for range 5 {
		in.attach(120, 40).ready()
	}
	// What follows an attach settles first.
	eventually(t, "quiet", func() bool {
		n := 0
		pids := []int{in.server.Process.Pid, in.pid("daemon"), in.pid("ptyhost")}
		for _, pid := range pids {
			n -= wakes(t, pid)
		}
		time.Sleep(500 * time.Millisecond)
		for _, pid := range pids {
			n += wakes(t, pid)
		}
		return n < 60
	}, nil)
	span := 3 * time.Second
	if soak() {
		span = 30 * time.Second
	}
	quiet(t, in, span)
}
