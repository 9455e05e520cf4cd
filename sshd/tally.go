package sshd

import (
	"context"
	"sync"
	"time"

	"moorage/workspace"
)

const (
	// tallyFor is how long the clients have to tell of an item, so that the
	// daemon hears of all of them once.
	tallyFor = 250 * time.Millisecond
	// maxTallied bounds the items that are counted at a time; more go uncounted.
	maxTallied = 256
	// tellLimit bounds telling the daemon.
	tellLimit = 10 * time.Second
)

// tally counts which clients were told of an inbox item, or were looking.
type tally struct {
	tell func(context.Context, workspace.Told) error
	wake chan struct{} // one slot: something is counted

	mu     sync.Mutex
	counts map[string]*workspace.Told
}

func newTally(tell func(context.Context, workspace.Told) error) *tally {
	return &tally{tell: tell, wake: make(chan struct{}, 1), counts: make(map[string]*workspace.Told)}
}

// add counts a client: one that was told of an item, or was looking. It does
// not block.
func (t *tally) add(item, client string, looking bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.counts[item]
	if c == nil {
		if len(t.counts) >= maxTallied {
			return
		}
		c = &workspace.Told{ID: item}
		t.counts[item] = c
	}
	if looking {
		c.Looking++
		c.Lookers = append(c.Lookers, client)
	} else {
		c.Told++
	}
	signal(t.wake)
}

// run tells the daemon what was counted, until ctx ends. Of an item that is no
// more nobody wants to know.
func (t *tally) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.wake:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(tallyFor):
		}
		t.mu.Lock()
		counts := t.counts
		t.counts = make(map[string]*workspace.Told)
		t.mu.Unlock()
		for _, c := range counts {
			limited, cancel := context.WithTimeout(ctx, tellLimit)
			_ = t.tell(limited, *c) // it only tells
			cancel()
		}
	}
}
