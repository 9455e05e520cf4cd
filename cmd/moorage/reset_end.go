package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/settings"
)

const (
	// endGrace is how long a process that answers may take after SIGTERM: a host freezes and ends its sessions meanwhile.
	endGrace = 10 * time.Second
	// silentGrace is how long one may take that does not.
	silentGrace = 2 * time.Second
	// killLimit is how long the kernel may take after SIGKILL.
	killLimit = 5 * time.Second
	// resetLimit is how long a reset waits for another one.
	resetLimit = time.Minute
)

// carryOut resets the home. While it holds the reset's lock no daemon and no host begins (see awaitReset), so that a client that
// is attached cannot have thawed what is being wiped.
func carryOut(ctx context.Context, env Env, home persistence.Home, hard bool) error {
	mine, err := lockReset(ctx, home)
	if err != nil {
		return err
	}
	defer mine.Release()
	if hard {
		lock, _, err := endHolder(ctx, home, "daemon")
		if err != nil {
			return fmt.Errorf("reset: end the daemon: %w", err)
		}
		defer lock.Release()
	}
	lock, end, err := endHolder(ctx, home, "ptyhost")
	if err != nil {
		return fmt.Errorf("reset: end the PTY host: %w", err)
	}
	defer lock.Release()
	strays, straysErr := endStrays(home, end.sessions)
	if errors.Is(straysErr, errNoTable) {
		straysErr = nil // the kernel hung up the terminals
	}
	wiped := []string{freezeFile}
	if hard {
		wiped = append(wiped, indexFile, settings.File)
	}
	for _, name := range wiped {
		if err := os.Remove(home.Path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(fmt.Errorf("reset: %w", err), straysErr)
		}
	}
	if straysErr != nil {
		return fmt.Errorf("reset: all is wiped, but end what panes began: %w", straysErr)
	}
	fmt.Fprintf(env.Stdout, "ptyhost  %s\n", end)
	if strays > 0 {
		fmt.Fprintf(env.Stdout, "panes    %s ended\n", processes(strays))
	}
	_, err = fmt.Fprintln(env.Stdout, "done: panes get fresh programs when a client shows them")
	return err
}

// resetLock is the path of the lock that a reset holds.
func resetLock(home persistence.Home) (string, error) {
	run, err := home.MakeDir("run")
	return filepath.Join(run, "reset.lock"), err
}

