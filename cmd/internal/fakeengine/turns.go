//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func (f *fake) prompt(text string) {
	if path := os.Getenv("FAKE_LOG"); path != "" {
		data, _ := json.Marshal(text)
		if file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
			_, _ = file.Write(append(data, '\n')) // a test that needs it fails
			file.Close()
		}
	}
	word, rest, _ := strings.Cut(text, " ")
	n, _ := strconv.Atoi(rest) // of a word without a number, 0
	switch word {
	case "/exit":
		f.leave(0)
	case "/clear":
		f.clear()
		return
	case "exit":
		f.restore()
		os.Exit(n)
	case "crash":
		f.restore()
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "idle":
		f.hook("Notification", map[string]any{"notification_type": "idle_prompt", "message": "Claude is waiting for your input"})
		return
	}
	if f.name == "codex" { // which tells only now
		source := "startup"
		if f.resumed {
			source = "resume"
		}
		f.hook("SessionStart", map[string]any{"source": source})
	}
	f.hook("UserPromptSubmit", map[string]any{"prompt": text})
	f.turnBegins(text)
	switch word {
	case "work":
		f.wait(time.Duration(n) * 100 * time.Millisecond)
	case "slow":
		if !f.wait(time.Duration(n) * time.Second) {
			f.interrupted()
			return
		}
	case "perm":
		if !f.permission() {
			f.interrupted()
			return
		}
	case "limit":
		limit := "2 hours"
		if n > 0 {
			limit = strconv.Itoa(n) + " seconds"
		}
		f.failed("rate_limit", "API Error: Request rejected (429), try again in "+limit)
		return
	case "fail":
		f.failed("server_error", "API Error: 500")
		return
	case "sub":
		f.hook("SubagentStop", map[string]any{"agent_id": "a1"})
		f.hook("PreToolUse", map[string]any{"tool_name": "Bash", "agent_id": "a1"})
	case "bg":
		f.hook("Stop", map[string]any{"background_tasks": []any{map[string]any{"id": "1"}}})
		f.wait(1500 * time.Millisecond)
	}
	f.turnEnds()
}

func (f *fake) turnBegins(text string) {
	f.tell("working", "", "")
	f.glyph("◐")
	if f.name == "codex" {
		if !f.stored(f.conversation) {
			f.row(map[string]any{"type": "session_meta", "payload": map[string]any{"id": f.conversation, "cwd": f.dir}})
		}
		f.row(map[string]any{"type": "event_msg", "payload": map[string]any{"type": "task_started"}})
		f.row(map[string]any{"type": "response_item", "payload": map[string]any{
			"type": "message", "role": "user", "content": []any{map[string]any{"type": "input_text", "text": text}},
		}})
		return
	}
	f.row(map[string]any{"type": "user", "message": map[string]any{"content": text}})
}

func (f *fake) turnEnds() {
	if f.name == "codex" {
		f.row(map[string]any{"type": "event_msg", "payload": map[string]any{"type": "task_complete"}})
	} else {
		f.row(map[string]any{"type": "assistant", "message": map[string]any{"stop_reason": "end_turn"}})
	}
	f.tell("done", "", "")
	f.glyph("✳")
	f.hook("Stop", map[string]any{"last_assistant_message": "the answer"})
	fmt.Print("the answer\r\n")
}

// wait works, and is false when Esc ended that. The title turns meanwhile.
func (f *fake) wait(d time.Duration) bool {
	var typed []byte // ahead: it is for the prompt
	defer func() { f.ahead = append(typed, f.ahead...) }()
	for end := time.Now().Add(d); time.Now().Before(end); {
		f.glyph([]string{"◐", "◑"}[time.Now().UnixMilli()/200%2])
		b, ok := f.next(min(time.Until(end)+1, 200*time.Millisecond))
		switch {
		case !ok:
		case b != escape:
			typed = append(typed, b)
		case f.key() == "":
			return false
		}
	}
	return true
}

func (f *fake) interrupted() {
	if f.name == "codex" {
		f.hook("Interrupt", nil)
		f.row(map[string]any{"type": "event_msg", "payload": map[string]any{"type": "turn_aborted"}})
	} else {
		f.row(map[string]any{"type": "user", "message": map[string]any{"content": "[Request interrupted by user]"}})
	}
	f.tell("idle", "", "")
	f.glyph("✳")
	fmt.Print("interrupted\r\n")
}

func (f *fake) permission() bool {
	f.hook("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "touch x"}})
	f.tell("blocked", "permission", "approve Bash: touch x")
	f.hook("PermissionRequest", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "touch x"}})
	fmt.Print("Do you want to proceed?\r\n")
	for {
		switch b, _ := f.next(0); b {
		case '\r':
			f.tell("working", "", "")
			f.hook("PostToolUse", map[string]any{"tool_name": "Bash"})
			return true
		case escape:
			if f.key() == "" {
				return false
			}
		}
	}
}

func (f *fake) failed(kind, message string) {
	if f.name == "codex" {
		info := map[string]string{"rate_limit": "usage_limit_exceeded"}[kind]
		f.row(map[string]any{"type": "event_msg", "payload": map[string]any{
			"type": "task_complete", "error": map[string]any{"message": message, "codex_error_info": info},
		}})
		f.tell("error", "", "")
	} else {
		f.row(map[string]any{"type": "assistant", "isApiErrorMessage": true, "error": kind, "message": map[string]any{"content": message}})
		f.hook("StopFailure", map[string]any{"error": kind, "last_assistant_message": message})
		f.tell("error", "", message)
	}
	f.glyph("✳")
	fmt.Print(message + "\r\n")
}

func (f *fake) clear() {
	f.hook("SessionEnd", map[string]any{"reason": "clear"})
	f.conversation, f.resumed = newID(), false
	f.tell("idle", "", "")
	if f.name == "claude" {
		f.hook("SessionStart", map[string]any{"source": "clear"})
	}
	fmt.Printf("cleared: %s\r\n", f.conversation)
}
