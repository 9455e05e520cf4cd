package activity

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"moorage/workspace"
)

// story plays a sequence of words, one event each, a second apart:
//
//	start:C, start:C=source, end:C, prompt:C, tool:C, ask:C, answer:C, stop:C, bg:C, limit:C, fail:C, esc:C   hooks of conversation C
//	st:STATE, st:blocked=permission, st:   the status protocol; a word behind ! is of the record before
//	title:work, title:rest, title:ask, title:silent
//	read:done, read:limit, read:fail, read:esc, read:open, read:none    the answer to the last lookup
//	late:done     the answer to the first lookup; old:done one whose record is an hour old
//	run, rerun, exit:N, quit:N, kill     the process; lost:back when it comes back after the host; yes, no, could't as the words of a probe
//	open, +10m (time passes, then a tick)
//	retold        the status record of before, as a host tells it to a daemon that comes back
type story struct {
	state State
	last  Status
	now   time.Time
	asked []Lookup
}

func (s *story) play(t *testing.T, words string) {
	t.Helper()
	for word := range strings.FieldsSeq(words) {
		s.now = s.now.Add(time.Second)
		s.step(t, word)
	}
}

func (s *story) step(t *testing.T, word string) {
	t.Helper()
	name, arg, _ := strings.Cut(word, ":")
	conversation, text, _ := strings.Cut(arg, "=")
	e := Event{Time: s.now, Conversation: conversation, Text: text}
	hooks := map[string]Kind{
		"start": SessionStarted, "end": SessionEnded, "prompt": PromptSubmitted, "tool": ToolUsed, "ask": PermissionAsked,
		"answer": PermissionAnswered, "stop": TurnEnded, "bg": TurnEnded, "limit": TurnFailed, "fail": TurnFailed, "esc": Interrupted,
	}
	outcomes := map[string]Outcome{
		"done": OutcomeDone, "limit": OutcomeLimited, "fail": OutcomeFailed, "esc": OutcomeInterrupted, "open": OutcomeOpen, "none": OutcomeUnreadable,
	}
	switch {
	case hooks[name] != 0:
		e.Kind, e.Background, e.Limited = hooks[name], name == "bg", name == "limit"
	case name == "st":
		e.Kind, e.Conversation = StatusSeen, ""
		if conversation != "" {
			e.Status = Status{State: conversation, Kind: text, Since: s.now}
			s.last = e.Status
		}
		e.Text = ""
	case name == "retold":
		e = Event{Kind: StatusSeen, Time: s.now, Status: s.last}
	case name == "title":
		e.Kind, e.Conversation = TitleSeen, ""
		e.Title = map[string]Title{"work": TitleWorking, "rest": TitleResting, "ask": TitleAsking}[conversation]
	case name == "read" || name == "late" || name == "old":
		e = Event{Kind: TranscriptRead, Time: s.now, At: s.now, Outcome: outcomes[arg]}
		if len(s.asked) == 0 {
			t.Fatalf("%s: nobody asked", word)
		}
		e.Token = s.asked[len(s.asked)-1].Token
		if name == "late" {
			e.Token = s.asked[0].Token
		}
		if name == "old" {
			e.At = s.now.Add(-time.Hour)
		}
	case name == "run" || name == "rerun":
		e = Event{Kind: EngineStarted, Time: s.now, Resumed: name == "rerun"}
	case name == "exit" || name == "quit":
		code, _ := strconv.Atoi(arg)
		e = Event{Kind: EngineEnded, Time: s.now, Code: code, Clean: name == "quit"}
	case name == "lost":
		e = Event{Kind: EngineEnded, Time: s.now, Code: -1, Lost: true, Resumed: arg == "back"}
	case name == "kill":
		e = Event{Kind: EngineEnded, Time: s.now, Code: 137, Signal: "SIGKILL"}
	case name == "yes" || name == "no":
		e = Event{Kind: Probed, Time: s.now, Answer: workspace.Answer(name)}
	case name == "couldn't":
		e = Event{Kind: Probed, Time: s.now, Answer: workspace.AnswerUnknown}
	case name == "open":
		e = Event{Kind: Opened, Time: s.now}
	case strings.HasPrefix(name, "+"):
		d, err := time.ParseDuration(name[1:])
		if err != nil {
			t.Fatal(err)
		}
		s.now = s.now.Add(d)
		e = Event{Kind: Tick, Time: s.now}
	case name == "restart": // of the daemon
		b := s.state.Badge()
		s.state = Restore(&b, s.state.Conversation, s.state.Transcript, s.state.ran)
		return
	default:
		t.Fatalf("what is %q?", word)
	}
	next, lookup := Step(s.state, e)
	s.state = next
	if lookup != nil {
		s.asked = append(s.asked, *lookup)
	}
}

