package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"moorage/persistence"
	"moorage/workspace"
)

func resetCommand(env Env) *cobra.Command {
	var hard, yes bool
	cmd := &cobra.Command{
		Use:   "reset",
		Short: "End all sessions for good, and start the PTY host afresh",
		Long: "Says first what it would do, and asks. Every session ends with all that runs in it, its screen is forgotten, and nothing of it\n" +
			"comes back. Tasks, tabs and settings stay, unless --hard; directories and keys stay always. Clients stay attached.",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return reset(cmd.Context(), env, hard, yes) },
	}
	cmd.Flags().BoolVar(&hard, "hard", false, "forget the tasks and tabs and delete settings.toml as well")
	cmd.Flags().BoolVar(&yes, "yes", false, "do it without asking")
	return cmd
}

func reset(ctx context.Context, env Env, hard, yes bool) error {
	looked, err := persistence.LookHome("")
	if err != nil {
		return err
	}
	if missing(looked.Dir()) {
		_, err := fmt.Fprintf(env.Stdout, "there is nothing to reset: %s does not exist\n", looked.Dir())
		return err
	}
	plan := planReset(ctx, looked, hard)
	if err := plan.print(env.Stdout); err != nil {
		return err
	}
	if !yes {
		if agreed, err := agree(ctx, env); err != nil || !agreed {
			return err
		}
	}
	home, err := persistence.OpenHome("")
	if err != nil {
		return err
	}
	if insidePane(home) {
		return resetOutside(env, home, hard)
	}
	return carryOut(ctx, env, home, hard)
}

// agree asks on the terminal. Without one nobody can say yes. An interrupt ends the question, not the terminal's read.
func agree(ctx context.Context, env Env) (bool, error) {
	in, ok := env.terminal()
	if !ok {
		return false, usageError{errors.New("nothing was changed: without a terminal to ask on, a reset needs --yes")}
	}
	if _, err := fmt.Fprint(env.Stdout, "Go on? [y/N] "); err != nil {
		return false, err
	}
	answers := make(chan string, 1)
	go func() { // it ends with an answer, or with the process
		line, _ := bufio.NewReader(in).ReadString('\n') // the end of input is no yes
		answers <- line
	}()
	line := ""
	select {
	case <-ctx.Done():
	case line = <-answers:
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true, nil
	}
	if !strings.HasSuffix(line, "\n") {
		fmt.Fprintln(env.Stdout)
	}
	if _, err := fmt.Fprintln(env.Stdout, "nothing was changed"); err != nil {
		return false, err
	}
	return false, ctx.Err()
}

// resetOutside hands the reset to a process outside the panes: this one ends with the pane that it was typed in.
func resetOutside(env Env, home persistence.Home, hard bool) error {
	args := []string{"--yes"}
	if hard {
		args = append(args, "--hard")
	}
	ended, err := detach(home, "reset", args...)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(env.Stdout, "this pane ends too: how it went is in %s\n", lastWords(home, "reset")); err != nil {
		return err
	}
	if err := <-ended; err != nil { // if it ends before this one does, it has done nothing to this pane
		text, _ := os.ReadFile(lastWords(home, "reset"))
		return workspace.Fail(workspace.CodeRefused, "run it in a terminal outside moorage", "the reset failed: %v\n%s", err, text)
	}
	return nil
}

// A count of things, or why they could not be counted.
type count struct {
	n   int
	err error
}

// of words the count for the thing, whose plural has an s.
func (c count) of(thing string) string {
	if c.err != nil {
		return "an unknown number of " + thing + "s"
	}
	return workspace.Plural(c.n, thing)
}

// bytesText is a size for people.
func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return workspace.Plural(int(n), "byte")
}
