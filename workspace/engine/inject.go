package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// hookSeconds is how long an engine lets a hook run. The hook takes half a second at most; the rest is for a busy machine.
const hookSeconds = 5

// HookSetup says how hooks are to call.
type HookSetup struct {
	Program string // moorage, its absolute path
	Folder  string // of files that engines are pointed at
	// TrustCodex also tells Codex that the user has reviewed our hooks; else its own dialog asks.
	TrustCodex bool
}

// Injection is what a launch needs besides the command line, so that the engine calls our hooks in addition to the user's own.
type Injection struct {
	Args  []string          // behind the program's name
	Last  bool              // Args go behind everything
	Env   []string          // KEY=VALUE
	Files map[string]string // by name in the setup's folder, to be written before the launch
}

// With returns the command line with the injection's arguments.
func (in Injection) With(argv []string) []string {
	if in.Last {
		return slices.Concat(argv, in.Args)
	}
	return slices.Concat(argv[:1], in.Args, argv[1:])
}

// command is the shell command of a hook. It is the same for every tab: who calls is in the environment.
func (h HookSetup) command(words ...string) string {
	text := Quote(h.Program) + " hook"
	for _, w := range words {
		text += " " + w
	}
	return text
}

// Inject says what gives the engine our hooks at its launch. ok is false where that cannot be done: the engine takes none so, or the user's
// command line has the one place that they go to.
func (e Engine) Inject(h HookSetup, argv []string, at Place) (in Injection, ok bool) {
	if e.Hooks != HooksPerLaunch {
		return in, false
	}
	switch e.protocol() {
	case "claude":
		if slices.ContainsFunc(argv, func(a string) bool { return a == "--settings" || strings.HasPrefix(a, "--settings=") || a == "--bare" }) {
			return in, false
		}
		in.Files = map[string]string{"claude-settings.json": compact(map[string]any{"hooks": h.claudeHooks(e)})}
		in.Args = []string{"--settings", filepath.Join(h.Folder, "claude-settings.json")}
	case "codex":
		in.Args, in.Last = h.codexHooks(), true // behind its verb
	case "copilot":
		folder := filepath.Join(h.Folder, "copilot")
		hooks := make(map[string]any)
		for _, event := range e.eventNames() {
			hooks[event] = []any{map[string]any{"type": "command", "bash": h.command("copilot", event), "timeoutSec": hookSeconds}}
		}
		in.Files = map[string]string{
			"copilot/plugin.json": compact(map[string]any{"name": "moorage", "version": "1.0.0", "description": "tells moorage what happens", "hooks": "hooks.json"}),
			"copilot/hooks.json":  compact(map[string]any{"version": 1, "hooks": hooks}),
		}
		in.Args = []string{"--plugin-dir", folder}
	case "opencode":
		plugin := "file://" + filepath.ToSlash(filepath.Join(h.Folder, "opencode.mjs"))
		config := make(map[string]any)
		if has := at.get("OPENCODE_CONFIG_CONTENT"); has != "" {
			if json.Unmarshal([]byte(has), &config) != nil {
				return in, false // it is the user's, and not understood
			}
		}
		plugins, _ := config["plugin"].([]any)
		config["plugin"] = append(slices.Clone(plugins), plugin)
		in.Files = map[string]string{"opencode.mjs": h.opencodePlugin()}
		in.Env = []string{"OPENCODE_CONFIG_CONTENT=" + compact(config)}
	default:
		return in, false
	}
	return in, true
}

// protocol is the name of the known engine that this one is or is like.
func (e Engine) protocol() string {
	for i := range known {
		if known[i].App == e.App && known[i].App != "" || len(e.events) > 0 && maps.Equal(known[i].events, e.events) && known[i].Hooks == e.Hooks {
			return known[i].Name
		}
	}
	return ""
}

// eventNames lists the engine's events that say something.
func (e Engine) eventNames() []string { return slices.Sorted(maps.Keys(e.events)) }

func (h HookSetup) claudeHooks(e Engine) map[string]any {
	hooks := make(map[string]any)
	for _, event := range e.eventNames() {
		hooks[event] = []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": h.command(e.Name), "timeout": hookSeconds}}}}
	}
	return hooks
}

// codexEvents are Codex's names of its events, and those of its record of what the user trusts.
var codexEvents = [][2]string{
	{"SessionStart", "session_start"},
	{"SessionEnd", "session_end"},
	{"UserPromptSubmit", "user_prompt_submit"},
	{"Stop", "stop"},
	{"Interrupt", "interrupt"},
	{"PermissionRequest", "permission_request"},
	{"PreToolUse", "pre_tool_use"},
	{"PostToolUse", "post_tool_use"},
}

func (h HookSetup) codexHooks() []string {
	var args, trust []string
	command := h.command("codex")
	for _, event := range codexEvents {
		timeout := hookSeconds
		if event[0] == "SessionEnd" || event[0] == "Interrupt" {
			timeout = 3 // Codex allows these no more, and its hash is of what it allows
		}
		args = append(args, "-c", fmt.Sprintf("hooks.%s=[{hooks=[{type=\"command\",command=%s,timeout=%d}]}]", event[0], tomlString(command), timeout))
		trust = append(trust, fmt.Sprintf("\"/<session-flags>/config.toml:%s:0:0\"={trusted_hash=\"sha256:%s\"}", event[1], codexHash(event[1], command, timeout)))
	}
	if h.TrustCodex {
		args = append(args, "-c", "hooks.state={"+strings.Join(trust, ",")+"}")
	}
	return args
}

// codexHash is how Codex names the hook that a user has trusted: the SHA-256 of its definition as compact JSON with sorted keys.
func codexHash(event, command string, timeout int) string {
	text := compact(map[string]any{
		"event_name": event,
		"hooks":      []any{map[string]any{"async": false, "command": command, "timeout": timeout, "type": "command"}},
	})
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// opencodePlugin passes opencode's events on, one after the other: as processes beside each other they would overtake each other. What is said
// twice in a row is passed on once. opencode waits for none of it, and is told nothing.
func (h HookSetup) opencodePlugin() string {
	return `import { spawn } from "node:child_process"
const wanted = /^(session\.(created|status|idle|error)|permission\.(asked|replied))$/
const most = 100 // that wait; what comes then is lost
let last = "", before = Promise.resolve(), waiting = 0
const pass = (type, said) => new Promise((done) => {
  try {
    const child = spawn(` + compact(h.Program) + `, ["hook", "opencode", type], { stdio: ["pipe", "ignore", "ignore"] })
    child.on("error", done)
    child.on("close", done)
    child.stdin.on("error", () => {})
    child.stdin.end(said)
  } catch { done() }
})
export const Moorage = async () => ({
  event: async ({ event }) => {
    if (!wanted.test(event.type)) return
    const said = JSON.stringify(event.properties ?? {})
    if (last === event.type + said || waiting >= most) return
    last = event.type + said
    waiting++
    before = before.then(() => pass(event.type, said)).then(() => { waiting-- })
  },
})
`
}

// compact is JSON in one line, with sorted keys and nothing escaped for HTML.
func compact(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // maps, lists and texts
	return strings.TrimRight(b.String(), "\n")
}

// tomlString is a basic string of TOML, which JSON's is too for text without DEL.
func tomlString(s string) string { return compact(s) }

// Quote makes a word of a POSIX shell.
func Quote(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-+:=@%,", r)
	})
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
