// Package daemonclient is how everybody else talks to the workspace daemon: one connection with a method for each of the
// daemon's, and Watch, which keeps a picture of the workspace through the daemon's restarts.
//
// It imports workspace's nouns, persistence and ptyhost/wire. A Client is safe for concurrent use and ends with its connection: who needs
// the daemon again dials again and gets a new snapshot; nothing is replayed. Failures carry a workspace.Code.
package daemonclient
