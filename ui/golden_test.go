package ui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// golden compares the client's screen, as another emulator shows it, with the
// one in testdata.
func (b *bench) golden(name string) {
	b.t.Helper()
	lines := b.out.ScreenText()
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	got := strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
	path := filepath.Join("testdata", fmt.Sprintf("%s-%dx%d.txt", name, b.m.size.Cols, b.m.size.Rows))
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			b.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			b.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		b.t.Fatal(err)
	}
	if strings.ReplaceAll(string(want), "\r\n", "\n") != got {
		b.t.Errorf("%s: the screen is\n%s\nnot\n%s", name, got, want)
	}
}

// inWorld is a bench that shows another world than the usual, from the sidebar.
func inWorld(t testing.TB, size Size, w World, task string) *bench {
	b := newBench(t, size.Cols, size.Rows)
	b.world = w
	b.m.notifications.heard = &w.Inbox // it is no news
	b.send(WorldMsg(w))
	b.follow(b.m.show(task, ""))
	b.keys("\x01s")
	return b
}
