package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/spf13/cobra"

	"moorage/sshd"
	"moorage/workspace"
	"moorage/workspace/settings"
)

func serveCommand(env Env) *cobra.Command {
	var port int
	var onDemand bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the SSH front in the foreground",
		Long: "Listens on 127.0.0.1 and ::1, and on a socket in the home. Only your own keys are let in: ~/.ssh/id_*.pub, lines of\n" +
			"~/.ssh/authorized_keys without options, and the key that moorage makes for itself.",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("port") && (port < 0 || port > 65535) {
				return usageError{fmt.Errorf("port %d is not from 0 to 65535", port)}
			}
			if !cmd.Flags().Changed("port") {
				port = -1
			}
			return serve(cmd.Context(), env, port, onDemand)
		},
	}
	cmd.Flags().IntVar(&port, "port", settings.Default().Port, "port to listen on, else the settings'; 0 takes a free one")
	cmd.Flags().BoolVar(&onDemand, onDemandFlag, false, "go on with the socket alone when the port is taken")
	_ = cmd.Flags().MarkHidden(onDemandFlag) // it is there
	return cmd
}

// onDemandFlag is how a command that needs the front's socket starts it: there a port that is taken stops nobody.
const onDemandFlag = "on-demand"

// serve runs the front. A negative port means the settings'.
func serve(ctx context.Context, env Env, port int, onDemand bool) error {
	p, err := env.newProcess("sshd")
	if err != nil {
		return err
	}
	defer p.close()
	if port < 0 {
		port = p.settings.Port
	}
	err = sshd.Run(ctx, sshd.Config{
		Home: p.home, Build: buildName(), Port: port, PortOptional: onDemand, Settings: p.settings, Mistakes: p.mistakes, Log: p.log,
		RunCLI:      remote,
		StartDaemon: starter(p.home, "daemon"),
		StartHost:   starter(p.home, "ptyhost"),
		Listening:   env.listening,
		Crowd:       newProcs().crowd,
	})
	if errors.Is(err, sshd.ErrRunning) {
		return workspace.Fail(workspace.CodeRunning, "`moorage` attaches to it, `moorage stop` ends it", "%v", err)
	}
	return err
}

// listening says how to come in.
func (e Env) listening(addrs []net.Addr, taken int) {
	if taken != 0 {
		e.portTaken(taken)
	}
	for _, addr := range addrs {
		if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.To4() != nil {
			fmt.Fprintf(e.Stdout, "moorage listens on 127.0.0.1 and ::1, port %d: ssh -p %d localhost\n", tcp.Port, tcp.Port)
		}
	}
}

// portTaken says what does not work then, and how to mend it.
func (e Env) portTaken(port int) {
	e.warn("port %d is taken by another program: `ssh -p %d` does not reach moorage, `moorage` does; choose another with `port =` in settings.toml or `moorage serve --port`", port, port)
}

// remote runs a command line that came over SSH. Paths in it are relative to the user's home, as with any SSH command.
func remote(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	dir, err := os.UserHomeDir()
	if err != nil {
		dir = "/"
	}
	return Run(ctx, Env{Stdin: stdin, Stdout: stdout, Stderr: stderr, Dir: dir, Remote: true}, args)
}
