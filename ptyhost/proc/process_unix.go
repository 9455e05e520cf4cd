//go:build unix

package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Process is a child on a PTY, leader of a session of its own.
type Process struct {
	PTY *os.File // the master side
	PID int

	cmd *exec.Cmd
}

// Start starts a child on a new PTY of the given size.
func Start(s Spec) (*Process, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	cmd, err := s.command()
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	f, tty, err := openPTY(s.Cols, s.Rows)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = cmd.Start()
	tty.Close()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	if f, err = pollable(f); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // its state is of no use: it never was a session
		return nil, fmt.Errorf("start %s: %w (SIGKILL sent to %d)", cmd.Path, err, cmd.Process.Pid)
	}
	return &Process{PTY: f, PID: cmd.Process.Pid, cmd: cmd}, nil
}

// openPTY opens a pair of that size whose line discipline erases whole
// characters (termios(3), IUTF8).
func openPTY(cols, rows int) (f, tty *os.File, err error) {
	f, tty, err = pty.Open()
	if err != nil {
		return nil, nil, err
	}
	err = pty.Setsize(f, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err == nil {
		var t *unix.Termios
		if t, err = unix.IoctlGetTermios(int(tty.Fd()), ioctlGetTermios); err == nil {
			t.Iflag |= unix.IUTF8
			err = unix.IoctlSetTermios(int(tty.Fd()), ioctlSetTermios, t)
		}
	}
	if err != nil {
		f.Close()
		tty.Close()
		return nil, nil, err
	}
	return f, tty, nil
}

// pollable returns the file anew in non-blocking mode, so that deadlines and
// Close end its reads and writes: its ioctls have left it blocking.
func pollable(f *os.File) (*os.File, error) {
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

// Wait blocks until the child itself has ended. Output may still be unread.
func (p *Process) Wait() Exit {
	_ = p.cmd.Wait() // the state says it all
	st, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && st.Signaled() {
		return Exit{Code: 128 + int(st.Signal()), Signal: unix.SignalName(st.Signal())}
	}
	return Exit{Code: p.cmd.ProcessState.ExitCode()}
}

// Resize sets the PTY's size; the kernel sends SIGWINCH if it differs.
func (p *Process) Resize(cols, rows int) error {
	raw, err := p.PTY.SyscallConn()
	if err != nil {
		return err
	}
	var ierr error
	err = raw.Control(func(fd uintptr) {
		ierr = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(cols), Row: uint16(rows)})
	})
	return errors.Join(err, ierr)
}

