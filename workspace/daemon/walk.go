package daemon

import (
	"context"
	"slices"
	"time"

	"moorage/workspace"
	"moorage/workspace/activity"
	"moorage/workspace/engine"
)

const (
	// walkEvery is how long a look at the processes holds while sessions live, walkAfter how long one waits when something has changed, so
	// that one is enough for all of it, and walkGap how far two are apart at least.
	walkEvery = time.Minute
	walkAfter = 100 * time.Millisecond
	walkGap   = time.Second
)

// Process is one process of this machine.
type Process struct {
	PID, Parent int
	Argv        []string
	Began       time.Time
}

// Processes is a look at all of them, by pid.
type Processes map[int]Process

// line is a process and those above it.
func (t Processes) line(pid int) []int {
	var pids []int
	for seen := make(map[int]bool); pid > 0 && !seen[pid]; pid = t[pid].Parent {
		seen[pid] = true
		pids = append(pids, pid)
	}
	return pids
}

// engines finds, for each session's leader, the engine that runs below it: the one nearest to the leader.
func (t Processes) engines(leaders map[string]int, r engine.Registry) map[string]found {
	children := make(map[int][]int)
	for pid, p := range t {
		children[p.Parent] = append(children[p.Parent], pid)
	}
	all := make(map[string]found)
	for key, leader := range leaders {
		seen := make(map[int]bool)
		for level := []int{leader}; len(level) > 0; {
			var next []int
			for _, pid := range level {
				if seen[pid] {
					continue
				}
				seen[pid] = true
				next = append(next, children[pid]...)
				e, ok := r.OfProcess(t[pid].Argv)
				if have, there := all[key]; ok && (!there || have.process.PID > pid) {
					all[key] = found{e, t[pid]}
				}
			}
			if _, there := all[key]; there {
				break
			}
			level = next
		}
	}
	return all
}

// found is an engine's process.
type found struct {
	engine  engine.Engine
	process Process
}

// lookSoon has the processes looked at after what has just changed.
func (s *state) lookSoon() {
	at := s.now().Add(walkAfter)
	if soonest := s.walked.Add(walkGap); at.Before(soonest) {
		at = soonest
	}
	s.lookAt(at)
}

func (s *state) lookAt(at time.Time) {
	if s.walkAt.IsZero() || at.Before(s.walkAt) {
		s.walkAt = at
	}
}

// walk looks at the processes once, and takes what it sees into the state.
func (d *daemon) walk(ctx context.Context) {
	leaders, ids := make(map[string]int), make(map[string]uint64)
	if d.do(ctx, func(s *state) error {
		for key, session := range s.sessions {
			if session.Alive() && session.PID > 0 {
				leaders[key], ids[key] = session.PID, session.ID
			}
		}
		return nil
	}) != nil {
		return
	}
	var all map[string]found
	table, err := Processes(nil), error(nil)
	if len(leaders) > 0 {
		if table, err = d.cfg.Processes(); err == nil {
			all = table.engines(leaders, d.cfg.Engines)
		}
	}
	_ = d.do(ctx, func(s *state) error { // it fails only when the daemon stops
		s.walking, s.walked = false, s.now()
		if len(leaders) > 0 {
			s.lookAt(s.now().Add(walkEvery))
		}
		if s.walkAgain {
			s.walkAgain = false
			s.lookSoon()
		}
		if err != nil {
			s.log.Warn("nobody could look which engines run", "err", err)
			return nil
		}
		for key, leader := range leaders {
			session, ok := s.sessions[key]
			if _, there := table[leader]; !ok || !there || session.ID != ids[key] || !session.Alive() {
				continue // another one by now, or just ending
			}
			f, runs := all[key]
			if !runs {
				f, runs = s.still(key, table, leader)
			}
			s.saw(key, f, runs)
			if s.beginning(key) {
				s.lookSoon()
			}
		}
		return nil
	})
}

// beginsWithin is how long an engine that was launched is looked for often.
const beginsWithin = time.Minute

// beginning reports whether a pane's engine was launched just now and has not been seen yet.
func (s *state) beginning(key string) bool {
	h, ok := s.engines[key]
	l, launched := s.launches[key]
	return ok && launched && h.state.Alive == workspace.AnswerUnknown && l.ended == nil && s.now().Sub(l.at) < beginsWithin
}

// still finds the engine's process that was seen in a session before: some give themselves another name once they run.
func (s *state) still(key string, t Processes, leader int) (found, bool) {
	h, ok := s.engines[key]
	if !ok || h.pid == 0 {
		return found{}, false
	}
	p, there := t[h.pid]
	same := there && len(p.Argv) > 0 && p.Began.Equal(h.began) // without arguments it has ended, and waits to be collected
	return found{h.engine, p}, same && slices.Contains(t.line(h.pid), leader)
}

// saw takes in whether an engine runs in a session.
func (s *state) saw(key string, f found, runs bool) {
	h, known := s.engines[key]
	now := s.now()
	switch {
	case !runs && known:
		if h.state.Ran() && !h.going {
			h.going = true
			pane, _ := s.pane(keyOf(key)) // one that is gone has no end that counts
			s.effects.ended(key, gone{
				engine: h.engine, pid: h.pid, banner: h.banner, approximate: true, replaced: replaced(pane, s.sessions[key]),
			})
		}
	case runs:
		if _, err := s.pane(keyOf(key)); err != nil {
			return
		}
		h = s.engineOf(key, f.engine)
		h.going = false
		if h.pid != 0 && h.pid != f.process.PID {
			s.tell(key, activity.Event{Kind: activity.EngineStarted, Time: now, At: f.process.Began})
		}
		fresh := h.pid != f.process.PID
		h.pid, h.began = f.process.PID, f.process.Began
		s.tell(key, activity.Event{Kind: activity.Probed, Time: now, Answer: workspace.AnswerYes, At: f.process.Began})
		if session := s.sessions[key]; fresh {
			s.tellStatus(h, session)
			s.tell(key, activity.Event{Kind: activity.TitleSeen, Time: now, Title: h.engine.ReadTitle(session.Title)})
			if s.tasks[keyOf(key).Task].Kind == workspace.KindScratch {
				s.effects.settle(keyOf(key))
			}
		}
	}
}

// keyOf is a key that the daemon has made itself.
func keyOf(text string) workspace.Key {
	key, _ := workspace.ParseKey(text) // a foreign one has no pane
	return key
}

// looking answers a lookup. Where the engine has not told the conversation's file, it is the one that its store has by that id.
func (d *daemon) looking(key string, e engine.Engine, l activity.Lookup) func(context.Context) {
	return func(ctx context.Context) {
		if l.Transcript == "" {
			var at engine.Place
			_ = d.do(ctx, func(s *state) error { // it fails only when the daemon stops
				at = s.storePlace(s.tasks[keyOf(key).Task])
				return nil
			})
			l.Transcript, _ = e.Transcript(at, l.Conversation) // not being able to look is as good as none
		}
		if l.Transcript == "" {
			return // no other file is its
		}
		ev := e.LastTurn(l.Transcript, l.Token, time.Now())
		_ = d.do(ctx, func(s *state) error { // it fails only when the daemon stops
			s.tell(key, ev)
			return nil
		})
	}
}
