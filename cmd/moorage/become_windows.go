package main

import (
	"errors"
	"os"
	"os/exec"
)

// become runs the program in this process's place, which Windows has no call for, and ends as it did.
func become(path string, args []string) error {
	cmd := exec.Command(path, args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return toldError{err, exit.ExitCode()}
	}
	return err
}
