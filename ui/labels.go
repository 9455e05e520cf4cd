package ui

import (
	"context"

	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// togglePin pins the task that an action means to the top of its group, or
// lets it go.
func (m *Model) togglePin() tea.Cmd {
	t, ok := m.world.Task(m.target().task)
	if !ok {
		return m.say("choose a task to pin", false)
	}
	pinned := !t.Pinned
	return m.ask("pin", func(ctx context.Context) (outcome, error) {
		return outcome{}, m.cfg.Daemon.SetTask(ctx, workspace.TaskSet{Task: t.ID, Pinned: &pinned})
	})
}

// toggleResume switches whether the engines of the task that an action means
// are told to go on when a rate limit has ended.
func (m *Model) toggleResume() tea.Cmd {
	t, ok := m.world.Task(m.target().task)
	if !ok {
		return m.say("choose a task first", false)
	}
	resume, says := !t.Resume, "its engines are told nothing by themselves"
	if resume {
		says = "its engines are told `continue` when a rate limit has ended, if they say when"
	}
	return m.ask("continue after a rate limit", func(ctx context.Context) (outcome, error) {
		return outcome{say: says}, m.cfg.Daemon.SetTask(ctx, workspace.TaskSet{Task: t.ID, Resume: &resume})
	})
}

// jump goes to task n of the sidebar, from 1 on.
func (m *Model) jump(n int) tea.Cmd {
	tasks := inOrder(&m.world)
	if n > len(tasks) {
		return m.say("no such task", false)
	}
	m.side.reveal(&m.world, tasks[n-1].ID)
	return m.show(tasks[n-1].ID, "")
}

// nextCall goes to what waits in the inbox, in its order, beginning behind the
// tab that is shown.
func (m *Model) nextCall(by int) tea.Cmd {
	var there []tabRef
	at := -1
	for _, item := range m.world.Inbox.Pending {
		r := tabRef{item.Task, item.Tab}
		if _, ok := m.world.Task(item.Task); !ok {
			continue
		}
		if r == m.shown || r.tab == "" && r.task == m.shown.task {
			at = len(there)
		}
		there = append(there, r)
	}
	if len(there) == 0 || len(there) == 1 && at == 0 {
		return m.say("nothing else needs you", false)
	}
	if at < 0 && by < 0 {
		at = 0
	}
	r := there[(at+by+len(there))%len(there)]
	m.side.reveal(&m.world, r.task)
	return m.show(r.task, r.tab)
}

func (m *Model) setStatus(task string, s workspace.Status) tea.Cmd {
	return m.ask("set the status", func(ctx context.Context) (outcome, error) {
		return outcome{}, m.cfg.Daemon.SetTask(ctx, workspace.TaskSet{Task: task, Status: &s})
	})
}
