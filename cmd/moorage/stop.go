package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"moorage/persistence"
	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

// stopLimit is how long a process may take to end after it was asked.
const stopLimit = 10 * time.Second

func stopCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "stop",
		Short: "Stop the SSH front and the daemon; sessions go on",
		Long:  "Clients are disconnected. Shells and programs live on in the PTY host, which stops too when it holds none.",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := persistence.LookHome("")
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), stopLimit)
			defer cancel()
			// The front first: it would start the daemon again.
			for _, p := range []struct {
				name string
				stop func(context.Context, persistence.Home) (string, error)
			}{{"sshd", stopSSHD}, {"daemon", stopDaemon}, {"ptyhost", stopHost}} {
				outcome, err := p.stop(ctx, home)
				if err != nil {
					return fmt.Errorf("stop %s: %w", p.name, err)
				}
				if _, err := fmt.Fprintf(env.Stdout, "%-8s %s\n", p.name, outcome); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

const (
	wasStopped = "stopped"
	wasOff     = "was not running"
)

// stopSSHD signals the holder of the front's lock. The lock is held by a living process, so the pid is its own.
func stopSSHD(ctx context.Context, home persistence.Home) (string, error) {
	socket, err := home.SocketPath("ssh")
	if wire.IsAbsent(err) {
		return wasOff, nil
	}
	if err != nil {
		return "", err
	}
	path := socket + ".lock"
	signalled := false
	for {
		lock, err := persistence.TryLock(path)
		if err == nil {
			lock.Release()
			if signalled {
				return wasStopped, nil
			}
			return wasOff, nil
		}
		if !errors.Is(err, persistence.ErrLocked) {
			return "", err
		}
		if pid := persistence.LockHolder(path); pid > 1 && !signalled {
			if err := terminate(pid); err != nil {
				return "", err
			}
			signalled = true
		}
		select {
		case <-ctx.Done():
			return "", workspace.Fail(workspace.CodeBusy, "`moorage status` names its pid", "it does not end: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func terminate(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return p.Kill()
	}
	return p.Signal(syscall.SIGTERM)
}

func stopDaemon(ctx context.Context, home persistence.Home) (string, error) {
	d, err := daemonclient.Dial(ctx, daemonConfig(home, nil))
	if wire.IsAbsent(err) {
		return wasOff, nil
	}
	if err != nil {
		return "", err
	}
	defer d.Close()
	return wasStopped, d.Stop(ctx)
}

// stopHost asks the host, which refuses while a session lives.
func stopHost(ctx context.Context, home persistence.Home) (string, error) {
	h, err := host(ctx, home)
	if wire.IsAbsent(err) {
		return wasOff, nil
	}
	if err != nil {
		return "", hostSilent(home, err)
	}
	defer h.Close()
	st, err := h.Status(ctx)
	if err != nil {
		return "", err
	}
	if st.Live > 0 {
		return "goes on with " + workspace.Plural(st.Live, "live session"), nil
	}
	return wasStopped, h.Stop(ctx)
}
