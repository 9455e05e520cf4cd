package daemon

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/bus"
)

// fact is what the bus carries: a task's view by its id, under hostFact the host's, under projectsFact the projects, under
// clonesFact the clones, under inboxFact the inbox, under questionFact what is to be asked about hooks.
type fact struct {
	task     workspace.TaskView
	host     workspace.HostView
	projects []workspace.Project
	clones   []workspace.Clone
	inbox    workspace.Inbox
	question workspace.HooksQuestion
}

// hostFact, inboxFact and questionFact are the bus keys of the host, the inbox and the question. No task has such an id.
const (
	hostFact     = ""
	inboxFact    = " inbox"
	questionFact = " question"
)

// titleDelay is how long a new title may stay out of the index: programs animate theirs.
const titleDelay = 3 * time.Second

// state is everything the daemon knows. All of it belongs to the goroutine of run; others come in through do.
type state struct {
	log   *slog.Logger
	index *index
	now   func() time.Time
	bus   *bus.Bus[string, fact]
	ops   chan func()

	tasks      map[string]workspace.Task // never changed in place: see edit
	unreadable map[string]error
	doomed     map[string]bool
	recovering bool

	host     workspace.HostView
	sessions map[string]wire.Session // as the host told, by key
	failures map[string]string       // why a pane's session could not be started
	recycled map[string]bool         // fresh panes of an only tab: they get one life
	resets   map[string]int          // resets under way: the old session's end is not an exit

	ending map[string]bool // doomed sessions that somebody is ending right now

	coming map[string]bool // keys that a session is being given: the layout has them in a moment

	asking map[string]int    // sessions that somebody is asking for right now
	brief  map[string]uint64 // which of them ended by themselves meanwhile: its id

	restoring *restore               // the one under way, nil without
	reports   []workspace.Report     // of those before it, the oldest first
	exits     []workspace.ExitRecord // the oldest first
	limit     int                    // of exits

	attention

	life   lifetime
	titles map[string]bool // tasks of which the index lacks a title, or that a call was heard

	projects  map[string]workspace.Project
	work      map[string]*workspace.Work   // by task
	workShown map[string]time.Time         // when its newest line was shown
	making    map[string]*making           // worktrees, by task
	clones    []cloning                    // the oldest first
	counts    map[string]*workspace.Counts // by task
	looking   map[string]bool              // tasks that are being counted, or soon
	lookedAt  map[string]time.Time

	notes  map[string]taskNotes // by task; of those that have some
	noting map[string]bool      // tasks whose notes are being sent

	places    map[string]clientPlace // by client
	placesNew bool                   // the index lacks something of them
}

// run executes closures until ctx ends or the lifetime is over.
func (s *state) run(ctx context.Context) {
	end := time.NewTimer(0)
	defer end.Stop()
	flush := time.NewTimer(0)
	defer flush.Stop()
	due := time.NewTimer(0)
	defer due.Stop()
	flushing := false
	defer s.flushTitles()
	for {
		if left, ok := s.life.left(s.now()); !ok {
			end.Stop()
		} else if left == 0 {
			return
		} else {
			end.Reset(left)
		}
		if at := s.nextDue(); at.IsZero() {
			due.Stop()
		} else {
			due.Reset(at.Sub(s.now()))
		}
		if (len(s.titles) > 0 || s.placesNew) && !flushing {
			flush.Reset(titleDelay)
			flushing = true
		}
		select {
		case <-ctx.Done():
			return
		case op := <-s.ops:
			op()
			s.life.hold(s.now(), s.holds())
		case <-end.C:
		case <-due.C:
			s.tick()
		case <-flush.C:
			s.flushTitles()
			flushing = false
		}
	}
}

// do runs op on the owner and returns its error. It fails when the daemon is stopping. A panic of op is its error: what it
// would have changed is a clone.
func (d *daemon) do(ctx context.Context, op func(*state) error) error {
	done := make(chan error, 1)
	guarded := func() {
		defer func() {
			if r := recover(); r != nil {
				d.log.Error("panic", "cause", r, "stack", string(debug.Stack()))
				done <- workspace.Fail(workspace.CodeInternal, "see daemon.log in the home's log folder", "the daemon made a mistake: %v", r)
			}
		}()
		done <- op(d.state)
	}
	select {
	case d.state.ops <- guarded:
	case <-ctx.Done():
		return ctx.Err()
	case <-d.stopped:
		return workspace.Fail(workspace.CodeAway, "try again", "the daemon is stopping")
	}
	return <-done
}

