//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// fork goes on with a copy of the conversation.
func (f *fake) fork(id string) {
	from := f.find(f.conversation)
	f.conversation = id
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(f.transcript()), 0o700)
	}
	if err == nil {
		err = os.WriteFile(f.transcript(), data, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fork:", err)
		os.Exit(1)
	}
}

func (f *fake) transcript() string {
	home := os.Getenv("HOME")
	if f.name == "codex" {
		return filepath.Join(home, ".codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-"+f.conversation+".jsonl")
	}
	folder := strings.Map(func(r rune) rune {
		if r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, f.dir)
	return filepath.Join(home, ".claude/projects", folder, f.conversation+".jsonl")
}

func (f *fake) stored(id string) bool { return f.find(id) != "" }

// find is the transcript of a conversation, of whatever directory; "" when there is none.
func (f *fake) find(id string) string {
	pattern := ".claude/projects/*/" + id + ".jsonl"
	if f.name == "codex" {
		pattern = ".codex/sessions/*/*/*/rollout-*-" + id + ".jsonl"
	}
	found, _ := filepath.Glob(filepath.Join(os.Getenv("HOME"), pattern)) // the pattern is sound
	return strings.Join(found, "")                                       // an id is of one
}

// row writes a row of the transcript. There is none before the first prompt.
func (f *fake) row(row map[string]any) {
	row["timestamp"] = time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	row["cwd"], row["sessionId"] = f.dir, f.conversation
	data, _ := json.Marshal(row) // maps of texts
	path := f.transcript()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		var file *os.File
		if file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
			_, err = file.Write(append(data, '\n'))
			file.Close()
		}
	}
	if err != nil {
		fmt.Printf("TRANSCRIPT %v\r\n", err)
	}
}
