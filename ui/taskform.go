package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// taskForm asks for a task in a project: its title, where its branch begins,
// and what the branch's name begins with.
type taskForm struct {
	m        *Model
	projects []workspace.Project
	project  int
	title    *line
	base     *line
	prefix   *line
	at       int // the field with the keys
	bases    []workspace.BaseRef
	list     picker
	picked   bool // a base was chosen from the list, not only typed
	why      string
}

// The fields, from top to bottom.
const (
	fieldProject = iota
	fieldTitle
	fieldBase
	fieldPrefix
	taskFields
)

// basesMsg are the refs that work can begin at in a project.
type basesMsg struct {
	form    *taskForm
	project string
	bases   []workspace.BaseRef
	err     error
}

// askProjectTask asks for a task in a project, at first that one.
func (m *Model) askProjectTask(project string) tea.Cmd {
	if len(m.world.Projects) == 0 {
		m.dialog = nil
		return m.say("there is no project yet: save a repository or clone one first", false)
	}
	d := &taskForm{m: m, projects: m.world.Projects, title: newLine(""), base: newLine(""), prefix: newLine(""), at: fieldTitle}
	d.project = max(slices.IndexFunc(d.projects, func(p workspace.Project) bool { return p.ID == project }), 0)
	m.dialog = d
	m.touch()
	return d.ask()
}

// ask asks for the project's refs.
func (d *taskForm) ask() tea.Cmd {
	p := d.projects[d.project]
	d.bases, d.why = nil, "asking git…"
	d.list.fill(nil)
	daemon := d.m.cfg.Daemon
	return within(askLimit, func(ctx context.Context) tea.Msg {
		bases, err := daemon.Bases(ctx, p.ID)
		return basesMsg{d, p.ID, bases, err}
	})
}

func (m *Model) takeBases(msg basesMsg) {
	d := msg.form
	if m.dialog != dialog(d) || d.projects[d.project].ID != msg.project {
		return
	}
	m.touch()
	d.bases, d.why = msg.bases, ""
	if msg.err != nil {
		d.why = sentence(msg.err)
	}
	var items []pick
	for _, b := range d.bases {
		items = append(items, pick{b.Name, strings.TrimSpace(b.Kind + "  " + age(b.Time, time.Now())), theme.Faint})
	}
	d.list.items = items
	d.list.filter(d.base.String())
}

// chosenBase is the ref that the form means; "" for the project's default.
func (d *taskForm) chosenBase() string {
	text := strings.TrimSpace(d.base.String())
	for _, b := range d.bases {
		if b.Name == text {
			return b.Ref
		}
	}
	if i, ok := d.list.chosen(); ok && (d.picked || text != "") {
		return d.bases[i].Ref
	}
	return text
}

func (d *taskForm) size(within Size) Size { return Size{min(76, within.Cols), min(19, within.Rows)} }

// baseLine is what the form says beside the typed base.
func (d *taskForm) baseLine() string {
	p := d.projects[d.project]
	switch base := d.chosenBase(); base {
	case "":
		return "the default: " + p.Default
	default:
		for _, b := range d.bases {
			if b.Ref == base {
				return "→ " + b.Name
			}
		}
		return "→ " + base
	}
}

