package daemon

import (
	"cmp"
	"context"
	"time"

	"github.com/oklog/ulid/v2"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/activity"
	"moorage/workspace/inbox"
)

// seen notes that a client has opened a tab: what was pending of it, and of its task as such, is no more.
func (d *daemon) seen(ctx context.Context, p workspace.TabRef) (any, error) {
	return done{}, d.do(ctx, func(s *state) error {
		task, ok := s.tasks[p.Task]
		if !ok {
			return workspace.NoTask(p.Task)
		}
		tab, ok := task.Tab(p.Tab)
		if !ok {
			return workspace.NoTab(p.Task, p.Tab)
		}
		now := s.now()
		next, ofTab := inbox.Settle(s.inbox, p.Task, p.Tab, inbox.Opened, now)
		next, ofTask := inbox.Settle(next, p.Task, "", inbox.Opened, now)
		if ofTab || ofTask {
			if err := s.commit(change{inbox: &next}); err != nil {
				return err
			}
		}
		for _, pane := range tab.Panes {
			key := workspace.Key{Task: p.Task, Tab: p.Tab, Pane: pane.ID}.String()
			if h, ok := s.engines[key]; ok && h.state.Seen.Before(h.state.Since) {
				s.tell(key, activity.Event{Kind: activity.Opened, Time: now})
			}
		}
		return nil
	})
}

// noteCall makes an item of what a pane's program calls by itself. The host lets through one a second at most.
func (s *state) noteCall(key workspace.Key, ev wire.SessionEvent) {
	if ev.Kind == wire.SessionBell {
		s.called(key, ringing(ev.Session.Rang))
		return
	}
	call := wire.Call{Title: ev.Title, Text: ev.Text}
	if ev.Session.Called != nil {
		call.Time = ev.Session.Called.Time
	}
	s.called(key, calling(call))
}

// missCalls makes late items of what a session's program called while no daemon heard it: of the last text and bell.
func (s *state) missCalls(session wire.Session) {
	key := keyOf(session.Key)
	pane, err := s.pane(key)
	if err != nil {
		return
	}
	var missed []workspace.Item
	if session.Called != nil && session.Called.Time.After(pane.Called) {
		missed = append(missed, calling(*session.Called))
	}
	if session.Rang.After(pane.Called) {
		missed = append(missed, ringing(session.Rang))
	}
	for _, item := range missed {
		item.Late = true
		s.called(key, item)
	}
}

// calling is the item of a program's notification, ringing that of its bell.
func calling(c wire.Call) workspace.Item {
	text := cmp.Or(c.Text, c.Title)
	if c.Title != "" && c.Text != "" {
		text = c.Title + ": " + c.Text
	}
	return workspace.Item{Kind: workspace.ItemCalled, Text: text, Time: c.Time}
}

func ringing(at time.Time) workspace.Item {
	return workspace.Item{Kind: workspace.ItemBell, Text: "bell", Time: at}
}

// called takes a call in, and notes that it was heard.
func (s *state) called(key workspace.Key, item workspace.Item) {
	if item.Time.IsZero() {
		item.Time = s.now()
	}
	task := s.tasks[key.Task].Clone()
	pane, ok := task.Pane(key.Tab, key.Pane)
	if !ok {
		return
	}
	if pane.Called.Before(item.Time) {
		pane.Called = item.Time
	}
	item.ID, item.Task, item.Tab, item.Title = ulid.Make().String(), key.Task, key.Tab, s.itemTitle(key)
	if workspace.Clean(item.Text, workspace.MaxTitle) == "" || !inbox.Calls(s.inbox, item) {
		s.tasks[key.Task], s.titles[key.Task] = task, true // that alone may be written later
		return
	}
	next := inbox.Raise(s.inbox, item)
	_ = s.commit(change{put: []workspace.Task{task}, inbox: &next}) // it is logged
}

// itemTitle is what an item of a pane, or of a task as such, is shown by.
func (s *state) itemTitle(key workspace.Key) string {
	title, tab := s.names(key.String())
	if tab != "" {
		title += " / " + tab
	}
	return title
}

func (d *daemon) inboxNow(ctx context.Context, _ struct{}) (any, error) {
	var in workspace.Inbox
	err := d.do(ctx, func(s *state) error {
		in = s.inbox
		return nil
	})
	if in.Pending == nil {
		in.Pending = []workspace.Item{}
	}
	if in.Recent == nil {
		in.Recent = []workspace.Item{}
	}
	return in, err
}

// told notes who was told of an item.
func (d *daemon) told(ctx context.Context, p workspace.Told) (any, error) {
	return done{}, d.do(ctx, func(s *state) error {
		next, ok := inbox.Told(s.inbox, p)
		if !ok {
			return workspace.Fail(workspace.CodeNotFound, "", "there is no item %s", p.ID)
		}
		return s.commit(change{inbox: &next})
	})
}
