//go:build unix

package main

import (
	"os"
	"syscall"
)

// become replaces this process by the program, so that signals, the terminal and the exit status are its own.
func become(path string, args []string) error {
	return syscall.Exec(path, args, os.Environ())
}
