//go:build unix

package main

import (
	"errors"
	"net"
	"os"
	"syscall"
	"time"

	"moorage/workspace"
)

// fdpass reports whether ssh can take a connection from its ProxyCommand.
const fdpass = true

// handOver waits for the front's first word and gives the connection to ssh, which holds the other end of standard output
// (ssh_config(5), ProxyUseFdpass). The word stays in it.
func handOver(env Env, nc net.Conn) error {
	defer nc.Close()
	out, ok := env.Stdout.(*os.File)
	if !ok {
		return errNotPassed
	}
	conn, err := nc.(syscall.Conn).SyscallConn()
	if err != nil {
		return err
	}
	if err := awaitGreeting(nc, conn); err != nil {
		return err
	}
	var sent error
	err = conn.Control(func(fd uintptr) {
		sent = syscall.Sendmsg(int(out.Fd()), []byte{0}, syscall.UnixRights(int(fd)), nil, 0)
	})
	if errors.Is(sent, syscall.ENOTSOCK) {
		return errNotPassed
	}
	return errors.Join(err, sent)
}

var errNotPassed = workspace.Fail(workspace.CodeInvalid, "leave --fdpass out, or set ProxyUseFdpass yes in ssh's settings", "standard output is not ssh's socket")

// awaitGreeting waits for the front's first byte, and leaves it where it is.
func awaitGreeting(nc net.Conn, conn syscall.RawConn) error {
	_ = nc.SetReadDeadline(time.Now().Add(greetingLimit))
	first := make([]byte, 1)
	err := conn.Read(func(fd uintptr) bool {
		_, _, err := syscall.Recvfrom(int(fd), first, syscall.MSG_PEEK)
		return err != syscall.EAGAIN // whatever else it is, ssh is told of it when it reads
	})
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errMute
	}
	return err
}
