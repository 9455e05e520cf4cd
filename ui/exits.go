package ui

import (
	"context"
	"fmt"
	"slices"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// exitsView shows the programs that ended by themselves, with their last lines; those of the focused pane first.
type exitsView struct {
	rows    []helpLine
	problem string
	pager   pager
}

// exitsMsg is the answer for the view that asked.
type exitsMsg struct {
	view    *exitsView
	records []workspace.ExitRecord
	first   string // this key's come first
	err     error
}

func (m *Model) openExits() tea.Cmd {
	v, first := &exitsView{problem: "asking…"}, ""
	if p := m.current(); p != nil {
		first = p.key
	}
	m.dialog = v
	m.touch()
	daemon := m.cfg.Daemon
	return within(askLimit, func(ctx context.Context) tea.Msg {
		records, err := daemon.Exits(ctx)
		return exitsMsg{v, records, first, err}
	})
}

func (m *Model) takeExits(msg exitsMsg) {
	v := msg.view
	m.touch()
	v.problem = ""
	switch {
	case msg.err != nil:
		v.problem = sentence(msg.err)
		return
	case len(msg.records) == 0:
		v.problem = "no program has ended with an error"
	}
	slices.SortStableFunc(msg.records, func(a, b workspace.ExitRecord) int {
		return rank(a.Key == msg.first) - rank(b.Key == msg.first)
	})
	for _, r := range msg.records {
		if len(v.rows) > 0 {
			v.rows = append(v.rows, helpLine{})
		}
		v.rows = append(v.rows, helpLine{key: exitHead(r), head: true})
		for _, l := range r.Tail {
			v.rows = append(v.rows, helpLine{text: workspace.Clean(l, 1000)})
		}
	}
}

func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

func exitHead(r workspace.ExitRecord) string {
	what := ""
	if r.Engine != "" {
		what = r.Engine + ", "
	}
	about := ""
	if r.Approximate {
		about = "about "
	}
	return workspace.Clean(fmt.Sprintf("%s / %s: %s%s, %s%s", r.Task, r.Tab, what, r.How(), about, r.Time.Local().Format("2 Jan 15:04:05")), 400)
}

func (v *exitsView) size(within Size) Size {
	return Size{min(100, within.Cols), min(len(v.rows)+4, within.Rows)}
}

func (v *exitsView) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	f.Text(r.X, r.Y, r.W, "Programs that ended by themselves", theme.Title)
	if v.problem != "" {
		f.Text(r.X, r.Y+1, r.W, v.problem, theme.Faint)
	}
	from, to := v.pager.span(len(v.rows), r.H-4)
	for i, row := range v.rows[from:to] {
		if row.head {
			f.Text(r.X, r.Y+2+i, r.W, row.key, theme.Bold)
		} else {
			f.Text(r.X+2, r.Y+2+i, r.W-2, row.text, theme.Text)
		}
	}
	return scrollHint(f, r, "")
}

func (v *exitsView) key(k input.Key) (tea.Cmd, bool) {
	if v.pager.key(k) {
		return nil, false
	}
	return nil, k.Code == input.Escape || k.Code == input.Enter || k.Typed() == "q"
}

func (*exitsView) paste(string) {}
