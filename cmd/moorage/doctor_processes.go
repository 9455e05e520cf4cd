package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"moorage/persistence"
	"moorage/ptyhost/wire"
	"moorage/workspace/settings"
)

// checkProcesses says which of the three run, and of which build.
func checkProcesses(_ context.Context, e examined) []finding {
	mine := buildName()
	var found []finding
	for _, p := range []struct {
		name, renew string
		processStatus
	}{
		{"sshd", "moorage stop && moorage", e.sshd},
		{"daemon", "moorage stop && moorage", e.daemon},
		{"ptyhost", "nothing, while it works; `moorage reset` replaces it and ends its sessions", e.ptyhost},
	} {
		switch {
		case p.State == processOff:
			found = append(found, finding{p.name, fine, "does not run: it is started when it is needed", ""})
		case p.State == processSilent:
			next := "moorage status"
			if p.Next != "" {
				next = p.Next
			} else if p.PID > 1 {
				next = fmt.Sprintf("ps -o pid,stat,etime,args -p %d; if it is stopped (T): kill -CONT %d", p.PID, p.PID)
			}
			found = append(found, finding{p.name, broken, fmt.Sprintf("does not answer as it should (%s): %s", pidText(p.PID), p.Error), next})
		case p.Build != "" && p.Build != mine:
			found = append(found, finding{p.name, odd, fmt.Sprintf("runs build %s (pid %d); this is %s", p.Build, p.PID, mine), p.renew})
		case p.Build == "":
			found = append(found, finding{p.name, fine, fmt.Sprintf("runs (pid %d)", p.PID), ""})
		default:
			found = append(found, finding{p.name, fine, fmt.Sprintf("runs build %s (pid %d)", p.Build, p.PID), ""})
		}
	}
	if port := e.sshd.Taken; port != 0 {
		found = append(found, finding{
			"sshd", odd, fmt.Sprintf("port %d is taken by another program: `moorage` works, `ssh -p %d` does not", port, port),
			"set another `port =` in " + shellQuote(e.home.Path(settings.File)) + ", then: moorage stop && moorage",
		})
	}
	if w := e.host.Warning; w != "" {
		found = append(found, finding{"ptyhost", broken, "it warns: " + w, "df -h " + shellQuote(e.home.Dir()) + "; it tries again by itself"})
	}
	return found
}

// checkSockets looks at the three sockets and their locks.
func checkSockets(ctx context.Context, e examined) []finding {
	var found []finding
	far := ""
	for _, name := range []string{"ssh", "daemon", "ptyhost"} {
		path, err := e.home.SocketPath(name)
		if wire.IsAbsent(err) {
			continue // nothing ever ran here
		}
		if err != nil {
			found = append(found, finding{"sockets", broken, err.Error(), "ls -ld " + shellQuote(e.home.Path("run"))})
			continue
		}
		if dir := filepath.Dir(path); dir != e.home.Path("run") {
			far = dir
		}
		found = append(found, checkSocket(ctx, path)...)
	}
	if far != "" {
		found = append(found, finding{"sockets", fine, "the home's path is too long for a socket address: they are in " + far, ""})
	}
	if len(found) == 0 {
		found = append(found, finding{"sockets", fine, "in order", ""})
	}
	return found
}

// checkSocket finds nothing to say about a socket that is listened on, or that is not there.
func checkSocket(ctx context.Context, path string) []finding {
	info, err := os.Lstat(path)
	if err != nil {
		return nil
	}
	if info.Mode()&os.ModeSocket == 0 {
		return []finding{{"sockets", broken, path + " is no socket: nothing can listen there", "rm " + shellQuote(path)}}
	}
	nc, err := dialUnix(ctx, path)
	switch {
	case err == nil:
		nc.Close()
		return nil
	case wire.IsAbsent(err):
		return []finding{{"sockets", fine, path + " is left over from a process that is gone: the next one takes its place", ""}}
	}
	return []finding{{
		"sockets", broken, fmt.Sprintf("nobody accepts on %s: %v", path, err),
		fmt.Sprintf("ps -o pid,stat,args -p %d", persistence.LockHolder(path+".lock")),
	}}
}

// checkOrphans lists processes that began in a pane and belong to no live session: they made a session of their own, or their host
// died.
func checkOrphans(_ context.Context, e examined) []finding {
	table, err := readProcesses()
	if err == nil {
		err = e.sessionsErr
	}
	if errors.Is(err, errNoTable) {
		return []finding{{"orphans", unknown, err.Error(), "ps -axo pid,ppid,sess,command"}}
	}
	if err != nil {
		return []finding{{"orphans", unknown, "which processes belong to live sessions is not known: " + err.Error(), "moorage api pty-list"}}
	}
	live := make(map[int]bool)
	for _, s := range e.sessions {
		if s.Alive() {
			live[s.PID] = true
		}
	}
	var pids, names []string
	left := table.marked(e.home)
	slices.SortFunc(left, func(a, b running) int { return a.pid - b.pid })
	spared := table.ancestors(os.Getpid())
	for _, r := range left {
		if !live[r.session] && !spared[r.pid] {
			pids = append(pids, strconv.Itoa(r.pid))
			names = append(names, fmt.Sprintf("%s (pid %d)", r.name, r.pid))
		}
	}
	if len(pids) == 0 {
		return []finding{{"orphans", fine, "every process that began in a pane belongs to a live session", ""}}
	}
	return []finding{{"orphans", odd, "began in a pane and belong to no live session: " + some5(names), "if they are not wanted: kill " + strings.Join(pids, " ")}}
}
