package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"moorage/persistence"
	"moorage/ptyhost/hostclient"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
	"moorage/workspace/settings"
)

// resetPlan is what a reset would do, with everything counted that can be.
type resetPlan struct {
	home         persistence.Home
	hard         bool
	host         processStatus
	tasks, tabs  count
	live, frozen count
	strays       count // processes of panes that have left their sessions; also those that a dead host left
	frozenBytes  int64
	indexBytes   int64
	settings     bool
	aside        []string
}

// planReset looks and changes nothing.
func planReset(ctx context.Context, home persistence.Home, hard bool) resetPlan {
	p := resetPlan{home: home, hard: hard, host: lookHost(ctx, home)}
	var sessions map[int]bool
	p.live, p.frozen, sessions = countSessions(ctx, home, p.host)
	p.tasks, p.tabs = countTasks(ctx, home)
	table, err := readProcesses()
	p.strays.err = err
	if err == nil {
		for _, r := range table.marked(home) {
			if !sessions[r.session] {
				p.strays.n++
			}
		}
	}
	p.frozenBytes, p.indexBytes = sizeOf(home.Path(freezeFile)), sizeOf(home.Path(indexFile))
	_, err = os.Lstat(home.Path(settings.File))
	p.settings = err == nil
	p.aside, _ = home.SetAsides() // they stay, so not to see them costs nothing
	return p
}

// countSessions asks the host, or looks into its store when it is off. The pids are those of the live sessions' leaders.
func countSessions(ctx context.Context, home persistence.Home, host processStatus) (live, frozen count, leaders map[int]bool) {
	switch host.State {
	case processOff:
		frozen.n, frozen.err = lookFrozen(home)
		if errors.Is(frozen.err, fs.ErrNotExist) {
			frozen.err = nil
		}
		return live, frozen, nil
	case processSilent:
		err := errors.New(host.Error)
		return count{err: err}, count{err: err}, nil
	}
	h, err := hostclient.Dial(ctx, home, buildName(), role)
	if err != nil {
		return count{err: err}, count{err: err}, nil
	}
	defer h.Close()
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	sessions, err := h.List(ctx)
	if err != nil {
		return count{err: err}, count{err: err}, nil
	}
	leaders = make(map[int]bool)
	for _, s := range sessions {
		if s.Alive() {
			live.n++
			leaders[s.PID] = true
		}
	}
	return live, count{n: len(sessions)}, leaders
}

// countTasks asks the daemon, or looks into its index when it is off.
func countTasks(ctx context.Context, home persistence.Home) (tasks, tabs count) {
	d, err := daemonclient.Dial(ctx, daemonConfig(home, nil))
	if err == nil {
		defer d.Close()
		ctx, cancel := context.WithTimeout(ctx, answerLimit)
		defer cancel()
		st, err := d.Status(ctx)
		return count{st.Tasks, err}, count{st.Tabs, err}
	}
	tasks.n, tabs.n, err = lookIndex(home)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tasks.err, tabs.err = err, err
	}
	return tasks, tabs
}

func (p resetPlan) print(w io.Writer) error {
	text := "A reset of " + p.home.Dir() + "\n"
	line := func(verb, format string, args ...any) {
		text += fmt.Sprintf("  %-8s %s\n", verb, fmt.Sprintf(format, args...))
	}
	switch p.host.State {
	case processUp:
		line("ends", "%s, and the PTY host (pid %d)", p.live.of("live session"), p.host.PID)
	case processSilent:
		line("ends", "%s, and the PTY host (%s), which does not answer as it should: by signals if need be (%s)",
			p.live.of("live session"), pidText(p.host.PID), p.host.Error)
	default:
		line("ends", "no session: the PTY host does not run")
	}
	if p.strays.n > 0 {
		line("ends", "%s, begun in a pane and no longer of a live session", processes(p.strays.n))
	}
	line("forgets", "%s on disk (%s)", p.frozen.of("frozen screen"), bytesText(p.frozenBytes))
	work := p.tasks.of("task") + " with " + p.tabs.of("tab")
	kept := "directories and keys"
	if p.hard {
		line("deletes", "%s (%s)", work, bytesText(p.indexBytes))
		if p.settings {
			line("deletes", "%s", settings.File)
		}
	} else {
		kept = work + ", the settings, " + kept
	}
	if n := len(p.aside); n > 0 {
		kept += ", " + workspace.Plural(n, "file") + " set aside earlier"
	}
	line("keeps", "%s", kept)
	_, err := io.WriteString(w, text)
	return err
}

func pidText(pid int) string {
	if pid <= 0 {
		return "pid unknown"
	}
	return fmt.Sprintf("pid %d", pid)
}

func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}
