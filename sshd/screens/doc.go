// Package screens keeps one mirror of each session that any client shows, and
// tells clients when there is something new. It owns the SSH front's
// connection to the PTY host: it dials, starts the host when a session is
// wanted and none is there, and after a loss dials again and resyncs by state.
//
// A Viewer is one client's side. Nothing in this package waits for a viewer:
// it is woken through a function that must not block, and reads when it likes.
// A mirror's update is acknowledged to the host when a viewer has read it, so
// the host sends as fast as the fastest viewer draws and never faster; viewers
// that do not read hold nobody up.
//
// Which client decides a PTY's size is settled here too, tab by tab.
package screens
