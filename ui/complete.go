package ui

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// completion offers the files of a task's root for an @ that is being written.
type completion struct {
	asked   bool
	files   []workspace.FileEntry
	problem string

	word   string // behind the @ at the cursor
	open   bool
	closed bool // by the user, until there is another word
	list   picker
}

// maxOffered bounds the files that are offered, maxListed those that are shown
// at a time.
const (
	maxOffered = 50
	maxListed  = 6
)

// filesKnownMsg is the files for the composer that asked.
type filesKnownMsg struct {
	composer *composer
	view     workspace.FilesView
	err      error
}

// atWord is what stands between an @ that begins a word and the cursor.
func (e *editor) atWord() (word string, ok bool) {
	l := e.lines[e.row][:e.col]
	for i, r := range slices.Backward(l) {
		switch {
		case unicode.IsSpace(r):
			return "", false
		case r == '@' && (i == 0 || unicode.IsSpace(l[i-1])):
			return string(l[i+1:]), true
		}
	}
	return "", false
}

// complete looks at what is being written, and asks for the files the first
// time that they are needed.
func (c *composer) complete() tea.Cmd {
	f := &c.files
	word, ok := c.draft.atWord()
	if !ok {
		f.open, f.closed, f.word = false, false, ""
		return nil
	}
	if word != f.word {
		f.closed = false
	}
	f.word, f.open = word, !f.closed
	if !f.asked {
		f.asked = true
		daemon, task := c.m.cfg.Daemon, c.tab.task
		return within(askLimit, func(ctx context.Context) tea.Msg {
			view, err := daemon.Files(ctx, workspace.FilesQuery{Task: task})
			return filesKnownMsg{c, view, err}
		})
	}
	f.offer()
	return nil
}

func (m *Model) takeFilesKnown(msg filesKnownMsg) {
	f := &msg.composer.files
	if msg.err != nil {
		f.problem = sentence(msg.err)
	}
	f.files = msg.view.Entries
	f.offer()
	m.touch()
}

// offer lists the files that fit the word, the best first.
func (f *completion) offer() {
	type scored struct {
		name  string
		score int
	}
	better := func(a, b scored) int {
		return cmp.Or(b.score-a.score, len(a.name)-len(b.name), strings.Compare(a.name, b.name))
	}
	var best []scored
	for _, e := range f.files {
		score, ok := fuzzy(f.word, e.Show)
		if !ok {
			continue
		}
		s := scored{e.Show, score}
		if at, _ := slices.BinarySearchFunc(best, s, better); at < maxOffered {
			best = slices.Insert(best, at, s)
			best = best[:min(len(best), maxOffered)]
		}
	}
	picks := make([]pick, len(best))
	for i, s := range best {
		picks[i] = pick{text: s.name}
	}
	f.list.fill(picks)
}

// height is how many rows the list has.
func (f *completion) height() int {
	if !f.open {
		return 0
	}
	return min(max(len(f.list.found), 1), maxListed)
}

func (f *completion) draw(frame *paint.Frame, r paint.Rect) {
	switch {
	case f.problem != "":
		frame.Text(r.X, r.Y, r.W, cut("no files: "+f.problem, r.W), theme.Error)
	case len(f.list.found) == 0 && f.files == nil:
		frame.Text(r.X, r.Y, r.W, "asking for the files…", theme.Faint)
	case len(f.list.found) == 0:
		frame.Text(r.X, r.Y, r.W, "no such file", theme.Faint)
	default:
		f.list.draw(frame, r, true)
	}
}

// key takes a key for the open list: false when it is for the text.
func (f *completion) key(k input.Key, d *draft) bool {
	if !f.open || k.Mods != 0 {
		return false
	}
	switch k.Code {
	case input.Escape:
		f.open, f.closed = false, true
		return true
	case input.Up, input.Down, input.PageUp, input.PageDown:
		return len(f.list.found) > 0 && f.list.key(k)
	case input.Tab, input.Enter:
		i, ok := f.list.chosen()
		if !ok {
			return false
		}
		d.cut(d.col-len([]rune(f.word)), d.col)
		d.insert(f.list.items[i].text + " ") // a path is short: at the very limit it is left out
		f.open = false
		return true
	}
	return false
}
