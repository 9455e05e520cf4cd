package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"

	"moorage/persistence"
	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/wire"
	"moorage/ui/keymap"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
	"moorage/workspace/settings"
)

// Env is where a command line runs.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Dir is what relative paths are relative to.
	Dir string
	// Remote says that the line came over SSH and runs inside sshd: verbs that would take the process over are left out.
	Remote bool
}

// terminal is the input, if that is one.
func (e Env) terminal() (*os.File, bool) {
	in, ok := e.Stdin.(*os.File)
	return in, ok && term.IsTerminal(in.Fd())
}

// role names the CLI in the hellos that it sends.
const role = "cli"

// daemon connects to the workspace daemon, starting it if positively none runs.
func daemon(ctx context.Context, home persistence.Home) (*daemonclient.Client, error) {
	d, err := daemonclient.Ensure(ctx, daemonConfig(home, starter(home, "daemon")))
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		return nil, workspace.Fail(workspace.CodeAway, "`moorage status` names its pid; `kill -CONT` it if it was stopped", "the daemon does not answer: %v", err)
	}
	return d, err
}

// talk calls f with a connection to the daemon, which is started if need be.
func talk(ctx context.Context, f func(*daemonclient.Client) error) error {
	home, err := persistence.OpenHome("")
	if err != nil {
		return err
	}
	d, err := daemon(ctx, home)
	if err != nil {
		return err
	}
	defer d.Close()
	return f(d)
}

func daemonConfig(home persistence.Home, start func(context.Context) error) daemonclient.Config {
	return daemonclient.Config{Home: home, Build: buildName(), Role: role, Start: start}
}

// host connects to the PTY host. It never starts it: without one there are no sessions to ask about.
func host(ctx context.Context, home persistence.Home) (*hostclient.Client, error) {
	return hostclient.Dial(ctx, home, buildName(), role)
}

// hostSilent says what to do about a host that is there and did not take a connection. What it said itself, that it serves another
// home, say, stands.
func hostSilent(home persistence.Home, err error) error {
	if wire.CodeOf(err) != "" {
		return err
	}
	pid := lockHolder(home, "ptyhost")
	return workspace.Fail(workspace.CodeHostUnresponsive,
		fmt.Sprintf("its sessions may still run: if `ps -o stat -p %d` shows T it was stopped, and `kill -CONT %d` wakes it; `moorage reset` ends it with them", pid, pid),
		"the PTY host (%s) does not answer: %v", pidText(pid), err)
}

// process is what each of the three processes starts with.
type process struct {
	home     persistence.Home
	settings settings.Settings
	mistakes []string // of the settings
	log      *slog.Logger
	close    func()
}

// loadSettings reads the home's settings, and what is wrong in them, a line each: also in the keys. The defaults hold for that.
func loadSettings(home persistence.Home) (s settings.Settings, mistakes []string) {
	s, err := settings.Load(home.Path(settings.File))
	if _, keys := keymap.New(s.Prefix, s.Keys); keys != nil {
		err = errors.Join(err, keys)
	}
	if err != nil {
		mistakes = strings.Split(err.Error(), "\n")
	}
	return s, mistakes
}

// warnOf tells the user of mistakes in the settings.
func (e Env) warnOf(home persistence.Home, mistakes []string) {
	if len(mistakes) > 0 {
		e.warn("%s:\n  %s\n  The defaults hold for these until they are mended.", home.Path(settings.File), strings.Join(mistakes, "\n  "))
	}
}

// newProcess opens the home, the log of that name and the settings. A mistake in the settings goes to the log and to stderr;
// the defaults hold.
func (e Env) newProcess(name string) (process, error) {
	home, err := persistence.OpenHome("")
	if err != nil {
		return process{}, err
	}
	file, err := home.Log(name)
	if err != nil {
		return process{}, err
	}
	p := process{home: home, log: slog.New(slog.NewTextHandler(file, nil)), close: func() { file.Close() }}
	p.settings, p.mistakes = loadSettings(home)
	e.warnOf(home, p.mistakes)
	for i, mistake := range p.mistakes {
		p.log.Error("a default holds", "settings", mistake)
		p.mistakes[i] = settings.File + ", " + mistake
	}
	return p, nil
}
