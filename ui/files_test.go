package ui

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"moorage/workspace"
)

func TestFilesAreShownAsATreeAndChangesWithTheirState(t *testing.T) {
	for _, size := range sizes {
		b := newBench(t, size.Cols, size.Rows)
		b.files = map[bool]workspace.FilesView{
			false: {Version: 1, Root: "/w", Still: true, Entries: []workspace.FileEntry{
				{Path: []byte("src/deep/a.go"), Show: "src/deep/a.go"}, {Path: []byte("src/b.go"), Show: "src/b.go"}, {Path: []byte("readme"), Show: "readme"},
			}},
			true: {Version: 1, Root: "/w", Still: true, Scope: "head", Name: "HEAD", Commit: "abc", Entries: []workspace.FileEntry{
				{Path: []byte("src/b.go"), Show: "src/b.go", Status: "M", Added: 3, Removed: 1}, {Path: []byte("new"), Show: "new", Status: "?"},
			}},
		}
		b.keys("\x01f")
		b.shows("▾ src/")
		b.shows("▾ deep/")
		b.shows("b.go")
		b.keys("\r") // folds src
		b.shows("▸ src/")
		if strings.Contains(b.text(), "b.go") {
			t.Errorf("folded:\n%s", b.text())
		}
		b.keys("\t")
		b.shows("Changes against HEAD")
		b.shows("M src/b.go  +3 -1")
		b.keys("d")
		want := []string{"git", "-C", "/w", "--literal-pathspecs", "-c", "core.pager=less -R -+F -+X", "--paginate", "diff", "--color=always", "abc", "--", "src/b.go"}
		if len(b.tabs) != 1 || !slices.Equal(b.tabs[0].Command, want) || b.tabs[0].Dir != "/w" {
			t.Fatalf("asked for %+v", b.tabs)
		}
		b.keys("\x01f")
		b.keys("jjja")
		if got := b.typed[b.m.current().key]; string(got) != "@src/b.go " {
			t.Errorf("pasted %q", got)
		}
	}
}

func TestAPathOfAnyBytesReachesItsCommandWhole(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{"plain", "no utf-8 \xff\xfe", "\xff ends in a newline\n", "\xff\\0101 %s $(id) '\"", "\xff\x1b[31m"} {
		words := onFile([]byte(path), "printf", "<%s>")
		out, err := exec.Command(words[0], words[1:]...).Output()
		if err != nil || string(out) != "<"+path+">" {
			t.Errorf("%q arrives as %q, %v", path, out, err)
		}
		for _, w := range words {
			if !utf8.ValidString(w) {
				t.Errorf("%q cannot be said to the daemon", w)
			}
		}
	}
}
