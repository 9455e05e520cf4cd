// Package vt is the terminal emulator: bytes in; screen, replies and events
// out. It follows xterm, except that a resize reflows soft-wrapped lines, as
// desktop terminals do.
//
// # Parts
//
//	Terminal   one emulated terminal: parser, two screens, scrollback, modes
//	Mirror     a watcher's copy of the screen, fed by Terminal.AppendUpdate
//	Table      what the indices in a Cell stand for
//	Cell, Row  what is shown, and how a row looks outside the emulator
//
// # Promises
//
// It is pure: no goroutine, no clock, no I/O, and no lock. A Terminal or a
// Mirror belongs to one goroutine at a time. Nothing that arrives makes it
// panic, block or grow without bound: strings are cut, parameters clamped,
// queues of replies and events bounded, and the scrollback has a limit in rows
// and in bytes. A Terminal takes at most 16 MiB, 256 bytes for each cell of the
// largest screen it had, and 2 KiB for each row that the scrollback may hold;
// a usual one a hundredth of that. What of a screen goes beyond it is cut:
// links past 4 MiB, 65 536 different clusters at a time. An update of any screen
// stays below 16 MiB. Nothing exported points into the grid of a Terminal.
//
// It imports the standard library and the width tables of clipperhouse.
//
// # Sources
//
// ECMA-48 5th edition; xterm's ctlseqs ("XTerm Control Sequences"); DEC STD
// 070 and the VT510 and VT525 manuals; the kitty keyboard protocol and kitty's
// underline extension; the texts of modes 2026 (synchronised output), 2027
// (grapheme clusters), 2031 (colour scheme reports) and 2048 (in-band resize).
// docs/terminal.md lists every control and what becomes of it; the tables in
// this package are where that list comes from.
package vt
