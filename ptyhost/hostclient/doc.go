// Package hostclient talks to the PTY host. A Client is one connection; it
// ends with it, and whoever needs the host again dials again and resyncs by
// state. Requests block until answered; input, acknowledgements and screens
// never do.
//
// Floor 1: it may import wire and persistence.
package hostclient
