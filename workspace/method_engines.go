package workspace

import (
	"time"
)

// Hook is a call of `moorage hook`, made by an engine or by what started it. Task, Tab and PID are what the caller says of itself: they are
// checked against a live session and its process tree.
type Hook struct {
	Engine  string `json:"engine"`            // which one calls
	Event   string `json:"event,omitempty"`   // its own name of it, where the payload has none
	Payload []byte `json:"payload,omitempty"` // what it was given on its standard input, at most MaxPayload
	Task    string `json:"task,omitempty"`
	Tab     string `json:"tab,omitempty"`
	Dir     string `json:"dir,omitempty"` // where it runs
	PID     int    `json:"pid,omitempty"`
	Exit    *int   `json:"exit,omitempty"` // the engine has ended with that code
}

// MaxPayload bounds what is taken of a hook's standard input.
const MaxPayload = 1 << 20

// HookResult says where a hook's event went: to a session, to a task as such, or nowhere.
type HookResult struct {
	Key     string `json:"key,omitempty"`
	Task    string `json:"task,omitempty"`
	Dropped string `json:"dropped,omitempty"` // why
}

// Launch asks how to start the engine of a pane: Command is what the pane was made with.
type Launch struct {
	PaneRef
	Command []string `json:"command"`
	Program string   `json:"program"` // moorage, as hooks are to call it
	Dir     string   `json:"dir"`
	Env     []string `json:"env"` // what says where engines keep their conversations
}

// Launched says what to run in the pane's login shell. An empty Argv means that it is a shell now.
type Launched struct {
	Engine string   `json:"engine,omitempty"`
	Argv   []string `json:"argv,omitempty"`
	Env    []string `json:"env,omitempty"`   // KEY=VALUE, added
	Unset  []string `json:"unset,omitempty"` // taken away; a name that ends in * is a prefix
}

// Told says who was told of an inbox item; see Item.
type Told struct {
	ID      string   `json:"id"`
	Told    int      `json:"told"`
	Looking int      `json:"looking"`
	Lookers []string `json:"lookers,omitempty"`
}

// Hooks says whether engines may be given hooks at their launch. "" asks only, and ConsentUnasked puts the question off until the next launch.
type Hooks struct {
	Consent Consent `json:"consent"`
}

// HooksQuestion asks the user whether engines may be given hooks. The launch of an engine that could have some asks it while the user has
// given no word; the launch does not wait. The zero value asks nothing.
type HooksQuestion struct {
	ID     string   `json:"id,omitempty"` // a ULID: the next launch asks anew
	Task   string   `json:"task,omitempty"`
	Tab    string   `json:"tab,omitempty"`
	Engine string   `json:"engine,omitempty"` // as people call it
	Adds   []string `json:"adds,omitempty"`   // what each launch would be given: arguments, names of variables, files of moorage's own
}

// Consent is the user's word about hooks.
type Consent string

// The answers of the user. Until there is one, engines get no hooks.
const (
	ConsentUnasked Consent = "unasked"
	ConsentAllowed Consent = "allowed"
	ConsentDenied  Consent = "denied"
)

// TaskState is a task as scripts steer by it.
type TaskState struct {
	ID    string         `json:"id"`
	Title string         `json:"title"`
	Dir   string         `json:"dir"`
	Tabs  []TabStateView `json:"tabs"`
}

// TabStateView is a tab in a TaskState, by its first pane or the one with an engine. EngineAlive and Alive are null when nobody could look.
type TabStateView struct {
	ID           string    `json:"id"`
	Pane         string    `json:"pane"`
	Name         string    `json:"name"`
	Kind         string    `json:"kind"`                  // "engine" or "shell"
	Engine       string    `json:"engine,omitempty"`      // which one the tab was made for
	LiveEngine   string    `json:"live_engine,omitempty"` // which one runs in it now
	Conversation string    `json:"session_id,omitempty"`
	Alive        *bool     `json:"alive"`
	EngineAlive  *bool     `json:"engine_alive"`
	Exit         *int      `json:"exit"`   // with what its program or engine ended
	Frozen       bool      `json:"frozen"` // restored from disk, its program is gone
	Policy       Policy    `json:"policy"`
	Activity     Activity  `json:"activity,omitempty"`
	Since        time.Time `json:"since,omitzero"`
	Why          string    `json:"why,omitempty"`
}

// Send asks for a prompt to be typed into an engine and submitted. An empty Tab means the task's only live engine; without one a fresh
// engine tab is started.
type Send struct {
	Task    string `json:"task"`
	Tab     string `json:"tab,omitempty"`
	Prompt  string `json:"prompt"`
	Respawn bool   `json:"respawn,omitempty"` // start again what a host's end left behind
	// Typist says that whoever sends it was the last to type into the engine: there is nobody to give way to.
	Typist bool `json:"typist,omitempty"`
}

// MaxPrompt bounds a prompt, in bytes.
const MaxPrompt = 1 << 20

// Sent says where a prompt went.
type Sent struct {
	Key     string `json:"key"`
	Bytes   int    `json:"bytes"`
	Started bool   `json:"started,omitempty"` // a fresh engine was started for it
	// Echo says whether the engine showed what was typed before it was submitted; unknown when nobody could look.
	Echo Answer `json:"echo"`
	// Frozen lists the tabs of the task that a host's end left behind, when a fresh engine was started beside them.
	Frozen []string `json:"frozen_tabs,omitempty"`
}
