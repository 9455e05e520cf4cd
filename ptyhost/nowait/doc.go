// Package nowait writes to a file or socket what it takes at this moment, from
// any goroutine, without ever waiting. Who has more to write, or a system
// where that cannot be promised, goes the usual way: a queue and a goroutine.
// What it saves is that goroutine's waking for each small message, which costs
// more than the message.
//
// Floor 1: it may import the standard library and x/sys.
package nowait
