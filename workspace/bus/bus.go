// Package bus tells many watchers the latest value of each of a set of keys.
//
// It owns no facts, only who still has to be told of which. A watcher that is slow is told less often, never something older:
// what it has not yet fetched is a set of keys, and their values are read when it fetches. So the producer never waits and a
// watcher costs at most maxPending keys; beyond that it gets everything anew.
//
// It imports nothing of moorage's. A Bus and its subscriptions are safe for concurrent use; Next of one subscription is for
// one goroutine at a time. Values are shared, so they must not change once published. Nothing here fails.
package bus

import (
	"context"
	"errors"
	"maps"
	"sync"
)

// maxPending is how many keys a subscription remembers before it forgets them all and starts over with a snapshot.
const maxPending = 4096

// ErrClosed is what Next returns after Close.
var ErrClosed = errors.New("subscription closed")

// Change is the latest of one key: its value, or that it is gone.
type Change[K comparable, V any] struct {
	Key   K
	Value V
	Gone  bool
}

// Batch is what a subscription had not yet been told. Fresh says that it is everything, and that keys not in it are gone.
type Batch[K comparable, V any] struct {
	Changes []Change[K, V]
	Fresh   bool
}

// Bus holds the latest value of each key. Its zero value is ready.
type Bus[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
	subs   map[*Subscription[K, V]]struct{}
}

// Publish makes the changes known, all or none of them to any one fetch. It never blocks.
func (b *Bus[K, V]) Publish(changes ...Change[K, V]) {
	if len(changes) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.values == nil {
		b.values = make(map[K]V)
	}
	for _, c := range changes {
		if c.Gone {
			delete(b.values, c.Key)
		} else {
			b.values[c.Key] = c.Value
		}
	}
	for sub := range b.subs {
		sub.note(changes)
	}
}

// Subscribe returns every value there is and a subscription to what changes after just that, in one step.
func (b *Bus[K, V]) Subscribe() (map[K]V, *Subscription[K, V]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	sub := &Subscription[K, V]{bus: b, wake: make(chan struct{}, 1), closed: make(chan struct{})}
	if b.subs == nil {
		b.subs = make(map[*Subscription[K, V]]struct{})
	}
	b.subs[sub] = struct{}{}
	snapshot := maps.Clone(b.values)
	if snapshot == nil {
		snapshot = make(map[K]V)
	}
	return snapshot, sub
}

// Subscription is one watcher's place. The bus's mutex guards pending and fresh.
type Subscription[K comparable, V any] struct {
	bus    *Bus[K, V]
	wake   chan struct{} // one slot: something is pending
	closed chan struct{}
	once   sync.Once

	pending map[K]struct{}
	fresh   bool
}

// note runs under the bus's mutex.
func (s *Subscription[K, V]) note(changes []Change[K, V]) {
	if !s.fresh {
		if s.pending == nil {
			s.pending = make(map[K]struct{})
		}
		for _, c := range changes {
			s.pending[c.Key] = struct{}{}
		}
		if len(s.pending) > maxPending {
			s.pending, s.fresh = nil, true
		}
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Next waits until something changed since the last batch (or since Subscribe) and returns the latest of all of it. It ends
// with ctx's error or ErrClosed.
func (s *Subscription[K, V]) Next(ctx context.Context) (Batch[K, V], error) {
	for {
		select {
		case <-ctx.Done():
			return Batch[K, V]{}, ctx.Err()
		case <-s.closed:
			return Batch[K, V]{}, ErrClosed
		case <-s.wake:
		}
		if batch := s.take(); batch.Fresh || len(batch.Changes) > 0 {
			return batch, nil
		}
	}
}

func (s *Subscription[K, V]) take() Batch[K, V] {
	b := s.bus
	b.mu.Lock()
	defer b.mu.Unlock()
	batch := Batch[K, V]{Fresh: s.fresh}
	if s.fresh {
		for k, v := range b.values {
			batch.Changes = append(batch.Changes, Change[K, V]{Key: k, Value: v})
		}
	}
	for k := range s.pending {
		v, ok := b.values[k]
		batch.Changes = append(batch.Changes, Change[K, V]{Key: k, Value: v, Gone: !ok})
	}
	s.pending, s.fresh = nil, false
	return batch
}

// Close ends the subscription and a Next that waits. It may be called more than once.
func (s *Subscription[K, V]) Close() {
	s.once.Do(func() { close(s.closed) })
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	delete(s.bus.subs, s)
}
