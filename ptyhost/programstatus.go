package ptyhost

import (
	"time"

	"moorage/ptyhost/status"
	"moorage/ptyhost/wire"
)

// statusDelay is how long a program has to work until it is told that it does: some blink while they start.
const statusDelay = 300 * time.Millisecond

// programStatus is what a session's program says of itself by OSC 7501, as far as it has been told. Its session's lock guards it.
type programStatus struct {
	records status.Records
	told    *wire.Status
	delay   *time.Timer
}

// takeStatus takes a report in. s.mu is held.
func (s *session) takeStatus(body string) {
	if s.status.records.Report(body, time.Now()) {
		s.noteStatus()
	}
}

// noteStatus tells the root's record: work once it has lasted, anything else at once. s.mu is held.
func (s *session) noteStatus() {
	root, ok := s.status.records.Root()
	had := s.status.told
	if ok && root.State == "working" && (had == nil || had.State != "working") {
		if s.status.delay == nil {
			s.status.delay = time.AfterFunc(statusDelay, func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.status.delay = nil
				s.tellStatus()
			})
		}
		return
	}
	if s.status.delay != nil {
		s.status.delay.Stop()
		s.status.delay = nil
	}
	s.tellStatus()
}

func (s *session) tellStatus() {
	root, ok := s.status.records.Root()
	var now *wire.Status
	if ok {
		now = &wire.Status{
			State: root.State, Kind: root.Kind, App: root.App, Title: root.Title, Message: root.Message, Progress: root.Progress,
			Since: root.Since, Below: s.status.records.Below(),
		}
	}
	if had := s.status.told; had == now || had != nil && now != nil && *had == *now {
		return
	}
	s.status.told = now
	s.noteChanged()
}
