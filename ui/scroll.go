package ui

import (
	"context"
	"fmt"
	"time"

	"moorage/ptyhost/vt"
	"moorage/ui/paint"
	"moorage/ui/theme"

	tea "charm.land/bubbletea/v2"
)

const (
	rowsAtOnce = 400  // fetched in one request
	maxCached  = 8000 // rows kept of what was fetched
)

// scroll is a client's place in a session's scrollback: the absolute number of
// the row at the top, which stays there while output goes on.
type scroll struct {
	top   uint64
	epoch uint64 // of the mirror's row numbers
	back  uint64 // rows between top and the live screen, when last drawn

	table    *vt.Table
	rows     map[uint64]vt.Row
	fetching bool
	life     uint64
}

// rowsMsg brings rows of scrollback.
type rowsMsg struct {
	key    string
	scroll *scroll
	first  uint64
	packed []byte
	err    error
}

// scrollBy moves a pane's view by rows; past the end it is live again.
func (m *Model) scrollBy(p *pane, rows int) tea.Cmd {
	if p == nil || p.screen == nil {
		return nil
	}
	m.dirty = true
	var first, end, epoch uint64
	p.screen.Read(func(mi *vt.Mirror) {
		first, end = mi.History()
		epoch = mi.Epoch()
	})
	if p.scroll == nil {
		if rows >= 0 || first == end || p.modes().AltScreen {
			return nil
		}
		p.scroll = &scroll{top: end, epoch: epoch, table: new(vt.Table), rows: make(map[uint64]vt.Row), life: p.screen.Life()}
	}
	s := p.scroll
	switch {
	case rows < 0:
		s.top = max(first, s.top-min(s.top, uint64(-rows)))
		if state, _ := p.screen.Status(); state == Away {
			return m.keepWithin(p, end)
		}
	case s.top+uint64(rows) >= end:
		p.live()
		return nil
	default:
		s.top += uint64(rows)
	}
	p.forget()
	return m.fetch(p)
}

// keepWithin moves a view down to the rows that are there, since no others
// come for now.
func (m *Model) keepWithin(p *pane, end uint64) tea.Cmd {
	s := p.scroll
	first := end
	for first > s.top {
		if _, ok := s.rows[first-1]; !ok {
			break
		}
		first--
	}
	p.forget()
	if first == s.top {
		return nil
	}
	s.top = first
	if first == end {
		p.live()
	}
	return m.say("more scrollback is there when the PTY host is", false)
}

func (m *Model) scrollPage(dir int) tea.Cmd {
	p := m.current()
	if p == nil {
		return nil
	}
	return m.scrollBy(p, dir*max(p.rect.H-2, 1))
}

// fetch asks for the rows around the view that are not there yet.
func (m *Model) fetch(p *pane) tea.Cmd {
	s := p.scroll
	if s == nil || s.fetching {
		return nil
	}
	var first, end uint64
	p.screen.Read(func(mi *vt.Mirror) { first, end = mi.History() })
	lack, found := uint64(0), false
	for row := s.top; row < min(s.top+uint64(p.rect.H), end); row++ {
		if _, ok := s.rows[row]; !ok {
			lack, found = row, true
			break
		}
	}
	if !found {
		return nil
	}
	from := max(first, lack-min(lack, rowsAtOnce/2))
	s.fetching = true
	screen, key := p.screen, p.key
	return within(10*time.Second, func(ctx context.Context) tea.Msg {
		b, err := screen.Rows(ctx, from, rowsAtOnce)
		return rowsMsg{key, s, from, b, err}
	})
}

// takeRows keeps fetched rows, if the view that asked for them is still there.
func (m *Model) takeRows(r rowsMsg) tea.Cmd {
	p := m.panes[r.key]
	if p == nil || p.scroll != r.scroll {
		return nil
	}
	s := p.scroll
	s.fetching = false
	m.dirty = true
	if r.err != nil {
		var end uint64
		p.screen.Read(func(mi *vt.Mirror) { _, end = mi.History() })
		m.keepWithin(p, end)
		return m.say("scrollback: "+sentence(r.err), true)
	}
	if len(s.rows) > maxCached {
		s.rows, s.table = make(map[uint64]vt.Row), new(vt.Table)
	}
	rows, err := vt.DecodeRows(r.packed, s.table)
	if err != nil {
		return m.say("scrollback: "+err.Error(), true)
	}
	for _, row := range rows {
		s.rows[row.Abs] = row
	}
	if len(rows) == 0 {
		return nil // they are gone meanwhile
	}
	return m.fetch(p)
}

// draw draws the scrolled view: fetched rows above, the mirror's below.
func (s *scroll) draw(f *paint.Frame, r paint.Rect, p *pane) {
	life := p.screen.Life()
	p.screen.Read(func(m *vt.Mirror) {
		first, end := m.History()
		if life != s.life || m.Epoch() != s.epoch {
			// The rows have other numbers now: keep the distance.
			s.life, s.epoch = life, m.Epoch()
			s.rows, s.table = make(map[uint64]vt.Row), new(vt.Table)
			s.top = end - min(end-first, s.back)
		}
		s.top = min(max(s.top, first), end)
		s.back = end - s.top
		f.Fill(r, vt.Cell{})
		_, rows := m.Size()
		for y := range r.H {
			abs := s.top + uint64(y)
			if abs >= end {
				if at := int(abs - end); at < rows {
					f.CopyRow(r.X, r.Y+y, p.marked(abs, clip(m.Row(at), r.W)), m.Table())
				}
				continue
			}
			if row, ok := s.rows[abs]; ok {
				f.CopyRow(r.X, r.Y+y, p.marked(abs, clip(row.Cells, r.W)), s.table)
			} else {
				f.Text(r.X, r.Y+y, r.W, "⋯", theme.Faint) // on its way
			}
		}
		mark := fmt.Sprintf(" %d/%d ", s.back, end-first)
		if w := paint.StringWidth(mark); w < r.W {
			f.Text(r.X+r.W-w, r.Y, w, mark, theme.Banner)
		}
	})
}

func clip(cells []vt.Cell, n int) []vt.Cell { return cells[:min(len(cells), n)] }

// marked is a row with what is selected of it inverted.
func (p *pane) marked(row uint64, cells []vt.Cell) []vt.Cell {
	if from, to := p.selected.columns(row, len(cells)); from < to {
		return inverted(cells, from, to)
	}
	return cells
}
