package daemon

import (
	"cmp"
	"context"

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
	item := workspace.Item{ID: ulid.Make().String(), Task: key.Task, Tab: key.Tab, Time: s.now()}
	switch {
	case ev.Kind == wire.SessionBell:
		item.Kind, item.Text = workspace.ItemBell, "bell"
	case ev.Title != "" && ev.Text != "":
		item.Kind, item.Text = workspace.ItemCalled, ev.Title+": "+ev.Text
	default:
		item.Kind, item.Text = workspace.ItemCalled, cmp.Or(ev.Text, ev.Title)
	}
	_, err := s.pane(key)
	if err != nil || workspace.Clean(item.Text, workspace.MaxTitle) == "" || !inbox.Calls(s.inbox, item) {
		return
	}
	item.Title = s.itemTitle(key)
	next := inbox.Raise(s.inbox, item)
	_ = s.commit(change{inbox: &next}) // it is logged
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
