package workspace

import (
	"slices"
	"strings"
)

// Notify is how a client's terminal is told what wants the user. The zero value leaves it to the settings.
type Notify struct {
	Form NotifyForm `json:"form,omitempty"`
	// Tmux wraps the sequence for the terminal around a tmux that the client sits in (tmux(1), allow-passthrough).
	Tmux bool `json:"tmux,omitempty"`
}

// NotifyForm names the sequence that a terminal is told by.
type NotifyForm string

// The forms. Auto is OSC 9, unless the terminal says of itself that it is one that knows only another.
const (
	NotifyAuto   NotifyForm = "auto"
	NotifyOSC9   NotifyForm = "osc9"
	NotifyOSC777 NotifyForm = "osc777"
	NotifyOSC99  NotifyForm = "osc99"
	NotifyBell   NotifyForm = "bell"
	NotifyOff    NotifyForm = "off"
)

// NotifyForms lists the forms in the order in which they are offered.
var NotifyForms = []NotifyForm{NotifyAuto, NotifyOSC9, NotifyOSC777, NotifyOSC99, NotifyBell, NotifyOff}

// ParseNotify reads a form, "tmux", or both with a comma between them, as a client's environment has it.
func ParseNotify(text string) (Notify, error) {
	n := Notify{Form: NotifyAuto}
	for word := range strings.SplitSeq(text, ",") {
		switch word = strings.TrimSpace(word); {
		case word == "tmux":
			n.Tmux = true
		case slices.Contains(NotifyForms, NotifyForm(word)):
			n.Form = NotifyForm(word)
		default:
			return Notify{}, Fail(CodeInvalid, "say auto, osc9, osc777, osc99, bell or off, and ,tmux behind it to reach the terminal around a tmux",
				"%q is no form of notification", Clean(word, MaxTitle))
		}
	}
	return n, nil
}

// Check says whether the form is one that there is; "" is too.
func (n Notify) Check() error {
	if n.Form == "" {
		return nil
	}
	_, err := ParseNotify(string(n.Form))
	return err
}
