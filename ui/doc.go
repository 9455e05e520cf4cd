// Package ui is what one connection sees: one Bubble Tea model that takes a
// client's input, keeps what is that client's alone (task and tab shown,
// focus, scroll, dialogs), and draws it as cells.
//
// Of Bubble Tea it needs the loop that runs commands and brings their answers.
// Its input and renderer are off: raw bytes come in as InputMsg and are cut
// into tokens here, and View composes a frame and hands its bytes to an Output
// when that is free, at most one at a time.
// Update never blocks and does no I/O; what takes time is a command.
//
// What all clients share comes from outside: tasks and badges from the daemon
// (Daemon, World), screens from the mirrors (Screens).
//
// Floor 3: it may import workspace's nouns and split, vt's cells, and its own
// folder.
package ui
