package sshd

import (
	"strings"

	"moorage/workspace"

	gossh "golang.org/x/crypto/ssh"
)

// viewUser is the user name that attaches to look only: `ssh view@localhost`. It is let in by the same keys as any other.
const viewUser = "view"

// viewOnly reports whether a connection may look only.
func viewOnly(conn *gossh.ServerConn) bool { return strings.EqualFold(conn.User(), viewUser) }

// errViewOnly is the answer to whatever would change something.
var errViewOnly = workspace.Fail(workspace.CodeUnauthorized, "connect without view@ to do it", "this client may look only")
