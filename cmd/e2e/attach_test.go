//go:build unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// B20, B21: what the client's terminal was asked is answered to us, also by a
// slow one and to a client that leaves at once; nothing is typed into the
// shell that ssh was started from.
func TestLateAnswersAreNotTypedIntoTheOuterShell(t *testing.T) {
	t.Parallel()
	in := start(t)
	in.attach(80, 24).ready() // the task is there
	for _, quit := range []string{"at once", "later"} {
		t.Run(quit, func(t *testing.T) {
			script := `stty -echo; "$@"; printf '\r\nLEFT:'; exec cat -v`
			cmd := exec.Command("sh", append([]string{"-c", script, "sh", "ssh"}, in.sshArgs("-tt")...)...)
			cmd.Env = append(append([]string(nil), in.env...), "TERM=xterm-256color")
			c := newClient(t, cmd, 100, 30)
			c.mu.Lock()
			c.late = 300 * time.Millisecond
			c.mu.Unlock()
			if quit == "later" {
				c.atPrompt()
			} else {
				eventually(t, "the questions", func() bool { return strings.Contains(string(c.sentBytes()), "\x1b[c") }, c.screen)
			}
			c.send("\x11\x11")
			c.sees("LEFT:")
			time.Sleep(2 * c.late) // until the last answer has come
			c.send("end\n")
			c.sees("end")
			if !strings.Contains(c.screen(), "LEFT:end") {
				t.Errorf("the outer shell got something:\n%s", c.screen())
			}
			c.isRestored()
		})
	}
}

// moorage becomes ssh, and ssh has the front's socket itself: no process of ours
// stands between them, to be slow or to be killed.
func TestNothingStandsBetweenSSHAndTheFront(t *testing.T) {
	t.Parallel()
	in := start(t)
	cmd := exec.Command(binary)
	cmd.Env = append(append([]string(nil), in.env...), "TERM=xterm-256color")
	c := newClient(t, cmd, 100, 30).ready()
	c.echoes(1)
	entries, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(entries) == 0 {
		t.Skip("no process table to read here")
	}
	for _, entry := range entries {
		if pid, _ := strconv.Atoi(filepath.Base(entry)); parent(pid) == cmd.Process.Pid {
			line, _ := os.ReadFile(filepath.Join(entry, "cmdline"))
			t.Errorf("ssh has a child: %q", line)
		}
	}
	c.send("\x11\x11")
	if status := c.gone(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	c.isRestored()
}

// B22: what a client's terminal shows is what the session shows, blanks and
// all, in a terminal that is not ours.
func TestAClientsScreenIsTheSessionsCellByCell(t *testing.T) {
	t.Parallel()
	in := start(t)
	r := read(t, in.env, 100, 30, append([]string{"ssh"}, in.sshArgs("-tt")...)...)
	eventually(t, "a prompt", func() bool { return strings.HasPrefix(paneRows(r.rows())[0], "$") }, nil)
	in.api(nil, "send-keys", in.session("tab-1/pane-1").Key, "--literal",
		`printf 'a  b\tc\n\n   indented   text\n%40s|\nno newline%60s!\n' right wrapped; printf '\e[10;20Hthere\e[3D\e[K\n'`+"\n")
	var host struct{ Lines []string }
	var shown []string
	eventually(t, "both show the same", func() bool {
		in.api(&host, "read-screen", in.session("tab-1/pane-1").Key)
		for i := range host.Lines {
			host.Lines[i] = strings.TrimRight(host.Lines[i], " ")
		}
		shown = paneRows(r.rows())
		return strings.Contains(strings.Join(shown, "\n"), "   indented   text") && strings.Join(shown, "\n") == strings.Join(host.Lines, "\n")
	}, func() string {
		return "the session:\n" + strings.Join(host.Lines, "\n") + "\nthe client:\n" + strings.Join(shown, "\n")
	})
}

// B23: colours are those that the terminal's name stands for, without
// COLORTERM and without an answer to what it is asked.
func TestColoursFollowTheNameOfTheTerminal(t *testing.T) {
	t.Parallel()
	in := start(t)
	in.attach(100, 30).ready()
	const (
		truecolor = `\x1b\[[0-9;]*38[;:]2[;:]+250[;:]128[;:]7`
		indexed   = `\x1b\[[0-9;]*38[;:]5[;:]208` // the nearest of the cube
	)
	conn := in.dial()
	for term, want := range map[string]string{
		"xterm-ghostty": truecolor, "alacritty": truecolor, "xterm-kitty": truecolor,
		"xterm-256color": indexed, "tmux-256color": indexed, "screen": indexed,
		"": "", "vt100": "",
	} {
		r := session(t, conn, 100, 30)
		r.silent = true
		r.terminal(term, 100, 30)
		r.shell().atPrompt()
		r.run(`clear; printf '\e[38;2;250;128;7mcol%s\e[m\n' oured`)
		r.sees("coloured")
		raw := string(r.sentBytes())
		for _, pattern := range []string{truecolor, indexed} {
			if got := regexp.MustCompile(pattern).MatchString(raw); got != (pattern == want) {
				t.Errorf("TERM=%s: %s is sent: %v\n%q", term, pattern, got, raw[max(len(raw)-300, 0):])
			}
		}
		r.ch.Close()
	}
	for _, term := range []string{"dumb"} {
		r := session(t, conn, 100, 30)
		r.terminal(term, 100, 30)
		var said strings.Builder
		done := make(chan struct{})
		go func() {
			defer close(done)
			buf := make([]byte, 1000)
			for {
				n, err := r.ch.Stderr().Read(buf)
				said.Write(buf[:n])
				if err != nil {
					return
				}
			}
		}()
		r.shell()
		if status := r.exit(); status != 1 {
			t.Errorf("TERM=%s: exit status %d", term, status)
		}
		<-done
		if want := fmt.Sprintf("terminal of type %q", term); !strings.Contains(said.String(), want) {
			t.Errorf("TERM=%s is told %q", term, said.String())
		}
	}
}
