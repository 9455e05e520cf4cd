package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"moorage/persistence"
	"moorage/workspace"
)

// checkStores reads each store to its last page, unless a process has it open: then that process has to answer for it.
func checkStores(_ context.Context, e examined) []finding {
	tasks, tabs, err := lookIndex(e.home)
	index := storeFinding(e, "index", indexFile, "the daemon", e.daemon, err, func() string {
		return workspace.Plural(tasks, "task") + " with " + workspace.Plural(tabs, "tab")
	})
	records, err := lookFrozen(e.home)
	frozen := storeFinding(e, "freeze", freezeFile, "the PTY host", e.ptyhost, err, func() string {
		return workspace.Plural(records, "frozen screen")
	})
	if info, err := os.Stat(e.home.Path(freezeFile)); err == nil {
		frozen.Text += ", last written " + info.ModTime().Format(time.DateTime)
	}
	return append([]finding{index, frozen}, checkAside(e)...)
}

func storeFinding(e examined, check, file, whose string, p processStatus, err error, holds func() string) finding {
	path := e.home.Path(file)
	switch {
	case err == nil:
		return finding{check, fine, fmt.Sprintf("%s is sound: %s, %s", file, holds(), bytesText(sizeOf(path))), ""}
	case errors.Is(err, fs.ErrNotExist):
		return finding{check, fine, file + " does not exist yet", ""}
	case errors.Is(err, persistence.ErrBusy) && p.State == processUp:
		return finding{check, fine, fmt.Sprintf("%s is open in %s, which answers; %s", file, whose, bytesText(sizeOf(path))), ""}
	case errors.Is(err, persistence.ErrBusy):
		return finding{check, unknown, fmt.Sprintf("%s is open in a process that does not answer for it", file), "fuser -v " + shellQuote(path)}
	}
	if _, could := errors.AsType[*fs.PathError](err); could {
		return finding{check, unknown, err.Error(), "ls -l " + shellQuote(path)}
	}
	return finding{
		check, broken, fmt.Sprintf("%v: the next start sets it aside and begins a new one", err),
		"cp " + shellQuote(path) + " " + shellQuote(path+".copy") + ", before anything is started",
	}
}

// checkAside names what was set aside as unreadable, now or long ago.
func checkAside(e examined) []finding {
	names, err := e.home.SetAsides()
	if err != nil {
		return []finding{{"aside", unknown, err.Error(), "ls -l " + shellQuote(e.home.Dir())}}
	}
	if len(names) == 0 {
		return nil
	}
	var paths []string
	for _, name := range names {
		paths = append(paths, shellQuote(filepath.Join(e.home.Dir(), name)))
	}
	return []finding{{
		"aside", odd, "could not be read and was set aside: " + strings.Join(names, ", "),
		"keep it for a bug report, or: rm " + strings.Join(paths, " "),
	}}
}

// checkThaw says what became of the frozen screens when the host began.
func checkThaw(_ context.Context, e examined) []finding {
	if e.ptyhost.State != processUp {
		return nil
	}
	if e.sessionsErr != nil {
		return []finding{{"thaw", unknown, e.sessionsErr.Error(), "grep thawed " + shellQuote(e.home.Path("log", "ptyhost.log"))}}
	}
	t := e.host.Thaw
	text := fmt.Sprintf("when the host began: %d restored, %d left on disk until they are shown, %d expired, %d unreadable", t.Restored, t.Deferred, t.Expired, t.Unreadable)
	if t.Unreadable > 0 {
		return []finding{{"thaw", odd, text + ": " + strings.Join(t.SetAside, ", "), "grep -i 'set aside' " + shellQuote(e.home.Path("log", "ptyhost.log"))}}
	}
	return []finding{{"thaw", fine, text, ""}}
}
