package vt

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestRowNumbersKeepWhileOutputGoesOn(t *testing.T) {
	x := New(Options{Cols: 20, Rows: 3, Scrollback: 50})
	for i := range 10 {
		fmt.Fprintf(x, "line %d\r\n", i)
	}
	_, end := x.History()
	abs := end - 2
	want, _ := x.RowText(abs)
	for i := range 40 {
		fmt.Fprintf(x, "more %d\r\n", i)
		if got, ok := x.RowText(abs); got != want || !ok {
			t.Fatalf("row %d is %q after %d lines, want %q", abs, got, i, want)
		}
	}
	for i := range 40 {
		fmt.Fprintf(x, "even more %d\r\n", i)
	}
	if got, ok := x.RowText(abs); ok {
		t.Fatalf("row %d is still %q", abs, got)
	}
}

func TestRemapRowLeadsToTheSameText(t *testing.T) {
	x := New(Options{Cols: 100, Rows: 4, Scrollback: 5000})
	for i := range 1000 {
		fmt.Fprintf(x, "<%d> %s\r\n", i, strings.Repeat("x", i%70))
	}
	first, _ := x.History()
	x.Resize(20, 4)
	x.History()
	for _, n := range []uint64{0, 10, 500, 900} {
		abs, ok := x.RemapRow(first + n)
		if !ok {
			t.Fatalf("row %d is not remapped", first+n)
		}
		var near []string
		for d := range uint64(64) {
			s, _ := x.RowText(abs + d - 32)
			near = append(near, s)
		}
		if want := fmt.Sprintf("<%d>", n); !strings.Contains(strings.Join(near, "\n"), want) {
			t.Errorf("row %d became %d, where there is no %q: %q", first+n, abs, want, near)
		}
	}
	if _, ok := x.RemapRow(1 << 60); ok {
		t.Error("a row that never was is remapped")
	}
}

func TestSearchFindsTextOverASoftWrap(t *testing.T) {
	x := New(Options{Cols: 10, Rows: 3, Scrollback: 50})
	x.Write([]byte("12345678needle here\r\nNo NEEDLE\r\n日本needle\r\n\r\n\r\n"))
	got := x.Search("Needle", 0, false, 10)
	want := []Match{{0, 8, 1, 4}, {2, 3, 2, 9}, {3, 4, 3, 10}}
	if !slices.Equal(got, want) {
		t.Errorf("forward: %v, want %v", got, want)
	}
	slices.Reverse(want)
	if got = x.Search("needle", 99, true, 10); !slices.Equal(got, want) {
		t.Errorf("backward: %v, want %v", got, want)
	}
	if got = x.Search("needle", 2, true, 1); !slices.Equal(got, []Match{{2, 3, 2, 9}}) {
		t.Errorf("backward from row 2: %v", got)
	}
	if got = x.Search("needle", 1, false, 10); len(got) != 2 {
		t.Errorf("forward from row 1: %v", got)
	}
	if got = x.Search("needle", 1<<64-1, true, 1); len(got) != 1 {
		t.Errorf("backward from the last number there is: %v", got)
	}
	if got = x.Search("needle", 1<<64-1, false, 1); got != nil {
		t.Errorf("forward from the last number there is: %v", got)
	}
	if got = x.Search("", 0, false, 10); got != nil {
		t.Errorf("nothing: %v", got)
	}
}

func TestPromptsAreFoundInScrollbackAndScreen(t *testing.T) {
	x := New(Options{Cols: 10, Rows: 4, Scrollback: 50})
	for range 4 {
		x.Write([]byte("\x1b]133;A\a$ ls\r\nout\r\nout\r\n\x1b]133;D;2\a"))
	}
	var got []uint64
	for abs := uint64(99); ; {
		p, ok := x.PrevPrompt(abs)
		if !ok {
			break
		}
		got, abs = append(got, p), p
	}
	if want := []uint64{9, 6, 3, 0}; !slices.Equal(got, want) {
		t.Errorf("previous prompts %v, want %v", got, want)
	}
	if p, ok := x.NextPrompt(3); p != 6 || !ok {
		t.Errorf("next prompt after 3 is %d, %v", p, ok)
	}
	if _, ok := x.NextPrompt(9); ok {
		t.Error("there is a prompt after the last")
	}
	if x.LastExit() != 2 {
		t.Errorf("last exit %d, want 2", x.LastExit())
	}
}

