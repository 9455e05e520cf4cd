//go:build unix

package ptyhost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve runs a host in a home of its own and returns a client of it.
func serve(t testing.TB, change func(*Config)) (*hostclient.Client, persistence.Home) {
	t.Helper()
	dir, err := os.MkdirTemp("", "host")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	home, err := persistence.OpenHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cfg := Config{
		Home: home, Build: "test", Log: slog.New(slog.DiscardHandler),
		Login: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "SHELL=/bin/sh", "TERM_PROGRAM=outer", "TMUX=x"},
	}
	if change != nil {
		change(&cfg)
	}
	done := make(chan error, 1)
	go func() { done <- Run(ctx, cfg) }()
	c, err := hostclient.Ensure(t.Context(), home, "test", "tester", func(context.Context) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		cancel()
		if err := <-done; err != nil {
			t.Errorf("host: %v", err)
		}
	})
	return c, home
}

func open(t *testing.T, c *hostclient.Client, key string, script string) wire.Session {
	t.Helper()
	s, err := c.Open(t.Context(), wire.OpenRequest{Key: key, Argv: []string{"/bin/sh", "-c", script}, Dir: "/", Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func screen(t *testing.T, c *hostclient.Client, key string) string {
	t.Helper()
	s, err := c.ReadScreen(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimRight(strings.Join(s.Lines, "\n"), "\n")
}

func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if cond() {
			return
		}
	}
	t.Fatal("not in time: " + what)
}

func shows(t *testing.T, c *hostclient.Client, key, text string) {
	t.Helper()
	eventually(t, fmt.Sprintf("%s shows %q", key, text), func() bool { return strings.Contains(screen(t, c, key), text) })
}

func gone(pid int) bool { return syscall.Kill(pid, 0) != nil }

func TestTwoWhoOpenAtOnceGetOneChild(t *testing.T) {
	c, _ := serve(t, nil)
	var wg sync.WaitGroup
	pids := make([]int, 8)
	for i := range pids {
		wg.Go(func() {
			s, err := c.Open(t.Context(), wire.OpenRequest{Key: "t/tab-1/pane-1", Argv: []string{"sleep", "100"}, Dir: "/"})
			if err != nil {
				t.Error(err)
			}
			pids[i] = s.PID
		})
	}
	wg.Wait()
	for _, pid := range pids {
		if pid != pids[0] {
			t.Fatalf("pids %v", pids)
		}
	}
}

func TestALiveSessionKeepsItsCommand(t *testing.T) {
	c, _ := serve(t, nil)
	first := open(t, c, "t/tab-1/pane-1", "echo first; sleep 100")
	second := open(t, c, "t/tab-1/pane-1", "echo second; sleep 100")
	if first.PID != second.PID {
		t.Errorf("pids %d and %d", first.PID, second.PID)
	}
}

func TestTheLastBytesOfAFastChildAreThere(t *testing.T) {
	c, _ := serve(t, nil)
	ended := make(chan wire.Session, 64)
	if _, err := c.Subscribe(t.Context(), func(ev wire.SessionEvent) {
		if ev.Kind == wire.SessionEnded {
			ended <- ev.Session
		}
	}); err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		key := fmt.Sprintf("t/tab-%d/pane-1", i+1)
		open(t, c, key, "i=0; while [ $i -lt 500 ]; do echo line $i; i=$((i+1)); done; printf last; exit 3")
		s := <-ended
		if s.Key != key || s.Exit == nil || s.Exit.Code != 3 {
			t.Fatalf("ended: %+v", s)
		}
		if got := screen(t, c, key); !strings.HasSuffix(got, "line 499\nlast") {
			t.Fatalf("at the exit of %s the screen ends in %q", key, got[max(0, len(got)-40):])
		}
	}
}

// lateReader is a PTY whose end is told before its last bytes.
type lateReader struct{ parts []string }

func (r *lateReader) Read(p []byte) (int, error) {
	if len(r.parts) == 0 {
		return 0, syscall.EIO
	}
	part := r.parts[0]
	r.parts = r.parts[1:]
	if part == "" {
		return 0, syscall.EIO
	}
	return copy(p, part), nil
}

func TestTheEndOfAPTYMayBeToldBeforeItsLastBytes(t *testing.T) {
	var got strings.Builder
	drain(&lateReader{[]string{"one ", "", "two ", "", "three"}}, func(p []byte) { got.Write(p) })
	if got.String() != "one two three" {
		t.Errorf("read %q", got.String())
	}
}

func TestKillLeavesNothingOfTheSession(t *testing.T) {
	c, _ := serve(t, nil)
	marks := t.TempDir()
	// A job in a process group of its own, one that ignores what it may, and
	// one that is stopped.
	open(t, c, "t/tab-1/pane-1", `set -m
sh -c 'trap "" HUP TERM; echo $$ > `+marks+`/a; while :; do sleep 1; done' &
sh -c 'echo $$ > `+marks+`/b; kill -STOP $$' &
echo $$ > `+marks+`/c
wait`)
	var pids []int
	for _, name := range []string{"a", "b", "c"} {
		eventually(t, "process "+name, func() bool {
			b, err := os.ReadFile(filepath.Join(marks, name))
			pid, perr := strconv.Atoi(strings.TrimSpace(string(b)))
			if err != nil || perr != nil {
				return false
			}
			pids = append(pids, pid)
			return true
		})
	}
	if err := c.Kill(t.Context(), "t/tab-1/pane-1"); err != nil {
		t.Fatal(err)
	}
	for _, pid := range pids {
		if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && !strings.Contains(string(b), ") Z ") {
			t.Errorf("process %d is still there: %s", pid, b)
		}
	}
	if list, err := c.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("list: %v, %v", list, err)
	}
}

