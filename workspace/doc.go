// Package workspace is the middle floor's nouns: tasks with their tabs and panes, the key of a session, what a client is shown of
// them, the daemon's methods, and the codes that failures carry.
//
// Everything here is a value and pure: no I/O, no clock, no goroutine. The edits of a Task are the rules of what ends what
// (an exited pane leaves its tree, an extra tab closes itself, an only tab is made anew); the daemon applies them, stores the
// outcome and tells the clients. A Task that has been published is never changed: an edit works on a Clone.
//
// It imports ptyhost/wire and workspace/split. Its folders: split (the tree of a tab), bus (who has to be told of what),
// settings, worktree (what is done with git), daemon (the process that owns the tasks) and daemonclient (how everybody else talks to it).
//
// JSON names are a contract with the index on disk and with clients of other builds: fields are only added.
package workspace
