package daemon

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"moorage/workspace"
)

func TestAShellThatDiedMeanwhileKeepsItsDeadBadge(t *testing.T) {
	r := newRig(t)
	a := directory(t, r.client())
	r.halt()
	r.host.exit(pane(a).Key().String(), 4)
	r.run()
	s := r.until("the badge is known", func(s workspace.Snapshot) bool {
		return s.Tasks[0].TabState(a.Tab) == workspace.PaneExited
	})
	if p := s.Tasks[0].PaneView(a.Tab, a.Pane); p.Exit == nil || p.Exit.Code != 4 {
		t.Errorf("badge %+v", p)
	}
}

func TestTheHostIsStartedOnlyWhenASessionIsNeeded(t *testing.T) {
	r := newRig(t)
	r.until("the host is off", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostOff })
	if r.host.starts != 0 {
		t.Error("started for nothing")
	}
	directory(t, r.client())
	r.until("the host is up", func(s workspace.Snapshot) bool {
		return s.Host.State == workspace.HostUp && s.Host.Build == "host-build" && s.Host.PID == 77
	})
}

func TestALostHostIsSaidAndFoundAgain(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a := directory(t, c)
	s := must(c.Subscribe(t.Context()))(t)
	r.host.stop(false)
	away := false
	for !away || s.Host.State != workspace.HostUp {
		s = s.Apply(must(c.Next(t.Context()))(t))
		if s.Host.State == workspace.HostAway {
			away = true
		}
		// A look that comes late may miss the absence, never the return.
		if s.Host.State == workspace.HostUp && s.Tasks[0].TabState(a.Tab) == workspace.PaneAlive {
			break
		}
	}
	r.host.stop(true)
	s = r.until("it is off", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostOff })
	if got := s.Tasks[0].TabState(a.Tab); got != workspace.PaneNone {
		t.Errorf("badge %s", got)
	}
	if got := must(c.OpenPane(t.Context(), workspace.PaneOpen{PaneRef: pane(a)}))(t); !got.Alive() {
		t.Error("no replacement")
	}
}

func TestAHostThatDoesNotAnswerIsSaidAndEndsNothing(t *testing.T) {
	r := newRig(t)
	r.halt()
	r.cfg.Answer = 30 * time.Millisecond
	r.run()
	c := r.client()
	a := directory(t, c)
	r.host.set(&r.host.wedged, true)
	_, err := c.AddTab(t.Context(), workspace.TabAdd{Task: a.Task.ID})
	if workspace.CodeOf(err) != workspace.CodeHostUnresponsive {
		t.Errorf("error %v", err)
	}
	s := r.until("it is unresponsive", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostUnresponsive })
	if got := s.Tasks[0].PaneView(a.Tab, a.Pane).State; got != workspace.PaneUnknown {
		t.Errorf("badge %s", got)
	}
	r.host.set(&r.host.wedged, false)
	r.until("it is up again with its session", func(s workspace.Snapshot) bool {
		return s.Host.State == workspace.HostUp && s.Tasks[0].PaneView(a.Tab, a.Pane).State == workspace.PaneAlive
	})
	if r.host.starts != 1 {
		t.Errorf("it was started %d times", r.host.starts)
	}
}

func TestARecordThatMoorageDidNotWriteIsLeftAloneWithItsSessions(t *testing.T) {
	r := newRig(t)
	c := r.client()
	a, b := directory(t, c), directory(t, c)
	r.halt()
	ix, err := openIndex(r.home.Path("index.db"))
	ok(t, err)
	ok(t, ix.store.Update(func(tx *bolt.Tx) error {
		return tx.Bucket(tasksBucket).Put([]byte(a.Task.ID), []byte(`{"id":"x","tabs":[{"id":"tab-1"}]}`))
	}))
	ok(t, ix.close())
	r.run()
	s := r.until("the host is up", func(s workspace.Snapshot) bool { return s.Host.State == workspace.HostUp })
	if len(s.Tasks) != 1 || s.Tasks[0].ID != b.Task.ID {
		t.Errorf("tasks %+v", s.Tasks)
	}
	ok(t, r.client().DeleteTask(t.Context(), workspace.TaskDelete{Task: b.Task.ID}))
	r.eventually("only the deleted one's session is gone", func() bool { return slices.Equal(r.host.keys(), a.Task.Keys()) })
}

func TestAHostThatDoesNotAnswerIsReplacedOnlyWhenItHoldsNothing(t *testing.T) {
	r := newRig(t)
	r.halt()
	var mu sync.Mutex
	asked, holds := 0, true
	r.cfg.Answer = 30 * time.Millisecond
	r.cfg.ReplaceHost = func(context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		asked++
		if holds {
			return workspace.Fail(workspace.CodeHostUnresponsive, "kill -CONT 77", "it holds 2 live sessions")
		}
		r.host.stop(true)
		r.host.set(&r.host.wedged, false)
		return nil
	}
	r.run()
	c := r.client()
	a := directory(t, c)
	r.host.set(&r.host.wedged, true)
	_, err := c.AddTab(t.Context(), workspace.TabAdd{Task: a.Task.ID})
	if workspace.CodeOf(err) != workspace.CodeHostUnresponsive {
		t.Errorf("error %v", err)
	}
	s := r.until("it is said what keeps it", func(s workspace.Snapshot) bool {
		return s.Host.State == workspace.HostUnresponsive && strings.Contains(s.Host.Error, "2 live sessions")
	})
	if len(s.Tasks) != 1 {
		t.Errorf("tasks %+v", s.Tasks)
	}
	mu.Lock()
	if asked == 0 {
		t.Error("nobody looked whether it can be replaced")
	}
	holds = false
	mu.Unlock()
	r.eventually("a new tab gets its session of the next host", func() bool {
		_, err := c.AddTab(t.Context(), workspace.TabAdd{Task: a.Task.ID})
		return err == nil
	})
}
