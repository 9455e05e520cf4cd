package ptyhost

import (
	"net/url"
	"os"
	"time"

	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
)

// The longest texts of a call that is kept, in bytes: more than anybody shows.
const (
	maxCallTitle = 256
	maxCallText  = 800
)

// handle turns what the emulator met in the output into session events.
func (s *session) handle(events []vt.Event) {
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case vt.EventBell:
			s.rang = time.Now()
			s.notice(wire.SessionEvent{Kind: wire.SessionBell})
		case vt.EventNotify:
			s.called = &wire.Call{Title: cut(e.Title, maxCallTitle), Text: cut(e.Text, maxCallText), Time: time.Now()}
			s.notice(wire.SessionEvent{Kind: wire.SessionNotify, Title: e.Title, Text: e.Text})
		case vt.EventProgress:
			s.notice(wire.SessionEvent{Kind: wire.SessionProgress, Code: e.Code*1000 + e.Value})
		case vt.EventClipboard:
			s.notice(wire.SessionEvent{Kind: wire.SessionClipboard, Text: e.Text, Data: e.Data})
		case vt.EventTitle:
			s.noteChanged()
		case vt.EventCWD:
			s.cwd = localDir(e.Text)
			s.noteChanged()
		case vt.EventProgramStatus:
			s.takeStatus(string(e.Data))
		case vt.EventReset:
			if s.status.records.Clear() {
				s.noteStatus()
			}
		}
	}
}

// localDir takes the path out of an OSC 7 URL that names this machine.
func localDir(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return ""
	}
	if host, _ := os.Hostname(); u.Host != "" && u.Host != "localhost" && u.Host != host {
		return ""
	}
	return u.Path
}

// notice tells of a bell, a notification or the like: the first at once, then
// at most one of its kind per noticeEvery, the newest.
func (s *session) notice(ev wire.SessionEvent) {
	n := s.notices[ev.Kind]
	if n == nil {
		n = &notice{}
		n.pacer = pacer{every: noticeEvery, fire: func() { s.noticeFired(n) }}
		if ev.Kind == wire.SessionClipboard || ev.Kind == wire.SessionProgress {
			n.every = changedEvery
		}
		s.notices[ev.Kind] = n
	}
	n.event = ev
	if n.due(time.Now()) {
		s.emitNotice(n)
	}
}

func (s *session) noticeFired(n *notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n.fired(time.Now())
	s.emitNotice(n)
}

func (s *session) emitNotice(n *notice) {
	if s.removed {
		return
	}
	n.event.Session = s.infoLocked()
	s.emit(n.event)
	n.event.Data = nil
}

// noteChanged tells of a new title, directory or size, paced.
func (s *session) noteChanged() {
	if s.changed.due(time.Now()) {
		s.emitChanged()
	}
}

func (s *session) changedFired() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed.fired(time.Now())
	s.emitChanged()
}

func (s *session) emitChanged() {
	if !s.removed {
		s.emit(wire.SessionEvent{Kind: wire.SessionChanged, Session: s.infoLocked()})
	}
}