// End ends every process of the session that the child leads: SIGHUP, then
// SIGTERM, up to Grace to go, then SIGKILL until none is left. It blocks until
// then. log hears of each signal sent. The child's leader may be gone already.
func End(sid int, log func(sig string, pids []int)) {
	send := func(sig syscall.Signal) bool {
		pids, groups := members(sid)
		if len(pids) == 0 {
			return false
		}
		log(unix.SignalName(sig), pids)
		for _, g := range groups {
			_ = syscall.Kill(-g, sig) // gone is as good
		}
		return true
	}
	if !send(syscall.SIGHUP) {
		return
	}
	// A stopped job can only end once it runs.
	pids, groups := members(sid)
	send(syscall.SIGTERM)
	if len(groups) > 0 {
		log(unix.SignalName(syscall.SIGCONT), pids)
	}
	for _, g := range groups {
		_ = syscall.Kill(-g, syscall.SIGCONT)
	}
	for end := time.Now().Add(Grace); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if pids, _ := members(sid); len(pids) == 0 {
			return
		}
	}
	for range 100 {
		if !send(syscall.SIGKILL) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Foreground is the process group that reads the PTY now; 0 when nobody does.
func (p *Process) Foreground() int {
	g := 0
	raw, err := p.PTY.SyscallConn()
	if err != nil {
		return 0
	}
	_ = raw.Control(func(fd uintptr) {
		g, _ = unix.IoctlGetInt(int(fd), unix.TIOCGPGRP)
	})
	return g
}

// SignalIn finds the first byte of b that the PTY's line discipline makes a
// signal of: its interrupt, quit or suspend character, while ISIG is on
// (termios(3)).
func (p *Process) SignalIn(b []byte) (at int, sig syscall.Signal, ok bool) {
	raw, err := p.PTY.SyscallConn()
	if err != nil {
		return 0, 0, false
	}
	_ = raw.Control(func(fd uintptr) {
		t, err := unix.IoctlGetTermios(int(fd), ioctlGetTermios)
		if err != nil || t.Lflag&unix.ISIG == 0 {
			return
		}
		signals := map[byte]syscall.Signal{
			t.Cc[unix.VINTR]: unix.SIGINT, t.Cc[unix.VQUIT]: unix.SIGQUIT, t.Cc[unix.VSUSP]: unix.SIGTSTP,
		}
		delete(signals, 0) // _POSIX_VDISABLE
		at = slices.IndexFunc(b, func(c byte) bool { _, is := signals[c]; return is })
		if at >= 0 {
			sig, ok = signals[b[at]], true
		}
	})
	return at, sig, ok
}

// Special is what the PTY's line discipline takes for interrupt, quit, suspend
// and end of file. It is false unless it reads whole lines and makes signals
// (termios(3), ICANON and ISIG).
func (p *Process) Special() (chars []byte, ok bool) {
	raw, err := p.PTY.SyscallConn()
	if err != nil {
		return nil, false
	}
	_ = raw.Control(func(fd uintptr) {
		t, err := unix.IoctlGetTermios(int(fd), ioctlGetTermios)
		if err != nil || t.Lflag&unix.ICANON == 0 || t.Lflag&unix.ISIG == 0 {
			return
		}
		ok = true
		for _, i := range [...]int{unix.VINTR, unix.VQUIT, unix.VSUSP, unix.VEOF} {
			if c := t.Cc[i]; c != 0 { // _POSIX_VDISABLE
				chars = append(chars, c)
			}
		}
	})
	return chars, ok
}

// GroupRuns reports whether process group g has any process; also true when
// that cannot be seen.
func GroupRuns(g int) bool { return !errors.Is(syscall.Kill(-g, 0), syscall.ESRCH) }

// ParentGroup is the process group of the process that started group g's
// leader; 0 when that cannot be seen.
func ParentGroup(g int) int {
	parent := parentOf(g)
	if parent <= 1 {
		return 0
	}
	group, _ := syscall.Getpgid(parent) // 0 on failure
	return max(group, 0)
}

// Interrupt sends sig to the PTY's foreground group and drops the input that
// nobody has read, as the line discipline does for its own signal characters
// (termios(3), NOFLSH off). It returns the group, 0 when there is none.
func (p *Process) Interrupt(sig syscall.Signal) (group int) {
	raw, err := p.PTY.SyscallConn()
	if err != nil {
		return 0
	}
	_ = raw.Control(func(fd uintptr) { flushInput(int(fd)) })
	if group = p.Foreground(); group > 0 {
		_ = syscall.Kill(-group, sig)
	}
	return group
}

// Child is a process that pid, the leader of a session, has started and that
// still runs in it; 0 when there is none, or none can be seen.
func Child(pid int) int {
	pids, _ := members(pid)
	for _, child := range pids {
		if child != pid && parentOf(child) == pid {
			return child
		}
	}
	return 0
}

// Detach makes cmd start in a session of its own, so that it outlives the
// terminal and the process that starts it.
func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

func addGroup(groups []int, g int) []int {
	if g > 1 && !slices.Contains(groups, g) {
		return append(groups, g)
	}
	return groups
}

// SessionRuns reports whether any process of session sid still runs.
func SessionRuns(sid int) bool {
	pids, _ := members(sid)
	return len(pids) > 0
}