func lockReset(ctx context.Context, home persistence.Home) (*persistence.Lock, error) {
	path, err := resetLock(home)
	if err != nil {
		return nil, fmt.Errorf("reset: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, resetLimit)
	defer cancel()
	for {
		lock, err := persistence.TryLock(path)
		if !errors.Is(err, persistence.ErrLocked) {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, workspace.Fail(workspace.CodeBusy, "try again when it is done", "another reset runs: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// awaitReset blocks while a reset of the home is under way. A home that cannot be locked, as on a disk that is read-only, has
// none.
func awaitReset(ctx context.Context, home persistence.Home) error {
	path, err := resetLock(home)
	if err != nil {
		return nil //nolint:nilerr // what it means for the process shows when it opens its own files
	}
	for {
		lock, err := persistence.TryLock(path)
		switch {
		case err == nil:
			return lock.Release()
		case !errors.Is(err, persistence.ErrLocked):
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// ending says how a process ended.
type ending struct {
	pid      int // 0: there was none
	killed   bool
	sessions []int // of its children: those of a PTY host are the panes'
}

func (e ending) String() string {
	switch {
	case e.pid == 0:
		return wasOff
	case e.killed:
		return fmt.Sprintf("did not end by itself: killed (pid %d)", e.pid)
	}
	return wasStopped
}

// endHolder ends the process that holds the lock of that socket, by SIGTERM, and by SIGKILL when that does not help in time, and
// returns the lock, held by this process now. It signals only a pid that is known to hold the lock; where that cannot be known it
// refuses.
func endHolder(ctx context.Context, home persistence.Home, name string) (*persistence.Lock, ending, error) {
	socket, err := home.SocketPath(name)
	if err != nil {
		return nil, ending{}, err
	}
	path := socket + ".lock"
	var end ending
	var asked, unknown time.Time
	grace := endGrace
	for {
		lock, err := persistence.TryLock(path)
		if err == nil {
			return claim(ctx, home, name, socket, lock, end)
		}
		if !errors.Is(err, persistence.ErrLocked) {
			return nil, end, err
		}
		pid := persistence.LockHolder(path)
		switch {
		case !holds(pid, path):
			if unknown.IsZero() {
				unknown = time.Now()
			}
			if time.Since(unknown) > silentGrace { // it may just have begun
				return nil, end, workspace.Fail(workspace.CodeRefused, "`fuser "+shellQuote(path)+"` names it: end it, then try again",
					"somebody holds %s, and who cannot be told: nothing was wiped", path)
			}
		case pid != end.pid:
			unknown = time.Time{}
			if !answers(ctx, home, name) {
				grace = silentGrace
			}
			end = ending{pid: pid, sessions: append(end.sessions, childSessions(pid)...)}
			asked = time.Now()
			if err := terminate(pid); err != nil && !errors.Is(err, os.ErrProcessDone) {
				return nil, end, fmt.Errorf("pid %d: %w", pid, err)
			}
		case !end.killed && time.Since(asked) > grace:
			end.killed = true
			end.sessions = append(end.sessions, childSessions(pid)...)
			if err := kill(pid); err != nil && !errors.Is(err, os.ErrProcessDone) {
				return nil, end, fmt.Errorf("pid %d: %w", pid, err)
			}
		case end.killed && time.Since(asked) > grace+killLimit:
			return nil, end, workspace.Fail(workspace.CodeBusy, fmt.Sprintf("see `ps -o stat,wchan -p %d`: a disk may hang", pid),
				"pid %d does not end, not even by SIGKILL: nothing was wiped", pid)
		}
		select {
		case <-ctx.Done():
			return nil, end, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// claim makes sure that nobody listens on the socket whose lock is held now: one who does has lost his lock file.
func claim(ctx context.Context, home persistence.Home, name, socket string, lock *persistence.Lock, end ending) (*persistence.Lock, ending, error) {
	nc, err := dialUnix(ctx, socket)
	if err == nil {
		nc.Close()
		lock.Release()
		return nil, end, workspace.Fail(workspace.CodeRefused, "`fuser "+shellQuote(socket)+"` names it: end it, then try again",
			"a %s listens on %s without its lock: nothing was wiped", name, socket)
	}
	if !wire.IsAbsent(err) {
		lock.Release()
		return nil, end, fmt.Errorf("nothing was wiped: %w", err)
	}
	return lock, end, nil
}

// holds reports whether the process is known to hold the lock. Where the system does not show who has a file open, the pid in it
// counts: its holder wrote it.
func holds(pid int, path string) bool {
	if pid <= 1 {
		return false
	}
	open, err := hasOpen(pid, path)
	if errors.Is(err, errNoTable) {
		return true
	}
	return err == nil && open
}

// answers reports whether the process behind a socket says hello.
func answers(ctx context.Context, home persistence.Home, name string) bool {
	st := lookHost
	if name == "daemon" {
		st = lookDaemon
	}
	return st(ctx, home).State == processUp
}

func childSessions(pid int) []int {
	table, err := readProcesses()
	if err != nil {
		return nil
	}
	return table.children(pid)
}

// endStrays ends what is left of those sessions, and every other process that began in a pane of the home. It spares itself, and
// those that it descends from unless they are of the sessions: it may have been started from a pane.
func endStrays(home persistence.Home, sessions []int) (int, error) {
	return endProcesses(func() ([]running, error) {
		table, err := readProcesses()
		if err != nil {
			return nil, err
		}
		spared := table.ancestors(os.Getpid())
		left := table.marked(home)
		for _, r := range table {
			if slices.Contains(sessions, r.session) && !slices.ContainsFunc(left, func(l running) bool { return l.pid == r.pid }) {
				left = append(left, r)
			}
		}
		return slices.DeleteFunc(left, func(r running) bool {
			return r.pid == os.Getpid() || spared[r.pid] && !slices.Contains(sessions, r.session)
		}), nil
	})
}

func kill(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}
