package ptyhost

import (
	"maps"
	"sync"

	"moorage/ptyhost/freeze"
)

// debts are what the store is still to be told of sessions that have no
// program: that one is gone for good, that one has another policy. They are
// paid with the next write; a disk that takes none only delays them.
type debts struct {
	mu   sync.Mutex // a leaf
	seq  uint64
	owed map[string]debt
}

type debt struct {
	seq    uint64
	drop   bool
	policy string // without drop
}

// drop owes the end of a record: whatever was written under the key before.
func (d *debts) drop(key string) { d.add(key, debt{drop: true}) }

// policy owes a record another policy.
func (d *debts) policy(key, policy string) { d.add(key, debt{policy: policy}) }

func (d *debts) add(key string, x debt) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.owed == nil {
		d.owed = make(map[string]debt)
	}
	d.seq++
	x.seq = d.seq
	d.owed[key] = x
}

// due is a copy of what is owed.
type due map[string]debt

func (d *debts) all() due {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.owed)
}

// paid takes off what has been written, unless it has been replaced meanwhile.
func (d *debts) paid(was due) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for key, x := range was {
		if d.owed[key].seq == x.seq {
			delete(d.owed, key)
		}
	}
}

func (d due) batch() freeze.Batch {
	var b freeze.Batch
	for key, x := range d {
		if x.drop {
			b.Drop = append(b.Drop, key)
			continue
		}
		if b.Policies == nil {
			b.Policies = make(map[string]string)
		}
		b.Policies[key] = x.policy
	}
	return b
}
