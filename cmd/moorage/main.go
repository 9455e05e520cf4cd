// Command moorage is a terminal workspace served over SSH: one binary for its three processes (serve, daemon, ptyhost) and for
// everything that talks to them.
//
// It wires the floors below together, one file a verb, and owns no rules of its own. Each verb is built on an Env, so that a
// command line that comes over SSH runs the very same code as one in a shell.
//
// Exit status: 0 done, 1 it failed, 2 the command line makes no sense. `moorage api` prints JSON, also for failures:
// {"error":{"code","message","next"}}.
package main

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(run()) }

func run() int {
	// A process in the foreground ends with its terminal; those that stay are in sessions of their own, which no SIGHUP reaches.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	dir, err := os.Getwd()
	if err != nil { // it is gone: what is named from it is not to be found, and said to be so
		dir = cmp.Or(os.Getenv("PWD"), "/the directory of this process, which is gone")
	}
	return Run(ctx, Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Dir: dir}, os.Args[1:])
}