func TestAScrollIsSentAsAScroll(t *testing.T) {
	x := New(Options{Cols: 80, Rows: 24, Scrollback: 50})
	for i := range 24 {
		fmt.Fprintf(x, "\r\nline %d %s", i, strings.Repeat("x", 60))
	}
	var m Mirror
	update, _ := x.AppendUpdate(nil, 0)
	m.Apply(update)
	seen := m.RowRev(0)
	x.Write([]byte("\r\nnew"))
	update, _ = x.AppendUpdate(nil, m.Rev())
	if err := m.Apply(update); err != nil {
		t.Fatal(err)
	}
	sameMirror(t, x, &m)
	if want := []Scroll{{0, 23, 1}}; !slices.Equal(m.Scrolls(), want) {
		t.Errorf("scrolls %v, want %v", m.Scrolls(), want)
	}
	if len(update) > 100 {
		t.Errorf("one line takes %d bytes", len(update))
	}
	if m.RowRev(0) <= seen {
		t.Error("a row that moved has no newer revision")
	}
}

func TestAnUpdateFromAnotherRevisionIsRefused(t *testing.T) {
	x := New(Options{Cols: 20, Rows: 3})
	x.Write([]byte("a"))
	var m Mirror
	update, _ := x.AppendUpdate(nil, x.Rev())
	if err := m.Apply(update); !errors.Is(err, ErrBase) {
		t.Fatalf("apply: %v, want %v", err, ErrBase)
	}
	update, _ = x.AppendUpdate(nil, 0)
	if err := m.Apply(update); err != nil {
		t.Fatal(err)
	}
	if err := m.Apply(update[:len(update)-1]); err == nil || m.Rev() != 0 {
		t.Fatalf("apply of a cut update: %v, revision %d", err, m.Rev())
	}
}

// A program that draws frame after frame is inside of an update whenever a read
// ends: its watchers must see the frames nevertheless.
func TestFramesThatFollowEachOtherAreSeen(t *testing.T) {
	x := New(Options{Cols: 20, Rows: 3})
	var m Mirror
	for i := range 5 {
		fmt.Fprintf(x, "\x1b[?2026h\x1b[Hframe %d\x1b[?2026l\x1b[?2026h\x1b[Hxxx", i)
		update, _ := x.AppendUpdate(nil, m.Rev())
		if err := m.Apply(update); err != nil {
			t.Fatal(err)
		}
		var row []byte
		for _, c := range m.Row(0) {
			row = m.Table().AppendText(row, c)
		}
		if got, want := strings.TrimRight(string(row), " "), fmt.Sprintf("frame %d", i); got != want {
			t.Errorf("watcher sees %q, want %q", got, want)
		}
		if !x.SyncPending() {
			t.Error("no update is pending")
		}
	}
}

func TestQueriesAreNoVisibleChange(t *testing.T) {
	x := New(Options{Cols: 20, Rows: 3})
	rev := x.Rev()
	x.Write([]byte("\x1b[c\x1b[6n\x1b]11;?\a\x1b[?7$p\a"))
	if x.Rev() != rev {
		t.Errorf("revision went from %d to %d", rev, x.Rev())
	}
}

func TestRepliesAndEventsAreBounded(t *testing.T) {
	x := New(Options{Cols: 20, Rows: 3})
	x.Write(bytes.Repeat([]byte("\x1b[c\x1b[6n\x1b]11;?\a\x1b]9;note\a\x1b]133;A\a"), 50_000))
	if n := len(x.TakeReplies(nil)); n == 0 || n > maxReplies {
		t.Errorf("%d bytes of replies", n)
	}
	if n := len(x.TakeEvents(nil)); n != maxEvents {
		t.Errorf("%d events, want %d", n, maxEvents)
	}
	x.Write([]byte("\x1b[5n"))
	if got := string(x.TakeReplies(nil)); got != "\x1b[0n" {
		t.Errorf("after taking: %q", got)
	}
}

