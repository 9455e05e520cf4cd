package nowait

import (
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

func TestAPseudoTerminalIsWrittenToWithoutWaiting(t *testing.T) {
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer ptmx.Close()
	defer tty.Close()
	if New(ptmx) != nil {
		t.Fatal("a terminal in blocking mode has a writer")
	}
	if err := unix.SetNonblock(int(ptmx.Fd()), true); err != nil {
		t.Fatal(err)
	}
	if n := New(ptmx).Write([]byte("ls\n")); n != 3 {
		t.Fatalf("%d bytes of 3 were taken", n)
	}
	line := make([]byte, 8)
	if n, err := tty.Read(line); err != nil || string(line[:n]) != "ls\n" {
		t.Fatalf("%q, %v", line[:n], err)
	}
}
