package daemon

import (
	"context"

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
