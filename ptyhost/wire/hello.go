package wire

import (
	"encoding/json"
	"fmt"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Hello introduces one end of a connection to the other.
type Hello struct {
	Protocol int    `json:"protocol"`
	Build    string `json:"build"` // which build runs: a version or a revision
	Home     string `json:"home"`  // the moorage home that it serves
	Role     string `json:"role"`  // "ptyhost", "daemon", "sshd", "cli"
	PID      int    `json:"pid"`
}

// Codes of the errors that a hello ends in.
const (
	CodeOtherHome     = "other_home"
	CodeOtherProtocol = "other_protocol"
)

// helloTimeout bounds the exchange: a process that accepts and says nothing is
// as absent as one that does not accept.
const helloTimeout = 5 * time.Second

// check says whether two ends may talk. Other homes never may; another build
// may, and its Hello tells the caller to say so.
func (h Hello) check(other Hello) error {
	if !SamePath(h.Home, other.Home) {
		return &Error{
			Code:    CodeOtherHome,
			Message: fmt.Sprintf("%s (pid %d) serves the home %s, not %s", other.Role, other.PID, other.Home, h.Home),
			Next:    "set MOORAGE_HOME to the home you mean",
		}
	}
	if h.Protocol != other.Protocol {
		return &Error{
			Code:    CodeOtherProtocol,
			Message: fmt.Sprintf("%s (pid %d, build %s) speaks protocol %d, this %s (build %s) speaks %d", other.Role, other.PID, other.Build, other.Protocol, h.Role, h.Build, h.Protocol),
			Next:    "run the same build on both sides: `moorage stop` ends the older sshd and daemon; `moorage reset` also the host with its sessions",
		}
	}
	return nil
}

// SamePath compares two paths for the same home: lexically clean, and on
// Windows, or for a path with a drive letter, with either separator and
// without regard to the drive letter's case.
func SamePath(a, b string) bool {
	return CleanPath(a) == CleanPath(b)
}

// CleanPath is the form in which SamePath compares: one separator, none at the end, a drive's letter in lower case. It looks at no disk.
func CleanPath(p string) string {
	drive := len(p) >= 2 && p[1] == ':' && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z')
	if drive || runtime.GOOS == "windows" {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	if drive {
		p = strings.ToLower(p[:1]) + p[1:]
	}
	return strings.TrimRight(filepath.ToSlash(filepath.Clean(p)), "/")
}

// exchange sends mine, reads the other's, and checks it. Both ends send first,
// so neither waits for the other's judgement; a refusal reaches the peer as
// an event named "refused" before the connection closes.
func exchange(nc net.Conn, mine Hello) (Hello, error) {
	mine.Protocol = max(mine.Protocol, Protocol)
	var other Hello
	if err := nc.SetDeadline(time.Now().Add(helloTimeout)); err != nil {
		return other, fmt.Errorf("hello: %w", err)
	}
	b, err := json.Marshal(mine)
	if err != nil {
		return other, fmt.Errorf("hello: %w", err)
	}
	msg, err := appendMessage(nil, KindHello, b)
	if err != nil {
		return other, err
	}
	if _, err := nc.Write(msg); err != nil {
		return other, fmt.Errorf("hello: %w", err)
	}
	kind, payload, err := readMessage(nc, nil)
	if err != nil {
		return other, fmt.Errorf("hello: %w", err)
	}
	if kind != KindHello {
		return other, fmt.Errorf("hello: first message is of kind %d", kind)
	}
	if err := json.Unmarshal(payload, &other); err != nil {
		return other, fmt.Errorf("hello: %w", err)
	}
	if err := mine.check(other); err != nil {
		return other, err
	}
	return other, nc.SetDeadline(time.Time{})
}