func TestStringsAreBounded(t *testing.T) {
	x := New(Options{Cols: 20, Rows: 3})
	block := bytes.Repeat([]byte("a;b"), 1<<16)
	for _, intro := range []string{"\x1b]2;", "\x1b]52;c;", "\x1bP$q", "\x1bPq", "\x1b_G", "\x1b[1;2", "\x1b]8;;http://", "\x1bPtmux;"} {
		x.Write([]byte(intro))
		for range 40 {
			x.Write(block)
			if cap(x.str) > 3*maxClipboard {
				t.Fatalf("%q: %d bytes kept", intro, cap(x.str))
			}
		}
		x.Write([]byte("\x1b\\"))
		if cap(x.str) > 16<<10 {
			t.Errorf("%q: %d bytes kept after its end", intro, cap(x.str))
		}
	}
	if len(x.Title()) > maxTitleBytes {
		t.Errorf("a title of %d bytes", len(x.Title()))
	}
	x.Write([]byte("\x1b]2;" + strings.Repeat("日", 1000) + "\a"))
	if n := len(x.Title()); n > maxTitleBytes || n < maxTitleBytes-3 {
		t.Errorf("a long title has %d bytes", n)
	}
}

func TestTablesAreSwept(t *testing.T) {
	x := New(Options{Cols: 80, Rows: 24, Scrollback: 1000})
	var m Mirror
	for i := range 60_000 {
		fmt.Fprintf(x, "\x1b]8;;http://h/%d\ae%c%c", i, 0x300+i%0x60, 0x300+i/0x60%0x60)
		if i%5000 == 0 {
			update, _ := x.AppendUpdate(nil, m.Rev())
			if err := m.Apply(update); err != nil {
				t.Fatal(err)
			}
			sameMirror(t, x, &m)
		}
	}
	if clusters, exts := x.table.Len(); clusters > 2*sweepMin || exts > 2*sweepMin {
		t.Errorf("table holds %d clusters and %d records", clusters, exts)
	}
	checkSound(t, x)
}

func TestTheScrollbackIsBoundedInBytes(t *testing.T) {
	x := New(Options{Cols: 100, Rows: 2, Scrollback: 1000})
	uri := strings.Repeat("u", 30)
	for i := range 80_000 {
		fmt.Fprintf(x, "\x1b]8;;%s%d\ax", uri, i)
	}
	if x.history.size > x.history.budget()+512<<10 {
		t.Errorf("%d bytes of scrollback", x.history.size)
	}
	checkSound(t, x)
}

func TestNastyInputsLeaveASoundTerminal(t *testing.T) {
	for name, unit := range nastyInputs {
		x := New(Options{Cols: 30, Rows: 8, Scrollback: 100})
		x.Write([]byte(strings.Repeat(unit, 40)))
		checkSound(t, x)
		if t.Failed() {
			t.Fatalf("after %s", name)
		}
	}
	for _, in := range []string{"\x1b8\x1b[M", "\x1b[2;64r\x1b[M", "\x1b[1;99r\x1b[H\x1bM", "a\x1b[4294967297C", "\x1b[?69h\x1b[5;5s\x1b[5;6s日日日\x1b[99@"} {
		x := New(Options{Cols: 6, Rows: 3})
		x.Write([]byte(in))
		checkSound(t, x)
	}
}

func TestNothingIsAllocatedInSteadyState(t *testing.T) {
	x := New(Options{Cols: 80, Rows: 24, Scrollback: 500})
	in := []byte("a line of the log \x1b[31mwith colour\x1b[m, 日本語, e\u0301 and \x1b]8;;http://a\alink\x1b]8;;\a\r\n")
	var m Mirror
	var buf []byte
	step := func() {
		x.Write(in)
		buf, _ = x.AppendUpdate(buf[:0], m.Rev())
		m.Apply(buf)
	}
	for range 5000 {
		step()
	}
	// The OSC 8 string and the link's texts in the mirror are allowed for.
	if n := testing.AllocsPerRun(500, step); n > 6 {
		t.Errorf("%v allocations for a line", n)
	}
	in = []byte("a line of the log \x1b[31mwith colour\x1b[m, 日本語, e\u0301\r\n")
	if n := testing.AllocsPerRun(500, step); n > 0.1 {
		t.Errorf("%v allocations for a line without links", n)
	}
}

