package ui

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"

	tea "charm.land/bubbletea/v2"
)

// dirDialog asks for a directory, and completes it. It looks by commands only.
type dirDialog struct {
	title string
	line  *line
	list  picker
	names []string // the directories in listed
	asked string   // whose names are there, or on their way
	why   string   // why there are none
	then  func(context.Context, string) (outcome, error)
	m     *Model
}

// dirsMsg are the directories within one.
type dirsMsg struct {
	dialog *dirDialog
	in     string
	names  []string
	err    error
}

const (
	maxDirs   = 2000            // names taken of a directory
	dirsLimit = 5 * time.Second // a file system that hangs is not waited for
)

// askDir asks for a directory; then is called with it, absolute, from a command.
func (m *Model) askDir(title, text string, then func(context.Context, string) (outcome, error)) tea.Cmd {
	d := &dirDialog{title: title, line: newLine(text), then: then, m: m, asked: "?"}
	m.dialog = d
	m.touch()
	return d.look()
}

// expand makes a typed directory absolute: from the home directory, which "~"
// is too.
func expand(text string) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	if rest, ok := strings.CutPrefix(text, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(home, rest), nil
	}
	if !filepath.IsAbs(text) {
		return filepath.Join(home, text), nil
	}
	return filepath.Clean(text), nil
}

// halves divides the text behind its last separator.
func (d *dirDialog) halves() (dir, base string) {
	text := d.line.String()
	i := strings.LastIndexFunc(text, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(byte(r)) })
	return text[:i+1], text[i+1:]
}

// look fits the list to the text, by a command when the names are not there.
func (d *dirDialog) look() tea.Cmd {
	dir, base := d.halves()
	if dir != d.asked {
		d.asked, d.names, d.why = dir, nil, "looking…"
		d.fit("")
		return func() tea.Msg {
			found := make(chan dirsMsg, 1)
			go func() { found <- listDirs(d, dir) }()
			select {
			case msg := <-found:
				return msg
			case <-time.After(dirsLimit):
				return dirsMsg{d, dir, nil, context.DeadlineExceeded}
			}
		}
	}
	d.fit(base)
	return nil
}

func listDirs(d *dirDialog, in string) dirsMsg {
	path, err := expand(in)
	if err != nil {
		return dirsMsg{d, in, nil, err}
	}
	f, err := os.Open(path)
	if err != nil {
		return dirsMsg{d, in, nil, err}
	}
	defer f.Close()
	entries, err := f.ReadDir(maxDirs)
	var names []string
	for _, e := range entries {
		is := e.IsDir()
		if e.Type()&os.ModeSymlink != 0 {
			info, err := os.Stat(filepath.Join(path, e.Name()))
			is = err == nil && info.IsDir()
		}
		if is {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	if len(names) > 0 {
		err = nil
	}
	return dirsMsg{d, in, names, err}
}

func (m *Model) takeDirs(msg dirsMsg) {
	d := msg.dialog
	if m.dialog != dialog(d) || d.asked != msg.in {
		return
	}
	m.touch()
	d.names, d.why = msg.names, ""
	if len(d.names) == 0 {
		d.why = "no directories in it"
		if _, missing := msg.err.(*os.PathError); missing {
			d.why = msg.err.Error()
		}
	}
	_, base := d.halves()
	d.fit(base)
}

// fit lists the names that begin as the text ends. Hidden ones are shown to who
// types the dot.
func (d *dirDialog) fit(base string) {
	var items []pick
	for _, n := range d.names {
		if strings.HasPrefix(strings.ToLower(n), strings.ToLower(base)) && (n[0] != '.' || strings.HasPrefix(base, ".")) {
			items = append(items, pick{text: n})
		}
	}
	d.list.fill(items)
}

// complete takes the chosen name into the text.
func (d *dirDialog) complete() tea.Cmd {
	i, ok := d.list.chosen()
	if !ok {
		return nil
	}
	dir, _ := d.halves()
	d.line = newLine(dir + d.list.items[i].text + string(filepath.Separator))
	return d.look()
}

func (d *dirDialog) size(within Size) Size {
	return Size{min(76, within.Cols), min(16, within.Rows)}
}

func (d *dirDialog) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	f.Text(r.X, r.Y, r.W, d.title, theme.Title)
	c := d.line.draw(f, paint.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: 1})
	if d.why != "" {
		f.Text(r.X, r.Y+3, r.W, paint.Clean(d.why, 400), theme.Faint)
	}
	d.list.draw(f, paint.Rect{X: r.X, Y: r.Y + 3, W: r.W, H: max(r.H-5, 0)}, true)
	f.Text(r.X, r.Y+r.H-1, r.W, "Tab: complete   Enter: take it   Esc: leave", theme.Faint)
	return c
}

func (d *dirDialog) key(k input.Key) (tea.Cmd, bool) {
	switch {
	case k.Code == input.Escape, k.Matches(input.Key{Code: 'c', Mods: input.Ctrl}):
		return nil, true
	case k.Code == input.Tab:
		return d.complete(), false
	case k.Code == input.Enter:
		text := strings.TrimSpace(d.line.String())
		if text == "" {
			return nil, false
		}
		then := d.then
		return d.m.askLong(strings.ToLower(d.title[:1])+d.title[1:], func(ctx context.Context) (outcome, error) {
			path, err := expand(text)
			if err != nil {
				return outcome{}, err
			}
			return then(ctx, path)
		}), true
	case k.Code != input.Home && k.Code != input.End && d.list.key(k):
		return nil, false
	}
	d.line.key(k)
	return d.look(), false
}

func (d *dirDialog) click(_, y int, _ paint.Rect) (tea.Cmd, bool) {
	if d.list.click(y - 3) {
		return d.complete(), false
	}
	return nil, false
}

// paste takes text in; what completes it is looked for at the next key.
func (d *dirDialog) paste(text string) { d.line.paste(text) }
