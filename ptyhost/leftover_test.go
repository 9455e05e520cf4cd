//go:build unix

package ptyhost

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
)

// modesOf follows the modes of a session.
type modesOf struct {
	mu sync.Mutex
	m  vt.Mirror
}

func watchModes(t *testing.T, c *hostclient.Client, key string) *modesOf {
	w := &modesOf{}
	updates := make(chan []byte, 1) // one is under way at a time
	handle, _, err := c.Watch(t.Context(), key, 0, func(update []byte) { updates <- bytes.Clone(update) })
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-c.Done():
				return
			case <-t.Context().Done():
				return
			case update := <-updates:
				w.mu.Lock()
				if err := w.m.Apply(update); err != nil {
					t.Error(err)
				}
				rev := w.m.Rev()
				w.mu.Unlock()
				_ = c.Ack(handle, rev) // the host may be gone
			}
		}
	})
	t.Cleanup(wg.Wait)
	return w
}

func (w *modesOf) get() vt.Modes {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.m.Modes()
}

// job is a shell's job that sets all modes of input and waits.
func job(pidFile string) string {
	return fmt.Sprintf(`sh -c 'printf "\033[>5u\033[>4;2m\033[?1003;1006h\033[?1004h\033[?2004h"; echo $$ > %s; exec sleep 1000'`, pidFile)
}

// When a program that had set modes of input is killed, its shell gets the
// terminal as it was before; what the shell sets itself stays.
func TestTheModesOfAKilledProgramGoWithIt(t *testing.T) {
	for _, shell := range []string{"bash --norc --noprofile -i", "dash -i", "sh -c 'bash --norc --noprofile -i; true'"} {
		t.Run(shell, func(t *testing.T) {
			argv := []string{"sh", "-c", "exec " + shell}
			if _, err := exec.LookPath(strings.Fields(shell)[0]); err != nil {
				t.Skip(err)
			}
			c, _ := serve(t, nil)
			const key = "t/tab-1/pane-1"
			if _, err := c.Open(t.Context(), wire.OpenRequest{Key: key, Argv: argv, Dir: "/", Cols: 80, Rows: 24}); err != nil {
				t.Fatal(err)
			}
			w := watchModes(t, c, key)
			run := func(line string) {
				if err := c.SendInput(t.Context(), key, []byte(line+"\r")); err != nil {
					t.Fatal(err)
				}
			}
			run("PS1='read''y> '; printf '\\033[>4;1m'") // a user's own choice
			shows(t, c, key, "ready>")
			pidFile := filepath.Join(t.TempDir(), "pid")
			run(job(pidFile))
			set := func() bool { m := w.get(); return m.Kitty == 5 && m.FocusEvents && m.Mouse == vt.MouseAny }
			eventually(t, "the program's modes", set)
			pid := 0
			eventually(t, "its number", func() bool {
				text, _ := os.ReadFile(pidFile) // not there yet
				pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
				return pid != 0
			})
			// Stopped is not gone.
			_ = syscall.Kill(pid, syscall.SIGTSTP)
			run("") // the shell says that it is stopped
			eventually(t, "the shell's prompt", func() bool { return strings.Count(screen(t, c, key), "ready>") > 1 })
			if !set() {
				t.Errorf("a program that is stopped lost its modes: %+v", w.get())
			}
			run("fg")
			_ = syscall.Kill(pid, syscall.SIGKILL)
			eventually(t, "the shell's modes", func() bool {
				m := w.get()
				return m.Kitty == 0 && m.ModifyOtherKeys == 1 && !m.FocusEvents && m.Mouse == 0 && m.MouseEncoding == 0
			})
		})
	}
}
