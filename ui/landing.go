package ui

import (
	"context"
	"fmt"
	"strings"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// landDialog lands a task's branch: it shows what that would do before it does.
type landDialog struct {
	m       *Model
	task    string
	title   string
	squash  bool
	message *line
	asked   int // counts the askings: the answer to the last one counts
	asking  bool
	landed  workspace.Landed
	problem string
	over    bool // it was done
	pager   pager
}

// landMsg is the answer to an asking.
type landMsg struct {
	dialog *landDialog
	asked  int
	landed workspace.Landed
	err    error
}

// askLand lands the branch of the task that an action means.
func (m *Model) askLand() tea.Cmd { return m.askLandTask(m.target().task) }

func (m *Model) askLandTask(id string) tea.Cmd {
	t, ok := m.world.Task(id)
	if !ok || t.Kind != workspace.KindManaged {
		return m.say("only a task with a branch of its own can land", false)
	}
	d := &landDialog{m: m, task: id, title: t.Title, message: newLine("")}
	m.push(d)
	return d.ask(true)
}

func (d *landDialog) about() tabRef { return tabRef{task: d.task} }

// ask asks the daemon to land, or what that would do.
func (d *landDialog) ask(dry bool) tea.Cmd {
	d.asked++
	d.asking, d.problem = true, ""
	asked, daemon := d.asked, d.m.cfg.Daemon
	p := workspace.TaskLand{Task: d.task, Squash: d.squash, Message: strings.TrimSpace(d.message.String()), DryRun: dry}
	return within(longLimit, func(ctx context.Context) tea.Msg {
		landed, err := daemon.LandTask(ctx, p)
		return landMsg{d, asked, landed, err}
	})
}

func (m *Model) takeLanded(msg landMsg) tea.Cmd {
	d := msg.dialog
	if msg.asked != d.asked {
		return nil
	}
	m.touch()
	d.asking, d.landed = false, msg.landed
	if msg.err != nil {
		d.problem = sentence(msg.err)
		if !msg.landed.DryRun && m.dialog != dialog(d) {
			return m.say("land: "+d.problem, true)
		}
		return nil
	}
	d.over = !msg.landed.DryRun && len(msg.landed.Conflicts) == 0
	if d.over && m.dialog != dialog(d) {
		return m.say(d.outcome(), false)
	}
	return nil
}

// outcome is what landing did or would do, in words.
func (d *landDialog) outcome() string {
	l := d.landed
	text := fmt.Sprintf("%s from %s into %s", workspace.Plural(l.Commits, "commit"), l.Branch, l.Into)
	if d.over {
		return "landed " + text + ": " + short(l.Before) + " → " + short(l.After)
	}
	return text
}

func short(commit string) string { return commit[:min(len(commit), 10)] }

// ready reports whether landing may be asked for.
func (d *landDialog) ready() bool {
	return !d.asking && !d.over && d.problem == "" && len(d.landed.Conflicts) == 0
}

func (d *landDialog) lines(w int) []lossLine {
	var lines []lossLine
	say := func(text string, st paint.Style) {
		for _, part := range wrap(paint.Clean(text, 4000), w) {
			lines = append(lines, lossLine{text: part, style: st})
		}
	}
	switch l := d.landed; {
	case d.asking:
		say("asking git…", theme.Faint)
	case d.problem != "":
		say(d.problem, theme.Error)
	case len(l.Conflicts) > 0:
		say("it conflicts in "+workspace.Plural(len(l.Conflicts), "file")+"; nothing was changed:", theme.Error)
		for _, name := range l.Conflicts {
			lines = append(lines, lossLine{text: "  " + paint.Clean(name, 1000), style: theme.Warn})
		}
	case d.over:
		say(d.outcome(), theme.Current)
	default:
		say(d.outcome()+", no conflict", theme.Text)
	}
	return lines
}

func (d *landDialog) size(within Size) Size {
	w := min(70, within.Cols)
	return Size{w, min(len(d.lines(w))+7, within.Rows)}
}

func (d *landDialog) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	f.Text(r.X, r.Y, r.W, cut("Land "+workspace.Clean(d.title, workspace.MaxTitle), r.W), theme.Title)
	how, meaning := "merge", "a merge commit in any case"
	if d.squash {
		how, meaning = "squash", "one commit with all changes"
	}
	label := min(formLabel, r.W/2)
	f.Text(r.X, r.Y+1, label-1, "How", theme.Faint)
	x := r.X + label
	x += f.Text(x, r.Y+1, r.X+r.W-x, "◂ "+how+" ▸", theme.Bold) + 2
	f.Text(x, r.Y+1, r.X+r.W-x, meaning, theme.Faint)
	f.Text(r.X, r.Y+2, label-1, "Message", theme.Faint)
	cursor := d.message.draw(f, paint.Rect{X: r.X + label, Y: r.Y + 2, W: r.W - label, H: 1})
	if len(d.message.text) == 0 {
		f.Text(r.X+label+2, r.Y+2, r.W-label-2, "nothing: git's own", theme.Faint)
	}
	lines := d.lines(r.W)
	from, to := d.pager.span(len(lines), r.H-6)
	for i, l := range lines[from:to] {
		f.Text(r.X, r.Y+4+i, r.W, l.text, l.style)
	}
	hint := "Esc: close"
	if d.ready() {
		hint = "Enter: land   Tab: merge or squash   Esc: leave"
	} else if !d.over {
		hint = "Tab: merge or squash   Esc: leave"
	}
	f.Text(r.X, r.Y+r.H-1, r.W, hint, theme.Faint)
	return cursor
}

func (d *landDialog) key(k input.Key) (tea.Cmd, bool) {
	switch {
	case k.Code == input.Escape, k.Matches(input.Key{Code: 'c', Mods: input.Ctrl}), d.over && k.Code == input.Enter:
		return nil, true
	case k.Code == input.Enter:
		if d.ready() {
			return d.ask(false), false
		}
	case d.over:
	case k.Code == input.Tab:
		if !d.asking {
			d.squash = !d.squash
			return d.ask(true), false
		}
	case k.Code == input.Up, k.Code == input.Down, k.Code == input.PageUp, k.Code == input.PageDown:
		d.pager.key(k)
	default:
		d.message.key(k)
	}
	return nil, false
}

func (d *landDialog) paste(text string) { d.message.paste(text) }
