package proc

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// Process is a child on a PTY.
type Process struct {
	PTY *os.File
	PID int
}

var errNoPTY = errors.New("start: sessions are not supported on Windows yet: run moorage under WSL")

// Start fails: moorage hosts no sessions on Windows.
func Start(Spec) (*Process, error) { return nil, errNoPTY }

// Wait is never reached: there is no process.
func (p *Process) Wait() Exit { return Exit{Code: -1} }

// Resize does nothing: there is no PTY.
func (p *Process) Resize(int, int) error { return errNoPTY }

// End does nothing: there is no session.
func End(int, func(string, []int)) {}

// Foreground is 0: nobody reads.
func (p *Process) Foreground() int { return 0 }

// SignalIn knows no signal characters.
func (p *Process) SignalIn([]byte) (at int, sig syscall.Signal, ok bool) { return 0, 0, false }

// Special is false: there is no line discipline.
func (p *Process) Special() (chars []byte, ok bool) { return nil, false }

// GroupRuns cannot be seen.
func GroupRuns(int) bool { return true }

// ParentGroup cannot be seen.
func ParentGroup(int) int { return 0 }

// Interrupt does nothing.
func (p *Process) Interrupt(syscall.Signal) int { return 0 }

// Dir is unknown.
func Dir(int) string { return "" }

// Detach makes cmd start in a process group of its own without a console.
func Detach(cmd *exec.Cmd) {
	const detached, group = 0x8, 0x200
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: detached | group}
}

// SessionRuns is false: there is no session.
func SessionRuns(int) bool { return false }

// Name is what a process's command is called, where that can be seen.
func Name(int) string { return "a program" }

// Child cannot be seen.
func Child(int) int { return 0 }

func arguments(int) []string { return nil }
