package ui

import (
	"slices"
	"strings"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/keymap"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// dialog is a box over everything else that has the keys.
type dialog interface {
	// size is how much room it would like within what there is.
	size(within Size) Size
	// draw draws its inside and returns the cursor, if it wants one.
	draw(f *paint.Frame, r paint.Rect) vt.Cursor
	// key takes a key; done says that the dialog is over.
	key(k input.Key) (cmd tea.Cmd, done bool)
	// paste takes pasted or typed text.
	paste(text string)
}

// typeDialog hands a token to the dialog.
func (m *Model) typeDialog(t input.Token) tea.Cmd {
	var cmds []tea.Cmd
	m.touch()
	switch t.Kind {
	case input.KindPasteData:
		m.dialog.paste(string(t.Raw))
		if d, ok := m.dialog.(*dirDialog); ok {
			return d.look()
		}
	case input.KindKey, input.KindText:
		for k := range t.Keys() {
			if m.dialog == nil {
				break // what came behind the answer is not for the pane
			}
			d := m.dialog
			cmd, done := d.key(k)
			cmds = append(cmds, cmd, m.finish(d, done))
		}
	}
	return tea.Batch(cmds...)
}

// What else a dialog may be.
type (
	// clicker takes a press of the pointer at a cell of its inside, which r is.
	clicker interface {
		click(x, y int, r paint.Rect) (cmd tea.Cmd, done bool)
	}
	// bound is about a task, or a tab of it, and over when that is gone. The
	// zero tabRef is about nothing.
	bound interface{ about() tabRef }
	// anchored has a place of its own; nil is the middle.
	anchored interface{ anchor() *Size }
	// resumed wants to know that it has the keys again.
	resumed interface{ resumed() tea.Cmd }
)

// push opens a dialog over the one that is open; that one comes back, unless
// it was a menu, which has had its answer.
func (m *Model) push(d dialog) {
	if _, menu := m.dialog.(*menu); m.dialog != nil && !menu {
		m.under = append(m.under, m.dialog)
	}
	m.dialog = d
	m.touch()
}

// finish closes a dialog that is over, unless another one took its place.
func (m *Model) finish(d dialog, done bool) tea.Cmd {
	if !done || m.dialog != d {
		return nil
	}
	return m.closeDialog()
}

// closeDialog closes the open dialog and goes back to the one under it.
func (m *Model) closeDialog() tea.Cmd {
	m.touch()
	m.dialog = nil
	n := len(m.under)
	if n == 0 {
		return nil
	}
	m.dialog, m.under = m.under[n-1], m.under[:n-1]
	if d, ok := m.dialog.(resumed); ok {
		return d.resumed()
	}
	return nil
}

func (m *Model) closeAll() {
	m.dialog, m.under = nil, nil
	m.touch()
}

// closeOrphans closes the dialogs about what is gone.
func (m *Model) closeOrphans() tea.Cmd {
	gone := func(d dialog) bool {
		b, ok := d.(bound)
		if !ok || b.about().task == "" {
			return false
		}
		t, ok := m.world.Task(b.about().task)
		if ok && b.about().tab != "" {
			_, ok = t.Tab(b.about().tab)
		}
		return !ok
	}
	m.under = slices.DeleteFunc(m.under, gone)
	if m.dialog == nil || !gone(m.dialog) {
		return nil
	}
	return tea.Batch(m.closeDialog(), m.say("what that was about is gone", false))
}

// mouseDialog gives the pointer to the dialog.
func (m *Model) mouseDialog(ev input.Mouse) tea.Cmd {
	m.touch()
	d, r := m.dialog, m.inside
	switch c, clicks := d.(clicker); {
	case ev.Button == input.WheelUp || ev.Button == input.WheelDown:
		k := input.Key{Code: input.Up, Event: input.Press}
		if ev.Button == input.WheelDown {
			k.Code = input.Down
		}
		cmd, done := d.key(k)
		return tea.Batch(cmd, m.finish(d, done))
	case clicks && ev.Action == input.MousePress && ev.Button == input.ButtonLeft && r.Contains(ev.X, ev.Y):
		cmd, done := c.click(ev.X-r.X, ev.Y-r.Y, r)
		return tea.Batch(cmd, m.finish(d, done))
	}
	if _, ok := d.(*menu); ok && ev.Action == input.MousePress && !m.inside.Inset(-2).Contains(ev.X, ev.Y) {
		return m.closeDialog()
	}
	return nil
}

// drawDialog draws the dialog in the middle of the frame, or where it wants to
// be.
func (m *Model) drawDialog() vt.Cursor {
	cols, rows := m.frame.Size()
	want := m.dialog.size(Size{max(cols-4, 0), max(rows-2, 0)})
	w, h := min(want.Cols+4, cols), min(want.Rows+2, rows)
	r := paint.Rect{X: (cols - w) / 2, Y: (rows - h) / 2, W: w, H: h}
	if a, ok := m.dialog.(anchored); ok && a.anchor() != nil {
		r.X, r.Y = min(a.anchor().Cols, cols-w), min(a.anchor().Rows, rows-h)
	}
	m.frame.Fill(r, blank)
	drawBox(m.frame, r, theme.Active)
	inside := r.Inset(1)
	inside.X++
	inside.W = max(inside.W-2, 0)
	m.inside = inside
	return m.dialog.draw(m.frame, inside)
}

func drawBox(f *paint.Frame, r paint.Rect, st paint.Style) {
	if r.W < 2 || r.H < 2 {
		return
	}
	line := strings.Repeat("─", r.W-2)
	f.Text(r.X, r.Y, r.W, "┌"+line+"┐", st)
	f.Text(r.X, r.Y+r.H-1, r.W, "└"+line+"┘", st)
	for y := r.Y + 1; y < r.Y+r.H-1; y++ {
		f.Text(r.X, y, 1, "│", st)
		f.Text(r.X+r.W-1, y, 1, "│", st)
	}
}

// confirm asks whether to do something that cannot be undone.
type confirm struct {
	question, detail string
	yes              tea.Cmd
}

func newConfirm(question, detail string, yes tea.Cmd) *confirm {
	return &confirm{workspace.Clean(question, 200), workspace.Clean(detail, 400), yes}
}

func (c *confirm) lines(w int) []string {
	lines := wrap(c.question, w)
	lines = append(lines, wrap(c.detail, w)...)
	return append(lines, "", "y: yes   n, Esc: no")
}

func (c *confirm) size(within Size) Size {
	w := min(60, within.Cols)
	return Size{w, len(c.lines(w))}
}

func (c *confirm) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	for i, line := range c.lines(r.W) {
		st := theme.Text
		if i == 0 {
			st = theme.Bold
		}
		if i < r.H {
			f.Text(r.X, r.Y+i, r.W, line, st)
		}
	}
	return vt.Cursor{}
}

