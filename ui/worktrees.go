package ui

import (
	"context"
	"time"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// worktreesView is the page of all worktrees of saved projects.
type worktreesView struct {
	m    *Model
	rows []workspace.WorktreeRow
	list picker // of rows, without texts of its own
	why  string
	now  time.Time // when the rows came
}

// worktreesMsg are the rows for the page that asked.
type worktreesMsg struct {
	view *worktreesView
	rows []workspace.WorktreeRow
	now  time.Time
	err  error
}

func (m *Model) openWorktrees() tea.Cmd {
	v := &worktreesView{m: m, why: "asking git…"}
	m.dialog = v
	m.touch()
	return v.ask()
}

func (v *worktreesView) ask() tea.Cmd {
	daemon := v.m.cfg.Daemon
	return within(longLimit, func(ctx context.Context) tea.Msg {
		rows, err := daemon.Worktrees(ctx)
		return worktreesMsg{v, rows, time.Now(), err}
	})
}

// resumed looks again after a dialog that lay over the page: it may have
// changed something.
func (v *worktreesView) resumed() tea.Cmd { return v.ask() }

func (m *Model) takeWorktrees(msg worktreesMsg) {
	v := msg.view
	m.touch()
	v.why = ""
	if msg.err != nil {
		v.why = sentence(msg.err)
		return
	}
	at := v.list.at
	v.rows, v.now = msg.rows, msg.now
	items := make([]pick, len(v.rows))
	v.list.fill(items)
	v.list.at = max(min(at, len(items)-1), min(0, len(items)-1))
	if len(items) == 0 {
		v.why = "there is none: save a repository first"
	}
}

func (v *worktreesView) current() (workspace.WorktreeRow, bool) {
	i, ok := v.list.chosen()
	if !ok {
		return workspace.WorktreeRow{}, false
	}
	return v.rows[i], true
}

func (v *worktreesView) size(within Size) Size {
	return Size{min(120, within.Cols), min(max(len(v.rows), 1)+7, within.Rows)}
}

// worktreeColumns are the widths of the answers, from the right edge.
var worktreeColumns = []struct {
	name  string
	width int
	value func(workspace.WorktreeRow, time.Time) (string, paint.Style)
}{
	{"dirty", 6, func(r workspace.WorktreeRow, _ time.Time) (string, paint.Style) { return answer(r.Dirty, "yes") }},
	{"pushed", 7, func(r workspace.WorktreeRow, _ time.Time) (string, paint.Style) {
		if r.Merged == string(workspace.AnswerYes) {
			return answer(r.Pushed, "") // the base has it
		}
		return answer(r.Pushed, "no")
	}},
	{"merged", 7, func(r workspace.WorktreeRow, _ time.Time) (string, paint.Style) { return answer(r.Merged, "no") }},
	{"age", 7, func(r workspace.WorktreeRow, now time.Time) (string, paint.Style) {
		return age(r.Committed, now), theme.Faint
	}},
}

// answer is yes, no or unknown; the one that asks for care stands out.
func answer(a, care string) (string, paint.Style) {
	switch a {
	case care:
		return a, theme.Warn
	case string(workspace.AnswerYes), string(workspace.AnswerNo):
		return a, theme.Text
	}
	return "?", theme.Faint
}

func (v *worktreesView) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	f.Text(r.X, r.Y, r.W, "Worktrees", theme.Title)
	right := 0
	for _, c := range worktreeColumns {
		right += c.width
	}
	left := max(r.W-right, r.W/3)
	branch := min(14, left/3)
	x := r.X + left
	for _, c := range worktreeColumns {
		f.Text(x, r.Y+1, min(c.width-1, r.X+r.W-x), c.name, theme.Faint)
		x += c.width
	}
	f.Text(r.X+branch, r.Y+1, left-branch-1, "branch", theme.Faint)
	f.Text(r.X, r.Y+1, branch-1, "project", theme.Faint)
	foot := v.m.drawFoot(f, r, "Enter: go", "l: land", "d: remove", "a: adopt", "r: again", "Esc: close")
	list := paint.Rect{X: r.X, Y: r.Y + 2, W: r.W, H: max(r.H-4-foot, 0)}
	v.list.draw(f, list, true)
	for y := 0; y < list.H && v.list.top+y < len(v.list.found); y++ {
		v.drawRow(f, paint.Rect{X: r.X, Y: list.Y + y, W: r.W, H: 1}, v.rows[v.list.found[v.list.top+y]], branch, left, v.list.top+y == v.list.at)
	}
	if v.why != "" {
		f.Text(r.X, r.Y+2, r.W, paint.Clean(v.why, 400), theme.Faint)
	}
	if row, ok := v.current(); ok && r.H > 4 {
		f.Text(r.X, r.Y+r.H-1-foot, r.W, cut(v.detail(row), r.W), theme.Text)
	}
	return vt.Cursor{}
}