// edit lets f change a clone of the task, stores the outcome and shows it. What f dooms ends with it. A task that has Ended is
// dropped instead of stored.
func (s *state) edit(id string, f func(*workspace.Task) (doom []workspace.Key, err error)) (workspace.Task, error) {
	task, c, err := s.edited(id, f)
	if err != nil {
		return task, err
	}
	return task, s.commit(c)
}

// edited is edit that leaves it to the caller to store the change.
func (s *state) edited(id string, f func(*workspace.Task) (doom []workspace.Key, err error)) (workspace.Task, change, error) {
	old, ok := s.tasks[id]
	if !ok {
		return workspace.Task{}, change{}, workspace.NoTask(id)
	}
	task := old.Clone()
	doom, err := f(&task)
	if err != nil {
		return workspace.Task{}, change{}, err
	}
	task.Updated = s.now()
	s.equip(&task)
	if task.Ended() {
		return task, change{drop: []string{id}, doom: doom}, nil
	}
	return task, change{put: []workspace.Task{task}, doom: doom}, nil
}

// commit makes the change durable, then known.
func (s *state) commit(c change) error {
	s.settleGone(&c)
	if err := s.index.write(c); err != nil {
		s.log.Error("a change was not stored", "err", err)
		return workspace.Fail(workspace.CodeInternal, "see the daemon's log; is the disk full?", "%v", err)
	}
	var touched []string
	for _, task := range c.put {
		s.tasks[task.ID] = task
		delete(s.titles, task.ID)
		touched = append(touched, task.ID)
	}
	for _, id := range c.drop {
		delete(s.tasks, id)
		delete(s.titles, id)
		delete(s.notes, id)
		touched = append(touched, id)
	}
	for id, n := range c.notes {
		if s.notes[id] = n; len(n.Notes) == 0 {
			delete(s.notes, id)
		}
		touched = append(touched, id)
	}
	for _, key := range c.doom {
		s.doomed[key.String()] = true
		delete(s.failures, key.String())
		delete(s.recycled, key.String())
		delete(s.engines, key.String())
	}
	for _, key := range c.spared {
		delete(s.doomed, key)
	}
	if c.recovered {
		s.recovering = false
	}
	if c.consent != "" {
		s.consent = c.consent
		s.ask(workspace.HooksQuestion{})
	}
	if c.inbox != nil {
		s.inbox = *c.inbox
		s.bus.Publish(bus.Change[string, fact]{Key: inboxFact, Value: fact{inbox: s.inbox}})
	}
	s.show(touched...)
	return nil
}

// show publishes how the tasks are now.
func (s *state) show(ids ...string) {
	changes := make([]bus.Change[string, fact], 0, len(ids))
	for _, id := range ids {
		task, ok := s.tasks[id]
		if !ok {
			changes = append(changes, bus.Change[string, fact]{Key: id, Gone: true})
			continue
		}
		changes = append(changes, bus.Change[string, fact]{Key: id, Value: fact{task: s.view(task)}})
	}
	s.bus.Publish(changes...)
}

// showAll publishes everything anew, after the host's coming or going changed each badge.
func (s *state) showAll() {
	s.bus.Publish(bus.Change[string, fact]{Key: hostFact, Value: fact{host: s.host}})
	s.bus.Publish(bus.Change[string, fact]{Key: inboxFact, Value: fact{inbox: s.inbox}})
	s.show(slices.Collect(maps.Keys(s.tasks))...)
}

