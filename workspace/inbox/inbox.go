// Package inbox holds the rules of the attention list: what makes an item, and what makes it go. It is pure: values in, values out. It
// imports workspace's nouns only.
package inbox

import (
	"slices"
	"time"

	"moorage/workspace"
)

// Why an item stopped being pending.
const (
	Opened   = workspace.CauseOpened // a client opened its target
	NewTurn  = "new turn"            // the engine went on
	Replaced = "replaced"            // by a newer event of the same target
	Gone     = "gone"                // its tab or task is no more
)

// kinds are the activities that want the user, and as what.
var kinds = map[workspace.Activity]workspace.ItemKind{
	workspace.ActivityNeedsInput:  workspace.ItemNeedsInput,
	workspace.ActivityFinished:    workspace.ItemFinished,
	workspace.ActivityRateLimited: workspace.ItemRateLimited,
	workspace.ActivityError:       workspace.ItemFailed,
	workspace.ActivityDead:        workspace.ItemDied,
}

// Rises says whether the step from one view to the next is an item, and of which kind: only an edge is. An activity that begins anew, because
// another turn ended or another question came, is one too.
func Rises(before, after workspace.EngineView) (workspace.ItemKind, bool) {
	kind, wanted := kinds[after.Activity]
	if !wanted || before.Activity == after.Activity && !after.Since.After(before.Since) {
		return "", false
	}
	return kind, true
}

// Falls says whether the step takes back what was pending: a turn begins, or the engine has nothing to ask any more.
func Falls(before, after workspace.EngineView) bool {
	_, was := kinds[before.Activity]
	_, is := kinds[after.Activity]
	begins := after.Activity == workspace.ActivityWorking && before.Activity != workspace.ActivityWorking
	return was && !is || begins
}

// Calls says whether what a program calls by itself is an item: beside what an engine has come to in the same tab it is none, and neither is a
// bell beside a text.
func Calls(in workspace.Inbox, item workspace.Item) bool {
	return !slices.ContainsFunc(in.Pending, func(p workspace.Item) bool {
		same := p.Task == item.Task && p.Tab == item.Tab
		return same && (!p.Kind.Called() || p.Kind == workspace.ItemCalled && item.Kind == workspace.ItemBell)
	})
}

// The longest texts of an item, in bytes.
const (
	maxTitle = 64
	maxText  = 200
)

// Raise makes an item pending in the place of the target's last one. Its texts are made clean.
func Raise(in workspace.Inbox, item workspace.Item) workspace.Inbox {
	item.Title, item.Text = workspace.Clean(item.Title, maxTitle), workspace.Clean(item.Text, maxText)
	in = settle(in, Replaced, item.Time, func(i workspace.Item) bool { return i.Task == item.Task && i.Tab == item.Tab })
	in.Pending = append(in.Pending, item)
	workspace.SortPending(in.Pending)
	return in
}

// Settle ends what is pending of a tab, or of a task as such when tab is "". It is false when there was nothing.
func Settle(in workspace.Inbox, task, tab, cause string, now time.Time) (workspace.Inbox, bool) {
	next := settle(in, cause, now, func(i workspace.Item) bool { return i.Task == task && i.Tab == tab })
	return next, len(next.Pending) != len(in.Pending)
}

// Keep ends what is pending of targets that are no more.
func Keep(in workspace.Inbox, now time.Time, there func(task, tab string) bool) (workspace.Inbox, bool) {
	next := settle(in, Gone, now, func(i workspace.Item) bool { return !there(i.Task, i.Tab) })
	return next, len(next.Pending) != len(in.Pending)
}

// Move takes what is pending of an engine along with its pane: the item that was raised when its activity began, if that is still there. It
// replaces what is pending of the new tab; what else is pending of the old one stays.
func Move(in workspace.Inbox, m workspace.KeyMove, since time.Time) (workspace.Inbox, bool) {
	at := slices.IndexFunc(in.Pending, func(i workspace.Item) bool {
		return i.Task == m.From.Task && i.Tab == m.From.Tab && i.Time.Equal(since)
	})
	if at < 0 {
		return in, false
	}
	item := in.Pending[at]
	in = settle(in, Replaced, since, func(i workspace.Item) bool { return i.Task == m.To.Task && i.Tab == m.To.Tab })
	for i := range in.Pending {
		if in.Pending[i].ID == item.ID {
			in.Pending[i].Task, in.Pending[i].Tab = m.To.Task, m.To.Tab
		}
	}
	return in, true
}

// Told notes who was told of an item. The counts of several fronts add up.
func Told(in workspace.Inbox, t workspace.Told) (workspace.Inbox, bool) {
	in.Pending, in.Recent = slices.Clone(in.Pending), slices.Clone(in.Recent)
	for _, list := range [][]workspace.Item{in.Pending, in.Recent} {
		for i := range list {
			if list[i].ID == t.ID {
				list[i].Told += max(t.Told, 0)
				list[i].Looking += max(t.Looking, 0)
				list[i].Lookers = lookers(list[i].Lookers, t.Lookers)
				return in, true
			}
		}
	}
	return in, false
}

// maxLookers bounds who is named of those that were looking.
const maxLookers = 64

// lookers names each once.
func lookers(have, more []string) []string {
	all := slices.Clone(have)
	for _, name := range more {
		if name != "" && len(all) < maxLookers && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// settle moves what is over to the recent ones, but for what programs call all the time: bells, and what they have called anew. The lists of
// in are not changed.
func settle(in workspace.Inbox, cause string, now time.Time, over func(workspace.Item) bool) workspace.Inbox {
	next := workspace.Inbox{Pending: make([]workspace.Item, 0, len(in.Pending)+1), Recent: slices.Clone(in.Recent)}
	for _, i := range in.Pending {
		if !over(i) {
			next.Pending = append(next.Pending, i)
			continue
		}
		if i.Kind == workspace.ItemBell || i.Kind == workspace.ItemCalled && cause == Replaced {
			continue
		}
		i.Done, i.Cause = now, cause
		next.Recent = slices.Insert(next.Recent, 0, i)
	}
	next.Recent = next.Recent[:min(len(next.Recent), workspace.MaxRecent)]
	return next
}