func (c *confirm) key(k input.Key) (tea.Cmd, bool) {
	switch k.Typed() {
	case "y", "Y":
		return c.yes, true
	case "n", "N", "q":
		return nil, true
	}
	return nil, k.Code == input.Escape
}

func (*confirm) paste(string) {}

// prompt asks for a line of text.
type prompt struct {
	label string
	line  *line
	of    tabRef
	then  func(string) tea.Cmd
}

func (p *prompt) about() tabRef { return p.of }

func newPrompt(label, text string, then func(string) tea.Cmd) *prompt {
	return &prompt{label: label, line: newLine(text), then: then}
}

func (p *prompt) size(within Size) Size { return Size{min(60, within.Cols), 4} }

func (p *prompt) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	f.Text(r.X, r.Y, r.W, p.label, theme.Bold)
	f.Text(r.X, r.Y+3, r.W, "Enter: take it   Esc: leave", theme.Faint)
	return p.line.draw(f, paint.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: 1})
}

func (p *prompt) key(k input.Key) (tea.Cmd, bool) {
	switch {
	case k.Code == input.Enter:
		return p.then(strings.TrimSpace(p.line.String())), true
	case k.Code == input.Escape, k.Matches(input.Key{Code: 'c', Mods: input.Ctrl}):
		return nil, true
	}
	p.line.key(k)
	return nil, false
}

