package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	// askLimit bounds a request to the daemon, longLimit one that takes as long as git does.
	askLimit  = 20 * time.Second
	longLimit = 30 * time.Minute
	// slowAfter is how long a request may be unanswered before the status line says that it is.
	slowAfter = 2 * time.Second
)

// within runs f beside the loop, for at most limit: its context ends then. What
// it returns is the loop's next message.
func within(limit time.Duration, f func(context.Context) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		return f(ctx)
	}
}

// asked are the requests to the daemon that are not answered yet.
type asked struct {
	seq  int
	open []asking // the latest last
}

// asking is a request without an answer.
type asking struct {
	seq  int
	what string
	told bool // the status line may name it
}

// add enters a request; told says whether it is named from the beginning.
func (a *asked) add(what string, told bool) (seq int) {
	a.seq++
	a.open = append(a.open, asking{a.seq, what, told})
	return a.seq
}

// tell has the status line name a request, if it is still unanswered.
func (a *asked) tell(seq int) {
	for i := range a.open {
		a.open[i].told = a.open[i].told || a.open[i].seq == seq
	}
}

func (a *asked) answered(seq int) {
	a.open = slices.DeleteFunc(a.open, func(r asking) bool { return r.seq == seq })
}

// underWay is the latest request that may be named; "" for none.
func (a *asked) underWay() string {
	for _, r := range slices.Backward(a.open) {
		if r.told {
			return r.what
		}
	}
	return ""
}

// doneMsg is a request's answer.
type doneMsg struct {
	seq     int
	what    string
	outcome outcome
	err     error
}

// slowMsg says that slowAfter has passed since a request.
type slowMsg int

// ask runs a request beside the loop. what names it in an error, and in the
// status line when the daemon takes its time.
func (m *Model) ask(what string, f func(context.Context) (outcome, error)) tea.Cmd {
	run, slow := m.request(what, f)
	return tea.Batch(func() tea.Msg { return run() }, slow)
}

// request is ask in its parts: what runs it, and the clock that goes beside.
func (m *Model) request(what string, f func(context.Context) (outcome, error)) (run func() doneMsg, slow tea.Cmd) {
	seq := m.asked.add(what, false)
	return call(seq, what, askLimit, f), m.tick(slowAfter, func(time.Time) tea.Msg { return slowMsg(seq) })
}

// askLong is ask for what takes as long as git does. The status line names it
// from the beginning.
func (m *Model) askLong(what string, f func(context.Context) (outcome, error)) tea.Cmd {
	run := call(m.asked.add(what, true), what, longLimit, f)
	m.touch()
	return func() tea.Msg { return run() }
}

// errSilent is the answer that did not come.
var errSilent = errors.New("the daemon has not answered, and may still do it")

func call(seq int, what string, limit time.Duration, f func(context.Context) (outcome, error)) func() doneMsg {
	return func() doneMsg {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		o, err := f(ctx)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
			err = errSilent
		}
		return doneMsg{seq, what, o, err}
	}
}

// takeDone takes an answer, and turns to what came of it.
func (m *Model) takeDone(d doneMsg) tea.Cmd {
	m.asked.answered(d.seq)
	m.touch()
	delete(m.making, d.outcome.made)
	var cmds []tea.Cmd
	if v, ok := m.dialog.(*worktreesView); ok {
		cmds = append(cmds, v.ask()) // it may show what was changed
	}
	if d.err != nil {
		why, what := sentence(d.err), d.what+": "
		return tea.Batch(append(cmds, m.say(what+strings.TrimPrefix(why, what), true))...)
	}
	if d.outcome.say != "" {
		cmds = append(cmds, m.say(d.outcome.say, false))
	}
	if d.outcome.make != "" {
		cmds = append(cmds, m.makeTask(d.outcome.make, d.outcome.wanted.tab == ""))
	}
	w := d.outcome.wanted
	if w.task == "" && w.project == "" || d.outcome.from != "" && d.outcome.from != m.shown.task {
		return tea.Batch(cmds...)
	}
	if d.outcome.made != "" && w.tabRef == m.shown {
		return tea.Batch(cmds...) // it was seen at once, and the user may have gone to the sidebar since
	}
	m.wanted = w
	why := others
	if m.settle(m.world) {
		why = acted
	}
	m.side.to(m.sidebarRows(), m.shown)
	m.relayout(why)
	return tea.Batch(cmds...)
}
