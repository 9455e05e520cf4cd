package engine

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"moorage/workspace/activity"
)

// Engine is what is known of one AI command line.
type Engine struct {
	Name     string   // what the API calls it
	Title    string   // what people call it
	Programs []string // the names of its program, the one to start first
	App      string   // its name in the program status protocol
	// Mints says that it makes the ids of its conversations itself. The others take one at their start.
	Mints bool
	// Confirms says that its hooks tell at its start that it is back in a conversation; the others do at the next prompt.
	Confirms bool
	// Untold says that nothing but its transcript tells when its user interrupts it.
	Untold bool
	// Hooks says how it is given hooks.
	Hooks HookWay

	chosen  []string // flags and verbs that choose a conversation
	forked  func(args []string, from, id string) []string
	prompt  []string // what goes before a first prompt on the command line; nil where none can be given
	started func(e Engine, args []string, c Conversation) []string
	path    func(at Place, id string) (string, error)
	list    func(ctx context.Context, e Engine, at Place) ([]Stored, error)
	begins  func(s *Stored, head *tail) // nil where list knows all of it
	export  []string                    // what has it print a conversation whose id follows; nil where that is a file
	end     func(lines *tail) turnEnd
	titles  []titleRule
	events  map[string]activity.Kind
	clean   []int // exit codes of the user's own way out, besides 0
	command []string
}

// HookWay says how an engine is given hooks.
type HookWay string

// The ways. Per launch nothing of the user's is touched; the others want `moorage hooks install`.
const (
	HooksPerLaunch HookWay = "per launch"
	HooksInstalled HookWay = "installed"
)

// Conversation says which conversation an engine is started with.
type Conversation struct {
	ID     string // "" lets it begin one of its own
	Exists bool   // there is something of it to take up
}

// Place is where an engine runs: its directory and the environment that says where its store is.
type Place struct {
	Dir string
	Env []string // KEY=VALUE
}

func (p Place) get(key string) string {
	for _, kv := range slices.Backward(p.Env) {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			return v
		}
	}
	return ""
}

// home is the folder that key names, else name in the user's home.
func (p Place) home(key, name string) string {
	if dir := p.get(key); key != "" && filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(p.get("HOME"), name)
}

