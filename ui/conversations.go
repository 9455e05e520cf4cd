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

// conversationsView is the page of the conversations that engines have had in a
// task's directory, also of those that no tab has.
type conversationsView struct {
	m    *Model
	task string
	all  workspace.Conversations
	list picker // of all, without texts of its own
	why  string
	now  time.Time // when they came
}

// conversationsMsg are the conversations for the page that asked.
type conversationsMsg struct {
	view *conversationsView
	all  workspace.Conversations
	now  time.Time
	err  error
}

func (v *conversationsView) about() tabRef { return tabRef{task: v.task} }

func (m *Model) openConversations() tea.Cmd {
	t, ok := m.world.Task(m.target().task)
	if !ok {
		return m.say("choose a task whose conversations to list", false)
	}
	v := &conversationsView{m: m, task: t.ID, why: "looking…"}
	m.dialog = v
	m.touch()
	return within(askLimit, func(ctx context.Context) tea.Msg {
		all, err := m.cfg.Daemon.Conversations(ctx, t.ID)
		return conversationsMsg{v, all, time.Now(), err}
	})
}

func (m *Model) takeConversations(msg conversationsMsg) {
	v := msg.view
	m.touch()
	v.all, v.now, v.why = msg.all, msg.now, ""
	v.list.fill(make([]pick, len(v.all.List)))
	switch {
	case msg.err != nil:
		v.why = sentence(msg.err)
	case len(v.all.Unread) > 0 && len(v.all.List) == 0:
		v.why = fmt.Sprint("nobody could look into the stores of ", v.all.Unread)
	case len(v.all.List) == 0:
		v.why = "no engine has had a conversation here"
	}
}

func (v *conversationsView) current() (workspace.Conversation, bool) {
	i, ok := v.list.chosen()
	if !ok {
		return workspace.Conversation{}, false
	}
	return v.all.List[i], true
}

func (v *conversationsView) size(within Size) Size {
	return Size{min(110, within.Cols), min(max(len(v.all.List), 1)+6, within.Rows)}
}

// The columns of the page.
const (
	engineWidth = 9
	ageWidth    = 7
	sizeWidth   = 7
)

func (v *conversationsView) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	title := "Conversations"
	if t, ok := v.m.world.Task(v.task); ok {
		title += " of " + workspace.Clean(t.Title, workspace.MaxTitle)
	}
	f.Text(r.X, r.Y, r.W, cut(title, r.W), theme.Title)
	list := paint.Rect{X: r.X, Y: r.Y + 2, W: r.W, H: max(r.H-5, 0)}
	v.list.draw(f, list, true)
	for y := 0; y < list.H && v.list.top+y < len(v.list.found); y++ {
		row := paint.Rect{X: r.X, Y: list.Y + y, W: r.W, H: 1}
		v.drawRow(f, row, v.all.List[v.list.found[v.list.top+y]], v.list.top+y == v.list.at)
	}
	if v.why != "" {
		f.Text(r.X, r.Y+2, r.W, paint.Clean(v.why, 400), theme.Faint)
	}
	hint := "Esc: close"
	if c, ok := v.current(); ok && r.H > 4 {
		f.Text(r.X, r.Y+r.H-2, r.W, cut(v.detail(c), r.W), theme.Text)
		hint = "Enter: continue  f: fork  h: hand over  " + hint
	}
	f.Text(r.X, r.Y+r.H-1, r.W, hint, theme.Faint)
	return vt.Cursor{}
}

func (v *conversationsView) drawRow(f *paint.Frame, r paint.Rect, c workspace.Conversation, lit bool) {
	lighten := func(st paint.Style) paint.Style {
		if lit {
			st.Attr |= vt.AttrInverse
		}
		return st
	}
	text := theme.Text
	if c.Tab.Task != "" {
		text = theme.Bold
	}
	room := max(r.W-engineWidth-ageWidth-sizeWidth, 1)
	f.Text(r.X, r.Y, engineWidth-1, cut(workspace.Clean(c.Engine, 40), engineWidth-1), lighten(theme.Key))
	f.Text(r.X+engineWidth, r.Y, room-1, cut(workspace.Clean(c.First, workspace.MaxTitle), max(room-1, 1)), lighten(text))
	f.Text(r.X+r.W-ageWidth-sizeWidth, r.Y, ageWidth-1, age(c.Changed, v.now), lighten(theme.Faint))
	size := ""
	if c.Size > 0 { // of some the store tells none
		size = bytesOf(c.Size)
	}
	f.Text(r.X+r.W-len(size), r.Y, len(size), size, lighten(theme.Faint))
}

// bytesOf is a size in few columns.
func bytesOf(n int64) string {
	for _, unit := range []string{"B", "K", "M", "G"} {
		if n < 1000 || unit == "G" {
			return fmt.Sprintf("%d %s", n, unit)
		}
		n /= 1000
	}
	return ""
}

// detail is what the columns have no room for.
func (v *conversationsView) detail(c workspace.Conversation) string {
	text := c.ID + " in " + c.Dir
	if c.Tab.Task != "" {
		text = "has the tab " + c.Label + ": " + text
	}
	return workspace.Clean(text, 1000)
}

func (v *conversationsView) key(k input.Key) (tea.Cmd, bool) {
	if v.list.key(k) {
		return nil, false
	}
	c, ok := v.current()
	switch typed := k.Typed(); {
	case typed == "j":
		v.list.key(input.Key{Code: input.Down})
	case typed == "k":
		v.list.key(input.Key{Code: input.Up})
	case typed == "q", k.Code == input.Escape:
		return nil, true
	case !ok:
	case k.Code == input.Enter:
		return v.take(c, workspace.Continue, ""), true
	case typed == "f" && !c.Forks:
		return v.m.say(workspace.Clean(c.Engine, 40)+" cannot fork a conversation: h hands it over", false), false
	case typed == "f":
		return v.take(c, workspace.ForkOff, ""), true
	case typed == "h":
		return v.askEngine(c), false
	}
	return nil, false
}

// take takes a conversation up, and turns to its tab.
func (v *conversationsView) take(c workspace.Conversation, how workspace.TakeUp, to string) tea.Cmd {
	p := workspace.ConversationOpen{Task: v.task, Engine: c.Engine, ID: c.ID, How: how, To: to, Size: v.m.paneSize()}
	from := v.m.shown.task
	return v.m.askLong("take up the conversation", func(ctx context.Context) (outcome, error) {
		added, err := v.m.cfg.Daemon.TakeUp(ctx, p)
		return outcome{wanted: wanted{tabRef: tabRef{added.Task.ID, added.Tab}, pane: added.Pane}, from: from}, err
	})
}

// askEngine asks which engine a conversation is handed over to.
func (v *conversationsView) askEngine(c workspace.Conversation) tea.Cmd {
	var entries []entry
	for i, name := range v.all.Engines {
		key := ""
		if i < 9 {
			key = string(rune('1' + i))
		}
		entries = append(entries, entry{key, workspace.Clean(name, 40), func() tea.Cmd {
			v.m.closeAll()
			return v.take(c, workspace.HandOver, name)
		}})
	}
	if len(entries) == 0 {
		return v.m.say("no engine takes it", false)
	}
	d := newMenu("Hand over to", entries...)
	d.of = tabRef{task: v.task}
	v.m.push(d)
	return nil
}

func (v *conversationsView) click(_, y int, _ paint.Rect) (tea.Cmd, bool) {
	v.list.click(y - 2)
	return nil, false
}

func (*conversationsView) paste(string) {}
