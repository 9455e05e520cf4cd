package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"moorage/workspace"
)

// The exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// usageError is a command line that makes no sense.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// toldError is a failure whose words have been printed already.
type toldError struct {
	error
	status int
}

// Root builds the whole command for env. In a shell `moorage` and `moorage PATH` attach; over SSH only the verbs that answer and end
// are there.
func Root(env Env) *cobra.Command {
	root := &cobra.Command{
		Use:   "moorage [PATH]",
		Short: "A terminal workspace that stays, served over SSH",
		Long: "moorage keeps shells and programs running in tasks, tabs and splits, for any number of terminals at once.\n" +
			"Without a verb it starts what is missing and attaches; with a PATH it opens that directory as a task first.",
		Example: "  moorage              # attach\n  moorage ~/src/thing  # attach to a directory's task\n  moorage api list     # ask, in JSON",
		Args:    usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case env.Remote && len(args) > 0:
				return usageError{fmt.Errorf("over SSH there is no verb %q", args[0])}
			case env.Remote:
				return usageError{errors.New("say a verb, like `api list`; without one connect with a terminal")}
			}
			return attach(cmd.Context(), env, args)
		},
	}
	root.Version = buildName()
	root.SetVersionTemplate("moorage {{.Version}}\n")
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.SilenceUsage, root.SilenceErrors = true, true
	root.AddCommand(statusCommand(env), versionCommand(env), apiCommand(env), restoreCommand(env), reportCommand(env), exitsCommand(env), addProjectCommand(env), removeProjectCommand(env),
		inboxCommand(env), enginesCommand(env))
	if env.Remote {
		root.CompletionOptions.DisableDefaultCmd = true
		return root
	}
	root.AddCommand(serveCommand(env), daemonCommand(env), ptyhostCommand(env), proxyCommand(env),
		sshConfigCommand(env), stopCommand(env), resetCommand(env), doctorCommand(env), installServiceCommand(env),
		hookCommand(env), hooksCommand(env), launchCommand(env))
	return root
}

// Run runs one command line and returns its exit status. It writes to env's streams only.
func Run(ctx context.Context, env Env, args []string) int {
	root := Root(env)
	root.SetArgs(args)
	var err error
	if env.Remote {
		// fang asks the process's own terminal for its colours; over SSH that is another one.
		err = root.ExecuteContext(ctx)
		env.report(err)
	} else {
		err = fang.Execute(ctx, root, fang.WithoutVersion(), fang.WithoutManpage(),
			fang.WithErrorHandler(func(_ io.Writer, _ fang.Styles, err error) { env.report(err) }))
	}
	return exitStatus(err)
}

func exitStatus(err error) int {
	if err == nil {
		return exitDone
	}
	if told, ok := errors.AsType[toldError](err); ok {
		return told.status
	}
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	return exitFailed
}

// report prints a failure as a sentence and, where there is one, a next step.
func (e Env) report(err error) {
	if err == nil {
		return
	}
	if _, told := errors.AsType[toldError](err); told {
		return
	}
	coded := workspace.AsError(err)
	next := coded.Next
	if _, ok := errors.AsType[usageError](err); ok && next == "" {
		next = "`moorage --help` shows the verbs and flags"
	}
	e.warn("%s", onePath(coded.Message))
	if next != "" {
		fmt.Fprintf(e.Stderr, "  Next: %s\n", next)
	}
}

// warn prints a line for the user.
func (e Env) warn(format string, args ...any) {
	fmt.Fprintf(e.Stderr, "moorage: "+format+"\n", args...)
}

// usage makes a failed check of arguments a usage error. An empty one is none: it names nothing, and comes of a variable that is not set.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return anyText(func(cmd *cobra.Command, args []string) error {
		words, _ := splitDash(cmd, args)
		if i := slices.Index(words, ""); i >= 0 {
			return fmt.Errorf("argument %d of %s is empty", i+1, cmd.Name())
		}
		return check(cmd, args)
	})
}

// anyText is usage for arguments that are text, which may be empty.
func anyText(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}
