package daemon

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"
)

// errNoProcesses means that nobody could look.
var errNoProcesses = errors.New("the process table shows nothing")

// ticks are the clock ticks of a second in /proc (proc(5), stat, field 22): USER_HZ, which Linux has fixed.
const ticks = 100

// readProcesses looks at /proc once (proc(5): stat, fields 2 to 4 and 22, and cmdline). A process of another user that does not show its
// command line has none here.
func readProcesses() (Processes, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	booted := bootTime()
	all := make(Processes)
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		// The name may hold anything, so count from its last parenthesis.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 20 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
			continue
		}
		p := Process{PID: pid}
		p.Parent, _ = strconv.Atoi(string(fields[1]))
		began, _ := strconv.ParseInt(string(fields[19]), 10, 64)
		p.Began = booted.Add(time.Duration(began) * time.Second / ticks)
		if line, err := os.ReadFile("/proc/" + entry.Name() + "/cmdline"); err == nil {
			p.Argv = strings.Split(strings.TrimRight(string(line[:min(len(line), 4096)]), "\x00"), "\x00")
		}
		all[pid] = p
	}
	if len(all) == 0 {
		return nil, errNoProcesses // /proc is not mounted
	}
	return all, nil
}

// bootTime is when the machine began (proc(5), stat, btime), zero when that cannot be read.
func bootTime() time.Time {
	data, _ := os.ReadFile("/proc/stat") // then there is no line
	for line := range strings.Lines(string(data)) {
		if text, ok := strings.CutPrefix(line, "btime "); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
			return time.Unix(n, 0)
		}
	}
	return time.Time{}
}
