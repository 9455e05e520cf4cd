package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"moorage/persistence"
	"moorage/ptyhost/proc"
)

// starter returns a function that starts verb of this binary, detached: by its systemd unit where one is installed, so that it is
// no part of who starts it there either. It does not wait for the process to be ready.
func starter(home persistence.Home, verb string) func(context.Context) error {
	return func(ctx context.Context) error {
		if startUnit(ctx, home, verb) {
			return nil
		}
		_, err := detach(home, verb)
		return err
	}
}

// detach starts verb of this binary in a session of its own, with the home as directory and its last words in
// <home>/log/<verb>.err. The channel gets the outcome when it ends, if this process is still there. Started from a pane, it is no
// part of it: the marks of a pane are not passed on.
func detach(home persistence.Home, verb string, args ...string) (ended <-chan error, err error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", verb, err)
	}
	if _, err := home.MakeDir("log"); err != nil {
		return nil, fmt.Errorf("start %s: %w", verb, err)
	}
	words, err := os.OpenFile(lastWords(home, verb), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", verb, err)
	}
	defer words.Close()
	cmd := exec.Command(exe, append([]string{verb}, args...)...)
	cmd.Dir = home.Dir()
	cmd.Env = append(slices.DeleteFunc(os.Environ(), marksPane), persistence.HomeVariable+"="+home.Dir())
	cmd.Stdout, cmd.Stderr = words, words
	proc.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", verb, err)
	}
	outcome := make(chan error, 1)
	go func() { outcome <- cmd.Wait() }() // reaps it; it ends with the child or with this process
	return outcome, nil
}

// marksPane reports whether a line of an environment says which pane a process began in.
func marksPane(kv string) bool {
	name, _, _ := strings.Cut(kv, "=")
	return name == "MOORAGE" || name == "MOORAGE_TASK_ID" || name == "MOORAGE_TAB_ID"
}

// lastWords is the file that a detached process's output goes to: nothing, unless it could not start or it fell.
func lastWords(home persistence.Home, verb string) string { return home.Path("log", verb+".err") }

// readLastWords returns what a process that ended at once has said.
func readLastWords(home persistence.Home, verb string) string {
	text, err := os.ReadFile(lastWords(home, verb))
	if err != nil || len(text) == 0 {
		return "it said nothing; see " + home.Path("log")
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimPrefix(first, "moorage: ")
}
