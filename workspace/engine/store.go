package engine

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"moorage/workspace"
)

// errNoStore means that the engine's store cannot be looked into.
var errNoStore = errors.New("its store cannot be looked into")

// Transcript is where a conversation's own file lies; "" when there is none. An error means that nobody could look, which is never taken for
// "none".
func (e Engine) Transcript(at Place, id string) (string, error) {
	if e.path == nil {
		return "", errNoStore
	}
	if !isID(id) {
		return "", nil
	}
	return e.path(at, id)
}

// Exists says whether a conversation can be taken up again.
func (e Engine) Exists(at Place, id string) workspace.Answer {
	path, err := e.Transcript(at, id)
	switch {
	case err != nil:
		return workspace.AnswerUnknown
	case path == "":
		return workspace.AnswerNo
	}
	return workspace.AnswerYes
}

// isID keeps what is looked for a name: letters, digits, dashes, underscores.
func isID(id string) bool {
	return id != "" && len(id) <= 128 && !strings.ContainsFunc(id, func(r rune) bool {
		return (r|0x20 < 'a' || r|0x20 > 'z' || r > 0x7f) && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}

// there returns path if it is a file, "" if it is not there.
func there(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", nil
	}
	return path, nil
}

// claudeFolder is how Claude Code names the folder of a directory's conversations: every character that is no ASCII letter or digit is a
// dash. A name of more than 200 characters is cut and gets a hash, which is not known here.
func claudeFolder(dir string) (name string, ok bool) {
	name = strings.Map(func(r rune) rune {
		if r < 0x80 && (r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9') {
			return r
		}
		return '-'
	}, dir)
	return name, len(name) <= 200
}

func claudePath(at Place, id string) (string, error) {
	dir := at.Dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	projects := filepath.Join(at.home("CLAUDE_CONFIG_DIR", ".claude"), "projects")
	if folder, ok := claudeFolder(dir); ok {
		if path, err := there(filepath.Join(projects, folder, id+".jsonl")); err != nil || path != "" {
			return path, err
		}
	}
	// The id is one of all conversations, whatever folder it is in.
	found, _ := filepath.Glob(filepath.Join(globText(projects), "*", id+".jsonl")) // the pattern is sound
	if len(found) > 0 {
		return found[0], nil
	}
	return "", nil
}

func codexPath(at Place, id string) (string, error) {
	home := at.home("CODEX_HOME", ".codex")
	found, _ := filepath.Glob(filepath.Join(globText(home), "sessions", "*", "*", "*", "rollout-*-"+id+".jsonl*")) // the pattern is sound
	if len(found) > 0 {
		return found[0], nil
	}
	_, err := os.Stat(home)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return "", err
}

func copilotPath(at Place, id string) (string, error) {
	return there(filepath.Join(at.home("COPILOT_HOME", ".copilot"), "session-state", id, "events.jsonl"))
}

func geminiPath(at Place, id string) (string, error) {
	home := at.home("", ".gemini")
	found, _ := filepath.Glob(filepath.Join(globText(home), "tmp", "*", "chats", "session-*-"+id[:min(8, len(id))]+".jsonl")) // the pattern is sound
	for _, path := range found {
		var first struct {
			ID string `json:"sessionId"`
		}
		if firstLine(path, &first) == nil && first.ID == id {
			return path, nil
		}
	}
	return "", nil
}

func kimiPath(at Place, id string) (string, error) {
	home := at.home("KIMI_CODE_HOME", ".kimi-code")
	f, err := os.Open(filepath.Join(home, "session_index.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var row struct {
			ID  string `json:"sessionId"`
			Dir string `json:"sessionDir"`
		}
		if json.Unmarshal(lines.Bytes(), &row) == nil && row.ID == id {
			return there(filepath.Join(row.Dir, "agents", "main", "wire.jsonl"))
		}
	}
	return "", lines.Err()
}

// globText takes the meaning from what filepath.Glob would read.
func globText(path string) string {
	if os.PathSeparator == '\\' {
		return path // there is no escape
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// firstLine decodes the first line of a file.
func firstLine(path string, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	line, err := bufio.NewReaderSize(f, 64<<10).ReadSlice('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, into)
}
