package paint

import (
	"fmt"
	"strings"
	"testing"

	"moorage/ptyhost/vt"
)

func rowText(f *Frame, y int) string {
	var b strings.Builder
	for _, c := range f.Row(y) {
		b.WriteString(f.Table().Text(c))
	}
	return b.String()
}

func TestWideCharactersAreWholeOrBlank(t *testing.T) {
	src := NewFrame(6, 1)
	src.Text(0, 0, 6, "中文字", Style{})
	for _, tt := range []struct {
		name string
		draw func(*Frame)
		want string
	}{
		{"overwritten in its first half", func(f *Frame) { f.Text(0, 0, 1, "x", Style{}) }, "x 文字"},
		{"overwritten in its second half", func(f *Frame) { f.Text(1, 0, 1, "x", Style{}) }, " x文字"},
		{"overwritten by one that straddles two", func(f *Frame) { f.Text(1, 0, 2, "日", Style{}) }, " 日 字"},
		{"no room at the right edge", func(f *Frame) { f.Text(5, 0, 9, "日", Style{}) }, "中文字"},
		{"no room in the width", func(f *Frame) { f.Text(0, 0, 3, "日本", Style{}) }, "日文字"},
		{"half in from the left", func(f *Frame) { f.Text(-1, 0, 9, "日x", Style{}) }, " x文字"},
		{"copied from its second half on", func(f *Frame) { f.CopyRow(0, 0, src.Row(0)[1:4], src.Table()) }, " 文 字"},
		{"copied up to its first half", func(f *Frame) { f.CopyRow(0, 0, src.Row(0)[:3], src.Table()) }, "中  字"},
		{"copied over the right edge", func(f *Frame) { f.CopyRow(3, 0, src.Row(0), src.Table()) }, "中 中 "},
		{"copied over the left edge", func(f *Frame) { f.CopyRow(-1, 0, src.Row(0)[:4], src.Table()) }, " 文 字"},
		{"filled through", func(f *Frame) { f.Fill(Rect{1, 0, 2, 1}, vt.Cell{}) }, "    字"},
	} {
		f := NewFrame(6, 1)
		f.Text(0, 0, 6, "中文字", Style{})
		tt.draw(f)
		got := rowText(f, 0)
		if strings.TrimRight(got, " ") != strings.TrimRight(tt.want, " ") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		for x, c := range f.Row(0) {
			spacer := c.Ch&vt.CellSpacer != 0
			if spacer && (x == 0 || f.Row(0)[x-1].Ch&vt.CellWide == 0) || c.Ch&vt.CellWide != 0 && (x == 5 || f.Row(0)[x+1].Ch&vt.CellSpacer == 0) {
				t.Errorf("%s: half a character at %d: %q", tt.name, x, got)
			}
		}
	}
}

func TestOnlyRowsThatChangeAreMarked(t *testing.T) {
	f := NewFrame(10, 4)
	draw := func(s string) {
		f.Text(0, 0, 10, "title", Style{Attr: vt.AttrBold})
		f.Text(0, 2, 10, s, Style{})
		f.Fill(Rect{0, 3, 10, 1}, vt.Cell{BG: vt.Indexed(1)})
	}
	draw("one")
	before := append([]uint64(nil), f.rev...)
	draw("one")
	for y := range before {
		if f.rev[y] != before[y] {
			t.Errorf("row %d is marked, drawn as it was", y)
		}
	}
	draw("two")
	for y := range before {
		if changed := f.rev[y] != before[y]; changed != (y == 2) {
			t.Errorf("row %d marked: %v", y, changed)
		}
	}
}

