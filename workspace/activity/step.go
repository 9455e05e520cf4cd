package activity

import (
	"cmp"
	"time"

	"moorage/workspace"
)

// What a hook says.

func (s *State) sessionStarted(e Event) {
	s.Confirmed = e.Time
	if s.Activity == workspace.ActivityUnknown || s.Source == workspace.SourceTitle && s.turn.IsZero() {
		s.become(workspace.ActivityIdle, workspace.SourceHook, e.Time, "session started: "+cmp.Or(e.Text, "startup"))
	}
}

func (s *State) sessionEnded(e Event) {
	if s.Activity == workspace.ActivityWorking || s.Activity == workspace.ActivityNeedsInput {
		s.become(workspace.ActivityIdle, workspace.SourceHook, e.Time, "session ended: "+e.Text)
	}
	s.closeTurn()
}

func (s *State) promptSubmitted(e Event) {
	s.Confirmed = e.Time
	s.openTurn(e.Time)
	s.Since = e.Time // another turn, also when the last one's end was not heard of
	s.become(workspace.ActivityWorking, workspace.SourceHook, e.Time, "prompt submitted")
}

// toolUsed is a sign of a turn that goes on. It takes nothing back that has ended, and no question that the program itself says it asks: hooks
// are processes of their own, overtake each other and come late.
func (s *State) toolUsed(e Event) {
	s.heard = e.Time
	switch s.Activity {
	case workspace.ActivityUnknown, workspace.ActivityIdle:
		if !s.interrupted {
			s.openTurn(e.Time)
			s.become(workspace.ActivityWorking, workspace.SourceHook, e.Time, e.Text)
		}
	case workspace.ActivityNeedsInput:
		if s.status.State != "blocked" {
			s.become(workspace.ActivityWorking, workspace.SourceHook, e.Time, e.Text)
		}
	}
}

func (s *State) permissionAsked(e Event) {
	switch s.Activity {
	case workspace.ActivityFinished, workspace.ActivityError, workspace.ActivityRateLimited:
		return // the turn has ended: it came late
	}
	if s.interrupted {
		return
	}
	s.heard = e.Time
	s.become(workspace.ActivityNeedsInput, workspace.SourceHook, e.Time, cmp.Or(e.Text, "permission asked"))
}

func (s *State) permissionAnswered(e Event) {
	if s.Activity == workspace.ActivityNeedsInput {
		s.heard = e.Time
		s.become(workspace.ActivityWorking, workspace.SourceHook, e.Time, cmp.Or(e.Text, "permission answered"))
	}
}

// turnEnded counts where the turn is not known to have ended otherwise, and where the engine's own status does not say that it goes on:
// work in the background does after the turn's last word.
func (s *State) turnEnded(e Event) {
	s.heard = e.Time
	busy := s.status.State == "working" || s.status.State == "blocked"
	switch {
	case s.interrupted, s.Activity == workspace.ActivityError, s.Activity == workspace.ActivityRateLimited:
	case e.Background:
		s.become(workspace.ActivityWorking, workspace.SourceHook, e.Time, "work goes on in the background")
	case busy:
	default:
		s.finish(workspace.SourceHook, e.Time, e.Text)
	}
}

func (s *State) finish(source workspace.Source, at time.Time, reason string) {
	fresh := !s.turn.IsZero() && s.Activity == workspace.ActivityFinished
	s.closeTurn()
	if fresh {
		s.Since = at
	}
	s.become(workspace.ActivityFinished, source, at, cmp.Or(reason, "turn ended"))
}

func (s *State) turnFailed(e Event) {
	s.closeTurn()
	if s.interrupted {
		return
	}
	if e.Limited {
		s.become(workspace.ActivityRateLimited, workspace.SourceHook, e.Time, cmp.Or(e.Text, "rate limited"))
		s.Resets = e.Resets
		return
	}
	if s.Activity != workspace.ActivityRateLimited {
		s.become(workspace.ActivityError, workspace.SourceHook, e.Time, cmp.Or(e.Text, "turn failed"))
	}
}

func (s *State) interruptedNow(e Event) {
	s.closeTurn()
	s.interrupted = true
	switch s.Activity {
	case workspace.ActivityWorking, workspace.ActivityNeedsInput, workspace.ActivityUnknown:
		s.become(workspace.ActivityIdle, workspace.SourceHook, e.Time, "interrupted")
	}
}

