package activity

import (
	"slices"
	"strconv"
	"time"

	"moorage/workspace"
)

const (
	// RestsFor is how long a title has to rest, while a hook's word is that the engine works, until the turn counts as interrupted: no
	// hook tells that.
	RestsFor = 2500 * time.Millisecond
	// LapsesAfter is after how long without a word a working engine's own transcript is looked at.
	LapsesAfter = 10 * time.Minute
	// UntoldAfter is after how long without a word that is done of an engine of which nothing else tells an interrupt: only that counts then.
	UntoldAfter = 15 * time.Second
	// hookLag is how far apart a hook and a status record may tell the same.
	hookLag = time.Second
	// maxFormer bounds the conversations that are remembered as left.
	maxFormer = 8
)

// State is what is known of a session's engine. The zero value knows nothing; it is a value, and Step returns the next one.
type State struct {
	Activity workspace.Activity
	Since    time.Time
	Source   workspace.Source
	Reason   string
	Resets   time.Time
	Seen     time.Time // when a client last opened the tab

	Alive        workspace.Answer
	Conversation string
	Transcript   string
	Confirmed    time.Time // when the engine itself last said that it has the conversation
	Untold       bool      // only its transcript tells when its user interrupts it

	token       int       // of this conversation: what is read for an older one is dropped
	former      []string  // conversations that were left
	ran         bool      // its process was seen to run, or spoke
	told        bool      // the engine has spoken, so that observations do not decide
	turn        time.Time // when the open turn began, zero without one
	interrupted bool      // the last turn was, whatever else is told of it
	status      Status
	recorded    time.Time // since when the status record is that was last taken in
	restored    bool      // no record has been since the badge was stored
	started     time.Time
	heard       time.Time // the last word of a turn
	looked      time.Time // the last lookup for want of one
	worked      bool      // the title has worked since the turn began
	rests       time.Time // since when it has rested again
	missed      bool      // nobody listened for a while: the end of the open turn may have gone unheard
	catching    int       // the token of the lookup for that, until something else is told; 0 for none
}

// Restore is the state of a badge that was stored. Nobody has looked at the engine yet; ran says that it ran when the badge was stored.
func Restore(b *workspace.Badge, conversation, transcript string, ran bool) State {
	s := State{
		Activity: workspace.ActivityUnknown, Alive: workspace.AnswerUnknown, Conversation: conversation, Transcript: transcript, ran: ran,
	}
	if b != nil {
		s.Activity, s.Since, s.Source, s.Reason, s.Seen, s.Resets = b.Activity, b.Since, b.Source, b.Reason, b.Seen, b.Resets
		s.recorded, s.restored = b.Recorded, true
		s.told = b.Source == workspace.SourceHook || b.Source == workspace.SourceStatus || b.Source == workspace.SourceExit
		if b.Activity == workspace.ActivityWorking || b.Activity == workspace.ActivityNeedsInput {
			s.turn, s.heard, s.missed = b.Since, b.Since, true
		}
	}
	return s
}

// Badge is the part of the state that is stored.
func (s State) Badge() workspace.Badge {
	return workspace.Badge{Activity: s.Activity, Since: s.Since, Source: s.Source, Reason: s.Reason, Seen: s.Seen, Resets: s.Resets, Recorded: s.recorded}
}

// Ran reports whether the engine's process was seen to run, or spoke, since it was last started.
func (s State) Ran() bool { return s.ran }

// Next is when a Tick has something to do, zero when it has not.
func (s State) Next() time.Time {
	next := s.lapses()
	if next.IsZero() {
		return next
	}
	if s.restsForHook() && s.rests.Add(RestsFor).Before(next) {
		next = s.rests.Add(RestsFor)
	}
	return next
}

// lapses is when the engine's own transcript is to be looked at for want of a word, zero for never.
func (s State) lapses() time.Time {
	heard := later(s.heard, s.looked)
	switch {
	case s.Untold && (s.Activity == workspace.ActivityWorking || s.Activity == workspace.ActivityNeedsInput):
		return heard.Add(UntoldAfter)
	case s.Activity == workspace.ActivityWorking:
		return heard.Add(LapsesAfter)
	}
	return time.Time{}
}

// restsForHook reports whether the title rests although a hook's last word is that the engine works.
func (s State) restsForHook() bool {
	return s.Source == workspace.SourceHook && s.worked && !s.rests.IsZero()
}

// Step returns the state after an event. A lookup that is not nil is to be answered by a TranscriptRead; no answer is as good.
func Step(s State, e Event) (State, *Lookup) {
	s.former = slices.Clone(s.former)
	if s.Activity == "" {
		s.Activity, s.Alive = workspace.ActivityUnknown, workspace.AnswerUnknown
	}
	if s.Activity == workspace.ActivityDead && e.Kind <= TitleSeen {
		return s, nil // what was on its way when the engine died
	}
	if e.Kind <= Interrupted && !s.follows(e) {
		return s, nil
	}
	steps[e.Kind](&s, e)
	if lookup := s.lookup(e); lookup != nil {
		s.looked = e.Time
		return s, lookup
	}
	return s, nil
}

