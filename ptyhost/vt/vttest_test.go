package vt

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestVttestScreens feeds what vttest wrote and compares the screens with those
// that were looked at once. The file is a list of
//
//	new           a terminal of 80x24
//	== name
//	in "bytes"    what vttest wrote since the screen before
//	|row|         the rows of the screen, blank ones at the end left out
func TestVttestScreens(t *testing.T) {
	b, err := os.ReadFile("testdata/vttest.txt")
	if err != nil {
		t.Fatal(err)
	}
	var x *Terminal
	var name string
	var want []string
	screens := 0
	check := func() {
		if want == nil {
			return
		}
		screens++
		got := strings.TrimRight(strings.Join(x.ScreenText(), "\n"), "\n")
		if w := strings.Join(want, "\n"); got != w {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, w)
		}
		want = nil
	}
	for _, line := range strings.Split(string(b), "\n") {
		switch {
		case line == "new":
			check()
			x = New(Options{Cols: 80, Rows: 24})
		case strings.HasPrefix(line, "== "):
			check()
			name = line[3:]
		case strings.HasPrefix(line, "in "):
			s, err := strconv.Unquote(line[3:])
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			x.Write([]byte(s))
		case strings.HasPrefix(line, "|"):
			want = append(want, strings.TrimSuffix(line[1:], "|"))
		}
	}
	check()
	if screens < 40 {
		t.Errorf("%d screens", screens)
	}
}
