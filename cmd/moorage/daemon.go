package main

import (
	"context"

	"github.com/spf13/cobra"

	daemonprocess "moorage/workspace/daemon"
)

func daemonCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "daemon",
		Short: "Run the workspace daemon in the foreground",
		Long:  "It owns the tasks and tabs. Whoever needs it starts it; it stops by itself when nobody does.",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := env.newProcess("daemon")
			if err != nil {
				return err
			}
			defer p.close()
			if err := awaitReset(cmd.Context(), p.home); err != nil {
				return err
			}
			return daemonprocess.Run(cmd.Context(), daemonprocess.Config{
				Home: p.home, Build: buildName(), Log: p.log, StartHost: starter(p.home, "ptyhost"),
				ReplaceHost: func(ctx context.Context) error { return replaceHost(ctx, p.home) },
				Exits:       p.settings.Exits, OpenFile: fileOpener(),
				Engines: engines(p.settings), Launcher: launcher(), TrustCodex: p.settings.Hooks.CodexTrust,
			})
		},
	}
}