// Variables are the names in the environment that say where a store is. They are what a Place needs.
var Variables = []string{"HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "KIMI_CODE_HOME", "XDG_DATA_HOME", "OPENCODE_CONFIG_CONTENT", "PATH"}

// Unset are the names that an engine must not inherit from whatever started the PTY host: an outer agent's or terminal's. A name that ends
// in * is a prefix.
var Unset = []string{
	"CLAUDECODE", "CLAUDE_CODE_CHILD_*", "CLAUDE_CODE_SESSION_*", "CLAUDE_CODE_MESSAGING_*", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PID",
	"CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE", "AI_AGENT", "CODEX_THREAD_ID", "GEMINI_SESSION_ID",
}

// Registry is the engines that there are.
type Registry struct{ all []Engine }

// Custom is an engine from the settings: a command line, and the known engine whose protocol it follows, if any.
type Custom struct {
	Name    string
	Command []string
	Like    string
}

// New is the registry of the known engines and custom ones. A custom one of a known name takes its place.
func New(custom ...Custom) Registry {
	r := Registry{all: slices.Clone(known)}
	for _, c := range custom {
		if len(c.Command) == 0 {
			continue
		}
		e := Engine{}
		if like, ok := r.Named(c.Like); ok {
			e = like
		}
		e.Name, e.Title, e.command, e.Programs = c.Name, c.Name, c.Command, []string{filepath.Base(c.Command[0])}
		r.all = slices.DeleteFunc(r.all, func(have Engine) bool { return have.Name == c.Name })
		r.all = append(r.all, e)
	}
	return r
}

// All lists the engines.
func (r Registry) All() []Engine { return slices.Clone(r.all) }

// Named returns the engine of that name.
func (r Registry) Named(name string) (Engine, bool) {
	for _, e := range r.all {
		if e.Name == name && name != "" {
			return e, true
		}
	}
	return Engine{}, false
}

// OfCommand returns the engine that a command line starts.
func (r Registry) OfCommand(argv []string) (Engine, bool) {
	if len(argv) == 0 {
		return Engine{}, false
	}
	return r.ofProgram(program(argv[0]))
}

// interpreters are programs that run others: of their processes the script's name counts.
var interpreters = []string{"node", "bun", "deno", "python", "python3"}

// OfProcess returns the engine that a process is, by its command line. One that only has an engine's name among its arguments is none.
func (r Registry) OfProcess(argv []string) (Engine, bool) {
	if len(argv) == 0 {
		return Engine{}, false
	}
	name := program(argv[0])
	if e, ok := r.ofProgram(name); ok {
		return e, true
	}
	if !slices.Contains(interpreters, name) {
		return Engine{}, false
	}
	for _, arg := range argv[1:] {
		if !strings.HasPrefix(arg, "-") {
			return r.ofProgram(program(arg))
		}
	}
	return Engine{}, false
}

// OfApp returns the engine that calls itself so in the program status protocol.
func (r Registry) OfApp(app string) (Engine, bool) {
	for _, e := range r.all {
		if app != "" && e.App == app {
			return e, true
		}
	}
	return Engine{}, false
}

func (r Registry) ofProgram(name string) (Engine, bool) {
	for _, e := range slices.Backward(r.all) { // custom ones first
		if slices.Contains(e.Programs, name) {
			return e, true
		}
	}
	return Engine{}, false
}

// program is the name of a program without its folder, a login shell's dash, and the endings of scripts.
func program(path string) string {
	name := strings.TrimPrefix(filepath.Base(strings.ReplaceAll(path, `\`, "/")), "-")
	for _, ending := range []string{".exe", ".cmd", ".js", ".mjs", ".py"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// Command is the command line that starts the engine afresh.
func (e Engine) Command() []string {
	if len(e.command) > 0 {
		return slices.Clone(e.command)
	}
	return []string{e.Programs[0]}
}

// Chooses reports whether a command line says itself which conversation it is for, or is for none: nothing is added to it then.
func (e Engine) Chooses(argv []string) bool {
	for i, arg := range argv {
		if i == 0 {
			continue
		}
		name, _, _ := strings.Cut(arg, "=")
		if slices.Contains(e.chosen, name) {
			return true
		}
	}
	return false
}

// Start is the command line that starts the engine with a conversation. A command that chooses one itself is left as it is.
func (e Engine) Start(argv []string, c Conversation) []string {
	if c.ID == "" || e.started == nil || e.Chooses(argv) {
		return slices.Clone(argv)
	}
	return append(slices.Clone(argv[:1]), e.started(e, argv[1:], c)...)
}

// Resumes reports whether Start takes the conversation up again, rather than beginning it.
func (e Engine) Resumes(argv []string, c Conversation) bool {
	return c.ID != "" && c.Exists && e.started != nil && !e.Chooses(argv)
}

// Forks reports whether Fork can fork a conversation.
func (e Engine) Forks() bool { return e.forked != nil }

// Fork is the command line that starts the engine with a copy of a conversation. The copy gets the id, where the engine takes one.
func (e Engine) Fork(argv []string, from, id string) []string {
	return append(slices.Clone(argv[:1]), e.forked(argv[1:], from, id)...)
}

// TakesPrompt reports whether the engine can be started with a prompt.
func (e Engine) TakesPrompt() bool { return e.prompt != nil }

// Prompted is the command line that also gives the engine its first prompt.
func (e Engine) Prompted(argv []string, prompt string) []string {
	return slices.Concat(argv, e.prompt, []string{prompt})
}

// Here reports whether the engine's program is in the PATH of a place, or where its command line says.
func (e Engine) Here(at Place) bool { return e.find(at) != "" }

// find is the path of the engine's program, "" where it is not.
func (e Engine) find(at Place) string {
	name := e.Command()[0]
	if filepath.IsAbs(name) {
		path, _ := there(name) // one that nobody could look at is as good as none
		return path
	}
	for _, dir := range filepath.SplitList(at.get("PATH")) {
		if path, _ := there(filepath.Join(dir, name)); path != "" {
			return path
		}
	}
	return ""
}

// Reading says how to read a conversation: the file, or the command that prints it.
func (e Engine) Reading(id, transcript string) string {
	if len(e.export) == 0 {
		return transcript
	}
	return "what `" + strings.Join(slices.Concat(e.Command(), e.export, []string{id}), " ") + "` prints"
}

// Pins reports whether an engine takes the id of a new conversation at its start.
func (e Engine) Pins() bool { return e.started != nil && !e.Mints }

// Clean reports whether an exit is the user's own way out.
func (e Engine) Clean(code int, signal string) bool {
	return signal == "" && (code == 0 || slices.Contains(e.clean, code))
}
