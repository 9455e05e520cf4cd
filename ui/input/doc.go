// Package input turns the bytes that a client's terminal sends into tokens,
// and tokens into the bytes that the program in a pane asked for.
//
// A [Tokenizer] finds where each key, pointer report, paste or answer ends. It
// keeps the raw bytes of each token, so that what moorage does not want itself
// can go on to the pane unchanged. [Token.AppendFor] does that: verbatim where
// the client's terminal and the pane speak alike, re-encoded where they do not.
//
// Everything here is a value or a state machine: no clock, no goroutine, no
// I/O. The owner feeds bytes as they come, starts the timer that
// [Tokenizer.Pending] calls for, and calls [Tokenizer.Flush] when it fires. A
// Tokenizer belongs to one goroutine.
//
// Memory is bounded whatever a client sends: a string or sequence is held up
// to 64 KiB and given up beyond that, and a paste is passed on in the pieces it
// comes in. No input makes the package panic, and none is lost silently: the
// Raw fields of all tokens, joined, are the bytes that were fed.
//
// Sources: xterm's control sequences (ctlseqs: "Alt and Meta Keys",
// "PC-Style Function Keys", "Mouse Tracking", "Bracketed Paste Mode"), the
// kitty keyboard protocol, ECMA-48 5.4 (control sequences) and 8.3.89 (OSC).
//
// The package may import ptyhost/vt, for the modes a program can ask for, and
// nothing else of moorage.
package input