func TestTheEnvironmentNamesNoOuterTerminal(t *testing.T) {
	c, _ := serve(t, nil)
	s, err := c.Open(t.Context(), wire.OpenRequest{
		Key: "t/tab-1/pane-1", Argv: []string{"/bin/sh", "-c", `echo "[$TERM][$COLORTERM][$MOORAGE][$MOORAGE_TAB_ID][$TMUX][$TERM_PROGRAM]"; sleep 100`},
		Dir: "/", Env: []string{"MOORAGE_TAB_ID=tab-1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	shows(t, c, s.Key, "[xterm-256color][truecolor][1][tab-1][][]")
}

func TestQueriesAreAnsweredWithNobodyWatching(t *testing.T) {
	c, _ := serve(t, nil)
	open(t, c, "t/tab-1/pane-1", `stty raw -echo min 0 time 20; printf '\033[5n\033[6n\033]11;?\007'; a=$(dd bs=100 count=1 2>/dev/null | od -An -c | tr -d ' \n'); stty sane; echo "<$a>"; sleep 100`)
	shows(t, c, "t/tab-1/pane-1", `<033[0n033[1;1R033]11;rgb:`)
}

func TestInputPastTheBoundIsRefused(t *testing.T) {
	c, _ := serve(t, nil)
	open(t, c, "t/tab-1/pane-1", "stty raw -echo; echo ready; sleep 100")
	shows(t, c, "t/tab-1/pane-1", "ready")
	piece := make([]byte, 1<<20)
	for i := range piece {
		piece[i] = 'x'
	}
	refused := false
	for range 12 {
		err := c.SendInput(t.Context(), "t/tab-1/pane-1", piece)
		if wire.CodeOf(err) == wire.CodeRefused {
			refused = true
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !refused {
		t.Error("12 MiB of unread input were taken")
	}
}

func TestAnInterruptOvertakesInputThatNobodyReads(t *testing.T) {
	c, _ := serve(t, nil)
	open(t, c, "t/tab-1/pane-1", `trap 'echo caught; exit' INT; echo ready; while :; do sleep 1; done`)
	shows(t, c, "t/tab-1/pane-1", "ready")
	if err := c.SendInput(t.Context(), "t/tab-1/pane-1", []byte(strings.Repeat("a line\n", 200_000))); err != nil {
		t.Fatal(err)
	}
	if err := c.SendInput(t.Context(), "t/tab-1/pane-1", []byte{3}); err != nil {
		t.Fatal(err)
	}
	shows(t, c, "t/tab-1/pane-1", "caught")
}

func TestAnInterruptInAPieceWithOtherInputOvertakesToo(t *testing.T) {
	c, _ := serve(t, nil)
	const key = "t/tab-1/pane-1"
	open(t, c, key, `stty -icanon -echo; trap 'echo interrupted' INT; echo ready; sleep 1000; echo; read -r line; echo "got $line"; sleep 1000`)
	shows(t, c, key, "ready")
	if err := c.SendInput(t.Context(), key, bytes.Repeat([]byte("x"), 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := c.SendInput(t.Context(), key, []byte("the end of a paste\x03after\n")); err != nil {
		t.Fatal(err)
	}
	shows(t, c, key, "interrupted")
	shows(t, c, key, "got after")
}

func TestAResizeStormEndsInItsLastSize(t *testing.T) {
	c, _ := serve(t, nil)
	open(t, c, "t/tab-1/pane-1", `n=0; trap 'n=$((n+1)); echo "winch $n $(stty size)"' WINCH; echo ready; while :; do sleep 0.05; done`)
	shows(t, c, "t/tab-1/pane-1", "ready")
	handle, _, err := c.Watch(t.Context(), "t/tab-1/pane-1", 0, func([]byte) {})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		if err := c.Resize(handle, 61+i, 20); err != nil {
			t.Fatal(err)
		}
	}
	shows(t, c, "t/tab-1/pane-1", "20 120")
	text := screen(t, c, "t/tab-1/pane-1")
	if n := strings.Count(text, "winch"); n > 6 {
		t.Errorf("%d signals for one storm:\n%s", n, text)
	}
	before := text
	if err := c.Resize(handle, 120, 20); err != nil {
		t.Fatal(err)
	}
	if err := c.SendInput(t.Context(), "t/tab-1/pane-1", []byte("mark")); err != nil {
		t.Fatal(err)
	}
	shows(t, c, "t/tab-1/pane-1", "mark")
	if strings.Count(screen(t, c, "t/tab-1/pane-1"), "winch") != strings.Count(before, "winch") {
		t.Error("the same size again sent a signal")
	}
}

func TestAWatcherHasOneUpdateUnderWayAndThenTheNewest(t *testing.T) {
	c, _ := serve(t, nil)
	open(t, c, "t/tab-1/pane-1", `i=0; while [ $i -lt 3000 ]; do echo count $i; i=$((i+1)); done; echo done; sleep 100`)
	var mu sync.Mutex
	var m vt.Mirror
	updates := 0
	handle, _, err := c.Watch(t.Context(), "t/tab-1/pane-1", 0, func(u []byte) {
		mu.Lock()
		defer mu.Unlock()
		updates++
		if err := m.Apply(u); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	shows(t, c, "t/tab-1/pane-1", "done")
	mu.Lock()
	if updates != 1 {
		t.Errorf("%d updates before any was acknowledged", updates)
	}
	rev := m.Rev()
	mu.Unlock()
	if err := c.Ack(handle, rev); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the second update shows the end", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return updates == 2 && strings.Contains(mirrorText(&m), "count 2999\ndone")
	})
}

func mirrorText(m *vt.Mirror) string {
	_, rows := m.Size()
	var lines []string
	for y := range rows {
		var b []byte
		for _, c := range m.Row(y) {
			b = m.Table().AppendText(b, c)
		}
		lines = append(lines, strings.TrimRight(string(b), " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func TestAHostWithoutALiveSessionEndsByItself(t *testing.T) {
	dir := t.TempDir()
	home, err := persistence.OpenHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- Run(t.Context(), Config{Home: home, Build: "test", Log: slog.New(slog.DiscardHandler), IdleExit: 50 * time.Millisecond})
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it stays")
	}
}

func TestASecondHostSaysWhoRuns(t *testing.T) {
	_, home := serve(t, nil)
	err := Run(t.Context(), Config{Home: home, Build: "test", Log: slog.New(slog.DiscardHandler)})
	if !errors.Is(err, ErrRunning) || !strings.Contains(err.Error(), strconv.Itoa(os.Getpid())) {
		t.Errorf("got %v", err)
	}
}

func TestARemovedSocketIsMadeAgainAndTheProgramsLive(t *testing.T) {
	c, home := serve(t, nil)
	s := open(t, c, "t/tab-1/pane-1", "sleep 100")
	path, err := home.SocketPath("ptyhost")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the host can be reached again", func() bool {
		again, err := hostclient.Dial(t.Context(), home, "test", "tester")
		if err != nil {
			return false
		}
		defer again.Close()
		list, err := again.List(t.Context())
		return err == nil && len(list) == 1 && list[0].PID == s.PID && list[0].Alive()
	})
	if _, err := c.List(t.Context()); err != nil {
		t.Errorf("the connection from before: %v", err)
	}
}

func TestAMissingDirectoryIsAnErrorAndNoShellElsewhere(t *testing.T) {
	c, _ := serve(t, nil)
	_, err := c.Open(t.Context(), wire.OpenRequest{Key: "t/tab-1/pane-1", Dir: "/nowhere/at/all"})
	if wire.CodeOf(err) != wire.CodeDirGone || !strings.Contains(err.Error(), "directory gone") {
		t.Errorf("got %v", err)
	}
	if list, _ := c.List(t.Context()); len(list) != 0 {
		t.Errorf("sessions: %v", list)
	}
}

func TestTheFloodOfOneSessionLeavesAnotherResponsive(t *testing.T) {
	c, _ := serve(t, nil)
	open(t, c, "t/tab-1/pane-1", "yes 'a long line of output that never ends'")
	open(t, c, "t/tab-2/pane-1", "stty -echo; echo ready; cat")
	shows(t, c, "t/tab-2/pane-1", "ready")
	if err := c.SendInput(t.Context(), "t/tab-2/pane-1", []byte("ping\n")); err != nil {
		t.Fatal(err)
	}
	shows(t, c, "t/tab-2/pane-1", "ping")
}

func TestOpeningWhileEverySessionTalksDoesNotLockUp(t *testing.T) {
	c, _ := serve(t, nil)
	if _, err := c.Subscribe(t.Context(), func(wire.SessionEvent) {}); err != nil {
		t.Fatal(err)
	}
	const key = "t/tab-1/pane-1"
	open(t, c, key, `i=0; while [ $i -lt 400 ]; do printf '\033]0;title %d\007\007' $i; i=$((i+1)); done; sleep 100`)
	for range 2000 {
		if _, err := c.Open(t.Context(), wire.OpenRequest{Key: key, Recycle: true}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestUnreadQueriesDoNotFillTheHost(t *testing.T) {
	c, _ := serve(t, nil)
	open(t, c, "t/tab-1/pane-1", `stty raw -echo; i=0; while [ $i -lt 20000 ]; do printf '\033[c\033[6n\033]11;?\007'; i=$((i+1)); done; echo finished; sleep 100`)
	shows(t, c, "t/tab-1/pane-1", "finished")
}

// ps(1) is an independent reader of the process table.
func TestTheSessionOfAChildIsItsOwn(t *testing.T) {
	c, _ := serve(t, nil)
	s := open(t, c, "t/tab-1/pane-1", "sleep 100")
	out, err := exec.Command("ps", "-o", "sid=", "-p", strconv.Itoa(s.PID)).Output()
	if err != nil || strings.TrimSpace(string(out)) != strconv.Itoa(s.PID) {
		t.Errorf("session of %d: %s (%v)", s.PID, out, err)
	}
	if gone(s.PID) {
		t.Error("it is gone")
	}
}
