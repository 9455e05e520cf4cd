//go:build unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// reader is a terminal that we did not write: a tmux server of its own whose
// one window runs a command.
type reader struct {
	t      *testing.T
	socket string
}

// read runs a command in a tmux window of that size.
func read(t *testing.T, env []string, cols, rows int, command ...string) *reader {
	t.Helper()
	dir, err := os.MkdirTemp("", "tmux")
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{t: t, socket: filepath.Join(dir, "s")}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", r.socket, "kill-server").Run() // it may be gone
		os.RemoveAll(dir)
	})
	conf := filepath.Join(dir, "conf")
	if err := os.WriteFile(conf, []byte("set -g status off\nset -g escape-time 0\nset -g default-terminal xterm-256color\nset -g remain-on-exit on\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-S", r.socket, "-f", conf, "new-session", "-d", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows)}, command...)
	cmd := exec.Command("tmux", args...)
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v: %s", err, out)
	}
	return r
}

func (r *reader) tmux(args ...string) string {
	r.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", r.socket}, args...)...).Output()
	if err != nil {
		r.t.Fatalf("tmux %v: %v", args, err)
	}
	return string(out)
}

// keys types key names as tmux has them.
func (r *reader) keys(names ...string) { r.tmux(append([]string{"send-keys", "--"}, names...)...) }

// rows is the screen, each row without trailing blanks.
func (r *reader) rows() []string {
	lines := strings.Split(strings.TrimSuffix(r.tmux("capture-pane", "-p"), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// paneRows is what of a client's screen is its only pane.
func paneRows(rows []string) []string {
	var out []string
	for _, l := range rows[1 : len(rows)-1] {
		_, right, _ := strings.Cut(l, "│")
		out = append(out, right)
	}
	return out
}

// program is one to be run directly in tmux and in a pane of ours, with the
// same keys, and to look the same.
type program struct {
	name  string
	line  string     // the shell command
	steps [][]string // keys, and then what must be on the screen before the next
	only  func([]string) []string
}

func TestProgramsComeOutAsTheyDoInTmux(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "line %d %s\n", i, strings.Repeat("word ", i%40))
	}
	b.WriteString("naïve 日本語 ✓ e\u0301 end\n")
	if err := os.WriteFile(text, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	inner := filepath.Join(t.TempDir(), "inner")
	programs := []program{
		{name: "vim", line: "vim -u NONE -N -n " + text, steps: [][]string{
			{"line 3"}, {":set nu nowrap", "Enter", "G", "end"}, {"O", "typed here", "Escape", "typed here"}, {"5k", "dd", "p", "typed here"}, {":vsplit", "Enter", "gg", "line 0"},
		}},
		{name: "less", line: "less " + text, steps: [][]string{
			{"line 3"}, {"G", "(END)"}, {"?line 77", "Enter", "line 77"}, {"-S", "Enter", "j", "j", "line 79"},
		}},
		{name: "fzf", line: "seq 2000 | fzf --no-unicode --no-color", steps: [][]string{{"2000/2000"}, {"77", "56/2000"}, {"Up", "Up", "> 771"}}},
		{name: "htop", line: "htop -d 100", steps: [][]string{{"F10"}}, only: func(rows []string) []string {
			var keep []string
			for _, l := range rows {
				if strings.Contains(l, "PID USER") || strings.Contains(l, "F10Quit") {
					keep = append(keep, l)
				}
			}
			return keep
		}},
		{name: "tmux", line: "tmux -S " + inner + " -f /dev/null new-session \"PS1='% ' sh\"", steps: [][]string{
			{"%"}, {"seq 5", "Enter", "5"}, {"C-b", "%", "│"}, {"C-b", "\"", "├"},
		}, only: func(rows []string) []string { return rows[:len(rows)-1] }},
	}
	for _, size := range []struct{ cols, rows, width, height int }{{80, 24, 103, 26}, {200, 50, 235, 52}} {
		for _, p := range programs {
			t.Run(fmt.Sprintf("%s at %dx%d", p.name, size.cols, size.rows), func(t *testing.T) {
				in := start(t)
				line := strings.ReplaceAll(p.line, inner, filepath.Join(in.user, "inner"))
				direct := strings.ReplaceAll(p.line, inner, filepath.Join(in.user, "direct"))
				t.Cleanup(func() {
					for _, s := range []string{"inner", "direct"} {
						_ = exec.Command("tmux", "-S", filepath.Join(in.user, s), "kill-server").Run() // not all have one
					}
				})
				want := read(t, in.env, size.cols, size.rows, "bash", "-l")
				got := read(t, in.env, size.width, size.height, append([]string{"ssh"}, in.sshArgs("-tt")...)...)
				eventually(t, "a prompt on both sides", func() bool {
					return strings.HasPrefix(want.rows()[0], "$") && strings.HasPrefix(paneRows(got.rows())[0], "$")
				}, func() string { return strings.Join(got.rows(), "\n") })
				want.keys(direct, "Enter")
				got.keys(line, "Enter")
				same := p.only
				if same == nil {
					same = func(rows []string) []string { return rows }
				}
				for _, step := range p.steps {
					keys, sign := step[:len(step)-1], step[len(step)-1]
					if len(keys) > 0 {
						want.keys(keys...)
						got.keys(keys...)
					}
					var a, b []string
					eventually(t, fmt.Sprintf("both show the same after %q", keys), func() bool {
						a, b = same(want.rows()), same(paneRows(got.rows()))
						return strings.Contains(strings.Join(want.rows(), "\n"), sign) && strings.Join(a, "\n") == strings.Join(b, "\n")
					}, func() string {
						return "in tmux:\n" + strings.Join(a, "\n") + "\nin moorage:\n" + strings.Join(b, "\n")
					})
				}
			})
		}
	}
}
