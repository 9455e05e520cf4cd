// Package daemon is the process that owns the tasks: their index on disk, the order to start and end sessions in the PTY host, and what
// every client is shown. It is never on the way of a keystroke or a screen.
//
// It imports the floors below, workspace's nouns, split and bus. Its parts:
//
//	daemon.go     Run: lock, listen, the goroutines and their end
//	state.go      what is known, owned by one goroutine that runs closures
//	index.go      the tasks on disk; a mutation is one transaction, then shown
//	hostlink.go   the connection to the host: found again, started on demand
//	sessions.go   what the host tells, applied to the state; sweep.go judges a whole list of it
//	effects.go    starting and ending sessions, outside of the owner
//	lifetime.go   when to stop
//	client.go     one connection; tasks.go, tabs.go, panes.go: the methods
//
// Concurrency: the state belongs to the goroutine of state.run; everybody else sends it closures that neither block on the host
// nor on a client. Requests run on their own goroutines and may wait for the host. Watchers are told by a bus.
//
// Failure: a mutation that returned nil is on disk. Sessions to be ended are recorded in the same transaction as what
// ended them, and ended when the host can be reached, so that nothing intended comes back. A host that is away or does not
// answer costs badges and new sessions, never the daemon. An index that cannot be read is set aside, and then nothing is ended by it:
// live sessions are taken into recovered tasks.
package daemon