// Each field of a terminal is in its snapshot, or is listed here with the
// reason why not.
func TestASnapshotHoldsEveryField(t *testing.T) {
	saved := strings.Fields(`cols rows parser main alt on cur pen sets flags savedSet savedOn mouse mouseEnc
		modKeys cursorSh isoGuard rectEx top bottom left right tabs lastRune joinable colors colorStack colorAt
		penStack title icon titles cwd lastExit notes epoch replies history`)
	not := map[string]string{
		"opts": "the owner's", "table": "made anew", "sweeper": "of the table",
		"shadow": "taken anew", "spare": "memory to use again", "rev": "of this life", "next": "of this life",
		"metaRev": "of this life", "scrolls": "of this life", "remap": "of this life", "quiet": "the owner's",
		"events": "taken at once by the owner", "scratch": "memory to use again", "unknown": "of tests",
	}
	typ := reflect.TypeFor[Terminal]()
	for i := range typ.NumField() {
		name := typ.Field(i).Name
		if !slices.Contains(saved, name) && not[name] == "" {
			t.Errorf("field %s: is it in the snapshot?", name)
		}
	}
}

func TestASnapshotOfAnotherVersionIsRefused(t *testing.T) {
	s := New(Options{Cols: 5, Rows: 2}).AppendSnapshot(nil, true)
	s[0]++
	if _, err := Restore(s, Options{}); !errors.Is(err, ErrSnapshotVersion) {
		t.Errorf("restore: %v, want %v", err, ErrSnapshotVersion)
	}
}

func TestASnapshotWithoutScrollbackGoesOnCounting(t *testing.T) {
	x := New(Options{Cols: 20, Rows: 3, Scrollback: 50})
	for i := range 10 {
		fmt.Fprintf(x, "line %d\r\n", i)
	}
	y, err := Restore(x.AppendSnapshot(nil, false), x.opts)
	if err != nil {
		t.Fatal(err)
	}
	_, want := x.History()
	if first, end := y.History(); first != want || end != want {
		t.Errorf("history %d..%d, want it empty at %d", first, end, want)
	}
}

func TestThePaletteReachesTheMirror(t *testing.T) {
	x := New(Options{Cols: 5, Rows: 2})
	x.Write([]byte("\x1b]4;9;#102030\a\x1b]10;#010203\a\x1b]2;t\a"))
	var m Mirror
	update, _ := x.AppendUpdate(nil, 0)
	m.Apply(update)
	if m.Palette(9) != RGB(0x10, 0x20, 0x30) || m.Foreground() != RGB(1, 2, 3) || !m.Background().IsDefault() || m.Title() != "t" {
		t.Errorf("palette %x fg %x bg %x title %q", m.Palette(9), m.Foreground(), m.Background(), m.Title())
	}
}

func TestDecodedRowsShowWhatWasWritten(t *testing.T) {
	x := New(Options{Cols: 10, Rows: 2, Scrollback: 10})
	x.Write([]byte("\x1b[1mold\x1b[m\r\n日e\u0301\r\n\x1b]133;A\anew"))
	first, _ := x.History()
	var tab Table
	rows, err := DecodeRows(x.AppendRows(nil, first, 99), &tab)
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	var got []string
	for _, r := range rows {
		s := ""
		for _, c := range r.Cells {
			s += tab.Text(c)
		}
		got = append(got, s)
	}
	if want := []string{"old", "日e\u0301", "new"}; !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
	if rows[0].Cells[0].At&AttrBold == 0 || rows[2].Mark != MarkPrompt || rows[2].Abs != first+2 {
		t.Errorf("attributes, mark or number are lost: %+v", rows)
	}
}

func TestSizesAreClamped(t *testing.T) {
	x := New(Options{Cols: -1, Rows: 1 << 20, Scrollback: 1 << 30})
	if cols, rows := x.Size(); cols != 1 || rows != MaxRows || x.history.limit != MaxScrollback {
		t.Errorf("%dx%d with %d rows of scrollback", cols, rows, x.history.limit)
	}
	x.Resize(65535, 1)
	if cols, rows := x.Size(); cols != MaxCols || rows != 1 {
		t.Errorf("resized to %dx%d", cols, rows)
	}
}
