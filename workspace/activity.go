package workspace

import (
	"cmp"
	"time"
)

// Activity is what an engine is doing, as far as it is known.
type Activity string

// The activities. Unknown means that nobody could tell; it is not idle. Needs input, finished, rate limited, error and dead stay until a
// real event changes them.
const (
	ActivityUnknown     Activity = "unknown"
	ActivityIdle        Activity = "idle"
	ActivityWorking     Activity = "working"
	ActivityNeedsInput  Activity = "needs_input"
	ActivityFinished    Activity = "finished" // a turn has ended well; Seen says whether a client has opened the tab since
	ActivityRateLimited Activity = "rate_limited"
	ActivityError       Activity = "error"
	ActivityDead        Activity = "dead" // the engine ended with an error or by a signal; its shell may live on
)

// Sticky reports whether the activity stays until a real event changes it.
func (a Activity) Sticky() bool {
	switch a {
	case ActivityNeedsInput, ActivityFinished, ActivityRateLimited, ActivityError, ActivityDead:
		return true
	}
	return false
}

// urgency orders activities by how much they want the user, for the badge of what holds several.
func (v EngineView) urgency() int {
	switch v.Activity {
	case ActivityNeedsInput:
		return 7
	case ActivityError:
		return 6
	case ActivityDead:
		return 5
	case ActivityRateLimited:
		return 4
	case ActivityWorking:
		return 2
	case ActivityFinished:
		if v.Seen {
			return 1
		}
		return 3
	}
	return 0
}

// Answer is what a probe found: yes, no, or that it could not look, which changes nothing.
type Answer string

// The answers.
const (
	AnswerYes     Answer = "yes"
	AnswerNo      Answer = "no"
	AnswerUnknown Answer = "unknown"
)

// Source says who told an activity, the strongest first.
type Source string

// The sources. All but the exit can be forged by output: they colour what is shown, and nothing is typed, approved or run for them.
const (
	SourceExit       Source = "exit"       // the engine's process
	SourceStatus     Source = "status"     // the program status protocol, OSC 7501
	SourceHook       Source = "hook"       // an engine's hook call with our ids and the current conversation
	SourceTitle      Source = "title"      // the terminal's title
	SourceTranscript Source = "transcript" // the conversation's own file
)

// EngineView is what is known of the engine of a pane, or, at a task, of engines that no tab could be told of. It must not be changed.
type EngineView struct {
	Name         string   `json:"name"`                      // claude, codex, ..., or one of the settings
	Alive        Answer   `json:"alive"`                     // whether its process runs
	Conversation string   `json:"session_id,omitempty"`      // the engine's own thread
	Transcript   string   `json:"transcript_path,omitempty"` // its file, once it is known
	Activity     Activity `json:"activity"`
	Seen         bool     `json:"seen,omitempty"` // a client has opened the tab since the activity began
	// Since, Source and Reason say why: when the activity began, who told it, and what was told, in one line.
	Since  time.Time `json:"since,omitzero"`
	Source Source    `json:"source,omitempty"`
	Reason string    `json:"reason,omitempty"`
	// Resets is when a rate limit ends, if the engine told it.
	Resets time.Time `json:"resets,omitzero"`
}

// Why is the activity's cause in one line: event, source and time of day, and of a rate limit when it ends, if that is known.
func (v EngineView) Why() string {
	if v.Since.IsZero() {
		return ""
	}
	why := cmp.Or(v.Reason, string(v.Activity)) + " (" + string(v.Source) + ", " + v.Since.Format(time.TimeOnly) + ")"
	if !v.Resets.IsZero() {
		why += ", resets " + v.Resets.Local().Format("15:04")
	}
	return why
}

// TabEngine is the view of the tab's engine; of several it is the one that wants the user most. It is nil when no pane has one.
func (v TaskView) TabEngine(id string) *EngineView {
	tab, ok := v.Tab(id)
	if !ok {
		return nil
	}
	var most *EngineView
	for _, pane := range tab.Layout.Panes() {
		if e := v.PaneView(id, pane).Engine; e != nil && (most == nil || e.urgency() > most.urgency()) {
			most = e
		}
	}
	return most
}

// Loudest is the view of the task's engine that wants the user most, nil when it has none.
func (v TaskView) Loudest() *EngineView {
	most := v.Loose
	for i := range v.Tabs {
		if e := v.TabEngine(v.Tabs[i].ID); e != nil && (most == nil || e.urgency() > most.urgency()) {
			most = e
		}
	}
	return most
}
