package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moorage/workspace"
)

const (
	// maxListed bounds a list of conversations, maxLooked the files that are looked at for one.
	maxListed = 200
	maxLooked = 2000
	// headSize bounds what is read of a transcript to know what it is about: its beginning.
	headSize = 256 << 10
)

// Stored is a conversation in an engine's store.
type Stored struct {
	ID         string
	Dir        string // where it was begun
	Transcript string // its file, "" of a store that has none
	First      string // what the user said first, or else its title: one clean line; "" where that is not known
	Changed    time.Time
	Size       int64 // of the transcript, in bytes; 0 without one
}

// Lists reports whether Conversations can look into the engine's store.
func (e Engine) Lists() bool { return e.list != nil }

// Conversations lists the conversations of the store that a user has said something in, and that were begun in a directory that within says
// yes to. The most recently changed come first; there are at most maxListed, found in at most maxLooked files. An error means that nobody
// could look. It reads files, or waits for the engine's program to tell, for askLimit at most.
func (e Engine) Conversations(ctx context.Context, at Place, within func(dir string) bool) ([]Stored, error) {
	if e.list == nil {
		return nil, errNoStore
	}
	all, err := e.list(ctx, e, at)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s Stored) bool { return s.Dir != "" && !within(s.Dir) })
	for i := range all {
		if info, err := os.Stat(all[i].Transcript); err == nil && info.Mode().IsRegular() {
			all[i].Changed, all[i].Size = info.ModTime(), info.Size()
		}
	}
	slices.SortFunc(all, func(a, b Stored) int { return cmp.Or(b.Changed.Compare(a.Changed), cmp.Compare(b.ID, a.ID)) })
	var found []Stored
	for _, s := range all[:min(len(all), maxLooked)] {
		if s.Changed.IsZero() || len(found) == maxListed {
			break // it is gone, and so are those behind it; or there are enough
		}
		if e.begins != nil {
			t, err := readHead(s.Transcript)
			if err != nil {
				continue
			}
			e.begins(&s, t)
		}
		if isID(s.ID) && s.First != "" && s.Dir != "" && within(s.Dir) {
			s.First = workspace.Clean(s.First, workspace.MaxTitle)
			found = append(found, s)
		}
	}
	return found, nil
}

// readHead reads the rows at the beginning of a file.
func readHead(path string) (*tail, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, headSize))
	return &tail{data}, err
}

// transcripts are the files that patterns match below a folder, without what they are about.
func transcripts(home string, patterns ...string) ([]Stored, error) {
	if _, err := os.Stat(home); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	var all []Stored
	for _, pattern := range patterns {
		found, _ := filepath.Glob(filepath.Join(globText(home), pattern)) // the patterns are sound
		for _, path := range found {
			all = append(all, Stored{Transcript: path})
		}
	}
	return all, nil
}

// said keeps the first of what a user has said. What engines say in the user's place about themselves stands in tags.
func (s *Stored) said(text string) {
	if text = strings.TrimSpace(text); s.First == "" && text != "" && text[0] != '<' {
		s.First = text
	}
}

func claudeList(_ context.Context, _ Engine, at Place) ([]Stored, error) {
	dir := at.Dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	folder, _ := claudeFolder(dir) // of folders below it the names begin so; a cut one begins so too
	return transcripts(filepath.Join(at.home("CLAUDE_CONFIG_DIR", ".claude"), "projects"), folder[:min(len(folder), 200)]+"*/*.jsonl")
}

