package ui

import (
	"bytes"
	"context"
	"time"

	"moorage/ui/input"

	tea "charm.land/bubbletea/v2"
)

// ahead is what the client typed after it had asked for a tab or a pane that
// is not there yet. It is meant for that one, not for the pane that has the
// focus meanwhile.
type ahead struct {
	asked    int  // counts the askings, for their time limits
	open     bool // something was asked for and is not shown yet
	answered bool // the daemon has answered: the world is to show it
	greeting bool // it is the client's first pane that is to come
	tokens   []input.Token
	bytes    int
}

const (
	// aheadFor is how long typing waits for what was asked for. After that it
	// goes to whoever has the focus: a daemon that hangs holds no key up longer.
	aheadFor = 2 * time.Second
	// greetFor is how long it waits for a client's first pane: nobody has the
	// focus before.
	greetFor = 10 * time.Second
	maxAhead = 8 << 20 // as the host's own queue; more is dropped
)

// aheadMsg says that aheadFor has passed since an asking.
type aheadMsg int

// open asks for something that the client's view turns to once it is there;
// what is typed until then waits for it.
func (m *Model) open(what string, f func(context.Context) (outcome, error)) tea.Cmd {
	m.ahead.open, m.ahead.answered = true, false
	m.ahead.asked++
	asked := m.ahead.asked
	run, slow := m.request(what, f)
	return tea.Batch(
		func() tea.Msg { return openedMsg{asked, run()} }, slow,
		m.tick(aheadFor, func(time.Time) tea.Msg { return aheadMsg(asked) }),
	)
}

// openedMsg is the answer to an asking.
type openedMsg struct {
	asked int
	done  doneMsg
}

func (m *Model) takeOpened(o openedMsg) tea.Cmd {
	if o.asked == m.ahead.asked {
		m.ahead.answered = true
	}
	return tea.Batch(m.takeDone(o.done), m.catchUp())
}

// hold keeps a token for later. It is false when the token is to be taken now.
func (a *ahead) hold(t input.Token) bool {
	if !a.open || t.Kind == input.KindReply {
		return false
	}
	if a.bytes+len(t.Raw) > maxAhead && (t.Kind == input.KindText || t.Kind == input.KindPasteData) {
		return true
	}
	t.Raw = bytes.Clone(t.Raw)
	a.tokens = append(a.tokens, t)
	a.bytes += len(t.Raw)
	return true
}

// catchUp takes what was typed ahead, unless what was asked for is still to
// come. A token that asks for something again makes the rest wait again.
func (m *Model) catchUp() tea.Cmd {
	if !m.ahead.open || !m.ahead.answered || m.wanted.task != "" {
		return nil
	}
	return m.release()
}

// arrived lets go what was typed before there was a first pane, once there is.
func (m *Model) arrived() tea.Cmd {
	if !m.ahead.greeting || m.current() == nil {
		return nil
	}
	m.ahead.greeting = false
	if m.ahead.asked == 1 { // nothing else has been asked for since
		m.ahead.answered = true
	}
	return m.catchUp()
}

func (m *Model) release() tea.Cmd {
	tokens := m.ahead.tokens
	m.ahead.open, m.ahead.tokens, m.ahead.bytes = false, nil, 0
	var cmds []tea.Cmd
	for _, t := range tokens {
		cmds = append(cmds, m.route(t))
	}
	m.flushPane()
	return tea.Batch(cmds...)
}
