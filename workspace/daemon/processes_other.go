//go:build !linux

package daemon

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// readProcesses asks ps once (POSIX, ps -A -o). When a process began it does not say.
func readProcesses() (Processes, error) {
	if runtime.GOOS == "windows" {
		return nil, errors.New("this system has no ps")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "ps", "-A", "-o", "pid=", "-o", "ppid=", "-o", "args=").Output()
	if err != nil {
		return nil, err
	}
	all := make(Processes)
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue
		}
		pid, err := strconv.Atoi(fields[0])
		parent, err2 := strconv.Atoi(fields[1])
		if err != nil || err2 != nil {
			continue
		}
		all[pid] = Process{PID: pid, Parent: parent, Argv: fields[2:]}
	}
	if len(all) == 0 {
		return nil, errors.New("ps shows nothing")
	}
	return all, nil
}
