package vt

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
// cursors. The pane says by wait-for when it has written all: tmux reads a
// pane's output before it notices its end.
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
	for i := range streams {
		target := fmt.Sprintf(":%d", 100+i)
		screens[i], cursors[i] = p.settled(target, rows)
	}
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

func (p *tmuxPane) settled(target string, rows int) ([]string, string) {
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		out, err := p.tmux("display-message", "-p", "-t", target, "#{pane_title}|#{cursor_x},#{cursor_y}",
			";", "capture-pane", "-p", "-t", target)
		if err != nil {
			p.Fatalf("tmux capture-pane: %v: %s", err, out)
		}
		head, screen, _ := strings.Cut(out, "\n")
		title, cursor, _ := strings.Cut(head, "|")
		if title != "all read" {
			continue
		}
		lines := strings.Split(screen, "\n")
		for len(lines) < rows {
			lines = append(lines, "")
		}
		lines = lines[:rows]
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		return lines, cursor
	}
	p.Fatalf("tmux pane %s never read its stream", target)
	return nil, ""
}

// tmuxStream is a stream of the common rules, led around what tmux 3.3a does
// otherwise than xterm. Each divergence was looked at and is accepted:
//
//   - A pending wrap. tmux keeps the cursor in a column past the last, so that
//     CUB, BS, ED and ICH act there and not on the last column, and vertical
//     moves keep the wrap. Here a line that just fills its row is followed by
//     CR; text over the edge stays in.
//   - IL and DL leave the column; in xterm (DEC STD 070) they go to the left
//     margin. Here CR follows.
//   - DECSTBM goes to the screen's corner even in origin mode; in xterm to the
//     home of origin mode. Here CUP follows.
//   - IL and DL outside of the scroll region work as if there were none; in
//     xterm they do nothing. Here they are left out.
//   - ICH of all the rest of a row leaves what it pushed out. Here it is left
//     out.
//   - BS in the first column goes back over a soft wrap, as xterm's mode 45
//     does when it is set. Here it is left out.
//   - Text in insert mode that goes over the edge loses what it pushes on the
//     next row. Here insert mode ends before such text.
func tmuxStream(seed int64, cols, rows int) []byte {
	s := newStream(seed, cols, rows, commonRules)
	guide := New(Options{Cols: cols, Rows: rows})
	var out []byte
	for range 80 {
		piece := s.take(1)
		switch final := piece[len(piece)-1]; {
		case final == '\b' && guide.cur.x == 0:
			continue
		case piece[0] != 0x1b:
			if guide.flags&flagInsert != 0 && guide.cur.x+len(piece) >= cols {
				piece = append([]byte("\x1b[4l"), piece...)
			}
		case final == '@' && guide.cur.x+countOf(piece) >= cols:
			continue
		case (final == 'L' || final == 'M') && len(piece) > 2 && !guide.inMargins():
			continue
		case final == 'L' || final == 'M' && len(piece) > 2:
			piece = append(piece, '\r')
		case final == 'r':
			piece = append(piece, "\x1b[H"...)
		}
		guide.Write(piece)
		if guide.cur.pending {
			guide.Write([]byte{'\r'})
			piece = append(piece, '\r')
		}
		out = append(out, piece...)
	}
	return append(out, doneMark...)
}

// countOf is the parameter of a control sequence.
func countOf(piece []byte) int {
	n := 0
	fmt.Sscanf(string(piece), "\x1b[%d", &n)
	return max(n, 1)
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
