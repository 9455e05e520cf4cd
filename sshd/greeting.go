package sshd

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// Greeting is what the front says of itself to whoever comes by its unix
// socket, before anything is asked of it.
type Greeting struct {
	Build   string // "" when it does not tell
	Clients int    // terminals attached; -1 when it does not tell
	Taken   int    // the port that it could not have, 0 when it has one
}

// The identification string (RFC 4253, section 4.2) carries the greeting as its
// comment. By TCP any user of the machine can come: they hear the name only.
const identification = "SSH-2.0-moorage"

// maxIdentification is the longest string that the standard allows, its end of
// line included.
const maxIdentification = 255

func (g Greeting) String() string {
	build := strings.Map(func(r rune) rune {
		if r <= ' ' || r >= 0x7f {
			return '_'
		}
		return r
	}, g.Build)
	return fmt.Sprintf("%s build=%s clients=%d taken=%d", identification, build[:min(len(build), 100)], g.Clients, g.Taken)
}

// ReadGreeting reads the greeting from a new connection to the front's socket.
// It blocks until the front has spoken: the caller sets a deadline.
func ReadGreeting(r io.Reader) (Greeting, error) {
	g := Greeting{Clients: -1}
	line, err := bufio.NewReaderSize(io.LimitReader(r, maxIdentification), maxIdentification).ReadString('\n')
	if err != nil {
		return g, fmt.Errorf("greeting: %w", err)
	}
	name, comment, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
	if name != identification {
		return g, fmt.Errorf("greeting: %q is not moorage's", line)
	}
	for word := range strings.FieldsSeq(comment) {
		key, value, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(value)
		switch {
		case key == "build":
			g.Build = value
		case key == "clients" && err == nil:
			g.Clients = n
		case key == "taken" && err == nil:
			g.Taken = n
		}
	}
	return g, nil
}

// bySocket is the context's key for a connection that came by the unix socket.
type bySocket struct{}

// serverConfig is a connection's own: its greeting is of the moment.
func (s *server) serverConfig(ctx ssh.Context) *gossh.ServerConfig {
	c := &gossh.ServerConfig{MaxAuthTries: maxAuthTries, ServerVersion: identification}
	if ctx.Value(bySocket{}) != nil {
		c.ServerVersion = Greeting{Build: s.cfg.Build, Clients: int(s.clients.Load()), Taken: s.taken}.String()
	}
	return c
}
