package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// errNoInstall means that an engine's hooks are not installed in a file.
var errNoInstall = errors.New("its hooks are given at its launch, there is nothing to install")

// ConfigFile is the user's own file that an engine's hooks are installed in.
func (e Engine) ConfigFile(at Place) (string, error) {
	switch e.Name {
	case "gemini":
		return filepath.Join(at.home("", ".gemini"), "settings.json"), nil
	case "kimi":
		return filepath.Join(at.home("KIMI_CODE_HOME", ".kimi-code"), "config.toml"), nil
	}
	return "", fmt.Errorf("%s: %w", e.Name, errNoInstall)
}

// Install adds our hooks to the text of that file, beside what is there. A text that is not understood is refused, and one that has our hooks is
// returned with these ones.
func (e Engine) Install(text []byte, h HookSetup) ([]byte, error) {
	text, err := e.Uninstall(text)
	if err != nil {
		return nil, err
	}
	if e.Name == "kimi" {
		return e.installTOML(text, h)
	}
	return e.installJSON(text, h)
}

// Uninstall takes our hooks out of the text, and leaves the rest. A text without them is returned as it is.
func (e Engine) Uninstall(text []byte) ([]byte, error) {
	switch e.Name {
	case "kimi":
		return uninstallTOML(text)
	case "gemini":
		return uninstallJSON(text)
	}
	return nil, fmt.Errorf("%s: %w", e.Name, errNoInstall)
}

// The lines around our part of a TOML file.
const (
	tomlBegins = "# moorage's hooks begin: `moorage hooks remove` takes them out"
	tomlEnds   = "# moorage's hooks end"
)

func (e Engine) installTOML(text []byte, h HookSetup) ([]byte, error) {
	var b bytes.Buffer
	b.Write(text)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		b.WriteByte('\n')
	}
	fmt.Fprintln(&b, tomlBegins)
	for _, event := range e.eventNames() {
		fmt.Fprintf(&b, "[[hooks]]\nevent = %s\ncommand = %s\ntimeout = %d\n", tomlString(event), tomlString(h.command(e.Name)), hookSeconds)
	}
	fmt.Fprintln(&b, tomlEnds)
	var any map[string]any
	if err := toml.Unmarshal(b.Bytes(), &any); err != nil {
		return nil, fmt.Errorf("the file cannot take them: %w", err)
	}
	return b.Bytes(), nil
}

func uninstallTOML(text []byte) ([]byte, error) {
	before, rest, found := bytes.Cut(text, []byte(tomlBegins+"\n"))
	if !found {
		return text, nil
	}
	_, after, found := bytes.Cut(rest, []byte(tomlEnds+"\n"))
	if !found {
		return nil, errors.New("the line that ends moorage's part is gone: take the part out by hand")
	}
	return slices.Concat(before, after), nil
}

// hookName marks our hooks in a JSON file.
const hookName = "moorage"

func (e Engine) installJSON(text []byte, h HookSetup) ([]byte, error) {
	root, err := jsonObject(text)
	if err != nil {
		return nil, err
	}
	hooks, ok := root["hooks"].(map[string]any)
	if root["hooks"] == nil {
		hooks, ok = make(map[string]any), true
	}
	if !ok {
		return nil, errors.New("its hooks are of a form that is not known")
	}
	for _, event := range e.eventNames() {
		groups, ok := hooks[event].([]any)
		if hooks[event] != nil && !ok {
			return nil, fmt.Errorf("its hooks.%s is of a form that is not known", event)
		}
		hooks[event] = append(slices.Clone(groups), map[string]any{"hooks": []any{map[string]any{
			"type": "command", "name": hookName, "command": h.command(e.Name), "timeout": hookSeconds * 1000,
		}}})
	}
	root["hooks"] = hooks
	return indented(root), nil
}

func uninstallJSON(text []byte) ([]byte, error) {
	root, err := jsonObject(text)
	if err != nil {
		return nil, err
	}
	hooks, _ := root["hooks"].(map[string]any)
	ours := func(group any) bool {
		g, _ := group.(map[string]any)
		list, _ := g["hooks"].([]any)
		if len(list) != 1 {
			return false
		}
		hook, _ := list[0].(map[string]any)
		return hook["name"] == hookName
	}
	changed := false
	for event, value := range hooks {
		groups, _ := value.([]any)
		left := slices.DeleteFunc(slices.Clone(groups), ours)
		if len(left) == len(groups) {
			continue
		}
		changed = true
		if hooks[event] = left; len(left) == 0 {
			delete(hooks, event)
		}
	}
	if !changed {
		return text, nil
	}
	if len(hooks) == 0 {
		delete(root, "hooks")
	}
	return indented(root), nil
}

func jsonObject(text []byte) (map[string]any, error) {
	root := make(map[string]any)
	if strings.TrimSpace(string(text)) == "" {
		return root, nil
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&root); err != nil {
		return nil, fmt.Errorf("it is not plain JSON, so it is left alone: %w", err)
	}
	return root, nil
}

func indented(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(v) // it was JSON
	return b.Bytes()
}
