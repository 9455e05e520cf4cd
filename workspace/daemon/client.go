package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/bus"
)

// client is one connection. Its requests run on their own goroutines.
type client struct {
	d *daemon

	mu  sync.Mutex
	sub *bus.Subscription[string, fact]

	next sync.Mutex // held by the one Next that may wait
}

// serve answers one client until it leaves or the daemon stops.
func (d *daemon) serve(ctx context.Context, conn *wire.Conn) {
	defer conn.Close()
	if err := d.do(ctx, func(s *state) error { s.life.clientCame(); return nil }); err != nil {
		return
	}
	c := &client{d: d}
	if err := conn.Serve(ctx, c); err != nil {
		d.log.Warn("a client was cut off", "role", conn.Remote.Role, "pid", conn.Remote.PID, "err", err)
	}
	c.unsubscribe(nil)
	_ = d.do(ctx, func(s *state) error { s.life.clientLeft(s.now()); return nil }) // it fails only when the daemon stops
}

// method answers one request.
type method func(ctx context.Context, c *client, params json.RawMessage) (any, error)

// methods is the daemon's whole interface.
var methods = map[string]method{
	workspace.MethodSubscribe:  func(ctx context.Context, c *client, _ json.RawMessage) (any, error) { return c.subscribe(ctx), nil },
	workspace.MethodNext:       func(ctx context.Context, c *client, _ json.RawMessage) (any, error) { return c.nextDelta(ctx) },
	workspace.MethodTaskAdd:    taking((*daemon).taskAdd),
	workspace.MethodTaskRename: taking((*daemon).taskRename),
	workspace.MethodTaskMove:   taking((*daemon).taskMove),
	workspace.MethodTaskDelete: taking((*daemon).taskDelete),
	workspace.MethodTaskLoss:   taking((*daemon).taskLoss),
	workspace.MethodTaskMake:   taking((*daemon).taskMake),
	workspace.MethodTaskSet:    taking((*daemon).taskSet),
	workspace.MethodTaskLand:   taking((*daemon).taskLand),
	workspace.MethodTaskRoot:   taking((*daemon).taskRoot),
	workspace.MethodTaskOpen:   taking((*daemon).taskOpen),
	workspace.MethodTaskClear:  taking((*daemon).taskClear),

	workspace.MethodProjectAdd:    taking((*daemon).projectAdd),
	workspace.MethodProjectClone:  taking((*daemon).projectClone),
	workspace.MethodCloneDrop:     taking((*daemon).cloneDrop),
	workspace.MethodProjectRemove: taking((*daemon).projectRemove),
	workspace.MethodProjectBases:  taking((*daemon).projectBases),
	workspace.MethodFiles:         taking((*daemon).files),
	workspace.MethodDiff:          taking((*daemon).diff),
	workspace.MethodNotes:         taking((*daemon).notes),
	workspace.MethodNotePut:       taking((*daemon).notePut),
	workspace.MethodNoteDrop:      taking((*daemon).noteDrop),
	workspace.MethodNotesSend:     taking((*daemon).notesSend),
	workspace.MethodWorktrees:     taking((*daemon).worktreeRows),
	workspace.MethodWorktreeAdopt: taking((*daemon).worktreeAdopt),
	workspace.MethodWorktreeLoss:  taking((*daemon).worktreeLoss),
	workspace.MethodWorktreeDrop:  taking((*daemon).worktreeDrop),

	workspace.MethodTabAdd:     taking((*daemon).tabAdd),
	workspace.MethodTabClose:   taking((*daemon).tabClose),
	workspace.MethodTabRename:  taking((*daemon).tabRename),
	workspace.MethodTabMove:    taking((*daemon).tabMove),
	workspace.MethodTabSelect:  taking((*daemon).tabSelect),
	workspace.MethodPlace:      taking((*daemon).place),
	workspace.MethodNotify:     taking((*daemon).notify),
	workspace.MethodPaneSplit:  taking((*daemon).paneSplit),
	workspace.MethodPaneOpen:   taking((*daemon).paneOpen),
	workspace.MethodPaneClose:  taking((*daemon).paneClose),
	workspace.MethodPaneReset:  taking((*daemon).paneReset),
	workspace.MethodSplitRatio: taking((*daemon).splitRatio),
	workspace.MethodPaneSwap:   taking((*daemon).paneSwap),
	workspace.MethodPaneMove:   taking((*daemon).paneMove),
	workspace.MethodTabArrange: taking((*daemon).tabArrange),
	workspace.MethodTabPolicy:  taking((*daemon).tabPolicy),
	workspace.MethodRestore:    taking((*daemon).restore),
	workspace.MethodReport:     taking((*daemon).report),
	workspace.MethodReports:    taking((*daemon).reports),
	workspace.MethodExits:      taking((*daemon).exits),
	workspace.MethodHook:       taking((*daemon).hook),
	workspace.MethodLaunch:     taking((*daemon).launch),
	workspace.MethodSeen:       taking((*daemon).seen),
	workspace.MethodInbox:      taking((*daemon).inboxNow),
	workspace.MethodTold:       taking((*daemon).told),
	workspace.MethodHooks:      taking((*daemon).hooks),
	workspace.MethodTaskState:  taking((*daemon).taskState),
	workspace.MethodSend:       taking((*daemon).send),
	workspace.MethodStatus:     taking((*daemon).status),
	workspace.MethodStop:       taking((*daemon).stop),

	workspace.MethodConversations: taking((*daemon).conversations),
	workspace.MethodTakeUp:        taking((*daemon).takeUp),
}

