package daemon

import (
	"context"
	"math"
	"os"

	"moorage/workspace"
)

// paneSplit divides a pane; the new one starts in the directory that the divided one's program is in.
func (d *daemon) paneSplit(ctx context.Context, p workspace.PaneSplit) (any, error) {
	if err := checkDir(p.Dir); err != nil {
		return nil, err
	}
	ref, old := p.PaneRef, workspace.Pane{}
	err := d.do(ctx, func(s *state) (err error) {
		task := s.tasks[p.Task]
		if tab, ok := task.Tab(p.Tab); ok && ref.Pane == "" {
			ref.Pane = tab.Layout.Panes()[0]
		}
		old, err = s.pane(ref.Key())
		return err
	})
	if err != nil {
		return nil, err
	}
	dir := p.Dir
	if dir == "" {
		dir = d.whereIs(ctx, ref.Key())
		if info, err := os.Stat(dir); err != nil || !info.IsDir() { // removed under its program
			dir = old.Dir
		}
	}
	added := workspace.Added{Tab: p.Tab}
	err = d.do(ctx, func(s *state) (err error) {
		added.Task, err = s.edit(p.Task, func(t *workspace.Task) ([]workspace.Key, error) {
			pane, err := t.SplitPane(ref.Tab, ref.Pane, p.Direction, workspace.Pane{Command: p.Command, Dir: dir})
			added.Pane = pane.ID
			return nil, err
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return d.begun(ctx, added, p.Size)
}

func (d *daemon) paneOpen(ctx context.Context, p workspace.PaneOpen) (any, error) {
	return d.open(ctx, p.Key(), p.Size, p.Restart)
}

func (d *daemon) paneReset(ctx context.Context, p workspace.PaneOpen) (any, error) {
	return d.reset(ctx, p.Key(), p.Size)
}

func (d *daemon) paneClose(ctx context.Context, p workspace.PaneRef) (any, error) {
	return d.closed(ctx, p.Task, func(t *workspace.Task) ([]workspace.Key, error) {
		if !t.ClosePane(p.Tab, p.Pane) {
			return nil, workspace.NoPane(p.Task, p.Tab, p.Pane)
		}
		return []workspace.Key{p.Key()}, nil
	})
}

func (d *daemon) splitRatio(ctx context.Context, p workspace.SplitRatio) (any, error) {
	ref := workspace.TabRef{Task: p.Task, Tab: p.Tab}
	return d.editedTab(ctx, ref, func(_ *workspace.Task, tab *workspace.Tab) error {
		layout, ok := tab.Layout.SetRatio(p.Path, p.Ratio)
		if !ok || math.IsInf(p.Ratio, 0) {
			return workspace.Fail(workspace.CodeInvalid, "a path leads to a border, by 0 and 1 from the root", "%s has no border at %q", p.Tab, p.Path)
		}
		tab.Layout = layout
		return nil
	})
}
