//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// restoreReport is what restore --json says.
type restoreReport struct {
	ID    string `json:"id"`
	Lines []struct {
		Key     string `json:"key"`
		Outcome string `json:"outcome"`
		Reason  string `json:"reason"`
		PID     int    `json:"pid"`
	} `json:"lines"`
}

func (r restoreReport) totals() map[string]int {
	n := make(map[string]int)
	for _, l := range r.Lines {
		n[l.Outcome]++
	}
	return n
}

// restore runs the verb; it may exit 1 when something did not come back.
func (in *instance) restore(args ...string) (r restoreReport) {
	out, _ := in.cli(append([]string{"restore", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		in.t.Errorf("restore %v: %v\n%s", args, err, out)
	}
	return r
}

// addTask adds a directory's task whose first tab runs a command, and returns its id.
func (in *instance) addTask(dir string, args ...string) string {
	in.t.Helper()
	var added struct {
		Task struct {
			ID string `json:"id"`
		} `json:"task"`
	}
	in.api(&added, append([]string{"add", dir}, args...)...)
	return added.Task.ID
}

func (in *instance) addTab(task string, args ...string) string {
	in.t.Helper()
	var added struct {
		Tab string `json:"tab"`
	}
	in.api(&added, append([]string{"tab-add", task}, args...)...)
	return added.Tab
}

func (in *instance) live() map[string]int {
	in.t.Helper()
	pids := make(map[string]int)
	for _, s := range in.sessions() {
		if s.State == "live" {
			pids[s.Key] = s.PID
		}
	}
	return pids
}

func TestTwoWhoRestoreFiftyTabsGetOneProcessForEach(t *testing.T) {
	in := start(t)
	const tasks, tabs = 10, 5
	starts := filepath.Join(in.user, "starts")
	if err := os.Mkdir(starts, 0o700); err != nil {
		t.Fatal(err)
	}
	// Each start of a program leaves a line in its own file.
	job := func(name string) []string {
		return []string{"--", "sh", "-c", "echo started >> " + filepath.Join(starts, name) + "; echo job " + name + "; exec sleep 1000"}
	}
	var waits, ended, gone string
	for i := range tasks {
		dir := filepath.Join(in.user, fmt.Sprintf("task%d", i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		task := in.addTask(dir, job(fmt.Sprintf("%d-1", i))...)
		for j := 2; j <= tabs; j++ {
			name := fmt.Sprintf("%d-%d", i, j)
			args := job(name)
			switch name {
			case "3-2":
				args = append([]string{"--policy", "reattach-only"}, args...)
			case "4-2":
				args = []string{"--policy", "always", "--", "sh", "-c", "echo started >> " + filepath.Join(starts, name) + "; exit 3"}
			}
			tab := in.addTab(task, args...)
			switch name {
			case "3-2":
				waits = task + "/" + tab + "/pane-1"
			case "4-2":
				ended = task + "/" + tab + "/pane-1"
			case "5-2":
				gone = task
			}
		}
	}
	in.eventually("all run but one", func() bool { return len(in.live()) == tasks*tabs-1 })
	in.shutdown()
	if err := os.Remove(filepath.Join(in.user, "task5")); err != nil {
		t.Fatal(err)
	}
	// What ended with an error gets a command that lives.
	var wg sync.WaitGroup
	reports := make([]restoreReport, 2)
	for i := range reports {
		wg.Go(func() { reports[i] = in.restore() })
	}
	wg.Wait()
	for _, r := range reports {
		totals := r.totals()
		if n := len(r.Lines); n != tasks*tabs {
			t.Errorf("%d lines", n)
		}
		// Those of the removed directory and the one that ends again failed, whoever asked.
		if totals["failed"] != tabs+1 || totals["skipped"] != 1 || totals["relaunched"]+totals["reattached"] != tasks*tabs-tabs-2 {
			t.Errorf("totals %v: %+v", totals, r.Lines)
		}
		for _, l := range r.Lines {
			switch {
			case l.Key == waits && l.Outcome != "skipped", l.Key == ended && (l.Outcome != "failed" || !strings.Contains(l.Reason, "code 3")):
				t.Errorf("%+v", l)
			case strings.HasPrefix(l.Key, gone) && !strings.Contains(l.Reason, "directory gone"):
				t.Errorf("%+v", l)
			}
		}
	}
	if reports[0].ID != reports[1].ID && reports[1].totals()["relaunched"] > 0 && reports[0].totals()["relaunched"] > 0 {
		t.Errorf("both relaunched: %v, %v", reports[0].totals(), reports[1].totals())
	}
	files, _ := filepath.Glob(filepath.Join(starts, "*"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		name := filepath.Base(f)
		want := 2
		if name == "3-2" || strings.HasPrefix(name, "5-") {
			want = 1
		}
		if n := strings.Count(string(b), "started"); err != nil || n != want {
			t.Errorf("job %s was started %d times, want %d", name, n, want)
		}
	}
	before := in.live()
	again := in.restore()
	if after := in.live(); len(after) != len(before) || again.totals()["relaunched"] != 0 {
		t.Errorf("again: %v, %d live of %d", again.totals(), len(after), len(before))
	}
	for key, pid := range in.live() {
		if before[key] != pid {
			t.Errorf("%s has pid %d, had %d", key, pid, before[key])
		}
	}
	// The user may have what waits for him.
	if r := in.restore("--all"); r.totals()["relaunched"] != 1 {
		t.Errorf("all: %v", r.totals())
	}
	out, err := in.cli("report")
	if err != nil || !strings.Contains(out, "directory gone") || !strings.Contains(out, "50 sessions: ") {
		t.Errorf("report: %v\n%s", err, out)
	}
}

func TestARestoreIsOneKeyAway(t *testing.T) {
	in := start(t)
	dir := filepath.Join(in.user, "project")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	task := in.addTask(dir)
	in.addTab(task, "--", "sh", "-c", "echo hidden job; exec sleep 1000")
	in.reboot()
	c := in.attach(100, 30)
	c.atPrompt() // which may be the old one's
	in.eventually("what is shown runs again", func() bool { return len(in.live()) == 1 })
	c.send("\x01R")
	c.sees("1 reattached, 1 relaunched")
	c.send("q")
	c.losesSight("1 relaunched")
	c.send("\x012")
	c.sees("hidden job")
}

func TestATabWhoseProgramFailedShowsItsEnd(t *testing.T) {
	in := start(t)
	c := in.attach(100, 30).ready()
	dir := filepath.Join(in.user, "project")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	task := in.addTask(dir)
	tab := in.addTab(task, "--policy", "always", "--", "sh", "-c", "printf '10%%\\r100%%\\nlast words\\n'; exit 7")
	c.sees("project")
	c.send("\x01s")
	c.send("G\r") // the last row of the sidebar is that tab
	c.sees("exited with code 7")
	c.send("\x01I")
	c.sees("code 7")
	c.seesMatch(`│ +100%`)
	c.sees("last words")
	out, err := in.cli("exits")
	if err != nil || !strings.Contains(out, task+"/"+tab) || !strings.Contains(out, "last words") {
		t.Errorf("exits: %v\n%s", err, out)
	}
}
