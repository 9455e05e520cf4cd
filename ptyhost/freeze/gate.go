package freeze

import "time"

// Limits say when a session that goes on printing is frozen. A freeze costs a
// little whatever it writes, so a trickle waits long and a flood waits for
// bytes.
type Limits struct {
	Floor  time.Duration // never sooner after the last freeze
	Ceil   time.Duration // at the latest after it, if there is anything new
	Enough uint64        // new bytes that need not wait for Ceil
}

// DefaultLimits are 5 s, 60 s and 64 KiB.
var DefaultLimits = Limits{Floor: 5 * time.Second, Ceil: time.Minute, Enough: 64 << 10}

// Gate says when one session is due. Its zero value has never frozen.
type Gate struct {
	Last  time.Time // of the last freeze that had output; zero before it
	Bytes uint64    // the session's output up to it
	Force bool      // due now whatever was printed: it began, it ended, it has another policy
	Soon  bool      // due after the floor whatever was printed: its program is in another directory
}

// Due reports when a session with that much output is to be frozen: a time
// that is not after now means now. False means that there is nothing to do
// until it prints.
func (g Gate) Due(l Limits, output uint64) (at time.Time, ok bool) {
	switch fresh := output - g.Bytes; {
	case g.Force:
		return time.Time{}, true
	case g.Soon:
		return g.Last.Add(l.Floor), true
	case fresh == 0:
		return time.Time{}, false
	case fresh >= l.Enough:
		return g.Last.Add(l.Floor), true
	}
	return g.Last.Add(l.Ceil), true
}
