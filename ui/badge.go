package ui

import (
	"slices"

	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"
)

// mark is a state in one column, with what the help page says about it.
type mark struct {
	glyph   string
	style   paint.Style
	meaning string
}

// paneMarks are those of tabs without an engine.
var paneMarks = map[workspace.PaneState]mark{
	workspace.PaneAlive:   {"●", theme.Current, "its program runs"},
	workspace.PaneExited:  {"✗", theme.Error, "its program ended, or could not be started"},
	workspace.PaneFailed:  {"✗", theme.Error, ""},
	workspace.PaneThawed:  {"◌", theme.Warn, "restored from disk, its program is gone"},
	workspace.PaneNone:    {"○", theme.Faint, "not started yet"},
	workspace.PaneUnknown: {"?", theme.Faint, "nobody could look"},
}

// engineMarks are those of tabs with an engine.
var engineMarks = map[workspace.Activity]mark{
	workspace.ActivityWorking:     {"◐", theme.Active, "the engine works"},
	workspace.ActivityNeedsInput:  {"▲", theme.Attended, "the engine needs your input"},
	workspace.ActivityFinished:    {"◆", theme.Current, "the engine has finished, and nobody has looked"},
	workspace.ActivityRateLimited: {"◔", theme.Warn, "the engine is rate limited"},
	workspace.ActivityError:       {"■", theme.Error, "the engine reported an error"},
	workspace.ActivityDead:        {"†", theme.Error, "the engine died"},
	workspace.ActivityIdle:        {"◦", theme.Text, "the engine is idle"},
	workspace.ActivityUnknown:     {"?", theme.Faint, ""},
}

// seenMark is that of an engine that has finished and was looked at since.
var seenMark = mark{"◇", theme.Text, "the engine has finished"}

// The other marks of the sidebar.
var (
	callMark   = mark{"!", theme.Attended, "it waits in the inbox"}
	dirtyMark  = mark{"*", theme.Warn, "changes that are not committed"}
	pinMark    = mark{"^", theme.Active, "pinned"}
	failedMark = mark{"✗", theme.Error, ""}
	countMarks = []mark{
		{"+N -N", theme.Faint, "lines added and removed beside the base"},
		{"↑N ↓N", theme.Faint, "commits ahead of and behind the base"},
	}
)

// markList is every mark in the order in which the help page has them.
func markList() []mark {
	list := []mark{
		paneMarks[workspace.PaneAlive], paneMarks[workspace.PaneExited], paneMarks[workspace.PaneThawed],
		paneMarks[workspace.PaneNone], paneMarks[workspace.PaneUnknown],
	}
	for _, a := range []workspace.Activity{
		workspace.ActivityWorking, workspace.ActivityNeedsInput, workspace.ActivityFinished,
	} {
		list = append(list, engineMarks[a])
	}
	list = append(list, seenMark)
	for _, a := range []workspace.Activity{
		workspace.ActivityRateLimited, workspace.ActivityError, workspace.ActivityDead, workspace.ActivityIdle,
	} {
		list = append(list, engineMarks[a])
	}
	return append(append(list, callMark, dirtyMark, pinMark), countMarks...)
}

// engineMark is the badge of an engine.
func engineMark(e *workspace.EngineView) mark {
	if e.Activity == workspace.ActivityFinished && e.Seen {
		return seenMark
	}
	if k, ok := engineMarks[e.Activity]; ok {
		return k
	}
	return engineMarks[workspace.ActivityUnknown]
}

// tabMark is the badge of a tab: its engine's while its session lives.
func tabMark(t *workspace.TaskView, tab string) mark {
	state := t.TabState(tab)
	if e := t.TabEngine(tab); e != nil && state == workspace.PaneAlive {
		return engineMark(e)
	}
	if k, ok := paneMarks[state]; ok {
		return k
	}
	return paneMarks[workspace.PaneUnknown]
}

// spinner is what stands before a task that something is being done to. It
// moves with the news of that, not with time.
var spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// statusNames are the user's labels in words.
var statusNames = map[workspace.Status]string{
	workspace.StatusBacklog: "backlog", workspace.StatusInProgress: "in progress", workspace.StatusInReview: "in review",
	workspace.StatusDone: "done", workspace.StatusCanceled: "canceled", workspace.StatusError: "error",
}

// urgency orders engines by how much they want the user.
func urgency(e *workspace.EngineView) int {
	order := []workspace.Activity{
		workspace.ActivityWorking, workspace.ActivityFinished, workspace.ActivityRateLimited,
		workspace.ActivityDead, workspace.ActivityError, workspace.ActivityNeedsInput,
	}
	if e.Activity == workspace.ActivityFinished && e.Seen {
		return 0
	}
	return 1 + slices.Index(order, e.Activity)
}
