// Package keymap says which key does what, and where. The help page and the
// status line are made from the same table, so neither can lie.
//
// Pure; floor 3.
package keymap

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"moorage/ui/input"
)

// Action is something a key can do.
type Action string

// The actions. Their names are those of the settings' [keys] table.
const (
	Back        Action = "back"
	NewTab      Action = "new-tab"
	Close       Action = "close"
	SplitRight  Action = "split-right"
	SplitDown   Action = "split-down"
	Help        Action = "help"
	Rename      Action = "rename"
	NextPane    Action = "next-pane"
	NextRegion  Action = "next-region"
	Reset       Action = "reset"
	PrevTab     Action = "prev-tab"
	NextTab     Action = "next-tab"
	ScrollUp    Action = "scroll-up"
	ScrollDown  Action = "scroll-down"
	ScrollEnd   Action = "scroll-end"
	Zoom        Action = "zoom"
	PaneLeft    Action = "pane-left"
	PaneRight   Action = "pane-right"
	PaneUp      Action = "pane-up"
	PaneDown    Action = "pane-down"
	GrowLeft    Action = "grow-left"
	GrowRight   Action = "grow-right"
	GrowUp      Action = "grow-up"
	GrowDown    Action = "grow-down"
	Quit        Action = "quit"
	Verbatim    Action = "verbatim"
	Sidebar     Action = "sidebar"
	Open        Action = "open"
	NewTask     Action = "new-task"
	DeleteTask  Action = "delete-task"
	Up          Action = "up"
	Down        Action = "down"
	First       Action = "first"
	Last        Action = "last"
	Fold        Action = "fold"
	Unfold      Action = "unfold"
	MoveUp      Action = "move-up"
	MoveDown    Action = "move-down"
	MoveTabLeft Action = "move-tab-left"
	MoveTabRite Action = "move-tab-right"
	SwapPrev    Action = "swap-previous"
	SwapNext    Action = "swap-next"
	Rotate      Action = "rotate"
	RotateBack  Action = "rotate-back"
	Break       Action = "break-pane"
	Join        Action = "join-pane"
	Even        Action = "even"
	NextPreset  Action = "next-layout"
	AskTab      Action = "new-tab-with"
	Policy      Action = "policy"
	Restore     Action = "restore"
	Report      Action = "report"
	Exits       Action = "exits"
	Files       Action = "files"
	NewScratch  Action = "new-scratch"
	Search      Action = "search"
	Worktrees   Action = "worktrees"
	Land        Action = "land"
	Status      Action = "status"
	Pin         Action = "pin"
	Menu        Action = "menu"
	Inbox       Action = "inbox"
	NextCall    Action = "next-attention"
	PrevCall    Action = "previous-attention"
	Compose     Action = "compose"
	LastTask    Action = "last-task"
	Notify      Action = "notifications"
	Dismiss     Action = "dismiss"
	SetRoot     Action = "set-root"

	Conversations Action = "conversations"
)

// Tab returns the action that shows tab n of the task, from 1 to 9.
func Tab(n int) Action { return Action(fmt.Sprintf("tab-%d", n)) }

// Jump returns the action that goes to task n of the sidebar, from 1 to 9.
func Jump(n int) Action { return Action(fmt.Sprintf("task-%d", n)) }

// Layout returns the action that arranges the panes by a preset.
func Layout(preset string) Action { return Action("layout-" + preset) }

// Preset is Layout's inverse; "" for any other action.
func (a Action) Preset() string {
	preset, _ := strings.CutPrefix(string(a), "layout-")
	if preset == string(a) {
		return ""
	}
	return preset
}

// TabNumber is Tab's inverse; 0 for any other action.
func (a Action) TabNumber() int { return a.number("tab-") }

// TaskNumber is Jump's inverse; 0 for any other action.
func (a Action) TaskNumber() int { return a.number("task-") }

// number is the digit behind a prefix, 0 if it is not there.
func (a Action) number(prefix string) int {
	digit, ok := strings.CutPrefix(string(a), prefix)
	if ok && len(digit) == 1 && digit[0] >= '1' && digit[0] <= '9' {
		return int(digit[0] - '0')
	}
	return 0
}

// Where says when a binding counts.
type Where uint8

// The places.
const (
	Anywhere  Where = iota // in a pane and in the sidebar
	InSidebar              // while the sidebar has the keys
	AfterPref              // after the prefix key, anywhere
)

// Binding gives keys to an action.
type Binding struct {
	Where  Where
	Keys   []string
	Action Action
	Help   string
	// Exact bindings exist only where the client's terminal tells the key
	// apart: ctrl+[ is Escape on the others.
	Exact bool
}

