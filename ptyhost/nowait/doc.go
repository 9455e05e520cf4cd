// Package nowait does input and output on files and sockets of the runtime's
// poller, which are in non-blocking mode, at the least cost.
//
// A Writer writes what the other end takes at this moment, from any goroutine,
// without ever waiting. Who has more to write goes the usual way: a queue and
// a goroutine. What it saves is that goroutine's waking for each small
// message, which costs more than the message.
//
// A Stream reads and writes as usual, but does not tell the scheduler of
// system calls that cannot wait. Around a call that may take long the
// scheduler wakes its monitor, a thread that then looks every 20 µs at what
// goes on: where little happens, as with a key and its echo, that is a quarter
// of all that the process does.
//
// Where a system does not promise any of this, there is no Writer and no
// Stream, and the usual way is the only one.
//
// Floor 1: it may import the standard library and x/sys.
package nowait
