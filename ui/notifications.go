package ui

import (
	"context"
	"slices"
	"strings"
	"time"

	"moorage/ui/paint"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

const (
	// notifyEvery is how far apart what one tab wants is told at least.
	notifyEvery = time.Second
	// maxNotifications bounds what waits to be told to a terminal that takes nothing:
	// the oldest goes.
	maxNotifications = 32
)

// notifications tells the client's terminal what wants the user: of each tab the
// newest, at most one in notifyEvery, between frames.
type notifications struct {
	how     workspace.Notify
	fixed   bool             // nothing remembered takes its place
	heard   *workspace.Inbox // the last that was seen; nil before the first
	waiting []workspace.Item // the oldest first, one of a tab
	told    map[tabRef]time.Time
	timed   bool // a clock runs for what waits
}

func newNotifications(how workspace.Notify, fixed bool) notifications {
	return notifications{how: how, fixed: fixed, told: make(map[tabRef]time.Time)}
}

// remembered takes what the client chose when it was here before.
func (n *notifications) remembered(how workspace.Notify) {
	if !n.fixed && how.Form != "" {
		n.how = how
	}
}

// notifyMsg says that something that waits may be told.
type notifyMsg struct{}

// takeRisen notes what wants the user since the inbox before. What was pending
// when the client came is no news; what an engine came to while the daemon was
// away is, and what a program called then is not.
func (m *Model) takeRisen(w World) {
	if !w.Up {
		return
	}
	before := m.notifications.heard
	m.notifications.heard = &w.Inbox
	if before == nil {
		return
	}
	for _, item := range w.Inbox.Risen(*before) {
		if item.Late {
			continue
		}
		m.sayItem(item)
		m.notifications.add(item)
		m.touch()
	}
}

// sayItem says on the client's own screen what an engine came to elsewhere: an
// error also to who wants to be told nothing. What programs call goes to the
// terminal only.
func (m *Model) sayItem(item workspace.Item) {
	tab := tabRef{item.Task, item.Tab}
	bad := item.Kind == workspace.ItemFailed || item.Kind == workspace.ItemDied
	quiet := m.notifications.how.Form == workspace.NotifyOff && !bad
	if quiet || item.Kind.Called() || m.looksAt(tab) || time.Since(m.notifications.told[tab]) < notifyEvery {
		return
	}
	m.note(item.Title+": "+item.Text, bad)
}

// add makes an item wait, in the place of what its tab wanted before.
func (n *notifications) add(item workspace.Item) {
	n.waiting = slices.DeleteFunc(n.waiting, func(i workspace.Item) bool { return i.Task == item.Task && i.Tab == item.Tab })
	n.waiting = append(n.waiting, item)
	if len(n.waiting) > maxNotifications {
		n.waiting = slices.Delete(n.waiting, 0, len(n.waiting)-maxNotifications)
	}
}

// writeNotifications writes what may be told now behind what goes before the next
// frame. A client that is looking at the tab sees it there.
func (m *Model) writeNotifications() {
	if len(m.notifications.waiting) == 0 {
		return
	}
	now := time.Now()
	for tab, at := range m.notifications.told {
		if now.Sub(at) >= notifyEvery {
			delete(m.notifications.told, tab)
		}
	}
	form := m.notifyForm()
	m.notifications.waiting = slices.DeleteFunc(m.notifications.waiting, func(item workspace.Item) bool {
		tab := tabRef{item.Task, item.Tab}
		if m.looksAt(tab) {
			m.cfg.Told(item.ID, true)
			return true
		}
		if _, soon := m.notifications.told[tab]; soon {
			return false
		}
		if form != paint.NotifyOff {
			m.notifications.told[tab] = now
			m.extra = m.appendNote(m.extra, form, item)
			m.cfg.Told(item.ID, false)
		}
		return true
	})
}

// notesLater starts the clock for what waits because its tab was told of just
// now.
func (m *Model) notesLater() tea.Cmd {
	var soonest time.Duration
	for _, item := range m.notifications.waiting {
		at, told := m.notifications.told[tabRef{item.Task, item.Tab}]
		if left := notifyEvery - time.Since(at); told && left > 0 && (soonest == 0 || left < soonest) {
			soonest = left
		}
	}
	if m.notifications.timed || soonest == 0 {
		return nil
	}
	m.notifications.timed = true
	return m.tick(soonest, func(time.Time) tea.Msg { return notifyMsg{} })
}

// appendNote appends an item as the client's terminal is told it. A bell is
// one in every form, and what a program calls in a form without titles stands
// as the program has it.
func (m *Model) appendNote(dst []byte, form paint.NotifyForm, item workspace.Item) []byte {
	title := item.Title
	switch {
	case item.Kind == workspace.ItemBell:
		form = paint.NotifyBell
	case item.Kind == workspace.ItemCalled && form == paint.NotifyOSC9:
		title = ""
	}
	if form == paint.NotifyBell || !m.notifications.how.Tmux || !m.inTmux() {
		return paint.AppendNotify(dst, form, title, item.Text)
	}
	return paint.AppendForTmux(dst, paint.AppendNotify(nil, form, title, item.Text))
}

// inTmux reports whether the client sits in a tmux, as that says itself.
func (m *Model) inTmux() bool { return strings.HasPrefix(m.terminal.version, "tmux ") }

// notifyForms are the sequences of the forms.
var notifyForms = map[workspace.NotifyForm]paint.NotifyForm{
	workspace.NotifyOSC9: paint.NotifyOSC9, workspace.NotifyOSC777: paint.NotifyOSC777, workspace.NotifyOSC99: paint.NotifyOSC99,
	workspace.NotifyBell: paint.NotifyBell, workspace.NotifyOff: paint.NotifyOff,
}

// bellOnly are how the terminals begin to say what they are (XTVERSION) that
// know no notification but the bell. tmux keeps the others to itself, unless
// it is asked to pass them on.
var bellOnly = []string{"tmux ", "XTerm(", "xterm.js("}

// notifyForm is the sequence by which this client is told.
func (m *Model) notifyForm() paint.NotifyForm {
	if form, ok := notifyForms[m.notifications.how.Form]; ok {
		return form
	}
	only := slices.ContainsFunc(bellOnly, func(name string) bool { return strings.HasPrefix(m.terminal.version, name) })
	if only && !(m.inTmux() && m.notifications.how.Tmux) {
		return paint.NotifyBell
	}
	return paint.NotifyOSC9
}

// notifyLabels say of each form what it is.
var notifyLabels = map[workspace.NotifyForm]string{
	workspace.NotifyAuto: "auto: OSC 9, or a bell where no more is known", workspace.NotifyOSC9: "OSC 9 (iTerm2, kitty, WezTerm, Ghostty, foot)",
	workspace.NotifyOSC777: "OSC 777 (Konsole, rxvt, foot, Ghostty)", workspace.NotifyOSC99: "OSC 99 (kitty)",
	workspace.NotifyBell: "bell", workspace.NotifyOff: "off",
}

// askNotify offers the forms in which this client is told.
func (m *Model) askNotify() tea.Cmd {
	d := newMenu("How this client is told what wants you")
	for i, form := range workspace.NotifyForms {
		label := "  " + notifyLabels[form]
		if form == m.notifications.how.Form || form == workspace.NotifyAuto && m.notifications.how.Form == "" {
			label, d.at = "● "+notifyLabels[form], i
		}
		how := workspace.Notify{Form: form, Tmux: m.notifications.how.Tmux}
		d.entries = append(d.entries, entry{string(rune('1' + i)), label, func() tea.Cmd { return m.setNotify(how) }})
	}
	label, wrapped := "  pass it through a tmux that this client sits in", m.notifications.how
	if wrapped.Tmux {
		label = "●" + label[1:]
	}
	wrapped.Tmux = !wrapped.Tmux
	d.entries = append(d.entries, entry{"t", label, func() tea.Cmd { return m.setNotify(wrapped) }})
	m.dialog = d
	m.touch()
	return nil
}

// setNotify tells this client so from now on, beginning with an example, and
// has that remembered.
func (m *Model) setNotify(how workspace.Notify) tea.Cmd {
	if how.Form == "" {
		how.Form = workspace.NotifyAuto
	}
	m.notifications.how, m.notifications.fixed = how, true
	if form := m.notifyForm(); form != paint.NotifyOff {
		m.extra = m.appendNote(m.extra, form, workspace.Item{Title: "moorage", Text: "this is how you are told"})
	}
	m.touch()
	said := m.say("this client is told by "+notifyLabels[how.Form], false)
	if m.cfg.Client == "" {
		return said
	}
	return tea.Batch(said, m.ask("remember how to tell you", func(ctx context.Context) (outcome, error) {
		return outcome{}, m.cfg.Daemon.SetNotify(ctx, workspace.NotifySet{Client: m.cfg.Client, Notify: how})
	}))
}
