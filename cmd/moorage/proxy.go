package main

import (
	"context"
	"errors"
	"io"
	"net"

	"github.com/spf13/cobra"

	"moorage/persistence"
)

func proxyCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "proxy",
		Short: "Carry an SSH connection to the front's socket",
		Long:  "For ssh's ProxyCommand: standard input and output become the connection. Starts the front when none runs.",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := persistence.OpenHome("")
			if err != nil {
				return err
			}
			nc, err := dialSSH(cmd.Context(), home)
			if err != nil {
				return err
			}
			return pump(cmd.Context(), env, nc)
		},
	}
}

// pump copies both ways until the far end closes. The near end's end is passed on, and what is under way still comes back.
func pump(ctx context.Context, env Env, nc net.Conn) error {
	defer nc.Close()
	stop := context.AfterFunc(ctx, func() { nc.Close() })
	defer stop()
	go func() {
		// It ends with stdin, or with the process: a read of a terminal or pipe cannot be taken back.
		_, _ = io.Copy(nc, env.Stdin)
		if half, ok := nc.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite()
		}
	}()
	_, err := io.Copy(env.Stdout, nc)
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
