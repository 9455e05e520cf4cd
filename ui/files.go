package ui

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// filesPage lists the files of the shown task's root, or what differs in it,
// and follows them while it is open.
type filesPage struct {
	m       *Model
	task    workspace.TaskView
	changes bool
	scope   string
	asked   int // counts the questions: an older one's answer is void
	view    workspace.FilesView
	problem string
	folded  map[string]bool
	rows    []fileRow
	at      int
	pager   pager
}

// fileRow is a row of the page: a folder, or a file by its place in the view.
type fileRow struct {
	folder string // with its slash; "" for a file
	depth  int
	text   string
	entry  int
}

// filesMsg is the answer for the page that asked.
type filesMsg struct {
	page  *filesPage
	asked int
	view  workspace.FilesView
	err   error
}

func (m *Model) openFiles() tea.Cmd {
	task, ok := m.world.Task(m.target().task)
	if !ok {
		return m.say("no task to show files of", false)
	}
	p := &filesPage{m: m, task: task, folded: make(map[string]bool), problem: "asking…"}
	m.dialog = p
	m.touch()
	return p.ask(0)
}

// resumed asks anew: what came while something lay over the page was not for it.
func (p *filesPage) resumed() tea.Cmd { return p.ask(0) }

func (p *filesPage) about() tabRef { return tabRef{task: p.task.ID} }

// ask asks for what is newer than seen.
func (p *filesPage) ask(seen uint64) tea.Cmd {
	p.asked++
	asked, daemon := p.asked, p.m.cfg.Daemon
	query := workspace.FilesQuery{Task: p.task.ID, Changes: p.changes, Scope: p.scope, Seen: seen}
	return within(askLimit, func(ctx context.Context) tea.Msg {
		view, err := daemon.Files(ctx, query)
		return filesMsg{p, asked, view, err}
	})
}

// takeFiles shows the answer and asks for the next one, as long as the page is
// open and changes are noticed.
func (m *Model) takeFiles(msg filesMsg) tea.Cmd {
	p := msg.page
	if m.dialog != dialog(p) || msg.asked != p.asked {
		return nil
	}
	if msg.err != nil {
		p.problem = sentence(msg.err)
		m.touch()
		return nil
	}
	if msg.view.Same {
		return p.ask(p.view.Version)
	}
	p.problem, p.view = "", msg.view
	p.list()
	m.touch()
	if p.view.Still {
		return nil
	}
	return p.ask(p.view.Version)
}

// list makes the rows of the view: changes one by one, all files as a tree.
func (p *filesPage) list() {
	p.rows = p.rows[:0]
	open := ""
	for i, e := range p.view.Entries {
		if p.changes {
			p.rows = append(p.rows, fileRow{text: e.Show, entry: i})
			continue
		}
		at, depth, hidden := 0, 0, false
		for n := strings.IndexByte(e.Show, '/'); n >= 0; n = strings.IndexByte(e.Show[at:], '/') {
			folder := e.Show[:at+n+1]
			if !hidden && !strings.HasPrefix(open, folder) {
				p.rows = append(p.rows, fileRow{folder: folder, depth: depth, text: folder[at:]})
			}
			hidden = hidden || p.folded[folder]
			at, depth = len(folder), depth+1
		}
		open = e.Show[:at]
		if !hidden && at < len(e.Show) { // a repository within ends in a slash
			p.rows = append(p.rows, fileRow{depth: depth, text: e.Show[at:], entry: i})
		}
	}
	p.at = max(min(p.at, len(p.rows)-1), 0)
}

func (p *filesPage) size(within Size) Size { return within }

func (p *filesPage) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	scope := "All files"
	if p.changes {
		scope = "Changes against " + workspace.Clean(p.view.Name, 100)
	}
	x := r.X + f.Text(r.X, r.Y, r.W, fmt.Sprintf("%s: %s", workspace.Clean(p.task.Title, workspace.MaxTitle), scope), theme.Title) + 2
	f.Text(x, r.Y, r.X+r.W-x, tilde(p.view.Root), theme.Faint)
	switch {
	case p.problem != "":
		f.Text(r.X, r.Y+2, r.W, p.problem, theme.Faint)
	case len(p.rows) == 0:
		f.Text(r.X, r.Y+2, r.W, "nothing", theme.Faint)
	}
	note, tab := make([]string, 0, 10), "Tab: changes"
	if p.changes {
		tab = "Tab: all files"
	}
	if p.view.Cut {
		note = append(note, "there are more")
	}
	if p.view.Still {
		note = append(note, "changes are not noticed: r asks anew")
	}
	foot := p.m.drawFoot(f, r, append(note, tab, "b: against base", "Enter: edit", "d: diff", "v, V: review it, all", "a: paste @path", "o: open outside", "Esc: close")...)
	lines := r.H - 3 - foot
	p.pager.keep(p.at, lines)
	from, to := p.pager.span(len(p.rows), lines)
	for i, row := range p.rows[from:to] {
		p.drawRow(f, paint.Rect{X: r.X, Y: r.Y + 2 + i, W: r.W, H: 1}, row, from+i == p.at)
	}
	return vt.Cursor{}
}

var statusStyles = map[string]paint.Style{
	"A": theme.Current, "?": theme.Current, "M": theme.Key, "R": theme.Key, "C": theme.Key, "T": theme.Key, "D": theme.Error, "U": theme.Error,
}

