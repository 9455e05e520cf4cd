package daemon

import (
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/activity"
	"moorage/workspace/engine"
	"moorage/workspace/inbox"
)

// attention is the part of the state that is about engines. Like all of it, it belongs to the state's owner.
type attention struct {
	registry engine.Registry
	launcher []string
	effects  effects

	engines  map[string]*hosted // by session key: of each pane that has or had an engine
	loose    map[string]*hosted // by task: what no tab could be told of
	launches map[string]launched
	revived  map[string]bool // engines that were started again by themselves, and have not worked since
	inbox    workspace.Inbox
	consent  workspace.Consent
	question workspace.HooksQuestion
	storeEnv []string // what said at the last launch where engines have their stores, nil before the first

	walkAt  time.Time // when to look at the processes next, zero when nothing runs
	walked  time.Time
	walking bool
	// walkAgain says that another look was wanted while one was under way.
	walkAgain bool
}

// effects are what the owner has others do. None of them blocks.
type effects struct {
	walk   func()
	settle func(key workspace.Key)
	lookup func(key string, e engine.Engine, l activity.Lookup)
	ended  func(key string, g gone)
	goOn   func(key string)
}

// hosted is the engine of a pane.
type hosted struct {
	engine engine.Engine
	state  activity.State
	pid    int       // of its process, 0 until it was seen
	began  time.Time // that process
	stored workspace.Badge
	lost   bool // it ended with its session
	banner bool // its launch prints one at its end; one that was typed by hand has none, and an older one is not its
	going  bool // it was seen to be gone, and its end is being looked into
}

// launched is the last launch of a pane's engine.
type launched struct {
	at           time.Time
	conversation string
	resumed      bool // by the engine's own verb
	found        bool // the conversation is not known to be the pane's own
	confirms     bool // it will say so by itself
	ended        *activity.Event
}

// restoreEngines makes what the panes have stored the state of their engines.
func (s *state) restoreEngines() {
	for id, task := range s.tasks {
		if task = task.Clone(); s.equip(&task) {
			s.tasks[id] = task // the next change stores it
		}
		for i := range task.Tabs {
			for _, pane := range task.Tabs[i].Panes {
				e, ok := s.registry.Named(pane.Engine)
				if !ok {
					continue
				}
				h := &hosted{engine: e, state: activity.Restore(pane.Badge, pane.Conversation, pane.Transcript, pane.Ended == nil && pane.Badge != nil)}
				h.state.Untold = e.Untold
				h.stored = h.state.Badge()
				_, made := s.registry.OfCommand(pane.Command)
				h.banner = made && pane.Ended == nil
				if pane.Ended != nil {
					h.state.Alive = workspace.AnswerNo
				}
				s.engines[workspace.Key{Task: task.ID, Tab: task.Tabs[i].ID, Pane: pane.ID}.String()] = h
			}
		}
	}
}

// equip says how the engines among a task's panes are launched. Those that ran under an older moorage's path get this one's.
func (s *state) equip(t *workspace.Task) (changed bool) {
	for i := range t.Tabs {
		for j := range t.Tabs[i].Panes {
			pane := &t.Tabs[i].Panes[j]
			var launcher []string
			if _, ok := s.registry.OfCommand(pane.Command); ok {
				launcher = s.launcher
			}
			if !slices.Equal(pane.Launcher, launcher) {
				pane.Launcher, changed = launcher, true
			}
		}
	}
	return changed
}

// engineView is what clients are shown of a pane's engine.
func (s *state) engineView(key string) *workspace.EngineView {
	h, ok := s.engines[key]
	if !ok {
		return nil
	}
	v := h.state.View(h.engine.Name)
	if session, known := s.sessions[key]; s.host.State == workspace.HostUp && (!known || !session.Alive()) {
		v.Alive = workspace.AnswerNo
	} else if s.host.State != workspace.HostUp {
		v.Alive = workspace.AnswerUnknown
	}
	return &v
}

// begins is the state of an engine of which nothing was stored.
func begins(e engine.Engine, conversation string) activity.State {
	s := activity.Restore(nil, conversation, "", false)
	s.Untold = e.Untold
	return s
}

// engineOf gives a pane an engine, or another one than it had. It keeps the conversation only of the same.
func (s *state) engineOf(key string, e engine.Engine) *hosted {
	if h, ok := s.engines[key]; ok && h.engine.Name == e.Name {
		return h
	}
	h := &hosted{engine: e, state: begins(e, "")}
	s.engines[key] = h
	return h
}

