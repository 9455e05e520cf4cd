//go:build unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// fakeEngine builds the fake engine once, into the folder of the binary.
var fakeEngine = sync.OnceValues(func() (string, error) {
	path := filepath.Join(filepath.Dir(binary), "fakeengine")
	out, err := exec.Command("go", "build", "-o", path, "moorage/cmd/internal/fakeengine").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// engines gives the instance's user engines: programs named claude, codex and gemini in the PATH that only the login shell knows.
func (in *instance) engines(profile ...string) {
	in.t.Helper()
	path, err := fakeEngine()
	if err != nil {
		in.t.Fatal(err)
	}
	bin := filepath.Join(in.user, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		in.t.Fatal(err)
	}
	for _, name := range []string{"claude", "codex", "gemini"} {
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			in.t.Fatal(err)
		}
	}
	text := "PS1='$ '\nunset PROMPT_COMMAND HISTFILE\nexport PATH=$HOME/bin:$PATH FAKE_LOG=$HOME/prompts\n" + strings.Join(profile, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(in.user, ".bash_profile"), []byte(text), 0o600); err != nil {
		in.t.Fatal(err)
	}
}

func (in *instance) project(name string) string {
	in.t.Helper()
	dir := filepath.Join(in.user, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		in.t.Fatal(err)
	}
	return dir
}

func (in *instance) allowHooks() {
	in.t.Helper()
	if out, err := in.cli("hooks", "allow"); err != nil {
		in.t.Fatalf("hooks allow: %v\n%s", err, out)
	}
}

// engineTab is what get-task says of a tab.
type engineTab struct {
	ID           string `json:"id"`
	Kind         string `json:"kind"`
	Engine       string `json:"engine"`
	LiveEngine   string `json:"live_engine"`
	Conversation string `json:"session_id"`
	Alive        *bool  `json:"alive"`
	EngineAlive  *bool  `json:"engine_alive"`
	Exit         *int   `json:"exit"`
	Frozen       bool   `json:"frozen"`
	Activity     string `json:"activity"`
	Why          string `json:"why"`
}

func (e engineTab) running() bool { return e.EngineAlive != nil && *e.EngineAlive }

func (in *instance) engineTab(task, tab string) engineTab {
	in.t.Helper()
	var r struct {
		Tabs []engineTab `json:"tabs"`
	}
	in.api(&r, "get-task", task)
	for _, t := range r.Tabs {
		if t.ID == tab {
			return t
		}
	}
	return engineTab{}
}

// becomes waits for a tab's activity, and shows the last one otherwise.
func (in *instance) becomes(task, tab, activity string) engineTab {
	in.t.Helper()
	var last engineTab
	eventually(in.t, tab+" becomes "+activity, func() bool {
		last = in.engineTab(task, tab)
		return last.Activity == activity
	}, func() string { return fmt.Sprintf("%+v", last) })
	return last
}

// runs waits until a tab's engine is seen to run.
func (in *instance) engineRuns(task, tab string) engineTab {
	in.t.Helper()
	var last engineTab
	eventually(in.t, "the engine of "+tab+" runs", func() bool {
		last = in.engineTab(task, tab)
		return last.running()
	}, func() string { return fmt.Sprintf("%+v", last) })
	return last
}

// types types a prompt and submits it.
func (in *instance) types(task, tab, text string) {
	in.t.Helper()
	in.api(nil, "send-keys", task+"/"+tab, "--literal", text+"\r")
}

type inboxItem struct {
	Task   string    `json:"task"`
	Tab    string    `json:"tab"`
	Kind   string    `json:"kind"`
	Text   string    `json:"text"`
	Resets time.Time `json:"resets"`
}

func (in *instance) pending() []inboxItem {
	in.t.Helper()
	var r struct {
		Pending []inboxItem `json:"pending"`
	}
	in.api(&r, "inbox")
	return r.Pending
}

func (in *instance) pendingOf(task, tab string) string {
	in.t.Helper()
	kinds := []string{}
	for _, i := range in.pending() {
		if i.Task == task && i.Tab == tab {
			kinds = append(kinds, i.Kind)
		}
	}
	return strings.Join(kinds, " ")
}

// engineProcess is the engine of a tab: the child of its session's leader. It asks the host only.
func (in *instance) engineProcess(task, tab string) int {
	in.t.Helper()
	var leader int
	for _, s := range in.sessions() {
		if strings.HasPrefix(s.Key, task+"/"+tab+"/") {
			leader = s.PID
		}
	}
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", leader, leader))
	if err != nil {
		in.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.Fields(string(data) + " 0")[0])
	if err != nil || pid == 0 {
		in.t.Fatalf("no child of %d: %q", leader, data)
	}
	return pid
}
