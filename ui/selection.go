package ui

import (
	"strings"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"

	tea "charm.land/bubbletea/v2"
)

// selection is a run of cells in a pane, from where the button went down to
// where the pointer is, by absolute row and column.
type selection struct {
	fromRow, toRow uint64
	fromCol, toCol int
	moved          bool
}

// ordered returns the selection's ends from top left to bottom right.
func (s selection) ordered() (fromRow uint64, fromCol int, toRow uint64, toCol int) {
	if s.toRow < s.fromRow || s.toRow == s.fromRow && s.toCol < s.fromCol {
		return s.toRow, s.toCol, s.fromRow, s.fromCol
	}
	return s.fromRow, s.fromCol, s.toRow, s.toCol
}

// columns returns which columns of a row are selected, the last exclusive.
func (s selection) columns(row uint64, width int) (from, to int) {
	fromRow, fromCol, toRow, toCol := s.ordered()
	if !s.moved || row < fromRow || row > toRow {
		return 0, 0
	}
	to = width
	if row == fromRow {
		from = fromCol
	}
	if row == toRow {
		to = min(toCol+1, width)
	}
	return from, to
}

// place returns which row and column of the session the frame's cell shows.
func (p *pane) place(x, y int) (row uint64, col int) {
	x = min(max(x-p.rect.X, 0), p.rect.W-1)
	y = min(max(y-p.rect.Y, 0), p.rect.H-1)
	if p.scroll != nil {
		return p.scroll.top + uint64(y), x
	}
	p.screen.Read(func(m *vt.Mirror) {
		_, end := m.History()
		row = end + uint64(y+p.drawn.oy)
	})
	return row, x + p.drawn.ox
}

func (p *pane) selectAt(x, y int) selection {
	row, col := p.place(x, y)
	return selection{fromRow: row, toRow: row, fromCol: col, toCol: col}
}

// clearSelection takes the mark off whatever is selected.
func (m *Model) clearSelection() {
	for _, p := range m.panes {
		if p.selected.moved {
			p.selected = selection{}
			p.forget()
			m.dirty = true
		}
	}
}

// dragSelection follows the pointer; its release copies what is selected to
// the client's own clipboard.
func (m *Model) dragSelection(p *pane, ev input.Mouse) tea.Cmd {
	s := m.drag.sel
	if m.drag.kind == dragNone {
		s = p.selected
	}
	row, col := p.place(ev.X, ev.Y)
	if ev.Action == input.MouseMotion {
		s.toRow, s.toCol = row, col
		s.moved = s.moved || row != s.fromRow || col != s.fromCol
		m.drag.sel, p.selected = s, s
		p.forget()
		m.dirty = true
		return m.dragPast(p, ev)
	}
	if !s.moved {
		return nil
	}
	text := p.selectedText()
	if text == "" {
		return nil
	}
	m.extra = paint.AppendClipboard(m.extra, []byte(text))
	return m.say("copied", false)
}

// dragPast scrolls when the pointer leaves the pane at the top or bottom.
func (m *Model) dragPast(p *pane, ev input.Mouse) tea.Cmd {
	switch {
	case ev.Y < p.rect.Y:
		return m.scrollBy(p, -1)
	case ev.Y >= p.rect.Y+p.rect.H:
		return m.scrollBy(p, 1)
	}
	return nil
}

// selectedText is what is selected, as far as this client has the rows. Rows
// that were wrapped are joined.
func (p *pane) selectedText() string {
	fromRow, _, toRow, _ := p.selected.ordered()
	var b strings.Builder
	p.screen.Read(func(m *vt.Mirror) {
		_, end := m.History()
		_, rows := m.Size()
		for row := fromRow; row <= toRow; row++ {
			var cells []vt.Cell
			table, wrapped := m.Table(), false
			switch {
			case row >= end && row < end+uint64(rows):
				cells, wrapped = m.Row(int(row-end)), m.Wrapped(int(row-end))
			case row < end && p.scroll != nil:
				r := p.scroll.rows[row]
				cells, table, wrapped = r.Cells, p.scroll.table, r.Wrapped
			default:
				continue
			}
			from, to := p.selected.columns(row, len(cells))
			var line []byte
			for _, c := range cells[min(from, len(cells)):min(to, len(cells))] {
				line = table.AppendText(line, c)
			}
			text := string(line)
			if !wrapped {
				text = strings.TrimRight(text, " ")
			}
			b.WriteString(text)
			if row < toRow && !wrapped {
				b.WriteByte('\n')
			}
		}
	})
	return b.String()
}