// engineTold takes what the host tells of a session: that it began or ended, and what its program says of itself.
func (s *state) engineTold(had, now wire.Session) {
	h, known := s.engines[now.Key]
	if had.ID != now.ID && now.Alive() {
		s.lookSoon()
	}
	if !now.Alive() {
		if known && now.Exit != nil && had.ID == now.ID && had.Alive() && h.state.Alive != workspace.AnswerNo {
			h.lost = true
			s.endWithSession(h, now)
		}
		return
	}
	if !known || h.state.Alive == workspace.AnswerNo {
		if had.Title != now.Title || now.Status != nil && (had.Status == nil || *had.Status != *now.Status) {
			s.lookSoon() // perhaps somebody has started one
		}
		return
	}
	s.tellStatus(h, now)
	if had.Title != now.Title {
		title := h.engine.ReadTitle(now.Title)
		if title == activity.TitleSilent {
			s.lookSoon() // perhaps it is not the engine's any more
		}
		s.tell(now.Key, activity.Event{Kind: activity.TitleSeen, Time: s.now(), Title: title})
	}
}

// endWithSession tells that an engine ended as its session did.
func (s *state) endWithSession(h *hosted, session wire.Session) {
	exit := session.Exit
	s.tell(session.Key, activity.Event{
		Kind: activity.EngineEnded, Time: exit.Time, Code: exit.Code, Signal: exit.Signal, Clean: h.engine.Clean(exit.Code, exit.Signal),
	})
}

// revives reports whether a pane whose session was ended together with an engine that ran in it is started again by itself: once, if the
// engine has a conversation to take up.
func (s *state) revives(key string, session wire.Session) bool {
	h, ok := s.engines[key]
	if !ok || !h.lost || h.state.Conversation == "" || !workspace.Unclean(session.Exit) || s.revived[key] {
		return false
	}
	h.lost = false
	s.revived[key] = true
	return true
}

func (s *state) tellStatus(h *hosted, session wire.Session) {
	ev := activity.Event{Kind: activity.StatusSeen, Time: s.now()}
	if st := session.Status; st != nil {
		ev.Status = activity.Status{State: st.State, Kind: st.Kind, Text: workspace.Clean(st.Message, workspace.MaxTitle), Since: st.Since}
	}
	s.tell(session.Key, ev)
}

// tell brings an event into the state of a pane's engine, and makes what follows from it durable and known.
func (s *state) tell(key string, ev activity.Event) {
	h, ok := s.engines[key]
	parsed, err := workspace.ParseKey(key)
	if !ok || err != nil {
		return
	}
	if _, err := s.pane(parsed); err != nil {
		return // closed: nobody wants to know
	}
	before := h.state
	next, lookup := activity.Step(h.state, ev)
	h.state = next
	if lookup != nil {
		s.effects.lookup(key, h.engine, *lookup)
	}
	if ev.Kind == activity.EngineEnded {
		s.noteLaunchEnd(key, ev)
	}
	if next.Activity == workspace.ActivityWorking {
		delete(s.revived, key)
	}
	if !next.Confirmed.Equal(before.Confirmed) {
		s.confirm(key, next)
	}
	c := change{}
	s.storeEngine(&c, parsed, h, ev)
	s.mark(&c, parsed, h.engine.Name, before, next)
	if len(c.put) > 0 || c.inbox != nil {
		_ = s.commit(c) // it is logged; what is only shown goes on
	}
	if viewed(before) != viewed(next) {
		s.show(parsed.Task)
	}
}

// viewed is what a view shows of a state.
func viewed(s activity.State) workspace.EngineView { return s.View("") }

