package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

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
	case input.KindKey, input.KindText:
		for k := range t.Keys() {
			if m.dialog == nil {
				break // what came behind the answer is not for the pane
			}
			cmd, done := m.dialog.key(k)
			if done {
				m.dialog = nil
			}
			cmds = append(cmds, cmd)
		}
	}
	return tea.Batch(cmds...)
}

// drawDialog draws the dialog in the middle of the frame.
func (m *Model) drawDialog() vt.Cursor {
	cols, rows := m.frame.Size()
	want := m.dialog.size(Size{cols - 4, rows - 2})
	w, h := min(want.Cols+4, cols), min(want.Rows+2, rows)
	r := paint.Rect{X: (cols - w) / 2, Y: (rows - h) / 2, W: w, H: h}
	m.frame.Fill(r, blank)
	drawBox(m.frame, r, theme.Active)
	inside := r.Inset(1)
	inside.X++
	inside.W -= 2
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
	text  []rune
	at    int
	then  func(string) tea.Cmd
}

const maxPrompt = 200

func newPrompt(label, text string, then func(string) tea.Cmd) *prompt {
	p := &prompt{label: label, then: then}
	p.paste(text)
	return p
}

func (p *prompt) size(within Size) Size { return Size{min(60, within.Cols), 4} }

func (p *prompt) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	f.Text(r.X, r.Y, r.W, p.label, theme.Bold)
	// Show the end of what does not fit, up to the cursor.
	before := string(p.text[:p.at])
	for paint.StringWidth(before) > r.W-1 {
		_, n := utf8.DecodeRuneInString(before)
		before = before[n:]
	}
	w := f.Text(r.X, r.Y+1, r.W, before, theme.Text)
	f.Text(r.X+w, r.Y+1, r.W-w, string(p.text[p.at:]), theme.Text)
	f.Text(r.X, r.Y+3, r.W, "Enter: take it   Esc: leave", theme.Faint)
	return vt.Cursor{X: r.X + w, Y: r.Y + 1, Visible: true}
}

func (p *prompt) key(k input.Key) (tea.Cmd, bool) {
	switch {
	case k.Code == input.Enter:
		return p.then(strings.TrimSpace(string(p.text))), true
	case k.Code == input.Escape, k.Matches(input.Key{Code: 'c', Mods: input.Ctrl}):
		return nil, true
	case k.Code == input.Backspace:
		if p.at > 0 {
			p.text = append(p.text[:p.at-1], p.text[p.at:]...)
			p.at--
		}
	case k.Code == input.Delete:
		if p.at < len(p.text) {
			p.text = append(p.text[:p.at], p.text[p.at+1:]...)
		}
	case k.Code == input.Left:
		p.at = max(p.at-1, 0)
	case k.Code == input.Right:
		p.at = min(p.at+1, len(p.text))
	case k.Code == input.Home, k.Matches(input.Key{Code: 'a', Mods: input.Ctrl}):
		p.at = 0
	case k.Code == input.End, k.Matches(ctrlE):
		p.at = len(p.text)
	case k.Matches(input.Key{Code: 'u', Mods: input.Ctrl}):
		p.text, p.at = p.text[p.at:], 0
	case k.Mods&(input.Ctrl|input.Alt|input.Super) == 0:
		p.paste(k.Typed())
	}
	return nil, false
}

func (p *prompt) paste(text string) {
	for _, r := range text {
		if len(p.text) >= maxPrompt {
			return
		}
		if !unicode.IsPrint(r) {
			continue
		}
		p.text = append(p.text[:p.at], append([]rune{r}, p.text[p.at:]...)...)
		p.at++
	}
}

// help lists what the keys do now.
type help struct {
	lines []helpLine
	top   int
	rows  int
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
		helpLine{"drag a border", "resize the panes beside it", false},
		helpLine{"drag in a pane", "select and copy", false},
		helpLine{"wheel", "scroll back", false})
	return h
}

const helpKeys = 26

func (h *help) size(within Size) Size {
	return Size{min(76, within.Cols), min(len(h.lines)+2, within.Rows)}
}

func (h *help) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	h.rows = max(r.H-2, 1)
	h.top = max(min(h.top, len(h.lines)-h.rows), 0)
	for y := 0; y < h.rows && h.top+y < len(h.lines); y++ {
		l := h.lines[h.top+y]
		if l.head {
			f.Text(r.X, r.Y+y, r.W, l.key, theme.Title)
			continue
		}
		w := min(helpKeys, r.W/2)
		f.Text(r.X, r.Y+y, w-1, l.key, theme.Key)
		f.Text(r.X+w, r.Y+y, r.W-w, l.text, theme.Text)
	}
	f.Text(r.X, r.Y+r.H-1, r.W, "up, down: scroll   Esc: close", theme.Faint)
	return vt.Cursor{}
}

func (h *help) key(k input.Key) (tea.Cmd, bool) {
	switch k.Code {
	case input.Up, 'k':
		h.top--
	case input.Down, 'j':
		h.top++
	case input.PageUp:
		h.top -= h.rows
	case input.PageDown, input.Space:
		h.top += h.rows
	case input.Home:
		h.top = 0
	case input.End:
		h.top = len(h.lines)
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
