//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

func (f *fake) claudeHooks(path string) {
	var s struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Command string `json:"command"`
			} `json:"hooks"`
		} `json:"hooks"`
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "settings:", err)
		os.Exit(1)
	}
	for event, groups := range s.Hooks {
		f.hooks[event] = groups[0].Hooks[0].Command
	}
}

// codexHook reads hooks.EVENT=[{hooks=[{type="command",command="...",timeout=5}]}].
func (f *fake) codexHook(text string) {
	key, value, _ := strings.Cut(text, "=")
	event, ok := strings.CutPrefix(key, "hooks.")
	_, rest, found := strings.Cut(value, "command=")
	if !ok || !found || event == "state" {
		return
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return
	}
	f.hooks[event], _ = strconv.Unquote(quoted) // it was quoted
}

// hook runs the hook of an event, and waits for it as engines do.
func (f *fake) hook(event string, more map[string]any) {
	command, ok := f.hooks[event]
	if !ok {
		return
	}
	in := map[string]any{"session_id": f.conversation, "cwd": f.dir, "hook_event_name": event, "transcript_path": f.transcript()}
	for k, v := range more {
		in[k] = v
	}
	data, _ := json.Marshal(in) // maps of texts
	cmd := exec.Command("sh", "-c", command)
	cmd.Stdin = strings.NewReader(string(data))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Env = os.Environ()
	if tab := os.Getenv("FAKE_TAB"); tab != "" {
		cmd.Env = append(cmd.Env, "MOORAGE_TAB_ID="+tab)
	}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		fmt.Printf("HOOK %s: %v %q\r\n", event, err, out)
	}
}
