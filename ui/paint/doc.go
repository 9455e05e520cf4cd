// Package paint turns frames of cells into the bytes that make a client's
// terminal show them.
//
// A connection has one [Frame]. Widgets draw into it: text, styled strings,
// rows of a pane's mirror. Its [Painter] remembers what the client's terminal
// shows and writes the difference, with that terminal's colours and abilities
// ([Caps]). When nothing changed it writes nothing, and in steady state it
// allocates nothing.
//
// The output is for a raw channel: nobody turns LF into CR LF, so that none is
// written without CR. Only bytes made here reach the terminal: cells never
// hold controls, and titles, links and notifications go through [Clean].
//
// Sources: ECMA-48 8.3 (cursor, erase and SGR), xterm's control sequences
// (DECSTBM, REP, the modes of [Painter.Enter]), mode 2026 ("synchronized
// output"), OSC 8 ("hyperlinks in terminal emulators"), the kitty keyboard
// protocol (its stack).
//
// Nothing here blocks, starts a goroutine or looks at a clock. A Frame and its
// Painter belong to one goroutine. The package may import ptyhost/vt for cells
// and ui/input for the modes that keys come in by.
package paint
