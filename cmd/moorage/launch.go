package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moorage/persistence"
	"moorage/workspace"
	"moorage/workspace/engine"
)

// launchLimit is how long a pane waits for the daemon to say how its engine is started.
const launchLimit = 20 * time.Second

// launchCommand is what an engine's pane runs in its login shell: it asks how the engine is to be started now and becomes that. A session's
// command stays the same that way, whoever starts it again and whenever.
func launchCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:    "launch -- COMMAND...",
		Short:  "Start an engine in its pane; panes run it",
		Hidden: true,
		Args:   usage(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			shell := os.Getenv("SHELL")
			if !filepath.IsAbs(shell) {
				shell = "/bin/sh"
			}
			if _, err := exec.LookPath(args[0]); errors.Is(err, exec.ErrNotFound) {
				env.warn("%s is not on the PATH of your login shell: install it, or add where it is; this is your shell", args[0])
				return become(shell, []string{shell, "-l"})
			}
			out, program, err := askLaunch(cmd.Context(), env, args)
			if err != nil {
				env.report(err)
				env.warn("%s was not started; this is your shell", args[0])
			}
			if len(out.Argv) == 0 {
				return become(shell, []string{shell, "-l"})
			}
			for _, name := range out.Unset {
				unset(name)
			}
			for _, kv := range out.Env {
				name, value, _ := strings.Cut(kv, "=")
				if err := os.Setenv(name, value); err != nil {
					return err
				}
			}
			argv := engine.Wrap(program, out.Engine, shell, out.Argv)
			return become(argv[0], argv)
		},
	}
}

func askLaunch(ctx context.Context, env Env, command []string) (out workspace.Launched, program string, err error) {
	ctx, cancel := context.WithTimeout(ctx, launchLimit)
	defer cancel()
	p := workspace.Launch{Command: command, Dir: env.Dir}
	p.Task, p.Tab, p.Pane = os.Getenv("MOORAGE_TASK_ID"), os.Getenv("MOORAGE_TAB_ID"), os.Getenv("MOORAGE_PANE_ID")
	if p.Task == "" {
		return out, "", workspace.Fail(workspace.CodeInvalid, "`moorage api tab-add TASK -- COMMAND` makes one", "launch works in a pane of moorage only")
	}
	if p.Program, err = os.Executable(); err != nil {
		return out, "", err
	}
	for _, name := range engine.Variables {
		if value, ok := os.LookupEnv(name); ok {
			p.Env = append(p.Env, name+"="+value)
		}
	}
	home, err := persistence.OpenHome("")
	if err != nil {
		return out, p.Program, err
	}
	for {
		d, err := daemon(ctx, home)
		if err == nil {
			out, err = d.Launch(ctx, p)
			d.Close()
		}
		// A daemon that is just ending, or has just fallen, has a next one.
		if err == nil || workspace.CodeOf(err) != workspace.CodeAway && !errors.Is(err, context.Canceled) || ctx.Err() != nil {
			return out, p.Program, err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// unset takes a variable out of the environment, or all that begin as a name that ends in * does.
func unset(name string) {
	prefix, many := strings.CutSuffix(name, "*")
	for _, kv := range os.Environ() {
		have, _, _ := strings.Cut(kv, "=")
		if have == name || many && strings.HasPrefix(have, prefix) {
			_ = os.Unsetenv(have) // a name that the environment has is a valid one
		}
	}
}

// launcher is what is put before an engine's command line: the login shell, which becomes moorage, which becomes the engine's wrapper.
func launcher() []string {
	program, err := os.Executable()
	if err != nil {
		return nil
	}
	shell := os.Getenv("SHELL")
	if !filepath.IsAbs(shell) {
		shell = "/bin/sh"
	}
	script := `exec "$0" "$@"`
	if filepath.Base(shell) == "fish" {
		script = "exec $argv"
	}
	if slices.Contains([]string{"csh", "tcsh", "nu", "pwsh"}, filepath.Base(shell)) { // they do not speak so
		shell = "/bin/sh"
	}
	return []string{shell, "-l", "-c", script, program, "launch", "--"}
}
