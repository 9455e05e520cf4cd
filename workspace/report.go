package workspace

import "time"

// Outcome is what became of one session in a restore.
type Outcome string

// The outcomes. A resumed conversation was asked for by the engine's own verb; only Resumed says that the engine was seen to have it.
const (
	OutcomePending     Outcome = "pending"     // its turn has not come yet
	OutcomeReattached  Outcome = "reattached"  // its program was never gone
	OutcomeRelaunched  Outcome = "relaunched"  // its command was started again, and runs
	OutcomeResumed     Outcome = "resumed"     // its engine is back in the conversation
	OutcomeUnconfirmed Outcome = "unconfirmed" // the resume command was run, not confirmed
	OutcomeSkipped     Outcome = "skipped"     // left as it is; Reason says why
	OutcomeFailed      Outcome = "failed"      // it did not come back; Reason says why
)

// Outcomes lists them in the order of a report's totals.
var Outcomes = []Outcome{
	OutcomeReattached, OutcomeRelaunched, OutcomeResumed, OutcomeUnconfirmed, OutcomeSkipped, OutcomeFailed, OutcomePending,
}

// Report says what a restore did, a line for each session.
type Report struct {
	ID      string       `json:"id"` // a ULID
	Started time.Time    `json:"started"`
	Ended   time.Time    `json:"ended,omitzero"` // zero while it runs
	DryRun  bool         `json:"dry_run,omitempty"`
	All     bool         `json:"all,omitempty"` // also what its policy leaves for the user
	Lines   []ReportLine `json:"lines"`
	// Changes counts what happened to the report; see MethodReport.
	Changes int `json:"changes"`
}

// ReportLine is what became of one session.
type ReportLine struct {
	Key     string  `json:"key"`
	Task    string  `json:"task"` // the task's title
	Tab     string  `json:"tab"`  // the tab's label
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	PID     int     `json:"pid,omitempty"`
}

// Totals counts the lines of each outcome. They add up to the lines.
func (r Report) Totals() map[Outcome]int {
	totals := make(map[Outcome]int)
	for _, line := range r.Lines {
		totals[line.Outcome]++
	}
	return totals
}

// Running reports whether more lines may still come or change.
func (r Report) Running() bool { return r.Ended.IsZero() && !r.DryRun }