// What the program status protocol says.

func (s *State) statusSeen(e Event) {
	if e.Status == s.status || e.Status.Since.Before(s.started) && e.Status.State != "" {
		return // known, or of a process before this one
	}
	had := s.status
	s.status = e.Status
	if e.Status.State == "" {
		return // put away: what was known stays
	}
	s.told = true
	at, text := e.Status.Since, e.Status.Text
	restored := s.restored
	s.restored = false
	if restored && !at.After(s.recorded) {
		return // the daemon before has taken it in
	}
	anew := restored && at.Sub(s.Since) >= hookLag // it came to this again while nobody listened
	s.heard, s.recorded = e.Time, at
	switch e.Status.State {
	case "working":
		if s.turn.IsZero() || had.State == "done" || had.State == "error" {
			s.openTurn(at)
		}
		s.become(workspace.ActivityWorking, workspace.SourceStatus, at, cmp.Or(text, "working"))
	case "blocked":
		if had.State == "blocked" || anew {
			s.Since = at // another question: what was between the two went unseen
		}
		s.become(workspace.ActivityNeedsInput, workspace.SourceStatus, at, cmp.Or(text, "waits: "+cmp.Or(e.Status.Kind, "input")))
	case "done":
		if s.Activity == workspace.ActivityFinished && s.Source == workspace.SourceHook && at.Sub(s.Since) < hookLag {
			return // the hook was the first to tell it
		}
		if s.Activity == workspace.ActivityFinished && (s.Source == workspace.SourceStatus || anew) {
			s.Since = at // another turn, of which only the end was seen
		}
		s.finish(workspace.SourceStatus, at, text)
	case "error":
		if s.Activity != workspace.ActivityRateLimited || !s.turn.IsZero() {
			s.closeTurn()
			if anew {
				s.Since = at
			}
			s.become(workspace.ActivityError, workspace.SourceStatus, at, cmp.Or(text, "error"))
		}
	case "idle":
		s.statusIdle(at)
	}
}

// statusIdle ends a turn of which nothing else was told: the user has interrupted or denied it. What has ended stays as it ended; some
// engines put their record back to idle when the user begins to type.
func (s *State) statusIdle(at time.Time) {
	switch s.Activity {
	case workspace.ActivityWorking, workspace.ActivityNeedsInput:
		s.interrupted = true
		s.become(workspace.ActivityIdle, workspace.SourceStatus, at, "interrupted")
	case workspace.ActivityUnknown, workspace.ActivityIdle:
		s.become(workspace.ActivityIdle, workspace.SourceStatus, at, "idle")
	}
	s.closeTurn()
}

// What is only seen.

func (s *State) titleSeen(e Event) {
	switch e.Title {
	case TitleWorking:
		s.worked, s.rests = true, time.Time{}
	case TitleResting:
		if s.rests.IsZero() {
			s.rests = e.Time
		}
	}
	if s.told || e.Title == TitleSilent {
		return
	}
	switch e.Title {
	case TitleWorking:
		if s.Activity != workspace.ActivityWorking {
			s.turn, s.heard = e.Time, e.Time
			s.become(workspace.ActivityWorking, workspace.SourceTitle, e.Time, "its title says that it works")
		}
	case TitleAsking:
		s.become(workspace.ActivityNeedsInput, workspace.SourceTitle, e.Time, "its title asks for you")
	case TitleResting:
		switch s.Activity {
		case workspace.ActivityWorking, workspace.ActivityNeedsInput:
			s.finish(workspace.SourceTitle, e.Time, "its title rests")
		case workspace.ActivityUnknown:
			s.become(workspace.ActivityIdle, workspace.SourceTitle, e.Time, "its title rests")
		}
	}
}

// tick ends a turn whose title has rested for long enough.
func (s *State) tick(e Event) {
	if s.Activity == workspace.ActivityWorking && s.restsForHook() && !e.Time.Before(s.rests.Add(RestsFor)) {
		s.closeTurn()
		s.interrupted = true
		s.become(workspace.ActivityIdle, workspace.SourceTitle, e.Time, "interrupted: its title rests")
	}
}

