//go:build unix

package worktree

import (
	"os/exec"
	"syscall"
)

// ownGroup makes cmd the head of a process group, which gets a SIGTERM when its context is done: git removes its temporary files then.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// killGroup ends what is left of the group of a command that has been started.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
