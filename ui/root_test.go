package ui

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moorage/workspace"
)

// inDir is the usual world with the login task's first pane in a directory.
func inDir(dir string) World {
	w := twoProjects()
	for i := range w.Tasks {
		if w.Tasks[i].ID == "L" {
			v := w.Tasks[i].Panes["tab-1/pane-1"]
			v.CWD = dir
			w.Tasks[i].Panes["tab-1/pane-1"] = v
		}
	}
	return w
}

func TestTheStatusLineSaysWhereThePaneIs(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	for _, size := range sizes {
		b := inWorld(t, size, inDir(filepath.Join(home, "a", strings.Repeat("deep", 20), "end\x1b[31m")), "L")
		b.follow(b.m.show("L", "tab-1"))
		b.golden("directory-of-pane")
		b.send(WorldMsg(inDir(filepath.Join(home, "x"))))
		b.shows(" ~/x")
		b.send(WorldMsg(inDir(home + "y"))) // not below it
		b.shows(workspace.Clean(home, 100) + "y")
	}
}

func TestTheRootIsSetFromAPaneAndARefusalIsSaid(t *testing.T) {
	b := inWorld(t, Size{100, 30}, inDir("/w/login/docs"), "L")
	b.follow(b.m.show("L", "tab-1"))
	b.keys("\x01.")
	b.shows("the root of login is /w/login/docs now")
	b.git.err = workspace.Fail(workspace.CodeRefused, "cd into it first", "/tmp is outside of /w/login")
	b.keys("\x01m.") // from the tab's menu
	b.shows("set the root: /tmp is outside of /w/login (cd into it first)")
	want := workspace.PaneRef{Task: "L", Tab: "tab-1", Pane: "pane-1"}
	if len(b.git.roots) != 2 || b.git.roots[0] != want || b.git.roots[1] != want {
		t.Errorf("asked for %+v", b.git.roots)
	}
}

func TestAFileIsOpenedOutsideByItsBytes(t *testing.T) {
	b := inWorld(t, Size{100, 30}, twoProjects(), "L")
	b.files = map[bool]workspace.FilesView{false: {Version: 1, Still: true, Root: "/w/login", Entries: []workspace.FileEntry{{Path: []byte("a\xff"), Show: `a\xff`}}}}
	b.keys("\x01f")
	b.keys("o")
	b.shows(`opened a\xff`)
	if len(b.git.opened) != 1 || string(b.git.opened[0].Path) != "/w/login/a\xff" {
		t.Errorf("opened %q", b.git.opened)
	}
	b.git.err = errors.New("the machine has no desktop")
	b.keys("o")
	b.shows("open: the machine has no desktop")
	b.git.err = nil
	b.keys("a") // it cannot be typed
	b.shows("characters that cannot be pasted")
	b.keys("\r")
	want := []string{"sh", "-c", `path=$(printf '%b.' "$0"); exec "$@" "${path%.}"`, `\0056\0057\0141\0377`, "sh", "-c", `exec ${VISUAL:-${EDITOR:-vi}} "$1"`, "sh"}
	if len(b.tabs) != 1 || strings.Join(b.tabs[0].Command, "|") != strings.Join(want, "|") {
		t.Errorf("edits by %+v", b.tabs)
	}
}
