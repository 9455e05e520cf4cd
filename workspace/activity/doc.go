// Package activity turns what is told and observed of an engine into its badge: working, needs input, finished, and so on.
//
// It is pure: a State and an Event in, a State and what is to be looked up out; no clock, no goroutine, no I/O. It imports workspace's
// nouns only. A State belongs to one session; Route says which session an event is of.
//
// Two kinds of events are told apart. What an engine says (the program status protocol, hooks, its end) decides. What is only observed
// (a title, a transcript that was asked for) fills the gaps and never overrides what was said, except where the package says so: a title
// at rest ends a turn of which no hook tells the end, and a transcript that was read because nothing was heard for long.
package activity