func (v *worktreesView) drawRow(f *paint.Frame, r paint.Rect, row workspace.WorktreeRow, branch, left int, lit bool) {
	lighten := func(st paint.Style) paint.Style {
		if lit {
			st.Attr |= vt.AttrInverse
		}
		return st
	}
	f.Text(r.X, r.Y, branch-1, cut(v.m.projectTitle(row.Project), max(branch-1, 1)), lighten(theme.Text))
	name := workspace.Clean(row.Branch, 400)
	switch {
	case row.Problem != "":
		name = "(nobody could look)"
	case name == "":
		name = "(no branch)"
	}
	if row.Main && row.Problem == "" {
		name += "  main"
	}
	f.Text(r.X+branch, r.Y, left-branch-1, cut(name, max(left-branch-1, 1)), lighten(theme.Bold))
	x := r.X + left
	for _, c := range worktreeColumns {
		text, st := c.value(row, v.now)
		f.Text(x, r.Y, min(c.width-1, r.X+r.W-x), text, lighten(st))
		x += c.width
	}
}

// detail is what the columns have no room for.
func (v *worktreesView) detail(row workspace.WorktreeRow) string {
	text := workspace.Clean(row.Show, 1000)
	switch t, ok := v.m.world.Task(row.Task); {
	case row.Problem != "":
		text = workspace.Clean(row.Problem, 1000)
	case row.Gone:
		text = "gone: " + text
	case row.Locked != "":
		text = "locked (" + workspace.Clean(row.Locked, 200) + "): " + text
	case ok:
		text = "task " + workspace.Clean(t.Title, workspace.MaxTitle) + ": " + text
	}
	return text
}

func (v *worktreesView) key(k input.Key) (tea.Cmd, bool) {
	if v.list.key(k) {
		return nil, false
	}
	switch k.Typed() {
	case "j":
		v.list.key(input.Key{Code: input.Down})
		return nil, false
	case "k":
		v.list.key(input.Key{Code: input.Up})
		return nil, false
	case "q":
		return nil, true
	case "r":
		v.why = ""
		return v.ask(), false
	}
	if k.Code == input.Escape {
		return nil, true
	}
	row, ok := v.current()
	if !ok {
		return nil, false
	}
	switch m := v.m; {
	case k.Code == input.Enter && row.Task != "":
		m.closeAll()
		return m.show(row.Task, ""), false
	case k.Code == input.Enter, k.Typed() == "a":
		return v.adopt(row), false
	case k.Typed() == "l":
		if row.Task == "" {
			return m.say("adopt it first: a task lands", false), false
		}
		return m.askLandTask(row.Task), false
	case k.Typed() == "d":
		return v.remove(row), false
	}
	return nil, false
}

// adopt makes a task for a worktree that has none.
func (v *worktreesView) adopt(row workspace.WorktreeRow) tea.Cmd {
	if row.Task != "" || row.Main || row.Gone {
		return v.m.say("only a worktree without a task can be adopted", false)
	}
	return v.m.askLong("adopt", func(ctx context.Context) (outcome, error) {
		results, err := v.m.cfg.Daemon.AdoptWorktrees(ctx, workspace.WorktreeAdopt{Project: row.Project, Dirs: []string{row.Dir}})
		if err == nil && len(results) == 1 && results[0].Error != "" {
			err = workspace.Fail(workspace.CodeRefused, "", "%s", results[0].Error)
		}
		return outcome{say: "adopted " + workspace.Clean(row.Branch, 200)}, err
	})
}

// remove removes a worktree, with its task if it has one.
func (v *worktreesView) remove(row workspace.WorktreeRow) tea.Cmd {
	m := v.m
	switch {
	case row.Task != "":
		return m.askDeleteTask(row.Task)
	case row.Main:
		return m.say("the main checkout is not removed", false)
	}
	ref := workspace.WorktreeRef{Project: row.Project, Dir: row.Dir}
	d := &lossDialog{question: "Remove worktree " + quoted(row.Branch) + "?"}
	d.do = func(force bool) tea.Cmd {
		return m.askLong("remove worktree", func(ctx context.Context) (outcome, error) {
			return outcome{}, m.cfg.Daemon.DropWorktree(ctx, workspace.WorktreeDrop{WorktreeRef: ref, Force: force})
		})
	}
	return m.askLoss(d, func(ctx context.Context) (workspace.Loss, error) { return m.cfg.Daemon.WorktreeLoss(ctx, ref) })
}

func (v *worktreesView) click(_, y int, _ paint.Rect) (tea.Cmd, bool) {
	v.list.click(y - 2)
	return nil, false
}

func (*worktreesView) paste(string) {}