func (p *prompt) paste(text string) { p.line.paste(text) }

// help lists what the keys do now.
type help struct {
	lines []helpLine
	keys  int // columns of the first column
	pager pager
}

type helpLine struct {
	key, text string
	head      bool
}

func newHelp(keys *keymap.Map, exact bool) *help {
	h := &help{}
	section := func(title string, where keymap.Where, before string) {
		if len(h.lines) > 0 {
			h.lines = append(h.lines, helpLine{})
		}
		h.lines = append(h.lines, helpLine{key: title, head: true})
		for _, b := range keys.Bindings(where, exact) {
			h.lines = append(h.lines, helpLine{key: before + strings.Join(b.Keys, " or "), text: b.Help})
		}
	}
	section("Anywhere", keymap.Anywhere, "")
	section("After "+keys.Prefix()+" ("+keys.Prefix()+" twice sends it)", keymap.AfterPref, keys.Prefix()+" ")
	section("In the sidebar", keymap.InSidebar, "")
	h.lines = append(h.lines, helpLine{}, helpLine{key: "Mouse", head: true},
		helpLine{"click", "a row, a tab or a pane", false},
		helpLine{"right click", "a menu for a row or a tab", false},
		helpLine{"drag a border", "resize the panes beside it", false},
		helpLine{"drag in a pane", "select and copy", false},
		helpLine{"wheel", "scroll back", false})
	h.lines = append(h.lines, helpLine{}, helpLine{key: "Marks in the sidebar", head: true})
	for _, k := range markList() {
		h.lines = append(h.lines, helpLine{k.glyph, k.meaning, false})
	}
	for _, l := range h.lines {
		if !l.head {
			h.keys = max(h.keys, paint.StringWidth(l.key)+2)
		}
	}
	return h
}

func (h *help) size(within Size) Size {
	return Size{min(76, within.Cols), min(len(h.lines)+2, within.Rows)}
}

func (h *help) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	w := min(h.keys, r.W/2)
	lines := h.fit(w-1, r.W-w)
	from, to := h.pager.span(len(lines), r.H-2)
	for i, l := range lines[from:to] {
		y := r.Y + i
		if l.head {
			f.Text(r.X, y, r.W, l.key, theme.Title)
			continue
		}
		f.Text(r.X, y, w-1, l.key, theme.Key)
		f.Text(r.X+w, y, r.W-w, l.text, theme.Text)
	}
	return scrollHint(f, r, "")
}

// fit breaks what is too long for the two columns into several lines.
func (h *help) fit(keys, texts int) []helpLine {
	var lines []helpLine
	for _, l := range h.lines {
		if l.head || paint.StringWidth(l.key) <= keys && paint.StringWidth(l.text) <= texts {
			lines = append(lines, l)
			continue
		}
		left, right := wrap(l.key, max(keys, 1)), wrap(l.text, max(texts, 1))
		for i := range max(len(left), len(right)) {
			var part helpLine
			if i < len(left) {
				part.key = left[i]
			}
			if i < len(right) {
				part.text = right[i]
			}
			lines = append(lines, part)
		}
	}
	return lines
}

func (h *help) key(k input.Key) (tea.Cmd, bool) {
	if h.pager.key(k) {
		return nil, false
	}
	switch k.Code {
	case input.Escape, input.Enter, 'q', input.F1, '?':
		return nil, true
	}
	return nil, false
}

func (*help) paste(string) {}

// wrap breaks text at spaces into lines of at most w columns.
func wrap(text string, w int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && paint.StringWidth(line)+1+paint.StringWidth(word) > w {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
