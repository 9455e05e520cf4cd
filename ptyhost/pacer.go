package ptyhost

import "time"

// pacer lets the first call of a burst through at once and then at most one an
// interval, the last one always. It is guarded by its owner's lock, which fire
// takes itself.
type pacer struct {
	every time.Duration
	fire  func() // called on a timer's goroutine, without the lock

	last  time.Time
	timer *time.Timer
}

// due reports whether the caller may act now. Otherwise fire will be called
// when it may; the caller keeps the newest of what there is to act on.
func (p *pacer) due(now time.Time) bool {
	if p.timer != nil {
		return false
	}
	wait := p.every - now.Sub(p.last)
	if wait <= 0 {
		p.last = now
		return true
	}
	p.timer = time.AfterFunc(wait, p.fire)
	return false
}

// fired notes that the timer has run. The owner calls it first thing in fire.
func (p *pacer) fired(now time.Time) {
	p.timer = nil
	p.last = now
}

// stop ends a pending timer.
func (p *pacer) stop() {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
}
