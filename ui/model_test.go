package ui

import (
	"fmt"
	"strings"
	"testing"

	"moorage/workspace"
	"moorage/workspace/split"

	"pgregory.net/rapid"
)

func TestThePanesAndTheSidebarAreDrawn(t *testing.T) {
	b := newBench(t, 100, 12)
	b.print("A/tab-1/pane-1", "left text")
	b.print("A/tab-1/pane-2", "right text")
	want := ` moorage            2 │ 1 shell  2 logs
 ▾ scratch            │left text                             │right text
  ● shell             │                                      │
▎▾ website            │                                      │
▎ ● shell             │                                      │
  ● logs              │                                      │`
	got := b.screen()
	for i, line := range strings.Split(want, "\n") {
		if have := strings.Split(got, "\n")[i]; have != line {
			t.Errorf("row %d is\n%s\nnot\n%s", i, have, line)
		}
	}
}

func TestTheCursorIsThePrograms(t *testing.T) {
	b := newBench(t, 100, 12)
	b.print("A/tab-1/pane-1", "$ ab\x1b[5 q")
	if c := b.out.Cursor(); c.X != 23+4 || c.Y != 1 || !c.Visible {
		t.Errorf("cursor %+v", c)
	}
	b.keys("\x11") // to the sidebar: no cursor
	if c := b.out.Cursor(); c.Visible {
		t.Errorf("cursor %+v", c)
	}
}

func TestKeysGoToTheFocusedPane(t *testing.T) {
	b := newBench(t, 100, 12)
	b.keys("ls\r")
	b.keys("\x1bOR") // F3
	b.keys("pwd\r")
	if got := string(b.typed["A/tab-1/pane-1"]); got != "ls\r" {
		t.Errorf("the first got %q", got)
	}
	if got := string(b.typed["A/tab-1/pane-2"]); got != "pwd\r" {
		t.Errorf("the second got %q", got)
	}
}

func TestThePrefixTwiceIsSent(t *testing.T) {
	b := newBench(t, 100, 12)
	b.keys("\x01\x01x")
	if got := string(b.typed["A/tab-1/pane-1"]); got != "\x01x" {
		t.Errorf("sent %q", got)
	}
	b.keys("\x01q\x17") // the next key as it is: a bare ctrl+w
	if got := string(b.typed["A/tab-1/pane-1"]); got != "\x01x\x17" {
		t.Errorf("sent %q", got)
	}
}

func TestAPasteIsBracketedOnlyForWhoAsked(t *testing.T) {
	b := newBench(t, 100, 12)
	b.keys("\x1b[200~one\ntwo\x1b[201~")
	b.print("A/tab-1/pane-1", "\x1b[?2004h")
	b.keys("\x1b[200~three\x1b[201~")
	if got := string(b.typed["A/tab-1/pane-1"]); got != "one\rtwo\x1b[200~three\x1b[201~" {
		t.Errorf("sent %q", got)
	}
}

func TestTheWheelScrollsAndTypingComesBack(t *testing.T) {
	b := newBench(t, 100, 12)
	for i := range 100 {
		b.print("A/tab-1/pane-1", fmt.Sprintf("row %d\r\n", i))
	}
	b.keys("\x1b[<64;30;5M")
	if s := b.screen(); !strings.Contains(s, "row 88") || strings.Contains(s, "row 99") {
		t.Errorf("after the wheel:\n%s", s)
	}
	before := b.screen()
	b.print("A/tab-1/pane-1", "more\r\nmore\r\n")
	if panes(b.screen()) != panes(before) {
		t.Errorf("output moved the scrolled view:\n%s", b.screen())
	}
	b.keys("x")
	if s := b.screen(); !strings.Contains(s, "more") {
		t.Errorf("after typing:\n%s", s)
	}
}

// panes is a screen without the scroll mark, which counts.
func panes(s string) string {
	lines := strings.Split(s, "\n")
	return strings.Join(append(lines[2:3:3], lines[3:len(lines)-1]...), "\n")
}

func TestAProgramThatAskedGetsThePointerInItsOwnCoordinates(t *testing.T) {
	b := newBench(t, 100, 12)
	b.print("A/tab-1/pane-2", "\x1b[?1002h\x1b[?1006h")
	x := 0
	for key, p := range b.m.panes {
		if key == "A/tab-1/pane-2" {
			x = p.rect.X
		}
	}
	b.keys(fmt.Sprintf("\x1b[<0;%d;%dM", x+3, 5)) // columns and rows from 1
	b.keys(fmt.Sprintf("\x1b[<32;%d;%dM", 1, 1))  // dragged far outside
	b.keys(fmt.Sprintf("\x1b[<0;%d;%dm", 1, 1))
	if got := string(b.typed["A/tab-1/pane-2"]); got != "\x1b[<0;3;4M\x1b[<32;1;1M\x1b[<0;1;1m" {
		t.Errorf("got %q", got)
	}
}

func TestADragSelectsAndCopies(t *testing.T) {
	b := newBench(t, 100, 12)
	b.print("A/tab-1/pane-1", "hello world\r\nsecond row")
	b.keys("\x1b[<0;30;2M\x1b[<32;29;3M\x1b[<0;29;3m")
	if want := "\x1b]52;c;d29ybGQKc2Vjb25k"; !strings.Contains(string(b.raw), want) {
		t.Errorf("no copy of %q in %q", "world\\nsecond", b.raw)
	}
}