func claudeBegins(s *Stored, t *tail) {
	s.ID = strings.TrimSuffix(filepath.Base(s.Transcript), ".jsonl")
	type row struct {
		Type      string `json:"type"`
		Sidechain bool   `json:"isSidechain"`
		Meta      bool   `json:"isMeta"`
		Dir       string `json:"cwd"`
		Message   struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	rows(t, func(r row) {
		s.Dir = cmp.Or(s.Dir, r.Dir)
		if r.Type == "user" && !r.Sidechain && !r.Meta {
			s.said(contentText(r.Message.Content))
		}
	})
}

func codexList(_ context.Context, _ Engine, at Place) ([]Stored, error) {
	all, err := transcripts(filepath.Join(at.home("CODEX_HOME", ".codex"), "sessions"), "*/*/*/rollout-*.jsonl")
	slices.SortFunc(all, func(a, b Stored) int { return cmp.Compare(filepath.Base(b.Transcript), filepath.Base(a.Transcript)) }) // by their time
	return all[:min(len(all), maxLooked)], err
}

func codexBegins(s *Stored, t *tail) {
	type row struct {
		Type    string `json:"type"`
		Payload struct {
			ID      string          `json:"id"`
			Dir     string          `json:"cwd"`
			Type    string          `json:"type"`
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"payload"`
	}
	rows(t, func(r row) {
		switch {
		case r.Type == "session_meta":
			s.ID, s.Dir = cmp.Or(s.ID, r.Payload.ID), cmp.Or(s.Dir, r.Payload.Dir)
		case r.Type == "response_item" && r.Payload.Role == "user":
			if text := contentText(r.Payload.Content); !strings.HasPrefix(text, "# AGENTS.md") {
				s.said(text)
			}
		}
	})
}

func copilotList(_ context.Context, _ Engine, at Place) ([]Stored, error) {
	return transcripts(filepath.Join(at.home("COPILOT_HOME", ".copilot"), "session-state"), "*/events.jsonl")
}

func copilotBegins(s *Stored, t *tail) {
	folder := filepath.Dir(s.Transcript)
	s.ID = filepath.Base(folder)
	about, _ := os.ReadFile(filepath.Join(folder, "workspace.yaml")) // without it the directory is not known
	for line := range bytes.Lines(about) {
		if dir, ok := bytes.CutPrefix(line, []byte("cwd:")); ok {
			s.Dir = strings.Trim(strings.TrimSpace(string(dir)), `"'`)
		}
	}
	type row struct {
		Type string `json:"type"`
		Data struct {
			Content string `json:"content"`
		} `json:"data"`
	}
	rows(t, func(r row) {
		if r.Type == "user.message" {
			s.said(r.Data.Content)
		}
	})
}

func geminiList(_ context.Context, _ Engine, at Place) ([]Stored, error) {
	home := at.home("", ".gemini")
	data, err := os.ReadFile(filepath.Join(home, "projects.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var index struct {
		Projects map[string]string `json:"projects"`
	}
	if err == nil {
		err = json.Unmarshal(data, &index)
	}
	if err != nil {
		return nil, err
	}
	var all []Stored
	for dir, slug := range index.Projects {
		found, err := transcripts(filepath.Join(home, "tmp", slug, "chats"), "session-*.jsonl")
		if err != nil {
			return nil, err
		}
		for _, s := range found {
			s.Dir = dir
			all = append(all, s)
		}
	}
	return all, nil
}

func geminiBegins(s *Stored, t *tail) {
	type row struct {
		ID      string          `json:"sessionId"`
		Type    string          `json:"type"`
		Content json.RawMessage `json:"content"`
	}
	rows(t, func(r row) {
		s.ID = cmp.Or(s.ID, r.ID)
		if r.Type == "user" {
			s.said(contentText(r.Content))
		}
	})
}

func kimiList(_ context.Context, _ Engine, at Place) ([]Stored, error) {
	t, err := readTail(filepath.Join(at.home("KIMI_CODE_HOME", ".kimi-code"), "session_index.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	type row struct {
		ID      string `json:"sessionId"`
		Folder  string `json:"sessionDir"`
		WorkDir string `json:"workDir"`
	}
	var all []Stored
	rows(t, func(r row) {
		if r.ID != "" && !slices.ContainsFunc(all, func(s Stored) bool { return s.ID == r.ID }) {
			all = append(all, Stored{ID: r.ID, Dir: r.WorkDir, Transcript: filepath.Join(r.Folder, "agents", "main", "wire.jsonl")})
		}
	})
	return all, nil
}

func kimiBegins(s *Stored, t *tail) {
	type row struct {
		Type  string          `json:"type"`
		Input json.RawMessage `json:"input"`
	}
	rows(t, func(r row) {
		if r.Type == "turn.prompt" {
			s.said(contentText(r.Input))
		}
	})
}