// view is the task with its badges.
func (s *state) view(task workspace.Task) workspace.TaskView {
	v := workspace.TaskView{Task: task, Panes: make(map[string]workspace.PaneView), Counts: s.counts[task.ID], Notes: s.notes[task.ID].count()}
	if w := s.work[task.ID]; w != nil {
		v.Work = new(*w)
	}
	for i := range task.Tabs {
		for _, pane := range task.Tabs[i].Panes {
			key := workspace.Key{Task: task.ID, Tab: task.Tabs[i].ID, Pane: pane.ID}
			view := s.paneView(key.String())
			view.Engine = s.engineView(key.String())
			v.Panes[key.Tab+"/"+key.Pane] = view
		}
	}
	if loose, ok := s.loose[task.ID]; ok {
		view := loose.state.View(loose.engine.Name)
		v.Loose = &view
	}
	return v
}

func (s *state) paneView(key string) workspace.PaneView {
	session, known := s.sessions[key]
	switch {
	case s.failures[key] != "":
		return workspace.PaneView{State: workspace.PaneFailed, Reason: s.failures[key]}
	case s.host.State == workspace.HostOff:
		return workspace.PaneView{State: workspace.PaneNone}
	case s.host.State != workspace.HostUp:
		return workspace.PaneView{State: workspace.PaneUnknown}
	case !known:
		return workspace.PaneView{State: workspace.PaneNone}
	}
	v := workspace.PaneView{
		Exit:  session.Exit,
		Title: workspace.Clean(session.Title, workspace.MaxTitle),
		CWD:   session.CWD,
		PID:   session.PID,
	}
	switch session.State {
	case wire.SessionLive:
		v.State = workspace.PaneAlive
	case wire.SessionExited:
		v.State = workspace.PaneExited
	case wire.SessionThawed:
		v.State = workspace.PaneThawed
	default:
		v.State = workspace.PaneUnknown
	}
	return v
}

// ordered lists the tasks in the sidebar's order.
func (s *state) ordered() []workspace.Task {
	return slices.SortedFunc(maps.Values(s.tasks), func(a, b workspace.Task) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ID, b.ID))
	})
}

// nextPosition is behind every task.
func (s *state) nextPosition() int {
	next := 0
	for _, task := range s.tasks {
		next = max(next, task.Position+1)
	}
	return next
}

// pane finds the pane of a key in the stored layout.
func (s *state) pane(key workspace.Key) (workspace.Pane, error) {
	task, ok := s.tasks[key.Task]
	if !ok {
		return workspace.Pane{}, workspace.NoTask(key.Task)
	}
	if _, ok := task.Tab(key.Tab); !ok {
		return workspace.Pane{}, workspace.NoTab(key.Task, key.Tab)
	}
	pane, ok := task.Pane(key.Tab, key.Pane)
	if !ok {
		return workspace.Pane{}, workspace.NoPane(key.Task, key.Tab, key.Pane)
	}
	return *pane, nil
}

// noteTitle keeps a pane's title as its tab's last one, for when no live one is known.
func (s *state) noteTitle(key workspace.Key, title string) {
	title = workspace.Clean(title, workspace.MaxTitle)
	task, ok := s.tasks[key.Task]
	if !ok || title == "" {
		return
	}
	if tab, ok := task.Tab(key.Tab); !ok || tab.LastTitle == title {
		return
	}
	task = task.Clone()
	tab, _ := task.Tab(key.Tab)
	tab.LastTitle = title
	s.tasks[key.Task] = task
	s.titles[key.Task] = true
}

// flushTitles stores the titles, calls and places that are only in memory.
func (s *state) flushTitles() {
	var c change
	for id := range s.titles {
		c.put = append(c.put, s.tasks[id])
	}
	if s.placesNew {
		c.places, s.placesNew = s.places, false
	}
	if len(c.put) == 0 && c.places == nil {
		return
	}
	if err := s.index.write(c); err != nil {
		s.log.Warn("titles were not stored", "err", err)
	}
	clear(s.titles)
}

// holds reports whether something keeps the daemon: work on a worktree or a repository, live sessions, or not being able to look for these.
func (s *state) holds() bool {
	for _, w := range s.work {
		if w.Failed == "" {
			return true
		}
	}
	for _, c := range s.clones {
		if c.View.Failed == "" {
			return true
		}
	}
	switch s.host.State {
	case workspace.HostOff:
		return false
	case workspace.HostUp:
		for _, session := range s.sessions {
			if session.Alive() {
				return true
			}
		}
		return false
	}
	return true
}