func (d *taskForm) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	var cursor vt.Cursor
	f.Text(r.X, r.Y, r.W, "New task in a project", theme.Title)
	labels := [taskFields]string{"Project", "Title", "Base", "Prefix"}
	for i, label := range labels {
		y := r.Y + 1 + i
		if i >= r.H-2 {
			break
		}
		st := theme.Faint
		if i == d.at {
			st = theme.Bold
		}
		w := min(formLabel, r.W/2)
		f.Text(r.X, y, w-1, label, st)
		rest := paint.Rect{X: r.X + w, Y: y, W: r.W - w, H: 1}
		if i == fieldProject {
			text := workspace.Clean(d.projects[d.project].Title, workspace.MaxTitle)
			if i == d.at {
				text = "◂ " + text + " ▸"
				cursor = vt.Cursor{X: rest.X, Y: y, Visible: true}
			}
			f.Text(rest.X, y, rest.W, text, theme.Text)
			continue
		}
		l := []*line{fieldTitle: d.title, fieldBase: d.base, fieldPrefix: d.prefix}[i]
		c := l.draw(f, rest)
		if i == d.at {
			cursor = c
		}
		note := map[int]string{fieldBase: d.baseLine(), fieldPrefix: "of the branch; nothing: as the repository does"}[i]
		if i == fieldTitle && len(l.text) == 0 {
			note = "what is to be done"
		}
		x := rest.X + paint.StringWidth(l.String()) + 2
		f.Text(x, y, rest.X+rest.W-x, cut(paint.Clean(note, 400), max(rest.X+rest.W-x, 1)), theme.Faint)
	}
	list := d.listRect(r)
	if d.why != "" && list.H > 0 {
		f.Text(list.X, list.Y, list.W, paint.Clean(d.why, 400), theme.Faint)
	}
	d.list.draw(f, list, d.at == fieldBase)
	hint := "Tab: next   Enter: make it   Esc: leave"
	switch d.at {
	case fieldProject:
		hint = "left, right: choose   " + hint
	case fieldBase:
		hint = "up, down: choose   " + hint
	}
	f.Text(r.X, r.Y+r.H-1, r.W, hint, theme.Faint)
	return cursor
}

// listRect is where the refs go.
func (d *taskForm) listRect(r paint.Rect) paint.Rect {
	top := 2 + taskFields
	return paint.Rect{X: r.X, Y: r.Y + top, W: r.W, H: max(r.H-top-2, 0)}
}

func (d *taskForm) key(k input.Key) (tea.Cmd, bool) {
	step := func(n int) { d.at = (d.at + n + taskFields) % taskFields }
	switch {
	case k.Code == input.Escape, k.Matches(input.Key{Code: 'c', Mods: input.Ctrl}):
		return nil, true
	case k.Code == input.Enter:
		return d.submit()
	case k.Matches(input.Key{Code: input.Tab, Mods: input.Shift}):
		step(-1)
	case k.Code == input.Tab:
		step(1)
	case d.at == fieldBase && (k.Code == input.Up || k.Code == input.Down || k.Code == input.PageUp || k.Code == input.PageDown):
		if d.picked || len(d.base.text) > 0 {
			d.list.key(k)
		}
		d.picked = true
	case k.Code == input.Up:
		step(-1)
	case k.Code == input.Down:
		step(1)
	case d.at == fieldProject:
		n := len(d.projects)
		switch k.Code {
		case input.Left:
			d.project = (d.project + n - 1) % n
			return d.ask(), false
		case input.Right, input.Space:
			d.project = (d.project + 1) % n
			return d.ask(), false
		}
	default:
		d.edit(func(l *line) { l.key(k) })
	}
	return nil, false
}

// edit changes the text of the field that has the keys.
func (d *taskForm) edit(f func(*line)) {
	switch d.at {
	case fieldTitle:
		f(d.title)
	case fieldPrefix:
		f(d.prefix)
	case fieldBase:
		before := d.base.String()
		f(d.base)
		if d.base.String() != before {
			d.list.filter(d.base.String())
			d.picked = false
		}
	}
}

func (d *taskForm) submit() (tea.Cmd, bool) {
	title := strings.TrimSpace(d.title.String())
	if title == "" {
		d.at = fieldTitle
		return d.m.say("a task needs a title: its branch is named after it", true), false
	}
	return d.m.addTask(workspace.TaskAdd{
		Project: d.projects[d.project].ID, Title: title, Base: d.chosenBase(), Prefix: strings.TrimSpace(d.prefix.String()),
	}), true
}

func (d *taskForm) click(_, y int, r paint.Rect) (tea.Cmd, bool) {
	list := d.listRect(paint.Rect{W: r.W, H: r.H})
	switch {
	case y >= 1 && y <= taskFields:
		d.at = y - 1
	case list.H > 0 && d.list.click(y-list.Y):
		d.at, d.picked = fieldBase, true
	}
	return nil, false
}

func (d *taskForm) paste(text string) { d.edit(func(l *line) { l.paste(text) }) }

// age is how long ago something was, in one unit.
func age(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	d := max(now.Sub(t), 0)
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{365 * 24 * time.Hour, "y"}, {30 * 24 * time.Hour, "mo"}, {24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}} {
		if d >= u.of {
			return fmt.Sprintf("%d %s", d/u.of, u.name)
		}
	}
	return "now"
}
