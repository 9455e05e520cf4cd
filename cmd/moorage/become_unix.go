//go:build unix

package main

import (
	"os"
	"slices"
	"strings"
	"syscall"
)

// become replaces this process by the program, so that signals, the terminal and the exit status are its own. ssh runs its
// ProxyCommand by $SHELL, which need not be a shell that runs anything: an account without a login has one that ends at once.
func become(path string, args []string) error {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "SHELL=") })
	return syscall.Exec(path, args, append(env, "SHELL=/bin/sh"))
}
