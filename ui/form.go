package ui

import (
	"slices"
	"strings"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"

	tea "charm.land/bubbletea/v2"
)

// field is one row of a form: a line of text, or a choice.
type field struct {
	label   string
	line    *line
	choices []choice
	chosen  int
}

// choice is one of a field's values, with what it means.
type choice struct{ value, meaning string }

func textField(label, text string) *field { return &field{label: label, line: newLine(text)} }

// choiceField begins with the choice of that value.
func choiceField(label, value string, choices []choice) *field {
	f := &field{label: label, choices: choices}
	f.chosen = max(slices.IndexFunc(choices, func(c choice) bool { return c.value == value }), 0)
	return f
}

func (f *field) value() string {
	if f.line != nil {
		return strings.TrimSpace(f.line.String())
	}
	return f.choices[f.chosen].value
}

// form asks for several values at once.
type form struct {
	title  string
	fields []*field
	at     int
	of     tabRef
	then   func(values []string) tea.Cmd
}

func newForm(title string, then func(values []string) tea.Cmd, fields ...*field) *form {
	return &form{title: title, fields: fields, then: then}
}

func (d *form) about() tabRef { return d.of }

func (d *form) click(_, y int, _ paint.Rect) (tea.Cmd, bool) {
	if i := y - 2; i >= 0 && i < len(d.fields) {
		if i == d.at && d.fields[i].line == nil {
			d.fields[i].chosen = (d.fields[i].chosen + 1) % len(d.fields[i].choices)
		}
		d.at = i
	}
	return nil, false
}

const formLabel = 11

func (d *form) size(within Size) Size { return Size{min(70, within.Cols), len(d.fields) + 5} }

func (d *form) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	var cursor vt.Cursor
	f.Text(r.X, r.Y, r.W, d.title, theme.Title)
	for i, field := range d.fields {
		y := r.Y + 2 + i
		if y >= r.Y+r.H-2 {
			break
		}
		label, st := min(formLabel, r.W/2), theme.Faint
		if i == d.at {
			st = theme.Bold
		}
		f.Text(r.X, y, label-1, field.label, st)
		rest := paint.Rect{X: r.X + label, Y: y, W: r.W - label, H: 1}
		if field.line != nil {
			if c := field.line.draw(f, rest); i == d.at {
				cursor = c
			}
			continue
		}
		text := field.choices[field.chosen].value
		if i == d.at {
			text = "◂ " + text + " ▸"
			cursor = vt.Cursor{X: rest.X, Y: y, Visible: true}
		}
		w := f.Text(rest.X, y, rest.W, text, st)
		f.Text(rest.X+w+2, y, rest.W-w-2, field.choices[field.chosen].meaning, theme.Faint)
	}
	hint := "Tab: next   Enter: do it   Esc: leave"
	if d.fields[d.at].line == nil {
		hint = "left, right: choose   " + hint
	}
	f.Text(r.X, r.Y+r.H-1, r.W, hint, theme.Faint)
	return cursor
}

func (d *form) key(k input.Key) (tea.Cmd, bool) {
	field := d.fields[d.at]
	step := func(n int) { d.at = (d.at + n + len(d.fields)) % len(d.fields) }
	switch {
	case k.Code == input.Enter:
		values := make([]string, len(d.fields))
		for i, f := range d.fields {
			values[i] = f.value()
		}
		return d.then(values), true
	case k.Code == input.Escape, k.Matches(input.Key{Code: 'c', Mods: input.Ctrl}):
		return nil, true
	case k.Code == input.Up, k.Matches(input.Key{Code: input.Tab, Mods: input.Shift}):
		step(-1)
	case k.Code == input.Down, k.Code == input.Tab:
		step(1)
	case field.line != nil:
		field.line.key(k)
	case k.Code == input.Left:
		field.chosen = (field.chosen - 1 + len(field.choices)) % len(field.choices)
	case k.Code == input.Right, k.Code == input.Space, k.Typed() == " ":
		field.chosen = (field.chosen + 1) % len(field.choices)
	}
	return nil, false
}

func (d *form) paste(text string) {
	if l := d.fields[d.at].line; l != nil {
		l.paste(text)
	}
}