// The table is bounded however many clusters and links come by, and what is
// shown stays right.
func TestTableIsSwept(t *testing.T) {
	const cols, rows = 20, 3
	f, p := NewFrame(cols, rows), NewPainter(allCaps)
	term := newTerminal(cols, rows)
	term.write(p.Enter(nil))
	f.Text(0, 0, cols, "e\u0301 stays", Style{Link: "http://stays"})
	for i := range 30_000 {
		st := Style{Link: fmt.Sprintf("http://%d", i)}
		cluster := "a" + string(rune(0x300+i%0x30)) + string(rune(0x300+i/0x30%0x30)) + string(rune(0x300+i/0x30/0x30%0x30))
		f.Text(i%10, 1+i%2, cols, cluster, st)
		if i%1000 == 0 || i > 29_990 {
			term.write(p.Paint(nil, f))
			if diff := term.compare(f, allCaps); diff != "" {
				t.Fatalf("%d: %s", i, diff)
			}
		}
	}
	clusters, exts := f.Table().Len()
	if clusters > 2*sweepFloor || exts > 2*sweepFloor {
		t.Errorf("%d clusters and %d links are kept", clusters, exts)
	}
}

// After a sweep an index may mean something else than what was shown by it.
func TestSweptIndicesAreNotTakenForTheOldOnes(t *testing.T) {
	f, p := NewFrame(4, 1), NewPainter(allCaps)
	term := newTerminal(4, 1)
	f.Text(0, 0, 4, "a", Style{Link: "http://a"})
	term.write(p.Paint(nil, f))
	f.Text(0, 0, 4, "a", Style{Link: "http://b"})
	f.sweepExts = 0
	f.sweepIfGrown()
	term.write(p.Paint(nil, f))
	if diff := term.compare(f, allCaps); diff != "" {
		t.Error(diff)
	}
}

func TestANSIDrawsStyledLines(t *testing.T) {
	f := NewFrame(12, 3)
	f.Fill(f.Bounds(), vt.Cell{Ch: 'z'})
	f.ANSI(Rect{1, 0, 10, 2}, "\x1b[1;31mred\x1b[0m \x1b[48;2;1;2;3mbg\x1b[m\x1b]0;title\x07\x1b[2J\a\n\x1b[38;5;200;4:3mcurly\x1b[24;39m plain and more")
	if got, want := rowText(f, 0), "zred bg    z"; got != want {
		t.Errorf("row 0 is %q, want %q", got, want)
	}
	if got, want := rowText(f, 1), "zcurly plaiz"; got != want {
		t.Errorf("row 1 is %q, want %q", got, want)
	}
	if got, want := rowText(f, 2), "zzzzzzzzzzzz"; got != want {
		t.Errorf("row 2 is %q, want %q", got, want)
	}
	row := f.Row(0)
	if row[1].FG != vt.Indexed(1) || row[1].At != vt.AttrBold {
		t.Errorf("red is %+v", row[1])
	}
	if row[5].BG != vt.RGB(1, 2, 3) || row[5].At != 0 || row[4] != (vt.Cell{}) {
		t.Errorf("bg is %+v after %+v", row[5], row[4])
	}
	if c := f.Row(1)[1]; c.FG != vt.Indexed(200) || c.Underline() != vt.UnderlineCurly {
		t.Errorf("curly is %+v", c)
	}
	if c := f.Row(1)[7]; c.FG != 0 || c.At != 0 {
		t.Errorf("plain is %+v", c)
	}
}

func TestRect(t *testing.T) {
	r := Rect{2, 3, 10, 5}
	if got := r.Intersect(Rect{0, 0, 4, 100}); got != (Rect{2, 3, 2, 5}) {
		t.Errorf("intersect: %+v", got)
	}
	if !r.Intersect(Rect{12, 3, 1, 1}).Empty() {
		t.Error("neighbours share cells")
	}
	if !r.Contains(11, 7) || r.Contains(12, 7) || r.Contains(11, 8) {
		t.Error("contains the wrong cells")
	}
	if got := r.Inset(1); got != (Rect{3, 4, 8, 3}) {
		t.Errorf("inset: %+v", got)
	}
	if !r.Inset(3).Empty() {
		t.Error("inset beyond the middle is not empty")
	}
}
