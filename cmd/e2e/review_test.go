//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNotesOnADiffReachTheEngineAndAreMarkedSent(t *testing.T) {
	in := start(t)
	in.engines()
	repo := in.repository("site", "main")
	nasty := "esc\x1b[41m\xff"
	in.write(repo, nasty, "old\n")
	in.git(repo, "add", ".")
	in.git(repo, "commit", "-qm", "nasty")
	task := in.addTask(repo)
	in.write(repo, "readme", "one\n\ttwo lines\nmore\n")
	in.write(repo, nasty, "new\n")

	a := in.attach(110, 30).ready()
	b := in.attach(100, 28)
	b.atPrompt()
	for _, c := range []*client{a, b} {
		c.send("\x01f\t")
		c.sees("M readme")
		c.send("V")
		c.sees("two lines")
	}
	a.sees(`esc\x1b[41m\xff`)
	if strings.Contains(string(a.sentBytes()), "esc\x1b[41m") {
		t.Error("a file's name reached the terminal as it is")
	}
	// The first file's range, and a line of the other.
	a.send("]jjjvjc")
	a.sees("Note on readme:2-3")
	a.send("Say why.\x1b\rShortly.\r")
	a.sees("1 note, 1 unsent")
	b.sees("Say why.") // the other client sees it without asking
	b.send("g")
	b.send("jjc")
	b.sees("Note on esc")
	b.send("Odd name\r")
	a.sees("2 notes, 2 unsent")

	// Without an engine they are refused, and stay.
	a.send("S")
	a.sees("has no engine")
	a.sees("2 notes, 2 unsent")

	tab := in.addTab(task, "--", "claude")
	in.engineRuns(task, tab)
	in.becomes(task, tab, "idle")
	a.send("S")
	a.sees("2 notes, 0 unsent")
	b.sees("2 notes, 0 unsent")
	in.eventually("the engine has got one prompt", func() bool {
		log, _ := os.ReadFile(filepath.Join(in.user, "prompts"))
		text := string(log)
		return strings.Count(text, "\n") == 1 && strings.Contains(text, `readme:2-3\n\u003e +\ttwo lines\n\u003e +more\nSay why.\nShortly.`) &&
			strings.Contains(text, "Odd name")
	})
	// An edited one is unsent again, a deleted one is gone for both.
	b.send("jc")
	b.sees("Note on esc")
	b.send(" indeed\r")
	a.sees("2 notes, 1 unsent")
	b.send("x")
	b.sees("Delete the note?")
	b.send("y")
	a.sees("1 note, 0 unsent")
}
