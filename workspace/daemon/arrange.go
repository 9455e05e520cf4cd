package daemon

import (
	"context"
	"errors"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/split"
)

func (d *daemon) paneSwap(ctx context.Context, p workspace.PaneSwap) (any, error) {
	return d.editedTab(ctx, workspace.TabRef{Task: p.Task, Tab: p.Tab}, func(_ *workspace.Task, tab *workspace.Tab) error {
		layout, ok := tab.Layout.Swap(p.Pane, p.With)
		if !ok {
			return workspace.NoPane(p.Task, p.Tab, p.With)
		}
		tab.Layout = layout
		return nil
	})
}

func (d *daemon) tabArrange(ctx context.Context, p workspace.TabArrange) (any, error) {
	return d.editedTab(ctx, workspace.TabRef{Task: p.Task, Tab: p.Tab}, func(_ *workspace.Task, tab *workspace.Tab) error {
		return tab.Arrange(p.How)
	})
}

// paneMove puts a pane into another tab. Its session gets the new key first, so that no client that hears of the new place opens another one
// there; the state is told that the key is coming.
func (d *daemon) paneMove(ctx context.Context, p workspace.PaneMove) (any, error) {
	p.Direction = orDefault(p.Direction, split.Right)
	if !p.Direction.Valid() {
		return nil, workspace.Fail(workspace.CodeInvalid, `say "right" or "down"`, "%q is no direction of a split", p.Direction)
	}
	host, err := d.link.ensure(ctx)
	if err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx) // half of it would be worse than late
	from, to := p.Key(), workspace.Key{}
	if err := d.do(ctx, func(s *state) (err error) {
		task, ok := s.tasks[p.Task]
		if !ok {
			return workspace.NoTask(p.Task)
		}
		task = task.Clone()
		if to, err = task.MovePane(p.Tab, p.Pane, p.To, p.Direction); err == nil {
			s.coming[to.String()] = true
		}
		return err
	}); err != nil {
		return nil, err
	}
	rename := func(from, to workspace.Key) error { return d.rename(ctx, host, from, to) }
	renamed := rename(from, to)
	added := workspace.Added{Tab: to.Tab, Pane: to.Pane}
	var again workspace.Key
	err = d.do(ctx, func(s *state) (err error) {
		delete(s.coming, to.String())
		if renamed != nil {
			return renamed
		}
		var c change
		at := workspace.Key{}
		if added.Task, c, err = s.edited(p.Task, func(t *workspace.Task) (_ []workspace.Key, err error) {
			at, err = t.MovePane(p.Tab, p.Pane, p.To, p.Direction)
			return nil, err
		}); err != nil {
			return err
		}
		if at != to { // somebody else has got that place meanwhile
			again, added.Tab, added.Pane = at, at.Tab, at.Pane
			s.coming[at.String()] = true
		}
		return s.moved(c, workspace.KeyMove{From: from, To: at})
	})
	switch {
	case err != nil && renamed == nil:
		return nil, errors.Join(err, rename(to, from))
	case err != nil:
		return nil, err
	case again != (workspace.Key{}):
		err = rename(to, again)
		return added, errors.Join(err, d.do(ctx, func(s *state) error {
			delete(s.coming, again.String())
			return nil
		}))
	}
	return added, nil
}

// rename gives a pane's session another key. A pane that has no session yet needs none.
func (d *daemon) rename(ctx context.Context, host Host, from, to workspace.Key) error {
	err := d.link.call(ctx, host, func(ctx context.Context) error {
		_, err := host.Rename(ctx, from.String(), to.String())
		return err
	})
	if wire.CodeOf(err) == wire.CodeNotFound {
		return nil
	}
	return err
}
