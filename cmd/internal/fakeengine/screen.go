//go:build unix

package main

import (
	"encoding/base64"
	"fmt"
)

func (f *fake) title(text string) { fmt.Printf("\x1b]0;%s\a", text) }

func (f *fake) tell(state, kind, message string) {
	if !f.status {
		return
	}
	text := "\x1b]7501;state=" + state
	if state != "clear" {
		text += ":app=" + map[string]string{"claude": "claude-code"}[f.name]
		if f.name != "claude" {
			text += f.name
		}
	}
	if kind != "" {
		text += ":kind=" + kind
	}
	if message != "" {
		text += ":msg=" + base64.StdEncoding.EncodeToString([]byte(message))
	}
	fmt.Print(text + "\a")
}

// glyph is the title of a state, of a Claude Code whose status nobody listens to.
func (f *fake) glyph(g string) {
	if f.name == "claude" && !f.status {
		f.title(g + " Claude Code")
	}
}
