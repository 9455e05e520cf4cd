// Package sshd is the SSH front: it lets the user's own keys in, gives each
// connection with a terminal one program of package ui, and runs command lines
// for the others.
//
// It listens on loopback and a unix socket only, offers nothing but public-key
// authentication and session channels, and bounds everything that a client can
// ask for. Each connection has its own goroutines (one reads, one tells the
// news and writes, one runs the program's commands) that end with it; what
// connections share, the mirrors of shown sessions, is in package screens and
// never waits for any of them.
//
// Floor 4: it may import everything below, not cmd.
package sshd
