package ptyhost

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"moorage/persistence"
	"moorage/ptyhost/freeze"
	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/wire"

	"golang.org/x/sys/unix"
)

// smallHome is a home on a file system of its own, of 1 MiB.
func smallHome(t *testing.T) persistence.Home {
	t.Helper()
	dir, err := os.MkdirTemp("", "host")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(dir) })
	if err := unix.Mount("moorage-test", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("no small file system without root: ", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	home, err := persistence.OpenHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	return home
}

// fillDisk leaves no byte of the home's file system free, until it is undone.
func fillDisk(t *testing.T, home persistence.Home) (undo func()) {
	t.Helper()
	path := home.Path("filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 64<<10); len(block) > 0; {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			block = block[:len(block)/2]
		} else if err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	return func() {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// warnings are what the host says is wrong, as its subscribers hear it.
func (h *childHost) warnings() <-chan string {
	h.t.Helper()
	ch := make(chan string, 100)
	h.OnWarning(func(text string) { ch <- text })
	if _, err := h.Subscribe(h.t.Context(), nil); err != nil {
		h.t.Fatal(err)
	}
	return ch
}

func (h *childHost) warns(ch <-chan string, want func(string) bool) {
	h.t.Helper()
	var heard []string
	for {
		select {
		case text := <-ch:
			heard = append(heard, text)
			if want(text) {
				return
			}
		case <-time.After(20 * time.Second):
			h.t.Fatalf("heard only %q", heard)
		}
	}
}

func TestAFullDiskHarmsNoSessionIsSaidAndIsGotOver(t *testing.T) {
	home := smallHome(t)
	h := hosted(t, home, childCeil+"=100ms")
	heard := h.warnings()
	const key, ended, killed = "t/tab-1/pane-1", "t/tab-2/pane-1", "t/tab-3/pane-1"
	pid := open(t, h.Client, key, "echo before; while read n; do seq $n; echo done $n; done").PID
	open(t, h.Client, killed, "echo killed; exec sleep 100")
	h.kept(key, func(_ freeze.Record, output string) bool { return strings.Contains(output, "before") })
	h.kept(killed, func(_ freeze.Record, output string) bool { return strings.Contains(output, "killed") })
	room := fillDisk(t, home)
	if err := h.SendInput(t.Context(), key, []byte("50000\r")); err != nil {
		t.Fatal(err)
	}
	shows(t, h.Client, key, "done 50000")
	h.warns(heard, func(text string) bool { return strings.Contains(text, "no space left") })
	// It goes on in all ways; only the disk lags behind.
	if err := h.SendInput(t.Context(), key, []byte("7\r")); err != nil {
		t.Fatal(err)
	}
	shows(t, h.Client, key, "done 7")
	open(t, h.Client, ended, "echo ended; exit 1")
	h.exited(ended)
	if err := h.Kill(t.Context(), killed); err != nil {
		t.Errorf("kill: %v", err)
	}
	if st, err := h.Status(t.Context()); err != nil || !strings.Contains(st.Warning, "no space left") {
		t.Errorf("status %+v, %v", st, err)
	}
	room()
	h.warns(heard, func(text string) bool { return text == "" })
	h.kept(key, func(_ freeze.Record, output string) bool { return strings.Contains(output, "done 7") })
	h.kept(ended, func(r freeze.Record, _ string) bool { return r.Exit != nil })
	if s := h.session(key); s.PID != pid {
		t.Errorf("pid %d, was %d", s.PID, pid)
	}
	h.kill()
	h.start()
	if got := screen(t, h.Client, key); !strings.HasSuffix(got, "done 7") {
		t.Errorf("it came back as\n%s", got)
	}
	if s, ok := h.lookup(killed); ok {
		t.Errorf("a session that was killed on a full disk is back: %+v", s)
	}
}

func TestAHostStartsOnAFullDiskAndSaysSo(t *testing.T) {
	home := smallHome(t)
	room := fillDisk(t, home)
	h := hosted(t, home, childCeil+"=100ms")
	heard := h.warnings()
	h.warns(heard, func(text string) bool { return strings.Contains(text, "no space left") })
	const key = "t/tab-1/pane-1"
	open(t, h.Client, key, "echo here; exec sleep 100")
	shows(t, h.Client, key, "here")
	room()
	h.warns(heard, func(text string) bool { return text == "" })
	h.kept(key, func(_ freeze.Record, output string) bool { return strings.Contains(output, "here") })
	if left, _ := filepath.Glob(home.Path("*corrupt*")); len(left) > 0 {
		t.Errorf("the beginning of a store was set aside: %q", left)
	}
}

func TestAHostStartsInAHomeThatIsReadOnlyAndSaysSo(t *testing.T) {
	home := smallHome(t)
	remount := func(flags uintptr) {
		t.Helper()
		if err := unix.Mount("moorage-test", home.Dir(), "tmpfs", unix.MS_REMOUNT|flags, "size=1m"); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", t.TempDir())
	fill(t, home, 2, 8<<10, nil)
	remount(unix.MS_RDONLY)
	h := hosted(t, home, childCeil+"=100ms")
	heard := h.warnings()
	h.warns(heard, func(text string) bool { return strings.Contains(text, "read-only") })
	const key = "t/new/pane-1"
	open(t, h.Client, key, "echo here; exec sleep 100")
	shows(t, h.Client, key, "here")
	remount(0)
	h.warns(heard, func(text string) bool { return text == "" })
	h.kept(key, func(_ freeze.Record, output string) bool { return strings.Contains(output, "here") })
	// What was frozen before is told, and who comes now finds this host.
	if s := h.session(fillKey(1)); s.State != wire.SessionThawed || !s.Deferred {
		t.Errorf("%+v", s)
	}
	c, err := hostclient.Dial(t.Context(), home, "test", "late")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Remote().PID != h.cmd.Process.Pid {
		t.Errorf("pid %d answers, the host is %d", c.Remote().PID, h.cmd.Process.Pid)
	}
}
