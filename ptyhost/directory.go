package ptyhost

import (
	"time"

	"moorage/ptyhost/proc"
	"moorage/ptyhost/wire"
)

// moveEvery is how long after output the program's directory is looked at, and
// how often at most: most programs change theirs without a word.
const moveEvery = 500 * time.Millisecond

// moves notices that a session's program works in another directory. Its
// session's lock guards it.
type moves struct {
	timer *time.Timer // nil while nothing was printed since the last look
	last  string
}

func (m *moves) stop() {
	if m.timer != nil {
		m.timer.Stop()
		m.timer = nil
	}
}

// noteMoves has the directory looked at soon. A program that prints nothing
// costs nothing. s.mu is held.
func (s *session) noteMoves() {
	if s.moves.timer == nil && s.state == wire.SessionLive {
		s.moves.timer = time.AfterFunc(moveEvery, s.lookMoved)
	}
}

// lookMoved tells of another directory, and has it frozen soon.
func (s *session) lookMoved() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moves.timer = nil
	if s.state != wire.SessionLive {
		return
	}
	if dir := s.dir(); dir != s.moves.last {
		s.moves.last = dir
		s.kept.gate.Soon = true
		s.noteFresh()
		s.noteChanged()
	}
}

// dir is where the foreground program works: what the kernel says, else what
// the shell said last, else where the session began.
func (s *session) dir() string {
	if s.state == wire.SessionLive {
		if d := proc.Dir(s.proc.Foreground()); d != "" {
			return d
		}
		if d := proc.Dir(s.proc.PID); d != "" {
			return d
		}
	}
	if s.cwd != "" {
		return s.cwd
	}
	return s.spec.Dir
}