func TestWhatVanishedIsLeftForTheNearest(t *testing.T) {
	b := newBench(t, 100, 12)
	b.keys("\x012") // tab 2
	if b.m.shown != (tabRef{"A", "tab-2"}) {
		t.Fatalf("shown %v", b.m.shown)
	}
	w := twoTasks()
	w.Tasks[0].Tabs = w.Tasks[0].Tabs[:1]
	b.send(WorldMsg(w))
	if b.m.shown != (tabRef{"A", "tab-1"}) {
		t.Errorf("the tab vanished: shown %v", b.m.shown)
	}
	w = twoTasks()
	w.Tasks = w.Tasks[1:]
	b.send(WorldMsg(w))
	if b.m.shown != (tabRef{"B", "tab-1"}) {
		t.Errorf("the task vanished: shown %v", b.m.shown)
	}
}

func TestAClientGoesWithATabThatIsFoldedIntoAnotherTask(t *testing.T) {
	b := newBench(t, 100, 12)
	b.follow(b.m.show("B", "tab-1"))
	w := twoTasks()
	w.Tasks = w.Tasks[:1]
	w.Tasks[0].Tabs = append(w.Tasks[0].Tabs, workspace.Tab{ID: "tab-3", Layout: split.Leaf("pane-1"), Panes: []workspace.Pane{
		{ID: "pane-1", Former: []workspace.TabRef{{Task: "B", Tab: "tab-1"}}},
	}})
	b.send(WorldMsg(w))
	if b.m.shown != (tabRef{"A", "tab-3"}) || b.m.region != inPanes {
		t.Errorf("shown %v", b.m.shown)
	}
}

func TestOthersDoingsMoveNobody(t *testing.T) {
	b := newBench(t, 100, 12)
	b.keys("\x012")
	looks := len(b.looks)
	w := twoTasks()
	w.Tasks[0].ActiveTab = "tab-1"
	w.Tasks[0].Tabs = append(w.Tasks[0].Tabs, workspace.Tab{ID: "tab-3", Layout: split.Leaf("pane-1"), Panes: []workspace.Pane{{ID: "pane-1"}}})
	b.send(WorldMsg(w))
	if b.m.shown != (tabRef{"A", "tab-2"}) || len(b.looks) != looks {
		t.Errorf("shown %v, looks %v", b.m.shown, b.looks[looks:])
	}
}

func TestASlowOutputGetsTheNewestFrameWhenItCan(t *testing.T) {
	b := newBench(t, 100, 12)
	b.held = true
	for i := range 50 {
		b.print("A/tab-1/pane-1", fmt.Sprintf("\rstate %d", i))
	}
	n := len(b.raw)
	b.held = false
	b.send(ReadyMsg{})
	if got := string(b.raw[n:]); !strings.Contains(got, "49") || strings.Contains(got, "48") {
		t.Errorf("drawn %q", got)
	}
}

func TestNoSizeAndNoInputPanics(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t, rapid.IntRange(1, 120).Draw(rt, "cols"), rapid.IntRange(1, 40).Draw(rt, "rows"))
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			switch rapid.IntRange(0, 4).Draw(rt, "what") {
			case 0:
				s := Size{rapid.IntRange(1, 250).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h")}
				b.out.Resize(s.Cols, s.Rows)
				b.send(SizeMsg(s))
			case 1:
				b.keys(rapid.SampledFrom([]string{
					"\x11", "\x14", "\x17", "\x1c", "\x01z", "\x01-", "\x01|", "\x01\x1b[A", "\x01\x1b[C", "\x1bOP", "\x1bOQ", "\x1bOR",
					"\x1bOS", "\x1b[15~", "\x1b", "n", "d", "y", "\x1b[5;5~", "\x1b[6;5~", "jjkk\r", "q", "text", "\x1b[200~p\x1b[201~",
					"\x01e", "\x01I", "\x01/", "\x01N", "\x01W", "\x01m", "np", "nd", "nc", "na", "i", "x", "m", "s", "p", "L", "/", "\t", "\r",
					"\x1b[18~", "\x01l", "3", "\n", "\x1b[A", "\x1b[B", "\x7f",
					"\x01?", "\x01s", "hl", "\x01f", "V", "v", "c", "[", "]", "x", "S", "\x01.", "\x1b[I", "\x1b[O", "\x1b[?1u", "\x1b[?62c",
				}).Draw(rt, "keys"))
			case 2:
				b.keys(fmt.Sprintf("\x1b[<%d;%d;%d%s", rapid.SampledFrom([]int{0, 1, 2, 32, 35, 64, 65}).Draw(rt, "button"),
					rapid.IntRange(1, 260).Draw(rt, "x"), rapid.IntRange(1, 70).Draw(rt, "y"), rapid.SampledFrom([]string{"M", "m"}).Draw(rt, "end")))
			case 3:
				for key, term := range b.terms {
					_, _ = term.Write([]byte(rapid.SampledFrom([]string{
						"text\r\n", "日本語", "\x1b[?1049h", "\x1b[?1049l", "\x1b[?1003h\x1b[?1006h", "\x1b[>1u", "\x1b[5;5H", "👨\u200d👩\u200d👧", strings.Repeat("line\r\n", 80), "\x1b[?5h",
					}).Draw(rt, "output "+key)))
				}
				b.send(ScreenMsg{})
			case 4:
				w := twoTasks()
				if rapid.Bool().Draw(rt, "projects") {
					w = twoProjects()
				}
				n := rapid.IntRange(0, 2).Draw(rt, "tasks")
				w.Tasks = w.Tasks[:n]
				if n > 0 && rapid.Bool().Draw(rt, "no tabs") {
					w.Tasks[0].Tabs = nil
				}
				b.send(WorldMsg(w))
			}
		}
	})
}
