// Package ptyhost is the process that owns the PTYs: it starts the children,
// keeps each one's screen in an emulator and its last output in a ring, hands
// watchers what changed, and takes input. It knows nothing of tasks or engines.
//
// It is the process that must never fall. Every session is an island: one
// goroutine reads its PTY, one writes it, one mutex guards its screen, and a
// panic on what a child printed costs that session's screen, not the host.
// Nothing that a watcher or a child does can block it: watchers get at most
// one update at a time and a newer one only when they acknowledged it, input
// waits in a bounded queue, and answers to queries are dropped when nobody
// reads them.
//
// Floor 1: it may import vt, ring, proc, wire and persistence.
package ptyhost
