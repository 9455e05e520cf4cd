package main

import (
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moorage/persistence"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

// hookLimit is how long a hook may keep its engine, from its start to its end.
const hookLimit = 450 * time.Millisecond

// hookCommand is what engines call. It prints nothing and exits 0 whatever happens: what a hook prints may become part of a conversation, and
// its failure would be the engine's. It starts nothing and never tells its environment.
func hookCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:                "hook ENGINE [EVENT] [--exit CODE]",
		Short:              "Tell moorage what happens in an engine; engines call it",
		Hidden:             true,
		DisableFlagParsing: true, // so that no usage can be wrong
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), hookLimit)
			defer cancel()
			_ = tellHook(ctx, env, args) // nobody would hear of it
			return nil
		},
	}
}

func tellHook(ctx context.Context, env Env, args []string) error {
	p := workspace.Hook{
		Task: os.Getenv("MOORAGE_TASK_ID"), Tab: os.Getenv("MOORAGE_TAB_ID"), Dir: env.Dir, PID: os.Getpid(),
	}
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--exit" && i+1 < len(args):
			code, err := strconv.Atoi(args[i+1])
			if err != nil {
				return err
			}
			p.Exit = &code
			i++
		case p.Engine == "":
			p.Engine = args[i]
		default:
			p.Event = args[i]
		}
	}
	if p.Exit == nil {
		var err error
		if p.Payload, err = readWithin(ctx, env.Stdin, workspace.MaxPayload); err != nil {
			return err
		}
	}
	home, err := persistence.LookHome("")
	if err != nil {
		return err
	}
	d, err := daemonclient.Dial(ctx, daemonConfig(home, nil))
	if err != nil {
		return err
	}
	defer d.Close()
	_, err = d.Hook(ctx, p)
	return err
}

// readWithin reads to the end of r, or fails when ctx ends first. Then the read is left behind: the process ends.
func readWithin(ctx context.Context, r io.Reader, limit int64) ([]byte, error) {
	type read struct {
		data []byte
		err  error
	}
	got := make(chan read, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(r, limit))
		got <- read{data, err}
	}()
	select {
	case g := <-got:
		return g.data, g.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func hooksCommand(env Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hooks",
		Short: "Say whether engines may be given hooks, and for which of them they are installed",
		Long: "With hooks an engine tells what it does: that a turn has ended, that it needs you, that it is limited. Claude Code, Codex, Copilot\n" +
			"and opencode get them for each launch, beside your own; nothing of yours is changed. Until you allow it they get none.",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	set := func(use, short string, consent workspace.Consent) *cobra.Command {
		return &cobra.Command{
			Use: use, Short: short, Args: usage(cobra.NoArgs),
			RunE: func(cmd *cobra.Command, _ []string) error { return tellConsent(cmd.Context(), env, consent) },
		}
	}
	cmd.AddCommand(
		set("allow", "Give engines hooks when they are launched from now on", workspace.ConsentAllowed),
		set("deny", "Give engines no hooks", workspace.ConsentDenied),
		set("status", "Say whether engines are given hooks", ""),
		hooksInstallCommand(env, true), hooksInstallCommand(env, false))
	return cmd
}

func tellConsent(ctx context.Context, env Env, consent workspace.Consent) error {
	home, err := persistence.OpenHome("")
	if err != nil {
		return err
	}
	d, err := daemon(ctx, home)
	if err != nil {
		return err
	}
	defer d.Close()
	now, err := d.Hooks(ctx, workspace.Hooks{Consent: consent})
	if err != nil {
		return err
	}
	text := map[workspace.Consent]string{
		workspace.ConsentUnasked: "not asked yet: engines get no hooks. `moorage hooks allow` gives them some",
		workspace.ConsentAllowed: "allowed: engines that are launched from now on get hooks",
		workspace.ConsentDenied:  "denied: engines get no hooks",
	}[now.Consent]
	_, err = io.WriteString(env.Stdout, strings.TrimSpace(text)+"\n")
	return err
}
