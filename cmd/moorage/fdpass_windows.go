package main

import (
	"net"

	"moorage/workspace"
)

// fdpass reports whether ssh can take a connection from its ProxyCommand.
const fdpass = false

// handOver has no way here.
func handOver(_ Env, nc net.Conn) error {
	nc.Close()
	return workspace.Fail(workspace.CodeInvalid, "leave --fdpass out", "connections cannot be handed over on Windows")
}
