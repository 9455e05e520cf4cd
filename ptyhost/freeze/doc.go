// Package freeze keeps sessions on disk, so that the next host can show what
// they showed: the ring's bytes, the emulator's state at the first of them,
// the sizes in between, and what is needed to start the program again.
//
// The store only grows by what is new: a freeze appends the bytes since the
// last one and drops what the ring has evicted. All sessions that are due go
// into one transaction. Every value carries a checksum and a version; a record
// that does not read back is set aside under a name that says so, and never
// stops the others.
//
// Store is safe for concurrent use; its methods block on the disk, so the
// sessions' own goroutines never call them. When and what to freeze is decided
// by Gate, which is pure. Floor 1; it may import persistence, ring and wire.
package freeze