// storeEngine puts what is to be kept of a pane's engine into a change, if it is another than is kept.
func (s *state) storeEngine(c *change, key workspace.Key, h *hosted, ev activity.Event) {
	task := s.tasks[key.Task]
	had, _ := task.Pane(key.Tab, key.Pane)
	pane := *had
	badge := h.state.Badge()
	pane.Engine = h.engine.Name
	if h.state.Conversation != pane.Conversation && !s.claimed(h.engine.Name, h.state.Conversation, key) {
		pane.Conversation, pane.Transcript = h.state.Conversation, h.state.Transcript
	} else if h.state.Conversation == pane.Conversation && h.state.Transcript != "" {
		pane.Transcript = h.state.Transcript
	}
	if session := s.sessions[key.String()]; session.Alive() && h.state.Ran() && ev.Kind.Proves() {
		pane.Session = session.ID
	}
	if ev.Kind == activity.EngineStarted {
		pane.Started, pane.Opening = ev.Time, nil
	}
	switch {
	case ev.Kind == activity.EngineEnded:
		pane.Ended = &workspace.EngineEnd{Code: ev.Code, Time: ev.Time, Approximate: h.going || ev.Lost, Lost: ev.Lost}
	case h.state.Alive != workspace.AnswerNo:
		pane.Ended = nil
	}
	old := h.stored
	old.Source, old.Reason = badge.Source, badge.Reason // these alone are not worth a write
	same := old == badge && pane.Engine == had.Engine && pane.Conversation == had.Conversation && pane.Transcript == had.Transcript &&
		(pane.Ended == nil) == (had.Ended == nil) && pane.Session == had.Session && pane.Started.Equal(had.Started)
	if same {
		return
	}
	h.stored = badge
	pane.Badge = &badge
	task = task.Clone()
	stored, _ := task.Pane(key.Tab, key.Pane)
	*stored = pane
	c.put = append(c.put, task)
}

// claimed reports whether another pane has the conversation: two processes would write the same file.
func (s *state) claimed(name, conversation string, but workspace.Key) bool {
	if conversation == "" {
		return false
	}
	for _, task := range s.tasks {
		for i := range task.Tabs {
			for _, pane := range task.Tabs[i].Panes {
				key := workspace.Key{Task: task.ID, Tab: task.Tabs[i].ID, Pane: pane.ID}
				if key != but && pane.Engine == name && pane.Conversation == conversation {
					return true
				}
			}
		}
	}
	return false
}

// mark brings the inbox up to what became of an engine. tab is "" of what is a task's as such.
func (s *state) mark(c *change, key workspace.Key, name string, before, after activity.State) {
	was, is := before.View(name), after.View(name)
	if kind, ok := inbox.Rises(was, is); ok {
		item := workspace.Item{
			ID: ulid.Make().String(), Task: key.Task, Tab: key.Tab, Kind: kind, Engine: name, Time: is.Since, Text: is.Reason, Resets: is.Resets,
		}
		item.Title = s.itemTitle(key)
		next := inbox.Raise(s.inbox, item)
		c.inbox = &next
		return
	}
	if inbox.Falls(was, is) {
		if next, ok := inbox.Settle(s.inbox, key.Task, key.Tab, inbox.NewTurn, s.now()); ok {
			c.inbox = &next
		}
	}
}

// settleGone puts into a change that nothing is pending of a tab or task that goes with it.
func (s *state) settleGone(c *change) {
	if len(c.put)+len(c.drop) == 0 {
		return
	}
	tasks := make(map[string]*workspace.Task, len(c.put)+len(c.drop))
	for i := range c.put {
		tasks[c.put[i].ID] = &c.put[i]
	}
	for _, id := range c.drop {
		tasks[id] = nil
		delete(s.loose, id)
	}
	in := s.inbox
	if c.inbox != nil {
		in = *c.inbox
	}
	next, ok := inbox.Keep(in, s.now(), func(id, tab string) bool {
		task, changes := tasks[id]
		if !changes || tab == "" && task != nil {
			return true
		}
		if task == nil {
			return false
		}
		_, there := task.Tab(tab)
		return there
	})
	if ok {
		c.inbox = &next
	}
}

// nextDue is when tick has something to do, zero when it has not.
func (s *state) nextDue() time.Time {
	next := s.walkAt
	for key, h := range s.engines {
		for _, at := range []time.Time{h.state.Next(), s.resumesAt(key, h)} {
			if !at.IsZero() && (next.IsZero() || at.Before(next)) {
				next = at
			}
		}
	}
	return next
}

// tick does what is due.
func (s *state) tick() {
	now := s.now()
	for key, h := range s.engines {
		if at := h.state.Next(); !at.IsZero() && !at.After(now) {
			s.tell(key, activity.Event{Kind: activity.Tick, Time: now})
		}
		if at := s.resumesAt(key, h); !at.IsZero() && !at.After(now) {
			s.resumeLimited(key, h)
		}
	}
	if !s.walkAt.IsZero() && !s.walkAt.After(now) {
		s.walkAt = time.Time{}
		if s.walking {
			s.walkAgain = true // that one may have looked too early
			return
		}
		s.walking = true
		s.effects.walk()
	}
}
