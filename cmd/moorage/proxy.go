package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"moorage/persistence"
	"moorage/workspace"
)

func proxyCommand(env Env) *cobra.Command {
	var pass bool
	cmd := &cobra.Command{
		Use:   "proxy",
		Short: "Carry an SSH connection to the front's socket",
		Long: "For ssh's ProxyCommand: standard input and output become the connection. Starts the front when none runs.\n" +
			"With --fdpass, for ssh's ProxyUseFdpass, it hands the connection to ssh and ends: nothing stands between the two.",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := persistence.OpenHome("")
			if err != nil {
				return err
			}
			nc, err := dialSSH(cmd.Context(), home)
			if err != nil {
				return err
			}
			if pass {
				return handOver(env, nc)
			}
			return pump(cmd.Context(), env, nc)
		},
	}
	cmd.Flags().BoolVar(&pass, "fdpass", false, "hand the connection to ssh instead of carrying it")
	return cmd
}

// greetingLimit is how long the front may take to say its first word.
const greetingLimit = 5 * time.Second

// errMute is the error about a front that hangs: it takes the connection and says nothing, though its greeting comes first
// (RFC 4253, 4.2).
var errMute = workspace.Fail(workspace.CodeAway, "`moorage status` names its pid; `kill -CONT` it if it was stopped", "the SSH front does not answer")

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
	greeting := make([]byte, 1)
	_ = nc.SetReadDeadline(time.Now().Add(greetingLimit))
	if _, err := io.ReadFull(nc, greeting); errors.Is(err, os.ErrDeadlineExceeded) {
		return errMute
	} else if err != nil {
		return nil //nolint:nilerr // it is gone, and ssh says so
	}
	_ = nc.SetReadDeadline(time.Time{})
	if _, err := env.Stdout.Write(greeting); err != nil {
		return err
	}
	_, err := io.Copy(env.Stdout, nc)
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