// Defaults are the bindings as they come.
func Defaults() []Binding {
	list := []Binding{
		{Anywhere, []string{"ctrl+q"}, Back, "from a pane to the sidebar, from there detach", false},
		{Anywhere, []string{"ctrl+t"}, NewTab, "new tab", false},
		{Anywhere, []string{"ctrl+w"}, Close, "close pane or tab", false},
		{Anywhere, []string{`ctrl+\`}, SplitRight, "split right", false},
		{Anywhere, []string{"ctrl+="}, SplitDown, "split down", true},
		{Anywhere, []string{"ctrl+["}, PrevTab, "previous tab", true},
		{Anywhere, []string{"ctrl+]"}, NextTab, "next tab", true},
		{Anywhere, []string{"f1"}, Help, "this help", false},
		{Anywhere, []string{"f2"}, Rename, "rename", false},
		{Anywhere, []string{"f3"}, NextPane, "next pane", false},
		{Anywhere, []string{"f4"}, NextRegion, "next region", false},
		{Anywhere, []string{"f5"}, Reset, "reset the pane: a fresh program", false},
		{Anywhere, []string{"f7"}, NextCall, "to the next tab that needs you", false},
		{Anywhere, []string{"shift+f7"}, PrevCall, "to the one before", false},
		{Anywhere, []string{"ctrl+pgup"}, ScrollUp, "scroll back", false},
		{Anywhere, []string{"ctrl+pgdown"}, ScrollDown, "scroll forward", false},

		{InSidebar, []string{"up", "k"}, Up, "up", false},
		{InSidebar, []string{"down", "j"}, Down, "down", false},
		{InSidebar, []string{"home", "g"}, First, "first", false},
		{InSidebar, []string{"end", "G"}, Last, "last", false},
		{InSidebar, []string{"enter", "ctrl+e", "l"}, Open, "open", false},
		{InSidebar, []string{"left", "h"}, Fold, "fold", false},
		{InSidebar, []string{"right"}, Unfold, "unfold", false},
		{InSidebar, []string{"/"}, Search, "search", false},
		{InSidebar, []string{"n"}, NewTask, "new task: in a project, of a directory, ...", false},
		{InSidebar, []string{"N"}, NewScratch, "new scratch task", false},
		{InSidebar, []string{"t"}, NewTab, "new tab", false},
		{InSidebar, []string{"T"}, AskTab, "new tab with a command, a place, a policy", false},
		{InSidebar, []string{"r"}, Rename, "rename", false},
		{InSidebar, []string{"d", "delete"}, DeleteTask, "delete", false},
		{InSidebar, []string{"p"}, Pin, "pin, or unpin", false},
		{InSidebar, []string{"s"}, Status, "status: the task's label", false},
		{InSidebar, []string{"L"}, Land, "land: merge the task's branch", false},
		{InSidebar, []string{"x"}, Worktrees, "worktrees of all projects", false},
		{InSidebar, []string{"i"}, Inbox, "inbox: what wants you", false},
		{InSidebar, []string{"m"}, Menu, "menu of what can be done to the row", false},
		{InSidebar, []string{"K", "shift+up"}, MoveUp, "move up", false},
		{InSidebar, []string{"J", "shift+down"}, MoveDown, "move down", false},
		{InSidebar, []string{"?"}, Help, "help", false},
		{InSidebar, []string{"q"}, Quit, "detach", false},

		{AfterPref, []string{"|", "%"}, SplitRight, "split right", false},
		{AfterPref, []string{"-", `"`}, SplitDown, "split down", false},
		{AfterPref, []string{"left"}, PaneLeft, "pane to the left", false},
		{AfterPref, []string{"right"}, PaneRight, "pane to the right", false},
		{AfterPref, []string{"up"}, PaneUp, "pane above", false},
		{AfterPref, []string{"down"}, PaneDown, "pane below", false},
		{AfterPref, []string{"ctrl+left", "alt+left"}, GrowLeft, "move the border left", false},
		{AfterPref, []string{"ctrl+right", "alt+right"}, GrowRight, "move the border right", false},
		{AfterPref, []string{"ctrl+up", "alt+up"}, GrowUp, "move the border up", false},
		{AfterPref, []string{"ctrl+down", "alt+down"}, GrowDown, "move the border down", false},
		{AfterPref, []string{"z"}, Zoom, "zoom the pane", false},
		{AfterPref, []string{"p"}, PrevTab, "previous tab", false},
		{AfterPref, []string{"n"}, NextTab, "next tab", false},
		{AfterPref, []string{"<"}, MoveTabLeft, "move the tab left", false},
		{AfterPref, []string{">"}, MoveTabRite, "move the tab right", false},
		{AfterPref, []string{"o"}, NextPane, "next pane", false},
		{AfterPref, []string{"c"}, NewTab, "new tab", false},
		{AfterPref, []string{"x"}, Close, "close pane or tab", false},
		{AfterPref, []string{","}, Rename, "rename", false},
		{AfterPref, []string{"["}, ScrollUp, "scroll back", false},
		{AfterPref, []string{"]"}, ScrollEnd, "back to the live screen", false},
		{AfterPref, []string{"{"}, SwapPrev, "swap with the pane before", false},
		{AfterPref, []string{"}"}, SwapNext, "swap with the pane behind", false},
		{AfterPref, []string{"ctrl+o"}, Rotate, "rotate the panes", false},
		{AfterPref, []string{"alt+o"}, RotateBack, "rotate them back", false},
		{AfterPref, []string{"!"}, Break, "give the pane a tab of its own", false},
		{AfterPref, []string{"@"}, Join, "move the pane into another tab", false},
		{AfterPref, []string{"E"}, Even, "even the panes out", false},
		{AfterPref, []string{"space"}, NextPreset, "next layout", false},
		{AfterPref, []string{"alt+1"}, Layout("even-horizontal"), "layout: side by side", false},
		{AfterPref, []string{"alt+2"}, Layout("even-vertical"), "layout: below each other", false},
		{AfterPref, []string{"alt+3"}, Layout("main-left"), "layout: the first left", false},
		{AfterPref, []string{"alt+4"}, Layout("main-top"), "layout: the first above", false},
		{AfterPref, []string{"alt+5"}, Layout("tiled"), "layout: tiled", false},
		{AfterPref, []string{"e"}, Compose, "write a prompt for the tab's engine", false},
		{AfterPref, []string{"y"}, Conversations, "conversations that engines have had here", false},
		{AfterPref, []string{"i"}, Inbox, "inbox: what wants you", false},
		{AfterPref, []string{"b"}, Notify, "how this client is told what wants you", false},
		{AfterPref, []string{"esc"}, Dismiss, "take away what was said", false},
		{AfterPref, []string{"/"}, Search, "search tasks and tabs", false},
		{AfterPref, []string{"N"}, NewTask, "new task", false},
		{AfterPref, []string{"W"}, Worktrees, "worktrees of all projects", false},
		{AfterPref, []string{"l"}, LastTask, "back to the task before", false},
		{AfterPref, []string{"m"}, Menu, "menu of what can be done to the tab", false},
		{AfterPref, []string{"T"}, AskTab, "new tab with a command, a place, a policy", false},
		{AfterPref, []string{"P"}, Policy, "when the tab's programs are started again", false},
		{AfterPref, []string{"R"}, Restore, "restore: start again what was lost", false},
		{AfterPref, []string{"r"}, Report, "what the last restore brought back", false},
		{AfterPref, []string{"I"}, Exits, "programs that ended, with their last lines", false},
		{AfterPref, []string{"f"}, Files, "the task's files, and what changed", false},
		{AfterPref, []string{"."}, SetRoot, "set the task's root: the directory of the pane", false},
		{AfterPref, []string{"s"}, Sidebar, "to the sidebar", false},
		{AfterPref, []string{"d"}, Quit, "detach", false},
		{AfterPref, []string{"q"}, Verbatim, "send the next key to the pane as it is", false},
		{AfterPref, []string{"?"}, Help, "help", false},
	}
	for n := 1; n <= 9; n++ {
		list = append(list, Binding{AfterPref, []string{string(rune('0' + n))}, Tab(n), fmt.Sprintf("tab %d", n), false})
	}
	for n := 1; n <= 9; n++ {
		list = append(list, Binding{InSidebar, []string{string(rune('0' + n))}, Jump(n), fmt.Sprintf("task %d of the list", n), false})
	}
	return list
}

// Map finds actions by key.
type Map struct {
	prefix     input.Key
	prefixName string
	bindings   []Binding
	keys       [][]input.Key
}

// New makes a map of the defaults with the settings' changes: for an action,
// the keys that it has anywhere instead of its own, separated by spaces; empty
// for none. prefix is the prefix key's name. A mistake costs the action that it
// is in, or the prefix, whose default holds; the error has a line for each.
func New(prefix string, changes map[string]string) (*Map, error) {
	var mistakes []error
	changed := make(map[Action][]string)
	for _, action := range slices.Sorted(maps.Keys(changes)) {
		keys := strings.Fields(changes[action])
		if err := check(Action(action), keys); err != nil {
			mistakes = append(mistakes, fmt.Errorf("keys.%s: %w", action, err))
			continue
		}
		changed[Action(action)] = keys
	}
	m := &Map{prefix: input.Key{Code: 'a', Mods: input.Ctrl}, prefixName: "ctrl+a"}
	if k, err := input.ParseKey(prefix); err != nil {
		mistakes = append(mistakes, fmt.Errorf("prefix %q: %w", prefix, err))
	} else {
		m.prefix, m.prefixName = k, prefix
	}
	for {
		m.bind(changed)
		action, err := m.collision(changed)
		if err == nil {
			return m, errors.Join(mistakes...)
		}
		mistakes = append(mistakes, err)
		if action == "" {
			m.prefix, m.prefixName = input.Key{Code: 'a', Mods: input.Ctrl}, "ctrl+a"
		}
		delete(changed, action)
	}
}

// check looks at the keys that the settings give an action.
func check(action Action, keys []string) error {
	if !slices.ContainsFunc(Defaults(), func(b Binding) bool { return b.Action == action }) {
		return errors.New("no such action: the README lists them")
	}
	for _, name := range keys {
		k, err := input.ParseKey(name)
		if err != nil {
			return err
		}
		if types(k) {
			return fmt.Errorf("key %q: every program needs it to be typed: add ctrl, alt or the like, or take a function key", name)
		}
	}
	return nil
}

// types reports whether programs cannot do without a key: it types a character, or ends or mends what was typed.
func types(k input.Key) bool {
	if k.Mods&^input.Shift != 0 {
		return false
	}
	switch k.Code {
	case input.Enter, input.Tab, input.Backspace, input.Escape:
		return true
	}
	return unicode.IsPrint(k.Code)
}

// bind makes the bindings of the defaults, with other keys for the actions in changed.
func (m *Map) bind(changed map[Action][]string) {
	m.bindings, m.keys = Defaults(), nil
	for _, action := range slices.Sorted(maps.Keys(changed)) {
		i := slices.IndexFunc(m.bindings, func(b Binding) bool { return b.Action == action && b.Where == Anywhere })
		if i < 0 {
			i = len(m.bindings)
			own := slices.IndexFunc(m.bindings, func(b Binding) bool { return b.Action == action })
			m.bindings = append(m.bindings, Binding{Action: action, Help: m.bindings[own].Help})
		}
		m.bindings[i].Keys, m.bindings[i].Exact = changed[action], false
	}
	for _, b := range m.bindings {
		var keys []input.Key
		for _, name := range b.Keys {
			k, _ := input.ParseKey(name) // it was looked at
			keys = append(keys, k)
		}
		m.keys = append(m.keys, keys)
	}
}

// collision finds a key that the settings gave to an action although it has another meaning anywhere: the action, or "" for the prefix.
func (m *Map) collision(changed map[Action][]string) (Action, error) {
	for i, b := range m.bindings {
		if b.Where != Anywhere {
			continue
		}
		_, ours := changed[b.Action]
		for n, k := range m.keys[i] {
			switch other := m.other(i, k); {
			case ours && other != "":
				return b.Action, fmt.Errorf("keys.%s: key %q is that of %s, which needs another one first", b.Action, b.Keys[n], other)
			case m.prefix.Matches(k) && ours:
				return b.Action, fmt.Errorf("keys.%s: key %q is the prefix", b.Action, b.Keys[n])
			case m.prefix.Matches(k):
				return "", fmt.Errorf("prefix %q: it is the key of %s, which needs another one first", m.prefixName, b.Action)
			}
		}
	}
	return "", nil
}

// other is another action than that of binding i which has a key anywhere.
func (m *Map) other(i int, k input.Key) Action {
	for j, b := range m.bindings {
		if j != i && b.Where == Anywhere && slices.ContainsFunc(m.keys[j], k.Matches) {
			return b.Action
		}
	}
	return ""
}

// IsPrefix reports whether k is the prefix key.
func (m *Map) IsPrefix(k input.Key) bool { return k.Matches(m.prefix) }

// Prefix is the prefix key's name.
func (m *Map) Prefix() string { return m.prefixName }

// Find returns what k does at a place. exact is whether the client's terminal
// tells all keys apart.
func (m *Map) Find(where Where, k input.Key, exact bool) (Action, bool) {
	for i, b := range m.bindings {
		if b.Where != where || b.Exact && !exact {
			continue
		}
		for _, want := range m.keys[i] {
			if k.Matches(want) {
				return b.Action, true
			}
		}
	}
	return "", false
}

// Bindings returns those of a place that the client's terminal can type.
func (m *Map) Bindings(where Where, exact bool) []Binding {
	var list []Binding
	for _, b := range m.bindings {
		if b.Where == where && (exact || !b.Exact) && len(b.Keys) > 0 {
			list = append(list, b)
		}
	}
	return list
}

// Name returns the first key of an action at a place, "" if it has none there.
func (m *Map) Name(where Where, a Action, exact bool) string {
	for _, b := range m.Bindings(where, exact) {
		if b.Action == a {
			return b.Keys[0]
		}
	}
	return ""
}
