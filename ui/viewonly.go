package ui

import (
	"moorage/ui/keymap"
)

// looking are the actions of a client that may look only, beside turning to a
// tab or task by its number. They change what this client sees and nothing else.
var looking = map[keymap.Action]bool{
	keymap.Back: true, keymap.Quit: true, keymap.Help: true,
	keymap.NextPane: true, keymap.PaneLeft: true, keymap.PaneRight: true, keymap.PaneUp: true, keymap.PaneDown: true, keymap.Zoom: true,
	keymap.NextRegion: true, keymap.Sidebar: true, keymap.PrevTab: true, keymap.NextTab: true,
	keymap.ScrollUp: true, keymap.ScrollDown: true, keymap.ScrollEnd: true,
	keymap.Open: true, keymap.Search: true, keymap.LastTask: true, keymap.NextCall: true, keymap.PrevCall: true,
	keymap.Up: true, keymap.Down: true, keymap.First: true, keymap.Last: true, keymap.Fold: true, keymap.Unfold: true,
	keymap.Inbox: true, keymap.Report: true, keymap.Exits: true, keymap.Files: true, keymap.Worktrees: true, keymap.Dismiss: true,
}

// allows reports whether the client may do that.
func (m *Model) allows(a keymap.Action) bool {
	return !m.cfg.View || looking[a] || a.TabNumber() > 0 || a.TaskNumber() > 0
}

// viewOnly says why nothing happens.
const viewOnly = "you are looking only: connect without view@ to change something"
