package main

import (
	"errors"
	"os"

	"moorage/persistence"
	"moorage/ptyhost/wire"
)

// running is a process as the system's table shows it.
type running struct {
	pid, parent, session int
	name                 string
	home                 string // of the moorage in whose pane it began, "" for any other process: by its environment
}

// processTable holds processes by pid.
type processTable map[int]running

// errNoTable means that nobody could look: it never stands for "there are none".
var errNoTable = errors.New("this system does not show other processes' environments")

// children are the processes that pid started itself. Of a PTY host they are the leaders of its sessions.
func (t processTable) children(pid int) []int {
	var pids []int
	for _, r := range t {
		if r.parent == pid {
			pids = append(pids, r.pid)
		}
	}
	return pids
}

// ancestors are pid, its parent, and so on.
func (t processTable) ancestors(pid int) map[int]bool {
	line := make(map[int]bool)
	for pid > 0 && !line[pid] {
		line[pid] = true
		pid = t[pid].parent
	}
	return line
}

// marked are the processes that began in a pane of home, without the three that serve it: one of them may have been started by
// a command in a pane.
func (t processTable) marked(home persistence.Home) []running {
	serving := make(map[int]bool)
	for _, name := range []string{"ssh", "daemon", "ptyhost"} {
		serving[lockHolder(home, name)] = true
	}
	var list []running
	for _, r := range t {
		if r.home != "" && wire.SamePath(r.home, home.Dir()) && !serving[r.pid] {
			list = append(list, r)
		}
	}
	return list
}

// lockHolder is the pid that the lock of the socket of that name tells, 0 when it tells none.
func lockHolder(home persistence.Home, socket string) int {
	path, err := home.SocketPath(socket)
	if err != nil {
		return 0
	}
	return persistence.LockHolder(path + ".lock")
}

// insidePane reports whether this command was typed in a pane of home. The variable may have been changed since the pane's
// shell began, so what the nearest process above says of its own beginning counts, where that can be seen.
func insidePane(home persistence.Home) bool {
	if os.Getenv("MOORAGE") == "" {
		return false
	}
	began := os.Getenv(persistence.HomeVariable)
	if table, err := readProcesses(); err == nil {
		for pid := table[os.Getpid()].parent; pid > 0; pid = table[pid].parent {
			if table[pid].home != "" {
				began = table[pid].home
				break
			}
		}
	}
	return wire.SamePath(began, home.Dir())
}
