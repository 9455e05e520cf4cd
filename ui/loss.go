package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// lossDialog says what goes and what stays before something is deleted. What
// is refused is done only by a second question, which names the files.
type lossDialog struct {
	question string
	of       tabRef
	loss     workspace.Loss
	notes    workspace.NoteCount // of the task's review
	asking   bool
	problem  string // it could not be told: nothing is deleted then
	forcing  bool
	do       func(force bool) tea.Cmd
	pager    pager
}

// lossMsg is the answer for the dialog that asked.
type lossMsg struct {
	dialog *lossDialog
	loss   workspace.Loss
	err    error
}

// askLoss opens a lossDialog over what is open, and asks what would be lost.
func (m *Model) askLoss(d *lossDialog, ask func(context.Context) (workspace.Loss, error)) tea.Cmd {
	d.asking = true
	m.push(d)
	return within(longLimit, func(ctx context.Context) tea.Msg {
		loss, err := ask(ctx)
		return lossMsg{d, loss, err}
	})
}

func (m *Model) takeLoss(msg lossMsg) {
	d := msg.dialog
	d.asking, d.loss = false, msg.loss
	if msg.err != nil {
		d.problem = sentence(msg.err)
	}
	m.touch()
}

// askDelete deletes the task that the sidebar's cursor is on, or dismisses a
// clone that failed.
func (m *Model) askDelete() tea.Cmd {
	row, ok := m.side.current(m.sidebarRows())
	switch {
	case ok && row.kind == rowClone:
		return m.dropClone(workspace.CloneRef{ID: row.clone.ID})
	case ok && row.kind != rowHead:
		return m.askDeleteTask(row.task)
	}
	return m.say("choose a task to delete", false)
}

// askDeleteTask deletes a task. One without a worktree of its own loses only
// its record, which needs no looking.
func (m *Model) askDeleteTask(id string) tea.Cmd {
	t, ok := m.world.Task(id)
	if !ok {
		return nil
	}
	d := &lossDialog{question: "Delete task " + quoted(t.Title) + "?", of: tabRef{task: id}, notes: t.Notes}
	d.do = func(force bool) tea.Cmd {
		return m.askLong("delete task", func(ctx context.Context) (outcome, error) {
			return outcome{}, m.cfg.Daemon.DeleteTask(ctx, workspace.TaskDelete{Task: id, Force: force})
		})
	}
	if t.Kind != workspace.KindManaged {
		for _, p := range t.Panes {
			if p.State == workspace.PaneAlive {
				d.loss.Live++
			}
		}
		m.push(d)
		return nil
	}
	return m.askLoss(d, func(ctx context.Context) (workspace.Loss, error) { return m.cfg.Daemon.TaskLoss(ctx, id) })
}

// quoted is a title in a sentence.
func quoted(title string) string { return `"` + workspace.Clean(title, workspace.MaxTitle) + `"` }

func (d *lossDialog) about() tabRef { return d.of }

// lossLine is a line of the dialog: a word in front, and what it is about.
type lossLine struct {
	head, text string
	style      paint.Style
}

