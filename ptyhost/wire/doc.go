// Package wire is the protocol of moorage's two local sockets: the PTY host's
// and the daemon's.
//
// A message is
//
//	length u32 big endian | kind u8 | payload
//
// where length counts the kind byte and the payload and is at most MaxMessage.
// Both ends first send a Hello; then either may send requests, responses and
// events (JSON payloads with stable codes) and the binary kinds of the host:
// input, screens, acknowledgements. Fields are only ever added, numbers are
// never reused, and a kind that the reader does not know is skipped, because
// the host outlives upgrades of everybody who talks to it.
//
// Sending never blocks: a Conn writes what the socket takes at once, queues up
// to a stated number of bytes, and closes itself when the other end lets them
// pile up beyond it. Whoever is cut off so dials again and resyncs by state.
//
// The package is on floor 1 and imports nothing of moorage's but nowait.
package wire
