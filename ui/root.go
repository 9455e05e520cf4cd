package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// setRoot makes the directory of a pane the root of its task, for everybody.
func (m *Model) setRoot() tea.Cmd {
	r := m.target()
	t, ok := m.world.Task(r.task)
	tab, there := t.Tab(r.tab)
	if !ok || !there || tab.Layout.Empty() {
		return m.say("choose a tab: its pane's directory becomes the task's root", false)
	}
	pane := m.focus[r]
	if !tab.Layout.Has(pane) {
		pane = tab.Layout.Panes()[0]
	}
	p := workspace.RootSet{PaneRef: workspace.PaneRef{Task: r.task, Tab: r.tab, Pane: pane}}
	return m.ask("set the root", func(ctx context.Context) (outcome, error) {
		root, err := m.cfg.Daemon.SetRoot(ctx, p)
		return outcome{say: "the root of " + workspace.Clean(t.Title, workspace.MaxTitle) + " is " + tilde(root.Dir) + " now"}, err
	})
}

// tilde is a directory fit to be drawn, with "~" for the home directory.
func tilde(dir string) string {
	home, err := os.UserHomeDir()
	if rest, ok := strings.CutPrefix(dir, home); err == nil && home != "" && ok && (rest == "" || rest[0] == filepath.Separator) {
		dir = "~" + rest
	}
	return workspace.Clean(dir, 1000)
}

// drawDir says at the right end of the status line in which directory the
// focused pane's program is, and returns what is left of the line. One outside
// of the task's root stands out.
func (m *Model) drawDir(r paint.Rect) paint.Rect {
	task, tab, ok := m.shownTab()
	if !ok || m.region != inPanes || r.W < 40 {
		return r
	}
	dir := task.PaneView(tab.ID, m.focusedPane()).CWD
	if dir == "" {
		return r
	}
	st := theme.Faint
	if below, err := filepath.Rel(task.RootDir(), dir); err != nil || !filepath.IsLocal(below) {
		st = theme.Key
	}
	text := cutLeft(tilde(dir), r.W/3)
	w := paint.StringWidth(text)
	m.frame.Text(r.X+r.W-w-1, r.Y, w, text, st)
	r.W -= w + 2
	return r
}

// cutLeft is the end of a text, in at most w columns.
func cutLeft(s string, w int) string {
	if paint.StringWidth(s) <= w {
		return s
	}
	for s != "" && paint.StringWidth(s) > w-1 {
		_, n := utf8.DecodeRuneInString(s)
		s = s[n:]
	}
	return "…" + s
}
