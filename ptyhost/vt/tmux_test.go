package vt

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var tmuxSeeds = flag.Int("tmux-seeds", 150, "streams to compare with tmux")

// tmuxPane runs streams in panes of a tmux server of its own and reads them
// back with capture-pane: a second reader that shares no code with this one.
type tmuxPane struct {
	*testing.T
	socket string
}

func (p *tmuxPane) tmux(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-S", p.socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm-256color", "TMUX=")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func startTmux(t *testing.T) *tmuxPane {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: nothing to compare with")
	}
	dir, err := os.MkdirTemp("", "vt") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	p := &tmuxPane{t, filepath.Join(dir, "s")}
	t.Cleanup(func() {
		p.tmux("kill-server")
		os.RemoveAll(dir)
	})
	if out, err := p.tmux("new-session", "-d", "-x", "40", "-y", "12", "sleep 600"); err != nil {
		t.Skipf("tmux does not start here: %v: %s", err, out)
	}
	for _, opt := range []string{"history-limit 0", "status off", "remain-on-exit on", "escape-time 0"} {
		p.tmux(append([]string{"set-option", "-g"}, strings.Fields(opt)...)...)
	}
	return p
}

// show writes each stream to a pane of its own and returns the panes' rows and
// cursors.
func (p *tmuxPane) show(streams [][]byte, cols, rows int) ([][]string, []string) {
	dir := p.TempDir()
	args := []string{}
	for i, s := range streams {
		f := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(f, s, 0o600); err != nil {
			p.Fatal(err)
		}
		if i > 0 {
			args = append(args, ";")
		}
		args = append(args, "new-window", "-d", "-t", fmt.Sprintf(":%d", 100+i),
			"stty raw -echo; cat '"+f+"'; exec sleep 60")
	}
	if out, err := p.tmux(args...); err != nil {
		p.Fatalf("tmux new-window: %v: %s", err, out)
	}
	screens, cursors := make([][]string, len(streams)), make([]string, len(streams))
	p.settle(screens, cursors, rows)
	args = nil
	for i := range streams {
		if i > 0 {
			args = append(args, ";")
		}
		args = append(args, "kill-window", "-t", fmt.Sprintf(":%d", 100+i))
	}
	p.tmux(args...)
	return screens, cursors
}

// doneMark is a title that each stream ends with: when it is there, all of the
// stream has been read.
const doneMark = "\x1b]2;all read\a"

// settle asks for all panes at once until each has read its stream.
func (p *tmuxPane) settle(screens [][]string, cursors []string, rows int) {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		var args []string
		for i := range screens {
			if screens[i] == nil {
				target := fmt.Sprintf(":%d", 100+i)
				args = append(args, "display-message", "-p", "-t", target, fmt.Sprintf("pane-%d|#{pane_title}|#{cursor_x},#{cursor_y}", i),
					";", "capture-pane", "-p", "-t", target, ";")
			}
		}
		if args == nil {
			return
		}
		out, err := p.tmux(args[:len(args)-1]...)
		if err != nil {
			p.Fatalf("tmux capture-pane: %v: %s", err, out)
		}
		for _, pane := range strings.Split(out, "pane-")[1:] {
			head, screen, _ := strings.Cut(pane, "\n")
			f := strings.Split(head, "|")
			i, err := strconv.Atoi(f[0])
			if err != nil || len(f) != 3 || f[1] != "all read" {
				continue
			}
			lines := strings.Split(screen, "\n")
			for len(lines) < rows {
				lines = append(lines, "")
			}
			for y := range lines {
				lines[y] = strings.TrimRight(lines[y], " ")
			}
			screens[i], cursors[i] = lines[:rows], f[2]
		}
	}
	p.Fatal("tmux never read all of the streams")
}

