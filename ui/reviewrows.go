package ui

import (
	"slices"
	"strings"

	"moorage/workspace"
)

// reviewRow is a row of the review: a file's heading, one of its lines, or a
// piece of a note.
type reviewRow struct {
	file int    // of the view's files; -1 for what is on none of them
	line int    // of the file's lines; -1 for a heading or a note
	note int    // of the notes; -1 for what is none
	text string // of a note
}

// reviewRef names a row, also in rows that are made later.
type reviewRef struct {
	path     string
	old, new int
	note     string
	heading  bool
}

func (p *reviewPage) ref(i int) (r reviewRef) {
	if i < 0 || i >= len(p.rows) {
		return r
	}
	row := p.rows[i]
	if row.file >= 0 {
		r.path = string(p.view.Files[row.file].Path)
	}
	switch {
	case row.note >= 0:
		r.note = p.notes[row.note].ID
	case row.line < 0:
		r.heading = true
	default:
		l := p.view.Files[row.file].Lines[row.line]
		r.old, r.new = l.Old, l.New
	}
	return r
}

// list makes the rows for the page's width. The cursor and the range are where
// they were, if that is still there.
func (p *reviewPage) list(at, from reviewRef) {
	p.rows = p.rows[:0]
	placed := make([]bool, len(p.notes))
	for f := range p.view.Files {
		file := &p.view.Files[f]
		p.rows = append(p.rows, reviewRow{file: f, line: -1, note: -1})
		after := make(map[int][]int) // notes, by the line that they stand behind; -1 is the heading
		for n := range p.notes {
			if note := &p.notes[n]; string(note.Path) == string(file.Path) {
				line := anchor(file.Lines, note.Passage)
				after[line], placed[n] = append(after[line], n), true
			}
		}
		for line := -1; line < len(file.Lines); line++ {
			if line >= 0 {
				p.rows = append(p.rows, reviewRow{file: f, line: line, note: -1})
			}
			for _, n := range after[line] {
				p.addNote(f, n, line < 0)
			}
		}
	}
	for n := range p.notes {
		if !placed[n] && (p.path == nil || string(p.path) == string(p.notes[n].Path)) {
			p.addNote(-1, n, true)
		}
	}
	p.at = max(min(p.at, len(p.rows)-1), 0)
	if i := p.find(at); i >= 0 {
		p.at = i
	}
	if p.from >= 0 {
		p.from = p.find(from)
	}
}

func (p *reviewPage) find(r reviewRef) int {
	if r == (reviewRef{}) {
		return -1
	}
	file := slices.IndexFunc(p.view.Files, func(d workspace.FileDiff) bool { return string(d.Path) == r.path })
	for i := range p.rows {
		if p.rows[i].file == file && p.ref(i) == r {
			return i
		}
	}
	return -1
}

// addNote adds the rows of a note; where says that it has to say what it is on.
func (p *reviewPage) addNote(file, n int, where bool) {
	note := &p.notes[n]
	text := note.Text
	if where && note.First > 0 {
		text = note.Where() + ": " + text
	} else if file < 0 {
		text = note.Show + ": " + text
	}
	if !note.Sent.IsZero() {
		text += " (sent)"
	}
	for line := range strings.SplitSeq(text, "\n") {
		for _, part := range wrap(workspace.Clean(line, workspace.MaxNoteText), max(p.width-reviewText-2, 8)) {
			p.rows = append(p.rows, reviewRow{file: file, line: -1, note: n, text: part})
		}
	}
}

// anchor finds the line that a note stands behind: the last of its passage,
// told by its text, as near as it can be to where it was. -1 means that the
// passage is not there any more, or that the note is on the whole file.
func anchor(lines []workspace.DiffLine, p workspace.Passage) int {
	number, other := func(l workspace.DiffLine) int { return l.New }, string(workspace.DiffOld)
	if p.Old {
		number, other = func(l workspace.DiffLine) int { return l.Old }, string(workspace.DiffNew)
	}
	want := slices.DeleteFunc(slices.Clone(p.Quote), func(q string) bool { return q == "" || q[:1] == other })
	side := make([]int, 0, len(lines)) // those of the file as it is, or was
	for i, l := range lines {
		if number(l) > 0 {
			side = append(side, i)
		}
	}
	best, off := -1, 0
	for i := 0; i+len(want) <= len(side) && len(want) > 0; i++ {
		same := true
		for j, q := range want {
			same = same && quotes(q[1:], lines[side[i+j]].Text)
		}
		d := number(lines[side[i]]) - p.First
		if d = max(d, -d); same && (best < 0 || d < off) {
			best, off = i, d
		}
	}
	if best < 0 {
		return -1
	}
	last := number(lines[side[best]]) + p.Last - p.First
	end := best + len(want) - 1
	for end+1 < len(side) && number(lines[side[end+1]]) <= last {
		end++
	}
	return side[end]
}

// quotes reports whether a quoted line is a text, or its beginning.
func quotes(quote, text string) bool {
	return quote == text || len(quote) > workspace.MaxQuoteLine-8 && strings.HasPrefix(text, quote)
}

// passage is what the cursor or the range is on; why says that it cannot have a
// note.
func (p *reviewPage) passage() (found workspace.Passage, why string) {
	from, to := p.span()
	if to < 0 {
		return found, "there is nothing to write a note on"
	}
	file := p.rows[from].file
	if file < 0 || file != p.rows[to].file {
		return found, "a note is on lines of one file"
	}
	d := &p.view.Files[file]
	var lines []workspace.DiffLine
	for _, row := range p.rows[from : to+1] {
		if row.line >= 0 {
			lines = append(lines, d.Lines[row.line])
		}
	}
	return d.Passage(lines), ""
}

// span is the range of rows, or the cursor's alone; to is -1 for none.
func (p *reviewPage) span() (from, to int) {
	if p.at >= len(p.rows) {
		return 0, -1
	}
	if p.from < 0 {
		return p.at, p.at
	}
	return min(p.from, p.at), max(p.from, p.at)
}

// toFile moves the cursor to the next or the previous file.
func (p *reviewPage) toFile(by int) {
	for i := p.at + by; i >= 0 && i < len(p.rows); i += by {
		if p.rows[i].line < 0 && p.rows[i].note < 0 {
			p.at = i
			return
		}
	}
}