// taking makes a method of a function that takes decoded parameters.
func taking[P any](f func(*daemon, context.Context, P) (any, error)) method {
	return func(ctx context.Context, c *client, params json.RawMessage) (any, error) {
		p, err := wire.Param[P](params)
		if err != nil {
			return nil, err
		}
		return f(c.d, ctx, p)
	}
}

// Call answers a request.
func (c *client) Call(ctx context.Context, _ *wire.Conn, name string, params json.RawMessage) (any, error) {
	m, ok := methods[name]
	if !ok {
		return nil, &wire.Error{
			Code:    wire.CodeUnknownMethod,
			Message: fmt.Sprintf("the daemon (build %s) has no method %q", c.d.build, name),
			Next:    "`moorage stop` ends an older daemon; the next command starts this build's",
		}
	}
	return m(ctx, c, params)
}

// Binary ignores what has no meaning here, as the protocol asks.
func (c *client) Binary(*wire.Conn, wire.Kind, []byte) {}

// Event does too.
func (c *client) Event(*wire.Conn, string, json.RawMessage) {}

// lookLimit is how long the first clients wait for the look at the host.
const lookLimit = time.Second

// subscribe gives everything and remembers what changes from then on. Subscribing again starts over.
func (c *client) subscribe(ctx context.Context) workspace.Snapshot {
	select { // who comes first is not shown unknown badges for want of a moment
	case <-c.d.looked:
	case <-time.After(lookLimit):
	case <-ctx.Done():
	}
	c.d.counted.Do(func() { c.d.background(c.d.lookAll) })
	facts, sub := c.d.state.bus.Subscribe()
	c.unsubscribe(sub)
	snapshot := workspace.Snapshot{Build: c.d.build, Tasks: []workspace.TaskView{}}
	for key, f := range facts {
		switch key {
		case hostFact:
			snapshot.Host = f.host
		case projectsFact:
			snapshot.Projects = f.projects
		case clonesFact:
			snapshot.Clones = f.clones
		case inboxFact:
			snapshot.Inbox = f.inbox
		case questionFact:
			snapshot.Question = f.question
		default:
			snapshot.Tasks = append(snapshot.Tasks, f.task)
		}
	}
	workspace.SortTasks(snapshot.Tasks)
	return snapshot
}

func (c *client) unsubscribe(next *bus.Subscription[string, fact]) {
	c.mu.Lock()
	old := c.sub
	c.sub = next
	c.mu.Unlock()
	if old != nil {
		old.Close()
	}
}

// nextDelta waits for a change. That the client asks for each delta is what paces them: a slow one finds more in one.
func (c *client) nextDelta(ctx context.Context) (workspace.Delta, error) {
	if !c.next.TryLock() {
		return workspace.Delta{}, workspace.Fail(workspace.CodeBusy, "wait for the answer before asking again", "a next is waiting already")
	}
	defer c.next.Unlock()
	c.mu.Lock()
	sub := c.sub
	c.mu.Unlock()
	if sub == nil {
		return workspace.Delta{}, workspace.Fail(workspace.CodeInvalid, "call subscribe first", "there is no subscription")
	}
	batch, err := sub.Next(ctx)
	if err != nil {
		return workspace.Delta{}, workspace.Fail(workspace.CodeAway, "subscribe again", "next: %v", err)
	}
	delta := workspace.Delta{Fresh: batch.Fresh}
	for _, ch := range batch.Changes {
		switch {
		case ch.Key == hostFact:
			delta.Host = &ch.Value.host
		case ch.Key == projectsFact:
			delta.Projects = &ch.Value.projects
		case ch.Key == clonesFact:
			delta.Clones = &ch.Value.clones
		case ch.Key == inboxFact:
			delta.Inbox = &ch.Value.inbox
		case ch.Key == questionFact:
			delta.Question = &ch.Value.question
		case ch.Gone:
			delta.Removed = append(delta.Removed, ch.Key)
		default:
			delta.Tasks = append(delta.Tasks, ch.Value.task)
		}
	}
	return delta, nil
}

// status tells about the daemon.
func (d *daemon) status(ctx context.Context, _ struct{}) (any, error) {
	st := workspace.DaemonStatus{Build: d.build, PID: os.Getpid(), Started: d.began}
	err := d.do(ctx, func(s *state) error {
		st.Clients, st.Tasks, st.Host = s.life.clients, len(s.tasks), s.host
		for _, task := range s.tasks {
			st.Tabs += len(task.Tabs)
		}
		return nil
	})
	return st, err
}

// stop ends the daemon. The connection ends with it, sometimes before the answer.
func (d *daemon) stop(context.Context, struct{}) (any, error) {
	d.log.Info("a client asked the daemon to stop")
	d.quit()
	return struct{}{}, nil
}