// divergence is something that tmux 3.3a does otherwise than xterm. Each was
// looked at and is accepted; lead changes a piece of a stream so that it does
// not come to that, or leaves it out by returning nil. The guide is a terminal
// that has read the stream so far.
type divergence struct {
	why  string
	when func(g *Terminal, s string) bool
	lead func(s string) string
}

var divergences = []divergence{
	{
		"IL and DL outside of the scroll region work as if there were none; in xterm they do nothing",
		func(g *Terminal, s string) bool { return ends(s, "L", "M") && len(s) > 2 && !g.inMargins() }, leaveOut,
	},
	{
		"IL and DL leave the column; in xterm (DEC STD 070) they go to the left margin",
		func(_ *Terminal, s string) bool { return ends(s, "L", "M") && len(s) > 2 }, followedBy("\r"),
	},
	{
		"DECSTBM goes to the screen's corner in origin mode too; in xterm to the home of that mode",
		func(_ *Terminal, s string) bool { return ends(s, "r") }, followedBy("\x1b[H"),
	},
	{
		"ICH of more than half of the rest of a row blanks only the cells that it moved",
		func(g *Terminal, s string) bool { return ends(s, "@") && g.cur.x+2*countOf(s) >= g.cols }, leaveOut,
	},
	{
		"BS in the first column goes back over a soft wrap, as in xterm with mode 45",
		func(g *Terminal, s string) bool { return s == "\b" && g.cur.x == 0 }, leaveOut,
	},
	{
		"1049 where it is so already does nothing; in xterm it clears, or restores the cursor",
		func(g *Terminal, s string) bool { return strings.Contains(s, "?1049") && ends(s, "h") == g.altShown() }, leaveOut,
	},
	{
		"1049 keeps its cursor apart from DECSC's; in xterm the two are one",
		func(g *Terminal, s string) bool { return (s == "\x1b7" || s == "\x1b8") && g.alt.rows != nil }, leaveOut,
	},
	{
		"1049 leaves origin mode alone; in xterm it comes back with the cursor",
		func(g *Terminal, s string) bool {
			return s == "\x1b[?1049l" && g.main.saved.origin != (g.flags&flagOrigin != 0)
		}, leaveOut,
	},
	{
		"REP ends at the edge, does nothing after SGR, and repeats a combining mark onto its letter",
		func(g *Terminal, s string) bool {
			plain := g.lastRune != 0 && g.lastRune < 0x80 && g.state == stGround && g.joinable
			return ends(s, "b") && len(s) > 2 && (!plain || g.cur.x+2*countOf(s) >= g.cols)
		}, leaveOut,
	},
	{
		"text in insert mode that goes over the edge loses what it pushes on the next row",
		func(g *Terminal, s string) bool {
			return printable(s) && g.flags&flagInsert != 0 && g.cur.x+2*len(s) >= g.cols
		}, after("\x1b[4l"),
	},
	{
		"writing over half of a wide character leaves the other half; in xterm both go",
		func(g *Terminal, s string) bool {
			edits := printable(s) || ends(s, "@", "P", "X", "K", "J")
			return edits && wideFrom(g.on.rows[g.cur.y], g.cur.x)
		}, after("\x1b[2K"),
	},
	{
		"a wide character that does not fit leaves what was in the last column",
		func(g *Terminal, s string) bool { return s[0] >= 0x80 && g.cur.x+2*len(s) >= g.cols }, after("\r"),
	},
}

// The one divergence that is not in the list because it follows a piece: tmux
// keeps a pending wrap as a cursor past the last column, on which CUB, BS, ED
// and ICH act, and which vertical moves keep. A line that just fills its row is
// followed by CR; text over the edge stays in.
const resolveWrap = "\r"

func leaveOut(string) string { return "" }

func followedBy(more string) func(string) string {
	return func(s string) string { return s + more }
}

func after(first string) func(string) string {
	return func(s string) string { return first + s }
}

