//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"moorage/persistence"
	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// shortHome is a home whose path leaves room for sockets, and named by the environment.
func shortHome(t *testing.T) persistence.Home {
	t.Helper()
	dir, err := os.MkdirTemp("", "moor")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv(persistence.HomeVariable, dir)
	t.Setenv("MOORAGE", "")
	home, err := persistence.OpenHome("")
	if err != nil {
		t.Fatal(err)
	}
	return home
}

// stranger listens where the PTY host does, and says hello in a protocol of its own. It holds no lock.
func stranger(t *testing.T, home persistence.Home) {
	t.Helper()
	socket, err := home.SocketPath("ptyhost")
	if err != nil {
		t.Fatal(err)
	}
	ln, err := wire.Listen(socket)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() {
		wire.CloseListener(ln, socket)
		<-done
	})
	go func() {
		defer close(done)
		for {
			nc, err := wire.Accept(ln)
			if err != nil {
				return
			}
			c, err := wire.NewConn(nc, wire.Hello{Protocol: wire.Protocol + 1, Build: "newer", Home: home.Dir(), Role: "ptyhost", PID: os.Getpid()})
			if err == nil {
				c.Close()
			}
		}
	}()
}

func TestAHostOfAnotherProtocolIsNamedWithItsWayOut(t *testing.T) {
	home := shortHome(t)
	stranger(t, home)
	st := lookHost(t.Context(), home)
	if st.State != processSilent || !strings.Contains(st.Error, "build newer") || st.Next == "" {
		t.Errorf("got %+v", st)
	}
	for _, f := range checkProcesses(t.Context(), examined{home: home, sshd: processStatus{State: processOff}, daemon: processStatus{State: processOff}, ptyhost: st}) {
		if f.Check == "ptyhost" && (f.State != broken || f.Next != st.Next) {
			t.Errorf("got %+v", f)
		}
	}
}

func TestNothingIsWipedUnderSomebodyWhoseLockIsNotKnown(t *testing.T) {
	home := shortHome(t)
	if err := os.WriteFile(home.Path(freezeFile), []byte("somebody's"), 0o600); err != nil {
		t.Fatal(err)
	}
	wiped := func() bool { return missing(home.Path(freezeFile)) }
	var out bytes.Buffer
	env := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out}

	// A process that does not hold the lock is not signalled, though the lock names it.
	socket, err := home.SocketPath("ptyhost")
	if err != nil {
		t.Fatal(err)
	}
	lock, err := persistence.TryLock(socket + ".lock")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readProcesses(); err == nil {
		bystander := exec.CommandContext(t.Context(), "sleep", "600")
		if err := bystander.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- bystander.Wait() }()
		defer func() {
			select {
			case err := <-ended:
				t.Errorf("the bystander has ended: %v", err)
			default:
				_ = bystander.Process.Kill()
				<-ended
			}
		}()
		if err := os.WriteFile(socket+".lock", []byte(strconv.Itoa(bystander.Process.Pid)+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := reset(t.Context(), env, false, true); workspace.CodeOf(err) != workspace.CodeRefused || wiped() {
			t.Errorf("the lock names another process: %v, wiped %v", err, wiped())
		}
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}

	stranger(t, home)
	if err := reset(t.Context(), env, true, true); workspace.CodeOf(err) != workspace.CodeRefused || wiped() {
		t.Errorf("somebody listens without the lock: %v, wiped %v", err, wiped())
	}

	// A reset that is called off while it waits for another one has done nothing either.
	path, err := resetLock(home)
	if err != nil {
		t.Fatal(err)
	}
	other, err := persistence.TryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Release()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := reset(ctx, env, false, true); err == nil || wiped() {
		t.Errorf("called off: %v, wiped %v", err, wiped())
	}
}

func TestAResetWithoutATerminalNeedsToBeToldYes(t *testing.T) {
	home := shortHome(t)
	if err := os.WriteFile(home.Path(freezeFile), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	var out, errs bytes.Buffer
	if status := Run(t.Context(), Env{Stdin: null, Stdout: &out, Stderr: &errs, Dir: "/"}, []string{"reset"}); status != exitUsage || missing(home.Path(freezeFile)) {
		t.Errorf("status %d\n%s%s", status, out.String(), errs.String())
	}
	if !strings.Contains(out.String(), "(1 byte)") || !strings.Contains(out.String(), "an unknown number of frozen screens") {
		t.Errorf("the plan:\n%s", out.String())
	}
}
