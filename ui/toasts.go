package ui

import (
	"slices"
	"strconv"
	"time"

	"moorage/ui/paint"
	"moorage/ui/theme"

	tea "charm.land/bubbletea/v2"
)

const (
	// maxToasts bounds what is shown at a time: the oldest goes, and an error
	// only when all are.
	maxToasts = 4
	// toastFor and errorFor are how long one stays.
	toastFor = 5 * time.Second
	errorFor = 12 * time.Second
	// maxToastBytes and maxToastLines bound one.
	maxToastBytes = 1000
	maxToastLines = 4
	toastWidth    = 60
)

// toast is something that is said for a while.
type toast struct {
	id    int
	text  string // clean
	bad   bool
	timed bool // its clock runs
}

func (t *toast) style() paint.Style {
	if t.bad {
		return theme.Error
	}
	return theme.Bold
}

// toasts are what was said of late. The newest stands in the status line.
// Errors stay in sight above it when something else is said, and those that
// are too long for it are there whole.
type toasts struct {
	list []toast // the newest last
	last int
	area paint.Rect // where the stack was drawn
}

func (t *toasts) newest() *toast {
	if len(t.list) == 0 {
		return nil
	}
	return &t.list[len(t.list)-1]
}

func (t *toasts) add(text string, bad bool) {
	text = paint.Clean(text, maxToastBytes)
	t.list = slices.DeleteFunc(t.list, func(o toast) bool { return o.text == text })
	if len(t.list) >= maxToasts {
		oldest := max(slices.IndexFunc(t.list, func(o toast) bool { return !o.bad }), 0)
		t.list = slices.Delete(t.list, oldest, oldest+1)
	}
	t.last++
	t.list = append(t.list, toast{id: t.last, text: text, bad: bad})
}

func (t *toasts) drop(id int) {
	t.list = slices.DeleteFunc(t.list, func(o toast) bool { return o.id == id })
}

// toastMsg says that a toast has been there long enough.
type toastMsg int

// say shows a line for a while.
func (m *Model) say(text string, bad bool) tea.Cmd {
	m.note(text, bad)
	return m.expire()
}

// note is say for where there is no command to return: Update does.
func (m *Model) note(text string, bad bool) {
	m.toasts.add(text, bad)
	m.touch()
}

// tellMistakes says what is wrong with what the client was set up by: the first
// of it, where there is more.
func (m *Model) tellMistakes(list []string) {
	const most = maxToasts - 1
	if len(list) > maxToasts {
		list = append(slices.Clone(list[:most]), "and "+strconv.Itoa(len(list)-most)+" more mistakes: `moorage doctor` has them all")
	}
	for _, mistake := range list {
		m.note(mistake, true)
	}
}

// expire starts the clocks of the toasts that have none yet.
func (m *Model) expire() tea.Cmd {
	var cmds []tea.Cmd
	for i := range m.toasts.list {
		t := &m.toasts.list[i]
		if t.timed {
			continue
		}
		t.timed = true
		stays := toastFor
		if t.bad {
			stays = errorFor
		}
		id := toastMsg(t.id)
		cmds = append(cmds, m.tick(stays, func(time.Time) tea.Msg { return id }))
	}
	return tea.Batch(cmds...)
}

// dismiss takes away what was said.
func (m *Model) dismiss() {
	m.toasts.list = nil
	m.touch()
}

// stack is what is shown above the status line: errors that the newest toast
// has taken from there, and the newest if it does not fit.
func (m *Model) stack() []toast {
	var list []toast
	for i, t := range m.toasts.list {
		newest := i == len(m.toasts.list)-1
		if newest && paint.StringWidth(t.text) > m.layout.status.W-8 || !newest && t.bad {
			list = append(list, t)
		}
	}
	return list
}

// drawToasts draws the stack over the bottom right of the panes.
func (m *Model) drawToasts() {
	m.toasts.area = paint.Rect{}
	bottom := m.layout.status.Y
	w := min(toastWidth, m.size.Cols-2)
	area := paint.Rect{X: m.size.Cols - w, Y: bottom, W: w}
	for _, t := range slices.Backward(m.stack()) {
		lines := wrapHard(t.text, max(w-2, 1))
		lines = lines[:min(len(lines), maxToastLines)]
		if area.Y-len(lines) < bottom/2 {
			break
		}
		area.Y -= len(lines)
		area.H += len(lines)
		st := theme.Toast
		if t.bad {
			st = theme.Dead
		}
		m.frame.Fill(paint.Rect{X: area.X, Y: area.Y, W: w, H: len(lines)}, vtBlank(st))
		for i, line := range lines {
			m.frame.Text(area.X+1, area.Y+i, w-2, line, st)
		}
	}
	if area.H > 0 {
		m.toasts.area = area
	}
}
