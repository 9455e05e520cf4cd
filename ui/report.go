package ui

import (
	"context"
	"fmt"
	"time"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// reportView shows what a restore brings back, while it does.
type reportView struct {
	report  workspace.Report
	problem string
	pager   pager
	again   tea.Cmd // restore also what waits for the user
}

// reportMsg is news of a report for the view that asked.
type reportMsg struct {
	view   *reportView
	report workspace.Report
	err    error
}

// restore starts again what stayed behind, and shows how that goes.
func (m *Model) restore(all bool) tea.Cmd {
	return m.openReport(func(ctx context.Context) (workspace.Report, error) {
		return m.cfg.Daemon.Restore(ctx, workspace.Restore{All: all})
	})
}

// lastReport shows the latest restore again.
func (m *Model) lastReport() tea.Cmd {
	return m.openReport(func(ctx context.Context) (workspace.Report, error) {
		return m.cfg.Daemon.Report(ctx, workspace.ReportRef{Seen: -1})
	})
}

func (m *Model) openReport(get func(context.Context) (workspace.Report, error)) tea.Cmd {
	v := &reportView{}
	v.again = func() tea.Msg { return againMsg{} }
	m.dialog = v
	m.touch()
	return v.ask(get)
}

// againMsg asks for a restore of everything.
type againMsg struct{}

func (v *reportView) ask(get func(context.Context) (workspace.Report, error)) tea.Cmd {
	return within(askLimit, func(ctx context.Context) tea.Msg {
		r, err := get(ctx)
		return reportMsg{v, r, err}
	})
}

// takeReport shows the news and asks for more, as long as the view is open.
func (m *Model) takeReport(msg reportMsg) tea.Cmd {
	if m.dialog != dialog(msg.view) {
		return nil
	}
	m.touch()
	if msg.err != nil {
		msg.view.problem = sentence(msg.err)
		return nil
	}
	msg.view.report = msg.report
	if !msg.report.Running() {
		return nil
	}
	ref := workspace.ReportRef{ID: msg.report.ID, Seen: msg.report.Changes}
	return msg.view.ask(func(ctx context.Context) (workspace.Report, error) { return m.cfg.Daemon.Report(ctx, ref) })
}

func (v *reportView) size(within Size) Size {
	return Size{min(100, within.Cols), min(max(len(v.report.Lines), 1)+5, within.Rows)}
}

var outcomeStyles = map[workspace.Outcome]paint.Style{
	workspace.OutcomeReattached: theme.Faint, workspace.OutcomeRelaunched: theme.Current, workspace.OutcomeResumed: theme.Current,
	workspace.OutcomeUnconfirmed: theme.Warn, workspace.OutcomeSkipped: theme.Key, workspace.OutcomeFailed: theme.Error,
}

func (v *reportView) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	title := "Restore"
	if !v.report.Started.IsZero() {
		title = "Restore of " + v.report.Started.Local().Format(time.DateTime)
	}
	f.Text(r.X, r.Y, r.W, title, theme.Title)
	if v.problem != "" {
		f.Text(r.X, r.Y+1, r.W, v.problem, theme.Error)
		return scrollHint(f, r, "")
	}
	f.Text(r.X, r.Y+1, r.W, v.summary(), theme.Text)
	from, to := v.pager.span(len(v.report.Lines), r.H-4)
	for i, line := range v.report.Lines[from:to] {
		y := r.Y + 3 + i
		f.Text(r.X, y, 11, string(line.Outcome), outcomeStyles[line.Outcome])
		text := line.Task + " / " + line.Tab
		if line.Reason != "" {
			text += ": " + line.Reason
		}
		f.Text(r.X+12, y, r.W-12, workspace.Clean(text, 1000), theme.Text)
	}
	return scrollHint(f, r, "a: bring back all   ")
}

// summary is the totals in words.
func (v *reportView) summary() string {
	totals, text := v.report.Totals(), ""
	for _, o := range workspace.Outcomes {
		if totals[o] > 0 {
			text += fmt.Sprintf("%d %s, ", totals[o], o)
		}
	}
	switch {
	case v.report.ID == "":
		return "asking…"
	case text == "":
		return "there is nothing to restore"
	}
	return text[:len(text)-2]
}

func (v *reportView) key(k input.Key) (tea.Cmd, bool) {
	switch {
	case v.pager.key(k):
		return nil, false
	case k.Typed() == "a":
		return v.again, true
	}
	return nil, k.Code == input.Escape || k.Code == input.Enter || k.Typed() == "q"
}

func (*reportView) paste(string) {}