func (s *story) badge() string {
	v := s.state.View("x")
	text := string(v.Activity)
	if v.Activity == workspace.ActivityFinished && v.Seen {
		text += " seen"
	}
	return text
}

func begin() *story {
	return &story{state: Restore(nil, "", "", false), now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
}

func TestABadgeFollowsFromWhatWasTold(t *testing.T) {
	for _, tc := range []struct{ sentence, words, want string }{
		// What nobody has told is not known.
		{"nothing is known at first", "", "unknown"},
		{"an engine that runs is not idle for that", "run", "unknown"},
		{"an engine that has begun is idle", "run start:a", "idle"},
		{"not being able to look changes nothing", "run start:a prompt:a couldn't", "working"},
		{"not being able to look is not gone", "run start:a stop:a couldn't", "finished"},
		{"only what was seen to run can be gone", "no", "unknown"},
		// A turn by hooks.
		{"a prompt begins a turn", "run start:a prompt:a", "working"},
		{"a turn ends", "run start:a prompt:a stop:a", "finished"},
		{"a turn that nobody saw begin ends too", "run stop:a", "finished"},
		{"opening the tab is seeing it", "run start:a prompt:a stop:a open", "finished seen"},
		{"having opened it before is not", "run start:a prompt:a open stop:a", "finished"},
		{"a second turn is unseen again", "run start:a prompt:a stop:a open prompt:a stop:a", "finished"},
		{"a tool is a sign of a turn", "run start:a tool:a", "working"},
		{"a tool's late word does not undo the end", "run start:a prompt:a stop:a tool:a", "finished"},
		{"work in the background goes on after the end", "run start:a prompt:a bg:a", "working"},
		{"and then it is done", "run start:a prompt:a bg:a stop:a", "finished"},
		{"permission is asked", "run start:a prompt:a ask:a", "needs_input"},
		{"and told of again", "run start:a prompt:a ask:a ask:a", "needs_input"},
		{"permission given, the turn goes on", "run start:a prompt:a ask:a tool:a", "working"},
		{"permission answered", "run start:a prompt:a ask:a answer:a", "working"},
		{"a question that comes after the end is late", "run start:a prompt:a stop:a ask:a", "finished"},
		{"a turn fails", "run start:a prompt:a fail:a", "error"},
		{"a turn meets a limit", "run start:a prompt:a limit:a", "rate_limited"},
		{"an error that is told as an end too stays one", "run start:a prompt:a fail:a stop:a", "error"},
		{"a limit that is told as an error too stays one", "run start:a prompt:a limit:a fail:a stop:a", "rate_limited"},
		{"the next turn clears an error", "run start:a prompt:a fail:a prompt:a", "working"},
		{"the next turn clears a limit", "run start:a prompt:a limit:a prompt:a stop:a", "finished"},
		{"an interrupt is told", "run start:a prompt:a esc:a", "idle"},
		{"and the end that follows it is none", "run start:a prompt:a esc:a stop:a", "idle"},
		{"nor is a tool that was on its way", "run start:a prompt:a esc:a tool:a", "idle"},
		{"after it the next turn counts", "run start:a prompt:a esc:a prompt:a stop:a", "finished"},
		// Needs input, finished, limited and error stay.
		{"finished stays, whatever the title does", "run start:a prompt:a stop:a title:work title:rest +1h", "finished"},
		{"needs input stays", "run start:a prompt:a ask:a title:work title:rest +1h", "needs_input"},
		{"rate limited stays", "run start:a prompt:a limit:a title:work title:rest +1h", "rate_limited"},
		{"error stays", "run start:a prompt:a fail:a title:work title:rest +1h", "error"},
		{"finished stays over a daemon's restart", "run start:a prompt:a stop:a restart yes title:rest", "finished"},
		{"and so does having seen it", "run start:a prompt:a stop:a open restart yes", "finished seen"},
		// The status protocol.
		{"the program says that it is idle", "run st:idle", "idle"},
		{"it says that it works", "run st:idle st:working", "working"},
		{"it says that it is done", "run st:working st:done", "finished"},
		{"it asks, before any conversation", "run st:blocked=permission", "needs_input"},
		{"it goes on", "run st:working st:blocked=permission st:working", "working"},
		{"a hook of before its question comes late", "run start:a prompt:a st:working st:blocked=permission tool:a", "needs_input"},
		{"when it says so itself it goes on", "run start:a prompt:a st:working st:blocked=permission tool:a st:working tool:a", "working"},
		{"it says idle out of a turn: interrupted", "run st:working st:idle", "idle"},
		{"it says idle out of a question: denied", "run st:working st:blocked=permission st:idle", "idle"},
		{"what is done stays done when the user types", "run st:working st:done st:idle", "finished"},
		{"an error too", "run st:working st:error st:idle", "error"},
		{"a record that is put away says nothing", "run st:working st:done st:", "finished"},
		{"its word of work outweighs a hook's end", "run start:a prompt:a st:working stop:a", "working"},
		{"its idle outweighs a hook's work", "run start:a prompt:a st:working st:idle", "idle"},
		{"a limit by hook stays one when it says error", "run start:a prompt:a st:working limit:a st:error", "rate_limited"},
		{"a limit by hook makes one of its error", "run start:a prompt:a st:working st:error limit:a", "rate_limited"},
		{"an error of which the transcript knows more", "run start:a prompt:a st:working st:error read:limit", "rate_limited"},
		{"and one of which it knows nothing", "run start:a prompt:a st:working st:error read:none", "error"},
		{"two turns of which only the ends are seen are two", "run st:working st:done open st:idle st:done", "finished"},
		// Titles, where nothing else speaks.
		{"a title at rest is idle", "run title:rest", "idle"},
		{"a title works", "run title:rest title:work", "working"},
		{"a title that rests after work is done", "run title:work title:rest", "finished"},
		{"a title asks", "run title:work title:ask", "needs_input"},
		{"and goes on", "run title:work title:ask title:work", "working"},
		{"a title that says nothing changes nothing", "run title:work title:silent", "working"},
		{"a title overrides no hook", "run start:a prompt:a title:rest", "working"},
		{"a title overrides no question of a hook", "run start:a prompt:a ask:a title:work", "needs_input"},
		{"a title overrides no status", "run st:idle title:work", "idle"},
		// ESC: no hook tells it, the title does.
		{"a title at rest for long enough ends a hook's turn", "run start:a prompt:a title:work title:rest +3s", "idle"},
		{"not sooner", "run start:a prompt:a title:work title:rest +1s", "working"},
		{"not when it has worked again", "run start:a prompt:a title:work title:rest title:work +5s", "working"},
		{"not when it never worked in this turn", "run start:a title:work title:rest prompt:a +9s", "working"},
		{"and an end that comes in time is an end", "run start:a prompt:a title:work title:rest stop:a +3s", "finished"},
		{"status knows better than the title", "run start:a prompt:a st:working title:work title:rest +9s", "working"},
		// Ten minutes without a word.
		{"after ten minutes its own transcript is asked", "run start:a prompt:a +10m read:done", "finished"},
		{"which may know that it goes on", "run start:a prompt:a +10m read:open", "working"},
		{"or cannot be read", "run start:a prompt:a +10m read:none", "working"},
		{"or has only the end of an earlier turn", "run start:a prompt:a +10m old:done", "working"},
		{"or an interrupt", "run start:a prompt:a +10m read:esc", "idle"},
		{"or a limit", "run start:a prompt:a +10m read:limit", "rate_limited"},
		{"or an error", "run start:a prompt:a +10m read:fail", "error"},
		{"what is read when the turn has ended is of no use", "run start:a prompt:a +10m ask:a read:done", "needs_input"},
		// The conversation changes.
		{"a cleared conversation is idle", "run start:a prompt:a stop:a end:a=clear start:b=clear", "idle"},
		{"the old one's late end is not the new one's", "run start:a prompt:a start:b=clear prompt:b end:a", "working"},
		{"nor is its late stop", "run start:a prompt:a start:b prompt:b stop:a", "working"},
		{"nor its late prompt", "run start:a prompt:a stop:a start:b prompt:a", "idle"},
		{"a prompt may come before the start", "run start:a prompt:b start:b", "working"},
		{"what is being read of the old one is dropped", "run start:a prompt:a +10m start:b prompt:b late:done", "working"},
		{"its baseline too", "run start:a prompt:a start:b +10m", "idle"},
		{"taking up an earlier one takes it up", "run start:a start:b start:a=resume prompt:a stop:a", "finished"},
		{"compacting is the same conversation", "run start:a prompt:a start:a=compact", "working"},
		{"an end of a conversation that is not known is none", "run end:z", "unknown"},
		{"an end told three times", "run start:a prompt:a stop:a end:a end:a end:a", "finished"},
		// The process.
		{"a crash is dead", "run start:a prompt:a kill", "dead"},
		{"the dead stay dead, whatever comes late", "run start:a prompt:a exit:1 stop:a tool:a prompt:a st:done title:work", "dead"},
		{"also over a daemon's restart", "run start:a prompt:a exit:1 restart no", "dead"},
		{"and when nobody could look", "run start:a prompt:a exit:1 restart couldn't", "dead"},
		{"one that died while no daemon ran is dead", "run start:a prompt:a restart no", "dead"},
		{"leaving is not dying", "run start:a prompt:a stop:a quit:0", "idle"},
		{"a new process begins anew", "run start:a prompt:a exit:1 run", "unknown"},
		{"one that takes its conversation up has still finished", "run start:a prompt:a stop:a rerun start:a=resume st:idle title:rest", "finished"},
		{"but asks nothing any more", "run start:a prompt:a ask:a rerun", "unknown"},
		{"a process that is only beginning is not gone", "run no", "unknown"},
		{"also one that was only seen", "run start:a prompt:a exit:1 yes", "unknown"},
		{"an exit outweighs the status", "run st:working exit:1", "dead"},
		{"an end that is told twice is one", "run exit:3 kill", "dead"},
		{"what is lost with the host is dead", "run start:a prompt:a lost", "dead"},
		{"at rest too", "run start:a lost:back", "dead"},
		{"what comes back has still finished", "run start:a prompt:a stop:a lost:back rerun start:a=resume", "finished"},
		{"what does not has not", "run start:a prompt:a stop:a lost no", "dead"},
		{"what is lost in a turn comes back without it", "run start:a prompt:a lost:back rerun start:a=resume", "idle"},
		{"a daemon's restart in the middle of a turn", "run start:a prompt:a restart yes stop:a", "finished"},
		{"and in the middle of a question", "run start:a prompt:a ask:a restart yes tool:a", "working"},
		{"a turn that ended while no daemon ran", "run start:a prompt:a restart yes read:done", "finished"},
		{"one that met a limit then", "run start:a prompt:a restart yes read:limit", "rate_limited"},
		{"one that still goes on", "run start:a prompt:a restart yes read:open", "working"},
		{"one of which the file knows the turn before", "run start:a prompt:a restart yes old:done", "working"},
		{"a question that was answered then, and the turn ended", "run start:a prompt:a ask:a restart yes read:done", "finished"},
		{"one that still stands", "run start:a prompt:a ask:a restart yes read:open", "needs_input"},
		{"a question that has come since is another one", "run start:a prompt:a ask:a restart yes tool:a ask:a read:done", "needs_input"},
		{"the program says that it works on", "run start:a prompt:a restart yes st:working read:done", "working"},
		{"what had ended is not asked for again", "run start:a prompt:a stop:a open restart yes", "finished seen"},
	} {
		s := begin()
		s.play(t, tc.words)
		if got := s.badge(); got != tc.want {
			t.Errorf("%s: %q gives %s, want %s: %s", tc.sentence, tc.words, got, tc.want, s.state.View("x").Why())
		}
	}
}

func TestAnEngineComesToSomethingAgainWhileNoDaemonRuns(t *testing.T) {
	for _, tc := range []struct {
		sentence, words string
		anew            bool
	}{
		{"what is told again is no news", "run st:working st:done restart retold yes", false},
		{"also when a hook told it first", "run start:a prompt:a stop:a st:done restart retold yes", false},
		{"and when it was told late", "run start:a prompt:a stop:a +5s st:done restart retold yes", false},
		{"a question that still stands is none", "run st:working st:blocked restart retold yes", false},
		{"one that a hook told of is none", "run start:a prompt:a st:working ask:a st:blocked restart retold yes", false},
		{"another end is", "run st:working st:done restart +1m st:done yes", true},
		{"also after one by a hook", "run start:a prompt:a stop:a restart +1m st:done yes", true},
		{"another question is", "run st:working st:blocked restart +1m st:blocked yes", true},
		{"another error is", "run st:working st:error restart +1m st:error yes", true},
	} {
		words, more, _ := strings.Cut(tc.words, " restart ")
		s := begin()
		s.play(t, words)
		before := s.state.View("x")
		s.play(t, "restart "+more)
		after := s.state.View("x")
		if after.Activity != before.Activity || after.Since.After(before.Since) != tc.anew {
			t.Errorf("%s: %q: it was %s and is %s", tc.sentence, tc.words, before.Why(), after.Why())
		}
	}
}

func TestAnInterruptThatOnlyTheTranscriptTellsIsFoundSoon(t *testing.T) {
	for _, tc := range []struct{ words, want string }{
		{"run start:a prompt:a +15s read:esc", "idle"},
		{"run start:a prompt:a ask:a +15s read:esc", "idle"},
		{"run start:a prompt:a ask:a +15s read:open", "needs_input"},
		{"run start:a prompt:a +15s read:done", "working"}, // its hook tells that
		{"run start:a prompt:a +15s read:open +10m read:done", "finished"},
		{"run start:a prompt:a +15s old:esc", "working"},
		{"run start:a prompt:a +15s tool:a read:esc", "idle"},
		{"run start:a prompt:a +15s start:b prompt:b late:esc", "working"},
		{"run start:a prompt:a stop:a +15s", "finished"},
		{"run start:a prompt:a kill run start:a prompt:a +15s read:esc", "idle"},
	} {
		s := begin()
		s.state.Untold = true
		s.play(t, tc.words)
		if got := s.badge(); got != tc.want {
			t.Errorf("%q gives %s, want %s: %s", tc.words, got, tc.want, s.state.View("x").Why())
		}
	}
}

func TestEachLookupIsOfTheConversationThatIsCurrent(t *testing.T) {
	s := begin()
	s.play(t, "run start:a prompt:a +10m +10m start:b prompt:b +10m")
	var got []string
	for _, l := range s.asked {
		got = append(got, l.Conversation)
	}
	if fmt.Sprint(got) != "[a a b]" {
		t.Errorf("lookups of %v", got)
	}
}

func TestNextSaysWhenATickHasSomethingToDo(t *testing.T) {
	s := begin()
	s.play(t, "run start:a")
	if !s.state.Next().IsZero() {
		t.Error("an idle engine wants a tick")
	}
	s.play(t, "prompt:a")
	if want := s.now.Add(LapsesAfter); !s.state.Next().Equal(want) {
		t.Errorf("next is %v, want %v", s.state.Next(), want)
	}
	s.play(t, "title:work title:rest")
	if want := s.now.Add(RestsFor); !s.state.Next().Equal(want) {
		t.Errorf("next is %v, want %v", s.state.Next(), want)
	}
}

func TestABadgeSaysWhy(t *testing.T) {
	s := begin()
	s.play(t, "run start:a quit:0")
	if why := s.state.View("x").Why(); why != "the engine exited with code 0 (exit, 03:04:08)" {
		t.Errorf("why it is idle after it was left: %q", why)
	}
	s = begin()
	s.play(t, "run start:a prompt:a limit:a=slow_down")
	if why := s.state.View("x").Why(); why != "slow_down (hook, 03:04:09)" {
		t.Errorf("why: %q", why)
	}
}
