//go:build linux

package main

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"moorage/persistence"
	"moorage/ptyhost/wire"
	"moorage/workspace"
)

func TestASilentHostIsReplacedOnlyWhenItIsKnownToHoldNothing(t *testing.T) {
	home, err := persistence.OpenHome(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	socket, err := home.SocketPath("ptyhost")
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, err error, words string) {
		t.Helper()
		if workspace.CodeOf(err) != workspace.CodeHostUnresponsive || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", what, err)
		}
	}
	// Somebody listens and never accepts, without the host's lock.
	ln, err := wire.Listen(socket)
	if err != nil {
		t.Fatal(err)
	}
	defer wire.CloseListener(ln, socket)
	refused("a stranger's socket", replaceHost(t.Context(), home), "cannot be seen")

	// A process that holds the lock, as a host does: flock(1) and a shell below it.
	holder := func(script string) *exec.Cmd {
		cmd := exec.Command("sh", "-c", `exec 9<>"$0"; flock 9; echo $$ > "$0"; `+script+`; echo ready; exec tail -f /dev/null`, socket+".lock")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 6)); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = cmd.Wait() // else it would stay in the table
		}()
		t.Cleanup(func() { _ = cmd.Process.Kill(); <-ended })
		return cmd
	}
	holding := holder("sleep 1000 9>&- & :")
	refused("a host with a session", replaceHost(t.Context(), home), "it holds a live session")
	refused("a table that cannot be read", replaceHostBy(t.Context(), home, func() (processTable, error) { return nil, errors.New("not permitted") }), "not permitted")
	table, err := readProcesses()
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range table.children(holding.Process.Pid) {
		_ = kill(pid)
	}
	for len(table.children(holding.Process.Pid)) > 0 {
		if table, err = readProcesses(); err != nil {
			t.Fatal(err)
		}
	}
	if err := replaceHost(t.Context(), home); err != nil {
		t.Errorf("a host without sessions: %v", err)
	}
	if lock, err := persistence.TryLock(socket + ".lock"); err != nil {
		t.Errorf("its lock is still held: %v", err)
	} else {
		lock.Release()
	}
}
