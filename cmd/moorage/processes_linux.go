package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"moorage/persistence"
)

// readProcesses reads the table of processes that still run: /proc/<pid>/stat (proc(5), fields 2 to 6) and environ, which is as
// the program began and can be read of one's own processes only.
func readProcesses() (processTable, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	table := make(processTable)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		// The name may hold anything, so count from its last parenthesis.
		from, to := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
		fields := bytes.Fields(stat[to+1:])
		if from < 0 || to < from || len(fields) < 4 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
			continue
		}
		r := running{pid: pid, name: string(stat[from+1 : to])}
		r.parent, _ = strconv.Atoi(string(fields[1]))
		r.session, _ = strconv.Atoi(string(fields[3]))
		r.home = beganIn("/proc/" + e.Name() + "/environ")
		table[pid] = r
	}
	if len(table) == 0 {
		return nil, errNoTable // /proc is not mounted
	}
	return table, nil
}

// beganIn is the home that an environment of a pane names, "" for any other one.
func beganIn(path string) string {
	environ, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(environ, []byte("MOORAGE=1\x00")) {
		return ""
	}
	home, pane := "", false
	for kv := range bytes.SplitSeq(environ, []byte{0}) {
		if v, ok := bytes.CutPrefix(kv, []byte(persistence.HomeVariable+"=")); ok {
			home = string(v)
		}
		pane = pane || string(kv) == "MOORAGE=1"
	}
	if !pane {
		return ""
	}
	return home
}

// hasOpen reports whether the process has the file open; an error means that nobody could look.
func hasOpen(pid int, path string) (bool, error) {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	want, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && os.SameFile(info, want) {
			return true, nil
		}
	}
	return false, nil
}

// endProcesses ends what find finds: SIGHUP, then SIGTERM, half a second, then SIGKILL until it finds nothing more. It looks
// anew before each signal, so that no pid of another process is hit, and returns how many there were. Blocks for two seconds at
// most; an error means that some are left, or that nobody could look.
func endProcesses(find func() ([]running, error)) (int, error) {
	all := make(map[int]bool)
	send := func(signals ...syscall.Signal) (left []running, err error) {
		if left, err = find(); err != nil {
			return nil, err
		}
		for _, r := range left {
			all[r.pid] = true
			for _, sig := range signals {
				_ = syscall.Kill(r.pid, sig) // gone is as good
			}
		}
		return left, nil
	}
	if left, err := send(syscall.SIGHUP); err != nil || len(left) == 0 {
		return 0, err
	}
	if _, err := send(syscall.SIGTERM, syscall.SIGCONT); err != nil { // one that is stopped can only end once it runs
		return len(all), err
	}
	for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if left, err := find(); err != nil || len(left) == 0 {
			return len(all), err
		}
	}
	var left []running
	for range 50 {
		var err error
		if left, err = send(syscall.SIGKILL); err != nil || len(left) == 0 {
			return len(all), err
		}
		time.Sleep(20 * time.Millisecond)
	}
	names := make([]string, 0, len(left))
	for _, r := range left {
		names = append(names, r.name+" (pid "+strconv.Itoa(r.pid)+")")
	}
	return len(all), errors.New("still there: " + strings.Join(names, ", "))
}
