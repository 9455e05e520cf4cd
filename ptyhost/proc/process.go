package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Grace is how long a session's processes have between SIGTERM and SIGKILL.
const Grace = 500 * time.Millisecond

// Spec says what to start.
type Spec struct {
	Argv       []string // empty: the user's login shell
	Dir        string   // must exist
	Env        []string // complete
	Cols, Rows int
}

// Exit says how a process ended: a code, or the signal's name.
type Exit struct {
	Code   int
	Signal string
}

// ErrDirGone is what Start fails with when the directory is not there. A
// session never falls back to another directory by itself.
var ErrDirGone = errors.New("directory gone")

// check looks at what exec would only fail on after the fork.
func (s Spec) check() error {
	info, err := os.Stat(s.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", s.Dir, ErrDirGone)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: not a directory", s.Dir)
	}
	return nil
}

// command builds the command: a login shell is named with a leading dash, as
// login(1) does it; anything else is looked up in the PATH of Env.
func (s Spec) command() (*exec.Cmd, error) {
	if len(s.Argv) == 0 {
		shell := Shell(s.Env)
		return &exec.Cmd{Path: shell, Args: []string{"-" + filepath.Base(shell)}, Dir: s.Dir, Env: s.Env}, nil
	}
	path, err := lookPath(s.Argv[0], s.Dir, Lookup(s.Env, "PATH"))
	if err != nil {
		return nil, err
	}
	return &exec.Cmd{Path: path, Args: s.Argv, Dir: s.Dir, Env: s.Env}, nil
}

// Shell is the user's login shell: $SHELL, else /bin/sh.
func Shell(env []string) string {
	if sh := Lookup(env, "SHELL"); filepath.IsAbs(sh) {
		if info, err := os.Stat(sh); err == nil && info.Mode()&0o111 != 0 {
			return sh
		}
	}
	for _, sh := range []string{"/bin/bash", "/bin/zsh", "/bin/sh"} {
		if _, err := os.Stat(sh); err == nil {
			return sh
		}
	}
	return "/bin/sh"
}

// shells are the names of the shells that people type into.
var shells = []string{
	"sh", "ash", "bash", "dash", "ksh", "mksh", "zsh", "fish", "csh", "tcsh", "nu", "elvish", "xonsh", "pwsh",
}

// AtPrompt reports whether a process that has the terminal is a shell that
// reads commands from it, rather than from a file or its command line. It is
// false when that cannot be seen.
func AtPrompt(pid int) bool { return interactive(arguments(pid)) }

func interactive(argv []string) bool {
	if len(argv) == 0 || !slices.Contains(shells, strings.TrimPrefix(filepath.Base(argv[0]), "-")) {
		return false
	}
	return !slices.ContainsFunc(argv[1:], func(a string) bool {
		long := strings.HasPrefix(a, "--")
		return !strings.HasPrefix(a, "-") || a == "-" || !long && strings.ContainsRune(a, 'c') || strings.HasPrefix(a, "--c")
	})
}

func lookPath(name, dir, path string) (string, error) {
	if strings.ContainsRune(name, os.PathSeparator) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		return name, executable(name)
	}
	for _, d := range filepath.SplitList(path) {
		if d == "" || !filepath.IsAbs(d) {
			continue
		}
		full := filepath.Join(d, name)
		if executable(full) == nil {
			return full, nil
		}
	}
	return "", fmt.Errorf("%s: %w in PATH", name, exec.ErrNotFound)
}

func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir() || info.Mode()&0o111 == 0:
		return fmt.Errorf("%s: %w", path, fs.ErrPermission)
	}
	return nil
}
