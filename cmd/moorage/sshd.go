package main

import (
	"context"
	"fmt"
	"net"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/wire"
	"moorage/sshd"
	"moorage/workspace"
)

const (
	sshdStartLimit = 15 * time.Second
	// loserLimit is how long a winner may take to listen after another start has lost to it.
	loserLimit = 3 * time.Second
)

// dialSSH connects to the SSH front's socket, starting the front when positively nobody listens.
func dialSSH(ctx context.Context, home persistence.Home) (net.Conn, error) {
	socket, err := home.SocketPath("ssh")
	if err != nil {
		return nil, err
	}
	nc, err := dialUnix(ctx, socket)
	if err == nil || !wire.IsAbsent(err) {
		return nc, err
	}
	var ended <-chan error // of a unit it is not told
	if !startUnit(ctx, home, "serve") {
		if ended, err = detach(home, "serve", "--"+onDemandFlag); err != nil {
			return nil, err
		}
	}
	limit := time.After(sshdStartLimit)
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		nc, err := dialUnix(ctx, socket)
		if err == nil || !wire.IsAbsent(err) {
			return nc, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-limit:
			return nil, notUp(home)
		case <-ended:
			if persistence.LockHolder(socket+".lock") == 0 {
				return nil, notUp(home)
			}
			ended = nil // another start was quicker
			limit = time.After(loserLimit)
		case <-time.After(pause):
		}
	}
}

// greeted reads what the front says of itself on a new connection to its socket.
func greeted(nc net.Conn) (sshd.Greeting, error) {
	if err := nc.SetReadDeadline(time.Now().Add(answerLimit)); err != nil {
		return sshd.Greeting{}, err
	}
	g, err := sshd.ReadGreeting(nc)
	if err != nil {
		return g, fmt.Errorf("the SSH front: %w", err)
	}
	return g, nil
}

func notUp(home persistence.Home) error {
	return workspace.Fail(workspace.CodeAway, "see sshd.log in the home's log folder",
		"the SSH front does not come up: %s", readLastWords(home, "serve"))
}

func dialUnix(ctx context.Context, socket string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var d net.Dialer
	nc, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, fmt.Errorf("the SSH front: %w", err)
	}
	return nc, nil
}