// steps are what each kind does to the state.
var steps = [...]func(*State, Event){
	0:                  func(*State, Event) {},
	SessionStarted:     (*State).sessionStarted,
	SessionEnded:       (*State).sessionEnded,
	PromptSubmitted:    (*State).promptSubmitted,
	ToolUsed:           (*State).toolUsed,
	PermissionAsked:    (*State).permissionAsked,
	PermissionAnswered: (*State).permissionAnswered,
	TurnEnded:          (*State).turnEnded,
	TurnFailed:         (*State).turnFailed,
	Interrupted:        (*State).interruptedNow,
	StatusSeen:         (*State).statusSeen,
	TitleSeen:          (*State).titleSeen,
	TranscriptRead:     (*State).transcriptRead,
	EngineStarted:      (*State).engineStarted,
	EngineEnded:        (*State).engineEnded,
	Probed:             (*State).probed,
	Opened:             func(s *State, e Event) { s.Seen = later(s.Seen, e.Time) },
	Tick:               (*State).tick,
}

// follows brings the conversation of an event into the state, and reports whether the event is of the current one. A session takes up
// another conversation when a start or a prompt says so; anything else of another one comes late, or is of something else.
func (s *State) follows(e Event) bool {
	s.told, s.ran = true, true
	switch {
	case e.Conversation == "" || e.Conversation == s.Conversation:
	case s.Conversation == "" && e.Kind != SessionEnded:
		s.Conversation = e.Conversation
		s.token++
	case e.Kind == SessionStarted, e.Kind == PromptSubmitted && !slices.Contains(s.former, e.Conversation):
		s.take(e.Conversation)
	default:
		return false
	}
	if e.Conversation != "" && e.Transcript != "" {
		s.Transcript = e.Transcript
	}
	return true
}

// take takes up another conversation: what was known of the last one's turn, and what is being read of it, is dropped.
func (s *State) take(conversation string) {
	if s.Conversation != "" {
		s.former = append(s.former, s.Conversation)
		s.former = s.former[max(len(s.former)-maxFormer, 0):]
	}
	s.former = slices.DeleteFunc(s.former, func(c string) bool { return c == conversation })
	s.Conversation, s.Transcript = conversation, ""
	s.token++
	s.closeTurn()
	s.interrupted = false
	s.Activity = workspace.ActivityUnknown // of this one
}

// become is a change of the activity. Telling the same again changes only what is known about it.
func (s *State) become(a workspace.Activity, source workspace.Source, at time.Time, reason string) {
	if s.Activity != a {
		s.Since = at
	}
	s.Activity, s.Source, s.Reason, s.catching = a, source, reason, 0
	if a != workspace.ActivityRateLimited {
		s.Resets = time.Time{}
	}
}

func (s *State) openTurn(at time.Time) {
	s.turn, s.heard, s.interrupted = at, at, false
	s.worked, s.rests = false, time.Time{}
}

func (s *State) closeTurn() {
	s.turn, s.worked, s.rests = time.Time{}, false, time.Time{}
}

// lookup asks for the transcript when a working engine has not been heard of for long, when the protocol tells an error without saying which,
// and when an engine with an open turn is found alive after a time in which nobody listened.
func (s *State) lookup(e Event) *Lookup {
	if s.Conversation == "" {
		return nil
	}
	if s.missed && e.Kind == Probed && e.Answer == workspace.AnswerYes && !s.turn.IsZero() {
		s.missed = false
		s.token++
		s.catching = s.token
		return &Lookup{Conversation: s.Conversation, Transcript: s.Transcript, Token: s.token}
	}
	at := s.lapses()
	lapsed := e.Kind == Tick && !at.IsZero() && !e.Time.Before(at)
	vague := e.Kind == StatusSeen && e.Status.State == "error" && s.Activity == workspace.ActivityError
	if !lapsed && !vague {
		return nil
	}
	return &Lookup{Conversation: s.Conversation, Transcript: s.Transcript, Token: s.token}
}

// View is what a client is shown.
func (s State) View(engine string) workspace.EngineView {
	return workspace.EngineView{
		Name: engine, Alive: s.Alive, Conversation: s.Conversation, Transcript: s.Transcript,
		Activity: s.Activity, Seen: !s.Seen.Before(s.Since) && !s.Seen.IsZero(),
		Since: s.Since, Source: s.Source, Reason: s.Reason, Resets: s.Resets,
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// ending says how a process ended.
func ending(e Event) string {
	if e.Lost {
		return "ended with the PTY host"
	}
	if e.Signal != "" {
		return "the engine was ended by " + e.Signal
	}
	if e.Code < 0 {
		return "the engine has gone, and nobody told its exit code"
	}
	return "the engine exited with code " + strconv.Itoa(e.Code)
}