// transcriptRead takes what the conversation's own file says about the turn that is open, or about an error of which more is wanted.
func (s *State) transcriptRead(e Event) {
	if e.Token != s.token || e.Outcome == OutcomeUnreadable || e.Outcome == OutcomeOpen {
		return
	}
	refines := s.Activity == workspace.ActivityError && s.Source == workspace.SourceStatus && e.Outcome == OutcomeLimited
	if refines && !e.At.Before(s.Since.Add(-time.Minute)) {
		s.become(workspace.ActivityRateLimited, workspace.SourceTranscript, s.Since, cmp.Or(e.Text, "rate limited"))
		s.Resets = e.Resets
		return
	}
	caught := s.Activity == workspace.ActivityNeedsInput && e.Token == s.catching
	if s.Untold && e.Token != s.catching && e.Time.Before(s.heard.Add(LapsesAfter)) {
		if e.Outcome != OutcomeInterrupted {
			return // what else there is to tell comes by itself
		}
		caught = s.Activity == workspace.ActivityNeedsInput
	}
	busy := s.status.State == "working" || s.status.State == "blocked"
	if s.Activity != workspace.ActivityWorking && !caught || busy || s.turn.IsZero() || e.At.Before(s.turn) {
		return // of an earlier turn, or the program itself knows better
	}
	switch e.Outcome {
	case OutcomeDone:
		s.finish(workspace.SourceTranscript, e.At, "its transcript has the turn's end")
	case OutcomeLimited:
		s.become(workspace.ActivityRateLimited, workspace.SourceTranscript, e.At, cmp.Or(e.Text, "rate limited"))
		s.Resets = e.Resets
	case OutcomeFailed:
		s.become(workspace.ActivityError, workspace.SourceTranscript, e.At, cmp.Or(e.Text, "its transcript has an error"))
	case OutcomeInterrupted:
		s.interrupted = true
		s.become(workspace.ActivityIdle, workspace.SourceTranscript, e.At, "interrupted")
	}
	s.closeTurn()
}

// What becomes of the process.

// engineStarted begins anew. Until it has been seen, in a look or by a word of its own, not to see it is not its end.
// What a turn of the same conversation ended with stays.
func (s *State) engineStarted(e Event) {
	old := *s
	*s = State{
		Activity: workspace.ActivityUnknown, Since: e.Time, Source: workspace.SourceExit, Reason: "the engine was started", Seen: s.Seen,
		Untold: s.Untold,
		Alive:  workspace.AnswerUnknown, Conversation: s.Conversation, Transcript: s.Transcript, token: s.token + 1, former: s.former,
		started: e.Time,
	}
	if !e.At.IsZero() {
		s.started = e.At
	}
	if e.Resumed && old.turnOver() {
		s.become(old.Activity, old.Source, old.Since, old.Reason)
		s.Since, s.Resets = old.Since, old.Resets
	}
}

// turnOver reports whether the activity is what a turn ended with.
func (s *State) turnOver() bool {
	switch s.Activity {
	case workspace.ActivityFinished, workspace.ActivityError, workspace.ActivityRateLimited:
		return true
	}
	return false
}

// engineEnded is its death, unless its user left it. One that was lost and comes back in its conversation keeps what its last turn ended with.
func (s *State) engineEnded(e Event) {
	s.Alive, s.ran = workspace.AnswerNo, false
	s.closeTurn()
	s.status, s.told = Status{}, true
	s.token++
	if s.Activity == workspace.ActivityDead || e.Lost && e.Resumed && s.turnOver() {
		return
	}
	if e.Clean {
		s.become(workspace.ActivityIdle, workspace.SourceExit, e.Time, ending(e))
		s.Since = e.Time // also of one that was idle
		return
	}
	s.become(workspace.ActivityDead, workspace.SourceExit, e.Time, ending(e))
}

// probed takes a look at the processes; At is when one that runs began. Only an engine that was seen to run can be seen to be gone, and not being able to look is
// neither.
func (s *State) probed(e Event) {
	switch e.Answer {
	case workspace.AnswerYes:
		if s.Activity == workspace.ActivityDead || s.Alive == workspace.AnswerNo {
			s.engineStarted(e)
		}
		s.Alive, s.ran = workspace.AnswerYes, true
	case workspace.AnswerNo:
		if s.ran {
			s.engineEnded(e)
		}
	}
}
