// Package persistence is the ground floor: where moorage keeps its files and how it writes them so that a crash, a
// second process or a hostile neighbour cannot spoil them.
//
// It owns the home folder with its modes, the places of sockets and logs, the locks that make each process the only one of
// its home, atomic files, and bbolt stores with a schema version. It imports none of moorage's packages and knows none of
// its nouns.
//
//	<home>/                  0700, owned by the user who runs moorage
//	  run/<name>.sock        sockets, 0600; when that path is too long for the platform they live in a 0700 folder under
//	                         $XDG_RUNTIME_DIR or the temp folder, and run/socket-dir names it
//	  run/<name>.sock.lock   beside the socket, held for the life of its process, contains the pid
//	  run/reset.lock         held while a home is wiped; processes that would use what is wiped wait for it
//	  log/<name>.log         rotated, 0600
//	  <name>.db              bbolt, 0600
//	  <name>.db.corrupt-<t>  a store that could not be read, set aside
//
// Concurrency: a Home is a value and may be copied and used from any goroutine. A Lock belongs to whoever took it. A Store
// is safe for concurrent use, as bbolt is.
//
// Failure: every function either did what it says or returns an error that names the path. Nothing unreadable is ever
// deleted: it is renamed, and the caller is told the name.
package persistence