func (p *filesPage) drawRow(f *paint.Frame, r paint.Rect, row fileRow, selected bool) {
	st := theme.Text
	if selected {
		f.Fill(r, vtBlank(theme.Selected))
		st.Attr |= theme.Selected.Attr
	}
	x := r.X + 2*row.depth
	switch {
	case row.folder != "":
		mark := "▾ "
		if p.folded[row.folder] {
			mark = "▸ "
		}
		f.Text(x, r.Y, r.X+r.W-x, mark+row.text, st)
	case p.changes:
		e := p.view.Entries[row.entry]
		status := statusStyles[e.Status]
		status.Attr |= st.Attr
		f.Text(r.X, r.Y, 2, e.Status, status)
		w := f.Text(r.X+2, r.Y, r.W-2, row.text, st)
		if e.Added > 0 || e.Removed > 0 {
			f.Text(r.X+2+w, r.Y, r.W-2-w, fmt.Sprintf("  +%d -%d", e.Added, e.Removed), paint.Style{Attr: theme.Faint.Attr | st.Attr})
		}
	default:
		f.Text(x+2, r.Y, r.X+r.W-x-2, row.text, st)
	}
}

func (p *filesPage) key(k input.Key) (tea.Cmd, bool) {
	again := func() (tea.Cmd, bool) {
		p.problem, p.rows, p.view, p.at = "asking…", nil, workspace.FilesView{}, 0
		return p.ask(0), false
	}
	switch {
	case k.Code == input.Escape, k.Typed() == "q":
		return nil, true
	case k.Code == input.Tab:
		p.changes = !p.changes
		return again()
	case k.Typed() == "b":
		p.changes = true
		p.scope = otherScope(p.scope, p.view.Scope)
		return again()
	case k.Typed() == "r":
		return again()
	case k.Typed() == "V":
		return p.openReview(nil, "all that differs"), false
	case p.pager.step(k, &p.at, len(p.rows)):
	case p.at >= len(p.rows):
	case k.Code == input.Enter || k.Code == input.Left || k.Code == input.Right:
		row := p.rows[p.at]
		if row.folder == "" {
			if k.Code != input.Enter {
				return nil, false
			}
			path := append([]byte("./"), p.view.Entries[row.entry].Path...)
			return p.inTab("edit", onFile(path, "sh", "-c", `exec ${VISUAL:-${EDITOR:-vi}} "$1"`, "sh")), true
		}
		p.folded[row.folder] = k.Code == input.Left || k.Code == input.Enter && !p.folded[row.folder]
		p.list()
	case p.rows[p.at].folder != "":
	case k.Typed() == "v":
		e := p.view.Entries[p.rows[p.at].entry]
		return p.openReview(e.Path, e.Show), false
	case k.Typed() == "o":
		return p.openOutside(p.view.Entries[p.rows[p.at].entry]), false
	case k.Typed() == "d":
		return p.inTab("diff", p.diff(p.view.Entries[p.rows[p.at].entry])), true
	case k.Typed() == "a":
		path := string(p.view.Entries[p.rows[p.at].entry].Path)
		if workspace.Clean(path, len(path)) != path {
			return p.m.say("its name has characters that cannot be pasted", true), false
		}
		return p.m.pasteText("@" + path + " "), true
	}
	return nil, false
}

func (*filesPage) paste(string) {}

// diff is the command that shows what differs in a file, in git's colours.
func (p *filesPage) diff(e workspace.FileEntry) []string {
	git := []string{"git", "-C", p.view.Root, "--literal-pathspecs", "-c", "core.pager=less -R -+F -+X", "--paginate", "diff", "--color=always"}
	if e.Status == "?" {
		return onFile(append([]byte("./"), e.Path...), append(git, "--no-index", "--", "/dev/null")...)
	}
	if p.view.Commit != "" {
		git = append(git, p.view.Commit)
	}
	return onFile(e.Path, append(git, "--")...)
}

// openOutside opens a file by the desktop, on the machine where everything
// runs: the client's own may be another.
func (p *filesPage) openOutside(e workspace.FileEntry) tea.Cmd {
	daemon := p.m.cfg.Daemon
	open := workspace.TaskOpen{Task: p.task.ID, Path: append([]byte(p.view.Root+"/"), e.Path...)}
	return p.m.ask("open", func(ctx context.Context) (outcome, error) {
		return outcome{say: "opened " + e.Show}, daemon.OpenFile(ctx, open)
	})
}

// onFile is a command with a path behind it. One that is no UTF-8 cannot be said
// to the daemon as it is: a shell makes it of its bytes.
func onFile(path []byte, command ...string) []string {
	if utf8.Valid(path) {
		return append(command, string(path))
	}
	var bytes strings.Builder
	for _, b := range path {
		fmt.Fprintf(&bytes, `\0%03o`, b)
	}
	return append([]string{"sh", "-c", `path=$(printf '%b.' "$0"); exec "$@" "${path%.}"`, bytes.String()}, command...)
}

// inTab runs a command in a new tab of the task, at its root.
func (p *filesPage) inTab(what string, command []string) tea.Cmd {
	m, task, root, size := p.m, p.task.ID, p.view.Root, p.m.paneSize()
	return m.open(what, func(ctx context.Context) (outcome, error) {
		added, err := m.cfg.Daemon.AddTab(ctx, workspace.TabAdd{Task: task, Name: what, Command: command, Dir: root, Policy: workspace.PolicyReattachOnly, Size: size})
		return outcome{wanted: wanted{tabRef: tabRef{task, added.Tab}, pane: added.Pane}}, err
	})
}

// pasteText pastes into the focused pane, as the client's own terminal would.
func (m *Model) pasteText(text string) tea.Cmd {
	p := m.current()
	if p == nil || p.screen == nil {
		return m.say("no pane to paste into", true)
	}
	if p.modes().BracketedPaste {
		text = "\x1b[200~" + text + "\x1b[201~"
	}
	p.out = append(p.out, text...)
	m.region = inPanes
	m.relayout(others)
	m.flushPane()
	return nil
}