func ends(s string, finals ...string) bool {
	for _, f := range finals {
		if s[0] == 0x1b && strings.HasSuffix(s, f) {
			return true
		}
	}
	return false
}

func printable(s string) bool { return s[0] >= 0x20 }

// wideFrom reports whether there is any of a wide character in column x or
// right of it.
func wideFrom(r *row, x int) bool {
	for _, c := range r.cells[x:] {
		if c.Width() != 1 {
			return true
		}
	}
	return false
}

// countOf is the parameter of a control sequence.
func countOf(s string) int {
	n := 0
	fmt.Sscanf(s, "\x1b[%d", &n)
	return max(n, 1)
}

// tmuxStream is a stream led around the divergences.
func tmuxStream(seed int64, cols, rows int) []byte {
	s := newStream(seed, cols, rows, commonRules, tmuxRules)
	guide := New(Options{Cols: cols, Rows: rows})
	var out []byte
	styled := false
	for range 80 {
		piece := string(s.take(1))
		if styled && ends(piece, "b") { // see REP
			continue
		}
		for _, d := range divergences {
			if piece != "" && d.when(guide, piece) {
				piece = d.lead(piece)
			}
		}
		if piece == "" {
			continue
		}
		styled = ends(piece, "m") || strings.ContainsRune(piece, '\u0301') || strings.ContainsRune(piece, '\u0308')
		guide.Write([]byte(piece))
		if guide.cur.pending {
			guide.Write([]byte(resolveWrap))
			piece += resolveWrap
		}
		out = append(out, piece...)
	}
	return append(out, doneMark...)
}

// tmuxRules are further rules that tmux agrees on. It has no CHT and no DECSTR.
var tmuxRules = []rule{
	{3, func(s *stream) { s.pick("日本", "한국 ", "漢", "é", "→", "ｱ") }},
	{2, func(s *stream) { s.pick("e\u0301", "o\u0308") }},
	{2, csi("b")},
	{1, csi("Z")},
	{2, func(s *stream) { s.pick("\x1bH", "\x1b[g", "\x1b[3g") }},
	{2, func(s *stream) { s.pick("\x1b[?1049h", "\x1b[?1049l") }},
	{1, func(s *stream) { s.pick("\x1b[?7l", "\x1b[?7h", "\x1b[?7h") }},
	{1, func(s *stream) { s.pick("\x1b#8") }},
}

// TestScreensEqualTmux feeds seeded streams to this terminal and to tmux.
func TestScreensEqualTmux(t *testing.T) {
	if testing.Short() {
		t.Skip("starts tmux")
	}
	p := startTmux(t)
	const cols, rows, batch = 40, 12, 25
	for from := 0; from < *tmuxSeeds; from += batch {
		var streams [][]byte
		for seed := from; seed < min(from+batch, *tmuxSeeds); seed++ {
			streams = append(streams, tmuxStream(int64(seed), cols, rows))
		}
		screens, cursors := p.show(streams, cols, rows)
		for i, s := range streams {
			x := New(Options{Cols: cols, Rows: rows})
			x.Write(s)
			ours := x.ScreenText()
			cursor := fmt.Sprintf("%d,%d", x.cur.x, x.cur.y)
			if x.cur.pending {
				cursor = fmt.Sprintf("%d,%d", x.cols, x.cur.y)
			}
			if strings.Join(ours, "\n") != strings.Join(screens[i], "\n") || cursor != cursors[i] {
				t.Errorf("seed %d: cursor %s, tmux %s\n%s\nstream %q", from+i, cursor, cursors[i], besides(ours, screens[i]), s)
			}
		}
	}
}

// besides sets two screens side by side and marks the rows that differ.
func besides(a, b []string) string {
	var out strings.Builder
	for y := range a {
		mark := " "
		if a[y] != b[y] {
			mark = "!"
		}
		fmt.Fprintf(&out, "%s %-40s| %s\n", mark, a[y], b[y])
	}
	return out.String()
}
