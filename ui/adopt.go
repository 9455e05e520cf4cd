package ui

import (
	"context"
	"slices"
	"strings"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// adoptView chooses worktrees that have no task, and makes tasks for them.
type adoptView struct {
	m       *Model
	project string // "" shows all of them
	query   *line
	rows    []workspace.WorktreeRow
	list    picker
	why     string
	busy    bool
	done    bool   // the list shows what became of each
	first   string // the first task that was made
}

// adoptRowsMsg are the worktrees to choose from.
type adoptRowsMsg struct {
	view *adoptView
	rows []workspace.WorktreeRow
	err  error
}

// adoptedMsg is what became of what was chosen.
type adoptedMsg struct {
	view    *adoptView
	results []workspace.AdoptResult
	err     error
}

// askAdopt shows the worktrees of a project, or of all, that have no task.
func (m *Model) askAdopt(project string) tea.Cmd {
	v := &adoptView{m: m, project: project, query: newLine(""), why: "asking git…"}
	m.dialog = v
	m.touch()
	daemon := m.cfg.Daemon
	return within(longLimit, func(ctx context.Context) tea.Msg {
		rows, err := daemon.Worktrees(ctx)
		return adoptRowsMsg{v, rows, err}
	})
}

func (m *Model) takeAdoptRows(msg adoptRowsMsg) {
	v := msg.view
	m.touch()
	v.why = ""
	if msg.err != nil {
		v.why = sentence(msg.err)
		return
	}
	var items []pick
	for _, r := range msg.rows {
		if r.Task != "" || r.Main || r.Gone || v.project != "" && r.Project != v.project {
			continue
		}
		v.rows = append(v.rows, r)
		items = append(items, pick{text: strings.TrimSpace(r.Branch + "  " + r.Dir), note: m.projectTitle(r.Project), style: theme.Faint})
	}
	if len(v.rows) == 0 {
		v.why = "every worktree has a task"
	}
	v.list.marked = make(map[int]bool)
	v.list.fill(items)
}

func (m *Model) projectTitle(id string) string {
	for _, p := range m.world.Projects {
		if p.ID == id {
			return workspace.Clean(p.Title, workspace.MaxTitle)
		}
	}
	return ""
}

func (m *Model) takeAdopted(msg adoptedMsg) tea.Cmd {
	v := msg.view
	m.touch()
	v.busy, v.done, v.why = false, true, ""
	if msg.err != nil {
		v.why = sentence(msg.err)
	}
	for _, res := range msg.results {
		i := slices.IndexFunc(v.rows, func(r workspace.WorktreeRow) bool { return r.Dir == res.Dir })
		if i < 0 {
			continue
		}
		it := &v.list.items[i]
		it.note, it.style = "adopted", theme.Current
		if res.Error != "" {
			it.note, it.style = res.Error, theme.Error
		} else if v.first == "" {
			v.first = res.Task
		}
	}
	v.list.marked = nil
	v.list.filter("")
	if len(msg.results) == 1 && v.first != "" && m.dialog == dialog(v) {
		closed := m.closeDialog()
		return tea.Batch(closed, m.goTo(v.first))
	}
	return nil
}

// goTo turns to a task as soon as the world shows it.
func (m *Model) goTo(task string) tea.Cmd {
	return m.takeDone(doneMsg{outcome: outcome{wanted: wanted{tabRef: tabRef{task: task}}}})
}

// adopt makes tasks for what is marked, or for what the cursor is on.
func (v *adoptView) adopt() tea.Cmd {
	dirs := make(map[string][]string)
	var projects []string
	take := func(i int) {
		p := v.rows[i].Project
		if dirs[p] == nil {
			projects = append(projects, p)
		}
		dirs[p] = append(dirs[p], v.rows[i].Dir)
	}
	for i := range v.rows {
		if v.list.marked[i] {
			take(i)
		}
	}
	if i, ok := v.list.chosen(); ok && len(projects) == 0 {
		take(i)
	}
	if len(projects) == 0 {
		return nil
	}
	v.busy, v.why = true, "adopting…"
	daemon := v.m.cfg.Daemon
	return within(longLimit, func(ctx context.Context) tea.Msg {
		msg := adoptedMsg{view: v}
		for _, p := range projects {
			results, err := daemon.AdoptWorktrees(ctx, workspace.WorktreeAdopt{Project: p, Dirs: dirs[p]})
			msg.results = append(msg.results, results...)
			if err != nil {
				msg.err = err
			}
		}
		return msg
	})
}

func (v *adoptView) size(within Size) Size {
	return Size{min(100, within.Cols), min(max(len(v.list.items), 1)+5, within.Rows)}
}

func (v *adoptView) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	f.Text(r.X, r.Y, r.W, "Adopt worktrees", theme.Title)
	f.Text(r.X, r.Y+1, 2, "/", theme.Key)
	c := v.query.draw(f, paint.Rect{X: r.X + 2, Y: r.Y + 1, W: r.W - 2, H: 1})
	list := v.listRect(r)
	if v.why != "" {
		y := r.Y + 2
		f.Text(r.X, y, r.W, paint.Clean(v.why, 400), theme.Faint)
	}
	v.list.draw(f, list, !v.done)
	hint := "type: filter   Space: mark   Enter: adopt   Esc: leave"
	if v.done {
		hint = "Enter: go to the first   Esc: close"
	}
	f.Text(r.X, r.Y+r.H-1, r.W, hint, theme.Faint)
	return c
}

func (v *adoptView) listRect(r paint.Rect) paint.Rect {
	return paint.Rect{X: r.X, Y: r.Y + 3, W: r.W, H: max(r.H-5, 0)}
}

func (v *adoptView) key(k input.Key) (tea.Cmd, bool) {
	switch {
	case k.Code == input.Escape, k.Matches(input.Key{Code: 'c', Mods: input.Ctrl}):
		return nil, true
	case v.list.key(k), v.busy:
	case v.done && k.Code == input.Enter:
		if v.first == "" {
			return nil, true
		}
		return v.m.goTo(v.first), true
	case v.done:
	case k.Code == input.Enter:
		return v.adopt(), false
	case k.Code == input.Space, k.Typed() == " ":
		v.list.toggle()
	default:
		if v.query.key(k) {
			v.list.filter(v.query.String())
		}
	}
	return nil, false
}

func (v *adoptView) click(_, y int, _ paint.Rect) (tea.Cmd, bool) {
	if v.list.click(y-3) && !v.done {
		v.list.toggle()
	}
	return nil, false
}

func (v *adoptView) paste(text string) {
	if !v.done && !v.busy {
		v.query.paste(text)
		v.list.filter(v.query.String())
	}
}
