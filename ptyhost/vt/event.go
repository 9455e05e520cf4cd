package vt

import "bytes"

// EventKind says what a program told the world around its screen.
type EventKind uint8

// The kinds, and which fields of an Event they fill.
const (
	EventBell          EventKind = iota + 1 // BEL; several become one
	EventNotify                             // Title, Text: OSC 9, 777;notify, 99
	EventProgress                           // Code state, Value percent: OSC 9;4
	EventClipboard                          // Text selection names, Data content: OSC 52 write
	EventTitle                              // Text: OSC 0 and 2
	EventCWD                                // Text, the URL as given: OSC 7
	EventPrompt                             // Mark; Code the exit code, -1 unknown: OSC 133
	EventProgramStatus                      // Data, the payload as given: OSC 7501
	EventReset                              // RIS
)

// Event is one of those, in the order in which they came. Texts are as the
// program sent them except for C0 controls, which no string keeps: clean and
// cut them before they are drawn or sent on.
type Event struct {
	Kind  EventKind
	Title string
	Text  string
	Data  []byte
	Code  int
	Value int
	Mark  Mark
}

// maxEvents bounds what waits to be taken. Of bells, titles, directories,
// progress and clipboard writes only the last waits; of the others the oldest
// goes when a new one finds the queue full, of program status first what is of
// parts of a program.
const (
	maxEvents     = 128
	maxEventBytes = 2 << 20
)

// coalesces says of which kinds only the newest is kept.
var coalesces = [EventReset + 1]bool{
	EventBell: true, EventProgress: true, EventClipboard: true,
	EventTitle: true, EventCWD: true, EventReset: true,
}

func (t *Terminal) emit(e Event) {
	if t.quiet {
		return
	}
	if coalesces[e.Kind] {
		for i := range t.events {
			if t.events[i].Kind == e.Kind {
				t.events = append(t.events[:i], t.events[i+1:]...)
				break
			}
		}
	}
	size := e.size()
	for i := range t.events {
		size += t.events[i].size()
	}
	for len(t.events) > 0 && (len(t.events) >= maxEvents || size > maxEventBytes) {
		i := t.leastEvent()
		size -= t.events[i].size()
		t.events = append(t.events[:i], t.events[i+1:]...)
	}
	t.events = append(t.events, e)
}

// leastEvent is which event goes first: the oldest report about a part of a
// program, else the oldest of all.
func (t *Terminal) leastEvent() int {
	for i := range t.events {
		if t.events[i].Kind == EventProgramStatus && bytes.Contains(t.events[i].Data, []byte("id=")) {
			return i
		}
	}
	return 0
}

func (e *Event) size() int { return len(e.Title) + len(e.Text) + len(e.Data) }

// TakeEvents appends the events since the last call to dst and forgets them.
func (t *Terminal) TakeEvents(dst []Event) []Event {
	dst = append(dst, t.events...)
	clear(t.events)
	t.events = t.events[:0]
	return dst
}

// maxReplies bounds the answers that wait to be taken: past it, further ones
// are dropped whole.
const maxReplies = 64 << 10

// reply queues an answer to the program.
func (t *Terminal) reply(parts ...string) {
	if t.quiet {
		return
	}
	n := len(t.replies)
	for _, p := range parts {
		n += len(p)
	}
	if n > maxReplies {
		return
	}
	for _, p := range parts {
		t.replies = append(t.replies, p...)
	}
}

// TakeReplies appends the pending answers to queries to dst and forgets them.
func (t *Terminal) TakeReplies(dst []byte) []byte {
	dst = append(dst, t.replies...)
	t.replies = t.replies[:0]
	return dst
}
