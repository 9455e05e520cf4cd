package proc

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	ioctlGetTermios = unix.TCGETS
	ioctlSetTermios = unix.TCSETS
)

// flushInput drops what was written to the master and not read from the slave:
// what is on the way between the two, then what the slave's line discipline
// holds, which can be reached by the slave only (ioctl_tty(2), TIOCGPTPEER).
func flushInput(fd int) {
	_ = unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCOFLUSH)
	const flags = unix.O_RDWR | unix.O_NOCTTY | unix.O_CLOEXEC
	peer, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.TIOCGPTPEER, flags)
	if errno != 0 {
		return
	}
	_ = unix.IoctlSetInt(int(peer), unix.TCFLSH, unix.TCIFLUSH)
	unix.Close(int(peer))
}

// members returns the processes of session sid that still run, and their
// process groups, from /proc/*/stat (proc(5), fields 3, 5 and 6).
func members(sid int) (pids, groups []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, nil
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		b, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		// The command may hold anything, so count from its last parenthesis.
		f := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
		if len(f) < 4 || f[0][0] == 'Z' || f[0][0] == 'X' {
			continue
		}
		if s, _ := strconv.Atoi(string(f[3])); s != sid {
			continue
		}
		g, _ := strconv.Atoi(string(f[2]))
		pids = append(pids, pid)
		groups = addGroup(groups, g)
	}
	return pids, groups
}

// parentOf is a process's parent (proc(5), field 4 of stat); 0 when it cannot
// be seen.
func parentOf(pid int) int {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	f := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(f) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(string(f[1]))
	return parent
}

// Dir is a process's working directory, "" when it cannot be seen.
func Dir(pid int) string {
	dir, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd")
	if err != nil {
		return ""
	}
	return dir
}

// Name is what a process's command is called, "a program" when it cannot be
// seen.
func Name(pid int) string {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
	if err != nil {
		return "a program"
	}
	return string(bytes.TrimSpace(b))
}

// arguments is a process's command line (proc(5), cmdline), nil when it cannot
// be seen.
func arguments(pid int) []string {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil || len(b) == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(string(b), "\x00"), "\x00")
}
