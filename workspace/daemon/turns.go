package daemon

import (
	"context"
	"sync"
)

// turns lets one at a time work at a thing that has a name. The zero value is ready to use.
type turns struct {
	mu sync.Mutex
	of map[string]chan struct{}
}

// take waits for its turn, and returns what ends it. An error is that ctx ended first.
func (t *turns) take(ctx context.Context, name string) (end func(), err error) {
	t.mu.Lock()
	turn := t.of[name]
	if turn == nil {
		if t.of == nil {
			t.of = make(map[string]chan struct{})
		}
		turn = make(chan struct{}, 1)
		t.of[name] = turn
	}
	t.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
