package proc

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	ioctlGetTermios = unix.TIOCGETA
	ioctlSetTermios = unix.TIOCSETA
)

func flushInput(fd int) { _ = unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, 2) }

// members returns the processes of session sid: those that the process table
// names as being in it (sysctl kern.proc.all has no session number, so
// getsid(2) is asked for each).
func members(sid int) (pids, groups []int) {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, nil
	}
	const zombie = 5 // SZOMB, sys/proc.h
	for _, k := range all {
		pid := int(k.Proc.P_pid)
		if k.Proc.P_stat == zombie {
			continue
		}
		if s, err := unix.Getsid(pid); err != nil || s != sid {
			continue
		}
		pids = append(pids, pid)
		if g, err := syscall.Getpgid(pid); err == nil {
			groups = addGroup(groups, g)
		}
	}
	return pids, groups
}

// parentOf is a process's parent; 0 when it cannot be seen.
func parentOf(pid int) int {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return 0
	}
	return int(k.Eproc.Ppid)
}

// Dir is a process's working directory; macOS tells it only through libproc.
func Dir(int) string { return "" }

// Name is what a process's command is called, where that can be seen.
func Name(int) string { return "a program" }

// arguments is a process's command line; macOS tells it only through libproc.
func arguments(int) []string { return nil }
