package daemon

import (
	"cmp"
	"context"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// taskState tells a task as scripts steer by it.
func (d *daemon) taskState(ctx context.Context, p workspace.TaskRef) (any, error) {
	var out workspace.TaskState
	err := d.do(ctx, func(s *state) error {
		task, ok := s.tasks[p.Task]
		if !ok {
			return workspace.NoTask(p.Task)
		}
		out = workspace.TaskState{ID: task.ID, Title: task.Title, Dir: task.Dir, Tabs: []workspace.TabStateView{}}
		for i := range task.Tabs {
			out.Tabs = append(out.Tabs, s.tabState(task, &task.Tabs[i]))
		}
		return nil
	})
	return out, err
}

// enginePane is the pane of a tab that has an engine, else the first.
func (s *state) enginePane(task workspace.Task, tab *workspace.Tab) workspace.Key {
	panes := tab.Layout.Panes()
	for _, id := range panes {
		key := workspace.Key{Task: task.ID, Tab: tab.ID, Pane: id}
		if _, ok := s.engines[key.String()]; ok {
			return key
		}
	}
	return workspace.Key{Task: task.ID, Tab: tab.ID, Pane: panes[0]}
}

func (s *state) tabState(task workspace.Task, tab *workspace.Tab) workspace.TabStateView {
	key := s.enginePane(task, tab)
	pane, _ := tab.Pane(key.Pane)
	session, known := s.sessions[key.String()]
	v := workspace.TabStateView{
		ID: tab.ID, Pane: key.Pane, Name: tab.Label(workspace.Clean(session.Title, workspace.MaxTitle)), Kind: "shell",
		Policy: cmp.Or(tab.Policy, workspace.PolicyIfLost), Conversation: pane.Conversation,
		Frozen: known && session.State == wire.SessionThawed,
	}
	if s.host.State == workspace.HostUp || s.host.State == workspace.HostOff {
		alive := known && session.Alive()
		v.Alive = &alive
	}
	if known && session.Exit != nil {
		v.Exit = &session.Exit.Code
	}
	if e, ok := s.registry.OfCommand(pane.Command); ok {
		v.Engine, v.Kind = e.Name, "engine"
	}
	view := s.engineView(key.String())
	if view == nil {
		return v
	}
	v.Engine = view.Name
	if view.Conversation != "" {
		v.Conversation = view.Conversation
	}
	v.Activity, v.Since, v.Why = view.Activity, view.Since, view.Why()
	switch view.Alive {
	case workspace.AnswerYes:
		v.EngineAlive, v.LiveEngine, v.Kind = new(true), view.Name, "engine"
	case workspace.AnswerNo:
		v.EngineAlive = new(false)
	}
	if pane.Ended != nil {
		v.Exit = &pane.Ended.Code
		if known && session.Alive() {
			v.Kind = "shell"
		}
	}
	return v
}
