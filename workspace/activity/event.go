package activity

import (
	"time"

	"moorage/workspace"
)

// Kind says what an Event tells.
type Kind uint8

// The kinds. Those of the first group carry the conversation that they are of.
const (
	SessionStarted     Kind = iota + 1 // a conversation begins, goes on or is taken up: Text is the engine's word for it
	SessionEnded                       // and ends, or is left for another one
	PromptSubmitted                    // a turn begins
	ToolUsed                           // something of a turn happens
	PermissionAsked                    // the engine waits for a decision: Text is about what
	PermissionAnswered                 // and has it
	TurnEnded                          // well; with Background its work goes on
	TurnFailed                         // with an error, Limited for a rate limit
	Interrupted                        // by the user

	StatusSeen     // the program status protocol: Status
	TitleSeen      // Title
	TranscriptRead // the answer to a Lookup: Token, Outcome, At
	EngineStarted  // its process runs
	EngineEnded    // its process has ended: Code, Signal, Clean, or Lost
	Probed         // a look at the processes: Answer
	Opened         // a client has opened the tab
	Tick           // time has passed
)

// Proves reports whether an engine that still runs after such an event runs in the session that it is told of: it was seen there, or its own
// process told.
func (k Kind) Proves() bool { return k == Probed || k <= Interrupted }

// Event is one thing that was told or observed of a session's engine.
type Event struct {
	Kind         Kind
	Time         time.Time
	Conversation string // "" where the teller knows none
	Transcript   string // the conversation's file, where it is told
	Text         string // one clean line

	Background bool
	Limited    bool
	Resets     time.Time
	Status     Status
	Title      Title
	Token      int
	Outcome    Outcome
	At         time.Time // of a transcript's record, or when a process began
	Code       int
	Signal     string
	Clean      bool // the user's own way out
	Lost       bool // of an end: together with the PTY host
	Resumed    bool // the process is started with the conversation that was there, or will be
	Answer     workspace.Answer
}

// Title is what a title says about its engine.
type Title uint8

// The titles. One that says nothing changes nothing.
const (
	TitleSilent Title = iota
	TitleWorking
	TitleResting
	TitleAsking
)

// Outcome is how the last turn in a transcript ended.
type Outcome uint8

// The outcomes. Unreadable is not knowing, Open a turn that goes on.
const (
	OutcomeUnreadable Outcome = iota
	OutcomeOpen
	OutcomeDone
	OutcomeLimited
	OutcomeFailed
	OutcomeInterrupted
)

// Status is the root record of the program status protocol; the zero value is that there is none.
type Status struct {
	State string // idle, working, blocked, done, error
	Kind  string // of blocked: permission, question, auth
	Text  string
	Since time.Time // when the record came to this state
}

// Lookup asks for the end of the last turn in a transcript. The answer carries the Token: by then it may be of no use any more.
type Lookup struct {
	Conversation, Transcript string
	Token                    int
}