func (d *lossDialog) lines(w int) []lossLine {
	var lines []lossLine
	say := func(head, text string, st paint.Style) {
		for i, part := range wrap(paint.Clean(text, 4000), max(w-lossHead, 1)) {
			if i > 0 {
				head = ""
			}
			lines = append(lines, lossLine{head, part, st})
		}
	}
	l := d.loss
	adrift := func() {
		if l.Adrift > 0 {
			say("adrift", workspace.Plural(l.Adrift, "commit")+" on no branch", theme.Warn)
		}
	}
	switch {
	case d.asking:
		say("", "looking at what would be lost…", theme.Faint)
		return lines
	case d.problem != "":
		say("refused", "nobody could look at what would be lost: "+d.problem, theme.Error)
		return lines
	case d.forcing:
		for _, list := range []struct {
			head  string
			names []string
		}{{"changed", l.Changed}, {"untracked", l.Untracked}, {"ignored", l.Ignored}} {
			for i, name := range list.names {
				head := list.head
				if i > 0 {
					head = ""
				}
				lines = append(lines, lossLine{head, paint.Clean(name, 1000), theme.Warn})
			}
		}
		adrift()
		what := "changed and untracked files"
		if l.Gone {
			what = "what is staged or on no branch"
		}
		say("kept", what+", under refs/moorage/salvage/"+l.Branch+"-<time>", theme.Text)
		if len(l.Ignored) > 0 {
			say("lost", "the ignored files", theme.Error)
		}
		say("goes", l.Worktree, theme.Text)
		return lines
	}
	switch {
	case l.Gone:
		say("goes", "git's entry of the missing worktree "+l.Worktree, theme.Text)
	case l.Worktree != "":
		say("goes", "the worktree "+l.Worktree, theme.Text)
	default:
		say("goes", "its record; no file does", theme.Text)
	}
	if d.notes.All > 0 {
		say("goes", fmt.Sprintf("%s, %d of them not sent", workspace.Plural(d.notes.All, "note"), d.notes.Unsent), theme.Warn)
	}
	if l.Live > 0 {
		say("ends", workspace.Plural(l.Live, "live session"), theme.Warn)
	}
	if l.Branch != "" {
		say("stays", "the branch "+l.Branch, theme.Text)
	}
	for _, list := range []struct {
		head  string
		names []string
	}{{"changed", l.Changed}, {"untracked", l.Untracked}, {"ignored", l.Ignored}} {
		if len(list.names) > 0 {
			say(list.head, strings.Join(list.names, ", "), theme.Warn)
		}
	}
	if l.Unpushed > 0 {
		say("unpushed", workspace.Plural(l.Unpushed, "commit")+" neither on a remote nor in the base: only the branch has them", theme.Warn)
	}
	adrift()
	if l.Refused != "" {
		say("refused", l.Refused, theme.Error)
	}
	if l.Refused != "" && l.Forced != "" {
		say("", "not even by force: "+l.Forced, theme.Error)
	}
	return lines
}

// lossHead is the width of the words in front.
const lossHead = 11

func (d *lossDialog) title() string {
	if d.forcing {
		return strings.TrimSuffix(d.question, "?") + " by force?"
	}
	return d.question
}

func (d *lossDialog) hint() string {
	switch {
	case d.asking || d.problem != "" || d.loss.Refused != "" && d.loss.Forced != "":
		return "Esc: leave it"
	case d.forcing:
		return "y: yes, by force   n, Esc: no"
	case d.loss.Refused != "":
		return "f: by force, after another question   Esc: leave it"
	}
	return "y: yes   n, Esc: no"
}

func (d *lossDialog) size(within Size) Size {
	w := min(72, within.Cols)
	return Size{w, min(len(d.lines(w))+4, within.Rows)}
}

func (d *lossDialog) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	f.Text(r.X, r.Y, r.W, cut(d.title(), r.W), theme.Title)
	lines := d.lines(r.W)
	from, to := d.pager.span(len(lines), r.H-4)
	for i, l := range lines[from:to] {
		f.Text(r.X, r.Y+2+i, lossHead-1, l.head, theme.Faint)
		f.Text(r.X+lossHead, r.Y+2+i, r.W-lossHead, l.text, l.style)
	}
	hint := d.hint()
	if to-from < len(lines) {
		hint += "   up, down: scroll"
	}
	f.Text(r.X, r.Y+r.H-1, r.W, hint, theme.Faint)
	return vt.Cursor{}
}

func (d *lossDialog) key(k input.Key) (tea.Cmd, bool) {
	may := !d.asking && d.problem == ""
	switch typed := k.Typed(); {
	case k.Code == input.Escape, slices.Contains([]string{"n", "N", "q"}, typed), k.Matches(input.Key{Code: 'c', Mods: input.Ctrl}):
		return nil, true
	case may && (typed == "y" || typed == "Y") && (d.forcing || d.loss.Refused == ""):
		return d.do(d.forcing), true
	case may && typed == "f" && d.loss.Refused != "" && d.loss.Forced == "" && !d.forcing:
		d.forcing, d.pager = true, pager{}
	default:
		d.pager.key(k)
	}
	return nil, false
}

func (*lossDialog) paste(string) {}
