//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// B101: however a client ends, the terminal that it ran in is left as it was
// found. The terminal is tmux, which tells what modes it is in.
func TestTheOuterTerminalIsGivenBack(t *testing.T) {
	t.Parallel()
	const modes = "#{mouse_any_flag} #{alternate_on} #{cursor_flag} #{pane_title}"
	for name, end := range map[string]func(*instance, *reader){
		"ctrl+q":                func(_ *instance, r *reader) { r.keys("C-q", "C-q") },
		"the end of the server": func(in *instance, _ *reader) { in.kill(syscall.SIGTERM) },
		"the end of the host, then ctrl+q": func(in *instance, r *reader) {
			if err := syscall.Kill(in.pid("ptyhost"), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the client says so", func() bool {
				return !strings.Contains(strings.Join(r.rows(), "\n"), "mouse on")
			}, func() string { return strings.Join(r.rows(), "\n") })
			r.keys("C-q", "C-q")
		},
		"a key too many": func(_ *instance, r *reader) { r.keys("C-q", "C-q", "C-q") },
	} {
		t.Run(name, func(t *testing.T) {
			in := start(t)
			script := filepath.Join(in.user, "outer")
			ssh := "ssh " + strings.Join(in.sshArgs("-tt"), " ")
			if err := os.WriteFile(script, []byte("#!/bin/sh\nstty -echo\necho before\nread -r _\n"+ssh+"\necho after\nexec cat -v\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			r := read(t, in.env, 100, 30, script)
			screen := func() string { return strings.Join(r.rows(), "\n") }
			eventually(t, "the outer shell", func() bool { return strings.Contains(screen(), "before") }, screen)
			before := r.tmux("display-message", "-p", modes)
			r.keys("Enter")
			eventually(t, "a prompt", func() bool { return strings.HasPrefix(paneRows(r.rows())[0], "$") }, screen)
			r.keys(`printf '\033[?1003h\033[?1006h\033[?2004h\033[?1h\033[>1u\033[5 q\033]2;inner\amouse on'; sleep 100`, "Enter")
			eventually(t, "the program's modes", func() bool {
				return strings.Contains(screen(), "mouse on") && strings.HasPrefix(r.tmux("display-message", "-p", modes), "1 1 ")
			}, screen)
			end(in, r)
			eventually(t, "the outer shell again", func() bool { return strings.Contains(screen(), "after") }, screen)
			if got := r.tmux("display-message", "-p", modes); got != before {
				t.Errorf("the modes are %q, were %q", got, before)
			}
			if !strings.HasPrefix(screen(), "before") {
				t.Errorf("the outer screen is not what it was:\n%s", screen())
			}
			r.keys("typed", "Enter")
			eventually(t, "what the outer shell reads", func() bool { return strings.Contains(screen(), "typed") }, screen)
			if strings.Contains(screen(), "^[") {
				t.Errorf("the outer shell was sent an answer:\n%s", screen())
			}
		})
	}
}
