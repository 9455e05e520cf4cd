package workspace

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace/split"
)

// Policy says when a session whose process is gone is started again. An intended end is final under each of them.
type Policy string

// The relaunch policies.
const (
	PolicyIfLost       Policy = "if-lost"       // what the host's death or a reboot took; the default
	PolicyReattachOnly Policy = "reattach-only" // only when the user asks
	PolicyAlways       Policy = "always"        // also after it ended with an error
)

// Valid reports whether p is one of the three.
func (p Policy) Valid() bool {
	return p == PolicyIfLost || p == PolicyReattachOnly || p == PolicyAlways
}

// ComesBack reports whether a session whose program is gone is started again without being asked. exit is nil when the program was lost
// with the host, and what it ended with otherwise.
func (p Policy) ComesBack(exit *wire.Exit) bool {
	switch p {
	case PolicyReattachOnly:
		return false
	case PolicyAlways:
		return exit == nil || Unclean(exit)
	}
	return exit == nil
}

// Unclean reports whether a program ended with an error or by a signal.
func Unclean(exit *wire.Exit) bool { return exit != nil && (exit.Code != 0 || exit.Signal != "") }

// Tab is one entry of a task's strip.
type Tab struct {
	ID        string     `json:"id"`                // tab-N, never used twice within a task
	Name      string     `json:"name,omitempty"`    // given by the user
	Command   []string   `json:"command,omitempty"` // of the first pane; empty is the login shell
	LastTitle string     `json:"last_title,omitempty"`
	Layout    split.Tree `json:"layout"`
	Panes     []Pane     `json:"panes"` // exactly the leaves of Layout, in order of their making
	NextPane  int        `json:"next_pane"`
	Policy    Policy     `json:"policy,omitempty"`
}

// Pane is a leaf of a tab: it shows the session with its key.
type Pane struct {
	ID      string   `json:"id"`                // pane-N, never used twice within a tab
	Command []string `json:"command,omitempty"` // empty is the login shell
	Dir     string   `json:"dir,omitempty"`     // where it starts; empty is the task's
	// Adopted marks a pane that the layout did not know but that ran in the host, and so was taken in.
	Adopted bool `json:"adopted,omitempty"`
	// Former are the tabs that the pane was in before it was moved, the oldest first: its program may still name one of them as its own.
	Former []TabRef `json:"former,omitempty"`
	// Launcher is put before Command: what starts an engine in the login shell. Empty runs Command as it is.
	Launcher []string `json:"launcher,omitempty"`
	// Engine is which engine runs in the pane or did last; empty for a shell or another program.
	Engine string `json:"engine,omitempty"`
	// Conversation is the engine's thread that the pane has claimed, its own or one that it was given: no other pane has it.
	Conversation string     `json:"conversation,omitempty"`
	Transcript   string     `json:"transcript,omitempty"` // its file, as the engine told it
	Opening      *Opening   `json:"opening,omitempty"`    // what the engine is to begin with, until it was started with it
	Session      uint64     `json:"session,omitempty"`    // in which the engine was last known to run: the ID that the host gave it
	Started      time.Time  `json:"started,omitzero"`     // when the engine was last started
	Ended        *EngineEnd `json:"ended,omitempty"`      // the engine has ended and a shell is there; nil while it runs
	Badge        *Badge     `json:"badge,omitempty"`      // what was last known of it
	// Called is when the pane's program last called or rang, as far as that was heard.
	Called time.Time `json:"called,omitzero"`
	// Resumed is when the rate limit began for whose end the engine was told to go on last: that is done once.
	Resumed time.Time `json:"resumed,omitzero"`
}

// EngineEnd says how a pane's engine ended. It is never changed in place.
type EngineEnd struct {
	Code        int       `json:"code"`
	Time        time.Time `json:"time"`
	Approximate bool      `json:"approximate,omitempty"` // the time is when it was noticed, the code a guess
	Lost        bool      `json:"lost,omitempty"`        // with the PTY host: nobody left it
}

// Badge is an activity as it is stored. It is never changed in place. Seen is when a client last opened the tab.
type Badge struct {
	Activity Activity  `json:"activity"`
	Since    time.Time `json:"since"`
	Source   Source    `json:"source"`
	Reason   string    `json:"reason,omitempty"`
	Seen     time.Time `json:"seen,omitzero"`
	Resets   time.Time `json:"resets,omitzero"`
	// Recorded is since when the engine has had the record, of the program status protocol, that was last taken in.
	Recorded time.Time `json:"recorded,omitzero"`
}

// Pane returns the pane with that id. The pointer is into t.
func (t *Tab) Pane(id string) (*Pane, bool) {
	for i := range t.Panes {
		if t.Panes[i].ID == id {
			return &t.Panes[i], true
		}
	}
	return nil, false
}

// Keys lists the keys of the tab's sessions, in the tree's order.
func (t *Tab) Keys(task string) []string {
	var keys []string
	for _, pane := range t.Layout.Panes() {
		keys = append(keys, Key{task, t.ID, pane}.String())
	}
	return keys
}

// Label is what the strip calls the tab: the user's name, else the live title, else the last title, else the command.
func (t *Tab) Label(live string) string {
	for _, text := range []string{t.Name, live, t.LastTitle} {
		if clean := Clean(text, MaxTitle); clean != "" {
			return clean
		}
	}
	if len(t.Command) == 0 {
		return "shell"
	}
	return Clean(filepath.Base(t.Command[0]), MaxTitle)
}

func (t *Tab) check() error {
	var panes []string
	for _, p := range t.Panes {
		if number(p.ID, "pane") == 0 || number(p.ID, "pane") >= t.NextPane {
			return fmt.Errorf("%s was never given out", p.ID)
		}
		panes = append(panes, p.ID)
	}
	leaves := t.Layout.Panes() // each once: the tree sees to it
	slices.Sort(panes)
	slices.Sort(leaves)
	if len(panes) == 0 || !slices.Equal(panes, leaves) {
		return fmt.Errorf("its panes are %v and its leaves %v", panes, leaves)
	}
	return nil
}

// addPane makes the next pane of the tab without placing it.
func (t *Tab) addPane(p Pane) Pane {
	t.NextPane = max(t.NextPane, 1)
	p.ID = "pane-" + strconv.Itoa(t.NextPane)
	t.NextPane++
	t.Panes = append(t.Panes, p)
	return p
}

func (t *Tab) dropPane(id string) {
	t.Panes = slices.DeleteFunc(t.Panes, func(p Pane) bool { return p.ID == id })
}

// number is the N of tab-N or pane-N, 0 when id is not of that form.
func number(id, kind string) int {
	text, ok := strings.CutPrefix(id, kind+"-")
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
