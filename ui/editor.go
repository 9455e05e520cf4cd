package ui

import (
	"slices"
	"strings"
	"unicode"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"
)

// editor is text of several lines being edited.
type editor struct {
	lines    [][]rune // at least one
	row, col int
	bytes    int // of the text
	top      int // first row shown, of those that the lines wrap into
}

func newEditor() *editor { return &editor{lines: [][]rune{nil}} }

func (e *editor) String() string {
	var b strings.Builder
	for i, l := range e.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(string(l))
	}
	return b.String()
}

func (e *editor) empty() bool { return len(e.lines) == 1 && len(e.lines[0]) == 0 }

// insert puts text in at the cursor, without the controls in it but for the
// ends of lines and tabs. It is false when that would be more than a prompt may
// be; then nothing is put in.
func (e *editor) insert(text string) bool {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	text = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if e.bytes+len(text) > workspace.MaxPrompt {
		return false
	}
	e.bytes += len(text)
	parts := strings.Split(text, "\n")
	at := e.lines[e.row]
	rest := slices.Clone(at[e.col:])
	e.lines[e.row] = append(at[:e.col:e.col], []rune(parts[0])...)
	var more [][]rune
	for _, p := range parts[1:] {
		more = append(more, []rune(p))
	}
	e.lines = slices.Insert(e.lines, e.row+1, more...)
	e.row += len(more)
	e.col = len(e.lines[e.row])
	e.lines[e.row] = append(e.lines[e.row], rest...)
	return true
}

// cut takes out what is between two places of the cursor's line; from -1 means
// the end of the line before, to beyond the end the beginning of the next.
func (e *editor) cut(from, to int) {
	l := e.lines[e.row]
	switch {
	case from < 0:
		if e.row == 0 {
			return
		}
		before := e.lines[e.row-1]
		e.lines = slices.Delete(e.lines, e.row, e.row+1)
		e.row--
		e.col = len(before)
		e.lines[e.row] = append(before, l...)
		e.bytes--
	case to > len(l):
		if e.row+1 == len(e.lines) {
			return
		}
		e.lines[e.row] = append(l, e.lines[e.row+1]...)
		e.lines = slices.Delete(e.lines, e.row+1, e.row+2)
		e.bytes--
	default:
		e.bytes -= len(string(l[from:to]))
		e.lines[e.row] = slices.Delete(l, from, to)
		e.col = from
	}
}

// key edits; false when k is no key of an editor.
func (e *editor) key(k input.Key) bool {
	ctrl := func(r rune) bool { return k.Matches(input.Key{Code: r, Mods: input.Ctrl}) }
	l := e.lines[e.row]
	switch {
	case k.Code == input.Backspace && k.Mods == 0, ctrl('h'):
		e.cut(e.col-1, e.col)
	case k.Code == input.Delete, ctrl('d'):
		e.cut(e.col, e.col+1)
	case k.Code == input.Left:
		if e.col > 0 {
			e.col--
		} else if e.row > 0 {
			e.row--
			e.col = len(e.lines[e.row])
		}
	case k.Code == input.Right:
		if e.col < len(l) {
			e.col++
		} else if e.row+1 < len(e.lines) {
			e.row, e.col = e.row+1, 0
		}
	case k.Code == input.Up, ctrl('p'):
		e.row = max(e.row-1, 0)
		e.col = min(e.col, len(e.lines[e.row]))
	case k.Code == input.Down, ctrl('n'):
		e.row = min(e.row+1, len(e.lines)-1)
		e.col = min(e.col, len(e.lines[e.row]))
	case k.Code == input.Home, ctrl('a'):
		e.col = 0
	case k.Code == input.End, ctrl('e'):
		e.col = len(l)
	case ctrl('u'):
		e.cut(0, e.col)
	case ctrl('k'):
		e.cut(e.col, max(len(l), e.col))
	case ctrl('w'), k.Code == input.Backspace:
		e.cut((&line{text: l, at: e.col}).wordStart(), e.col)
	case ctrl('j'), k.Code == input.Enter:
		return e.insert("\n")
	case k.Mods&(input.Ctrl|input.Alt|input.Super) == 0 && k.Typed() != "":
		return e.insert(k.Typed())
	default:
		return false
	}
	return true
}

// wrapped is a row of the screen: a part of a line.
type wrapped struct{ line, from, to int }

// wrap breaks the lines into rows of at most w columns, and says in which the
// cursor is.
func (e *editor) wrap(w int) (rows []wrapped, at int) {
	w = max(w, 2)
	for i, l := range e.lines {
		from, width := 0, 0
		for j, r := range l {
			n := vt.RuneWidth(r)
			if r == '\t' {
				n = 1
			}
			if width+n > w-1 {
				rows = append(rows, wrapped{i, from, j})
				from, width = j, 0
			}
			width += n
		}
		rows = append(rows, wrapped{i, from, len(l)})
	}
	for i, r := range rows {
		if r.line == e.row && e.col >= r.from && (e.col < r.to || e.col == r.to && r.to == len(e.lines[r.line])) {
			at = i
		}
	}
	return rows, at
}

// draw shows the part around the cursor and returns where that is.
func (e *editor) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	if r.Empty() {
		return vt.Cursor{}
	}
	rows, at := e.wrap(r.W)
	switch {
	case at < e.top:
		e.top = at
	case at >= e.top+r.H:
		e.top = at - r.H + 1
	}
	e.top = max(min(e.top, len(rows)-r.H), 0)
	text := func(from, to int, line int) string {
		return strings.ReplaceAll(string(e.lines[line][from:to]), "\t", " ")
	}
	for y := 0; y < r.H && e.top+y < len(rows); y++ {
		row := rows[e.top+y]
		f.Text(r.X, r.Y+y, r.W, text(row.from, row.to, row.line), theme.Text)
	}
	before := text(rows[at].from, e.col, e.row)
	return vt.Cursor{X: r.X + min(paint.StringWidth(before), r.W-1), Y: r.Y + at - e.top, Visible: true}
}
