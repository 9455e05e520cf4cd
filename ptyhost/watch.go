package ptyhost

import (
	"encoding/binary"

	"moorage/ptyhost/wire"
)

// watcher is one connection's interest in one session's screen. It has at most
// one update under way; until that is acknowledged the session only remembers
// that there is something newer.
type watcher struct {
	conn        *wire.Conn
	handle      uint32
	sent        uint64 // the revision of the last update sent
	outstanding bool
}

// watch registers a watcher and sends it what it lacks since its revision.
func (s *session) watch(c *wire.Conn, handle uint32, since uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.contain(nil)
	s.play()
	s.dropWatcher(c, handle)
	w := &watcher{conn: c, handle: handle, sent: since}
	s.watchers = append(s.watchers, w)
	s.push(w)
}

// unwatch forgets a connection's watcher.
func (s *session) unwatch(c *wire.Conn, handle uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropWatcher(c, handle)
}

func (s *session) dropWatcher(c *wire.Conn, handle uint32) {
	for i, w := range s.watchers {
		if w.conn == c && w.handle == handle {
			s.watchers = append(s.watchers[:i], s.watchers[i+1:]...)
			return
		}
	}
}

// ack notes that a watcher has an update, and sends it the next one if there
// is any.
func (s *session) ack(c *wire.Conn, handle uint32, rev uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.contain(nil)
	for _, w := range s.watchers {
		if w.conn == c && w.handle == handle {
			w.outstanding = false
			if rev < w.sent {
				w.sent = rev // it lost something: send it again
			}
			s.push(w)
			return
		}
	}
}

// pushAll sends every watcher that is free what it lacks.
func (s *session) pushAll() {
	for _, w := range s.watchers {
		s.push(w)
	}
}

func (s *session) push(w *watcher) {
	if w.outstanding || w.sent != 0 && w.sent >= s.term.Rev() {
		return
	}
	if s.term.SyncPending() {
		if w.sent != 0 {
			return // the frame it has stands until the program is done
		}
		s.term.EndSync() // a newcomer sees what there is
	}
	var handle [4]byte
	binary.BigEndian.PutUint32(handle[:], w.handle)
	s.update, w.sent = s.term.AppendUpdate(s.update[:0], w.sent)
	// A connection that is closed or too far behind is dropped by its owner.
	if w.conn.Send(wire.KindScreen, handle[:], s.update) == nil {
		w.outstanding = true
	}
}
