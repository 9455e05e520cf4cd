//go:build unix

package worktree

import (
	"fmt"
	"strings"
	"testing"

	"moorage/workspace"
)

func TestADifferenceIsReadLineByLine(t *testing.T) {
	dir := tempDir(t)
	sh(t, dir, "init", "-q")
	sh(t, dir, "config", "diff.suppressBlankEmpty", "true")
	sh(t, dir, "config", "color.diff", "always")
	write(t, dir, "a", "one\n\nthree\n@@ -1 +1 @@\nfive\n")
	write(t, dir, "b", "\x00")
	sh(t, dir, "add", ".")
	sh(t, dir, "commit", "-qm", "first")
	write(t, dir, "a", "one\n\nthree\n@@ -1 +1 @@\n5\tback\\slash\x1b[31m\xff\nsix")
	write(t, dir, "b", "\x00\x01")
	c, err := ListChanges(t.Context(), dir, "", ScopeHead)
	if err != nil {
		t.Fatal(err)
	}
	diffs, err := Compare(t.Context(), c, c.List)
	if err != nil || len(diffs) != 2 {
		t.Fatalf("%+v, %v", diffs, err)
	}
	var got []string
	for _, l := range diffs[0].Lines {
		got = append(got, fmt.Sprintf("%s%d/%d %s", l.Kind, l.Old, l.New, l.Text))
	}
	want := []string{
		"@0/0 @@ -2,4 +2,5 @@ one", " 2/2 ", " 3/3 three", " 4/4 @@ -1 +1 @@", "-5/0 five",
		"+0/5 5\tback\\slash\\x1b[31m\\xff", "+0/6 six", "\\0/0  No newline at end of file",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !diffs[1].Binary || len(diffs[1].Lines) != 0 {
		t.Errorf("%+v", diffs[1])
	}
}

func TestDifferencesOfManyFilesAreBounded(t *testing.T) {
	dir := tempDir(t)
	sh(t, dir, "init", "-q")
	for i, name := range nastyNames {
		write(t, dir, name, fmt.Sprintf("text of %d\n", i))
	}
	write(t, dir, "long", strings.Repeat("line\n", maxDiffLines+10))
	c, err := ListChanges(t.Context(), dir, "", ScopeHead)
	if err != nil {
		t.Fatal(err)
	}
	diffs, err := Compare(t.Context(), c, c.List)
	if err != nil || len(diffs) != len(nastyNames)+1 {
		t.Fatalf("%d differences, %v", len(diffs), err)
	}
	lines := 0
	for i, d := range diffs {
		lines += len(d.Lines)
		if string(d.Path) != c.List[i].Path || d.Show != Display(c.List[i].Path) {
			t.Errorf("%q is shown as %q", d.Path, d.Show)
		}
		if len(d.Lines) == 0 && !d.Cut {
			t.Errorf("%q has no lines", d.Path)
		}
	}
	if lines != maxDiffLines {
		t.Errorf("%d lines", lines)
	}
}

func TestAFileThatBecameALinkHasBothDifferences(t *testing.T) {
	lines, _ := Lined([]byte("diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-text\n" +
		"diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n"))
	var kinds []string
	for _, l := range lines {
		kinds = append(kinds, string(l.Kind))
	}
	if got := strings.Join(kinds, ""); got != "@-@+\\" || lines[3] != (workspace.DiffLine{Kind: workspace.DiffNew, New: 1, Text: "target"}) {
		t.Errorf("%q %+v", got, lines)
	}
}
