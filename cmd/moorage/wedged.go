package main

import (
	"context"
	"fmt"
	"time"

	"moorage/persistence"
	"moorage/workspace"
)

// replaceHost ends a PTY host that does not answer, so that another can take its place: only one that is known to hold no live session, which
// are its children. Blocks until its lock is free, for killLimit at most.
func replaceHost(ctx context.Context, home persistence.Home) error {
	return replaceHostBy(ctx, home, readProcesses)
}

func replaceHostBy(ctx context.Context, home persistence.Home, read func() (processTable, error)) error {
	socket, err := home.SocketPath("ptyhost")
	if err != nil {
		return err
	}
	path := socket + ".lock"
	pid := persistence.LockHolder(path)
	stays := func(next, why string, args ...any) error {
		return workspace.Fail(workspace.CodeHostUnresponsive, next, "the PTY host (pid %d) does not answer, and is not replaced: %s", pid, fmt.Sprintf(why, args...))
	}
	again := fmt.Sprintf("`kill -CONT %d` if it was stopped; `moorage api pty-list` lists its sessions once it answers; `moorage reset` ends them all", pid)
	table, err := read()
	if err != nil {
		return stays(again, "whether it holds live sessions cannot be seen: %v", err)
	}
	if !holds(pid, path) {
		return stays("`moorage doctor` shows who listens", "who listens on %s cannot be seen", socket)
	}
	switch n := len(table.children(pid)); n {
	case 0:
	case 1:
		return stays(again, "it holds a live session")
	default:
		return stays(again, "it holds %d live sessions", n)
	}
	if err := kill(pid); err != nil {
		return stays(again, "%v", err)
	}
	for end := time.Now().Add(killLimit); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		if lock, err := persistence.TryLock(path); err == nil {
			return lock.Release()
		}
	}
	return stays(again, "it does not end")
}
