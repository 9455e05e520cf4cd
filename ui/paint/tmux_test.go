//go:build unix

package paint

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"pgregory.net/rapid"

	"moorage/ptyhost/vt"
)

// tmuxPane is a pane of a tmux server of its own that shows what it is fed: a
// reader of our output that shares no code with it.
type tmuxPane struct {
	t      *testing.T
	socket string
	feed   *os.File
	marks  int
}

func newTmuxPane(t *testing.T, cols, rows int) *tmuxPane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	dir := t.TempDir()
	fifo := filepath.Join(dir, "feed")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	p := &tmuxPane{t: t, socket: filepath.Join(dir, "tmux")}
	p.run("-u", "-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows),
		"stty raw -echo; exec cat "+fifo, ";", "set-option", "-g", "status", "off")
	t.Cleanup(func() { p.command("kill-server").Run() }) // it may say that the server exited
	p.run("resize-window", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows))
	feed, err := os.OpenFile(fifo, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { feed.Close() })
	p.feed = feed
	return p
}

func (p *tmuxPane) command(args ...string) *exec.Cmd {
	cmd := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm-256color", "TMUX=")
	return cmd
}

func (p *tmuxPane) run(args ...string) string {
	p.t.Helper()
	out, err := p.command(args...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// write feeds bytes and returns when tmux has shown them.
func (p *tmuxPane) write(out []byte) {
	p.t.Helper()
	p.marks++
	mark := fmt.Sprintf("mark-%d", p.marks)
	if _, err := p.feed.Write(AppendTitle(out, mark)); err != nil {
		p.t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); ; {
		if strings.TrimSpace(p.run("display-message", "-p", "#{pane_title}")) == mark {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("tmux never showed %s:\n%s", mark, p.run("capture-pane", "-p"))
		}
	}
}

// cells is the pane as tmux has it. A row is short where it ends in cells that
// were erased: of these capture-pane does not tell the background.
func (p *tmuxPane) cells(cols, rows int) [][]glyph {
	p.t.Helper()
	captured := p.run("capture-pane", "-p", "-e", "-N")
	captured = strings.ReplaceAll(captured, "5:3", "53") // how tmux 3.3a spells overline
	lines := strings.Split(captured, "\n")
	var (
		st  Style
		got [][]glyph
	)
	for y := range rows {
		row := make([]glyph, 0, cols)
		for line := lines[y]; line != ""; {
			if line[0] == 0x1b {
				line = st.sequence(line)
				continue
			}
			var (
				cluster string
				w       int
			)
			cluster, w, line = vt.NextCluster(line)
			g := glyph{text: cluster, fg: st.FG, bg: st.BG, attr: st.Attr, underline: st.Underline, ulColor: st.UnderlineColor}
			row = append(row, g)
			if w == 2 {
				g.text = ""
				row = append(row, g)
			}
		}
		got = append(got, row)
	}
	return got
}

// tmux shows each frame as it is, in text, colours, attributes and cursor, for
// each profile and with each way to write it.
func TestTmuxShowsTheFrame(t *testing.T) {
	const cols, rows = 40, 12
	pane := newTmuxPane(t, cols, rows)
	full := allCaps
	full.Hyperlinks, full.UnicodeCore, full.Kitty, full.CursorColor = false, false, false, false
	plain := Caps{}
	for _, profile := range []colorprofile.Profile{colorprofile.ASCII, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor} {
		for name, caps := range map[string]Caps{"full": full, "plain": plain} {
			caps.Profile = profile
			t.Run(fmt.Sprintf("%v %s", profile, name), func(t *testing.T) {
				pane.t = t
				f, p := NewFrame(cols, rows), NewPainter(caps)
				pane.write(p.Enter(nil))
				frames := rapid.Custom(func(t *rapid.T) int { scribbles(t, f, 12); return 0 })
				for seed := range 12 {
					frames.Example(seed)
					undisputed(f)
					out := p.Paint(nil, f)
					pane.write(out)
					compareTmux(t, pane, f, caps, seed, out)
				}
				pane.write(p.Leave(nil))
				state := strings.TrimSpace(pane.run("display-message", "-p",
					"#{alternate_on} #{mouse_any_flag} #{cursor_flag} #{keypad_cursor_flag} #{wrap_flag} #{scroll_region_lower}"))
				if want := fmt.Sprintf("0 0 1 0 1 %d", rows-1); state != want {
					t.Errorf("left as %q, want %q", state, want)
				}
			})
		}
	}
}

// undisputed replaces what tmux and we measure differently.
func undisputed(f *Frame) {
	for y := range f.rows {
		for x, c := range f.Row(y) {
			text := f.table.Text(c)
			if c.Width() > 0 && text != " " && agreementOn(text, c.Width()) != agreed {
				c.Ch = 'd'
				f.SetCell(x, y, c)
			}
		}
	}
}

func compareTmux(t *testing.T, pane *tmuxPane, f *Frame, caps Caps, seed int, out []byte) {
	t.Helper()
	got, want := pane.cells(f.cols, f.rows), wanted(f, caps)
	for y := range want {
		for x := range want[y] {
			if x >= len(got[y]) {
				if want[y][x].text != " " {
					t.Fatalf("seed %d: %d,%d: erased, want %+v\n%q", seed, x, y, want[y][x], out)
				}
				continue
			}
			if g := visibleOf(got[y][x]); g != want[y][x] {
				t.Fatalf("seed %d: %d,%d: %+v, want %+v\n%q", seed, x, y, g, want[y][x], out)
			}
		}
	}
	c := f.Cursor()
	state := strings.TrimSpace(pane.run("display-message", "-p", "#{cursor_flag} #{cursor_x} #{cursor_y}"))
	if !c.Visible {
		if state[0] != '0' {
			t.Fatalf("seed %d: the cursor shows", seed)
		}
		return
	}
	if want := fmt.Sprintf("1 %d %d", c.X, c.Y); state != want {
		t.Fatalf("seed %d: cursor %q, want %q", seed, state, want)
	}
}
