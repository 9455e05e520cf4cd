package sshd

import "sync"

// floor belongs to one client at a time: to the one that asks the user what is
// asked once, however many clients there are. The zero floor is free.
type floor struct {
	mu  sync.Mutex
	has *floorPlace
}

// floorPlace is one client's place at the floor, as package ui knows it. freed
// is told when the client leaves the floor: others may take it then.
type floorPlace struct {
	floor *floor
	freed func()
}

// Take reports whether the client has the floor now.
func (p *floorPlace) Take() bool {
	p.floor.mu.Lock()
	defer p.floor.mu.Unlock()
	if p.floor.has == nil {
		p.floor.has = p
	}
	return p.floor.has == p
}

// Leave gives the floor up, if the client has it. It does not block.
func (p *floorPlace) Leave() {
	p.floor.mu.Lock()
	had := p.floor.has == p
	if had {
		p.floor.has = nil
	}
	p.floor.mu.Unlock()
	if had {
		p.freed()
	}
}
