package daemon

import (
	"context"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

func (d *daemon) tabAdd(ctx context.Context, p workspace.TabAdd) (any, error) {
	if err := checkPolicy(p.Policy); p.Policy != "" && err != nil {
		return nil, err
	}
	if err := checkDir(p.Dir); err != nil {
		return nil, err
	}
	if err := d.make(ctx, p.Task); err != nil {
		return nil, err
	}
	var added workspace.Added
	err := d.do(ctx, func(s *state) (err error) {
		added.Task, err = s.edit(p.Task, func(t *workspace.Task) ([]workspace.Key, error) {
			tab := t.AddTab(workspace.Tab{
				Name:    workspace.Clean(p.Name, workspace.MaxTitle),
				Command: p.Command,
				Policy:  p.Policy,
			}, p.Dir)
			added.Tab, added.Pane = tab.ID, tab.Panes[0].ID
			return nil, nil
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return d.begun(ctx, added, p.Size)
}

func (d *daemon) tabClose(ctx context.Context, p workspace.TabRef) (any, error) {
	return d.closed(ctx, p.Task, func(t *workspace.Task) ([]workspace.Key, error) {
		tab, ok := t.Tab(p.Tab)
		if !ok {
			return nil, workspace.NoTab(p.Task, p.Tab)
		}
		var doom []workspace.Key
		for _, pane := range tab.Panes {
			doom = append(doom, workspace.Key{Task: p.Task, Tab: p.Tab, Pane: pane.ID})
		}
		t.CloseTab(p.Tab)
		return doom, nil
	})
}

func (d *daemon) tabRename(ctx context.Context, p workspace.TabRename) (any, error) {
	return d.editedTab(ctx, workspace.TabRef{Task: p.Task, Tab: p.Tab}, func(_ *workspace.Task, tab *workspace.Tab) error {
		name := workspace.Clean(p.Name, workspace.MaxTitle)
		if err := renamed(p.Was, tab.Name, name); err != nil {
			return err
		}
		tab.Name = name
		return nil
	})
}

func (d *daemon) tabMove(ctx context.Context, p workspace.TabMove) (any, error) {
	return d.editedTab(ctx, workspace.TabRef{Task: p.Task, Tab: p.Tab}, func(t *workspace.Task, _ *workspace.Tab) error {
		t.MoveTab(p.Tab, p.To)
		return nil
	})
}

func (d *daemon) tabSelect(ctx context.Context, p workspace.TabSelect) (any, error) {
	if p.Client != "" {
		if err := d.do(ctx, func(s *state) error {
			place := s.places[p.Client].Place
			place.TabRef = p.TabRef
			s.notePlace(p.Client, place)
			return nil
		}); err != nil {
			return nil, err
		}
	}
	d.look(p.Task)
	return d.editedTab(ctx, p.TabRef, func(t *workspace.Task, _ *workspace.Tab) error {
		t.ActiveTab = p.Tab
		return nil
	})
}

func checkPolicy(p workspace.Policy) error {
	if p.Valid() {
		return nil
	}
	return workspace.Fail(workspace.CodeInvalid, "say if-lost, reattach-only or always", "%q is no relaunch policy", p)
}

// tabPolicy changes a tab's policy. The layout's word counts; the host's records are brought into line as soon as it can be asked.
func (d *daemon) tabPolicy(ctx context.Context, p workspace.TabPolicy) (any, error) {
	if err := checkPolicy(p.Policy); err != nil {
		return nil, err
	}
	ref := workspace.TabRef{Task: p.Task, Tab: p.Tab}
	_, err := d.editedTab(ctx, ref, func(_ *workspace.Task, tab *workspace.Tab) error {
		tab.Policy = p.Policy
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.background(d.tellPolicies)
	return done{}, nil
}

// tellPolicies tells the host the policies of the layout where it has others.
func (d *daemon) tellPolicies(ctx context.Context) {
	host := d.link.current()
	if host == nil {
		return
	}
	wanted := make(map[string]string)
	if d.do(ctx, func(s *state) error {
		for _, task := range s.tasks {
			for i := range task.Tabs {
				for _, key := range task.Tabs[i].Keys(task.ID) {
					policy := string(orDefault(task.Tabs[i].Policy, workspace.PolicyIfLost))
					if session, ok := s.sessions[key]; ok && session.Policy != policy {
						wanted[key] = policy
					}
				}
			}
		}
		return nil
	}) != nil {
		return
	}
	for key, policy := range wanted {
		err := d.link.call(ctx, host, func(ctx context.Context) error { return host.SetPolicy(ctx, key, policy) })
		if err != nil && wire.CodeOf(err) != wire.CodeNotFound {
			d.log.Warn("the host was not told a policy", "key", key, "err", err)
			return // the next host is told anew
		}
	}
}

func (d *daemon) editedTab(ctx context.Context, ref workspace.TabRef, f func(*workspace.Task, *workspace.Tab) error) (any, error) {
	return d.edited(ctx, ref.Task, func(t *workspace.Task) error {
		tab, ok := t.Tab(ref.Tab)
		if !ok {
			return workspace.NoTab(ref.Task, ref.Tab)
		}
		return f(t, tab)
	})
}
