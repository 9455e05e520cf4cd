package ui

import (
	"strconv"
	"strings"

	"moorage/ptyhost/vt"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// reviewText is the column at which lines begin: behind the cursor's mark, the
// line's number and its sign.
const reviewText = 9

func (p *reviewPage) size(within Size) Size { return within }

func (p *reviewPage) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	if r.W != p.width {
		at, from := p.ref(p.at), p.ref(p.from)
		p.width = r.W
		p.list(at, from)
	}
	count := p.counted()
	x := r.X + f.Text(r.X, r.Y, r.W, cut(p.title(), max(r.W-paint.StringWidth(count)-2, 1)), theme.Title)
	if left := r.X + r.W - paint.StringWidth(count); left > x {
		f.Text(left, r.Y, r.X+r.W-left, count, theme.Attended)
	}
	foot := p.m.drawFoot(f, r, "c: note", "v: range", "x: delete note", "S: send all unsent", "[ ]: file", "b: against base", "Esc: close")
	switch {
	case p.problem != "":
		f.Text(r.X, r.Y+2, r.W, paint.Clean(p.problem, 400), theme.Faint)
		return vt.Cursor{}
	case len(p.rows) == 0:
		f.Text(r.X, r.Y+2, r.W, "nothing differs", theme.Faint)
	}
	lines := max(r.H-2-foot, 0)
	p.pager.keep(p.at, lines)
	from, to := p.pager.span(len(p.rows), lines)
	first, last := p.span()
	for i := from; i < to; i++ {
		p.drawRow(f, paint.Rect{X: r.X, Y: r.Y + 1 + i - from, W: r.W, H: 1}, p.rows[i], i == p.at, i >= first && i <= last)
	}
	return vt.Cursor{}
}

func (p *reviewPage) title() string {
	text := workspace.Clean(p.task.Title, workspace.MaxTitle) + ": review of " + p.what
	if p.view.Name != "" {
		text += " against " + workspace.Clean(p.view.Name, 100)
	}
	if p.view.Cut {
		text += ", there is more"
	}
	return text
}

// counted says how many notes there are.
func (p *reviewPage) counted() string {
	unsent := 0
	for i := range p.notes {
		if p.notes[i].Sent.IsZero() {
			unsent++
		}
	}
	if len(p.notes) == 0 {
		return ""
	}
	return workspace.Plural(len(p.notes), "note") + ", " + strconv.Itoa(unsent) + " unsent"
}

var diffStyles = map[workspace.DiffKind]paint.Style{
	workspace.DiffHunk: theme.Active, workspace.DiffOld: theme.Removed, workspace.DiffNew: theme.Added, workspace.DiffNote: theme.Faint,
}

func (p *reviewPage) drawRow(f *paint.Frame, r paint.Rect, row reviewRow, cursor, within bool) {
	lit := func(st paint.Style) paint.Style {
		if within {
			st.Attr |= theme.Selected.Attr
		}
		return st
	}
	if within {
		f.Fill(r, vtBlank(theme.Selected))
	}
	if cursor {
		f.Text(r.X, r.Y, 1, "▸", lit(theme.Key))
	}
	switch {
	case row.note >= 0:
		st := theme.Attended
		if !p.notes[row.note].Sent.IsZero() {
			st = theme.Faint
		}
		x := r.X + min(reviewText, r.W/2)
		f.Text(x, r.Y, r.X+r.W-x, "┃ "+row.text, lit(st))
		return
	case row.line < 0:
		d := &p.view.Files[row.file]
		text := d.Status + " " + d.Show
		if d.Binary {
			text += "   binary"
		}
		if d.Cut {
			text += "   there is more"
		}
		f.Text(r.X+1, r.Y, r.W-1, text, lit(theme.Bold))
		return
	}
	l := p.view.Files[row.file].Lines[row.line]
	st := lit(diffStyles[l.Kind])
	text := shifted(l.Text, p.shift)
	if l.Kind == workspace.DiffHunk {
		f.Text(r.X+1, r.Y, r.W-1, text, st)
		return
	}
	if n := max(l.New, l.Old); n > 0 {
		if l.New > 0 {
			n = l.New
		}
		number := strconv.Itoa(n)
		f.Text(r.X+max(reviewText-2-len(number), 1), r.Y, r.W-2, number, lit(theme.Faint))
	}
	x := r.X + reviewText - 1
	f.Text(x, r.Y, r.X+r.W-x, string(l.Kind)+text, st)
}

// tabWidth is how many columns a tab takes in a difference.
const tabWidth = 4

// shifted is a line without its first columns, tabs as spaces.
func shifted(text string, columns int) string {
	text = strings.ReplaceAll(text, "\t", strings.Repeat(" ", tabWidth))
	for columns > 0 && text != "" {
		_, w, rest := vt.NextCluster(text)
		text, columns = rest, columns-w
	}
	return text
}

func (p *reviewPage) click(_, y int, _ paint.Rect) (tea.Cmd, bool) {
	if i := p.pager.top + y - 1; y >= 1 && y <= p.pager.rows && i < len(p.rows) {
		p.at = i
	}
	return nil, false
}
