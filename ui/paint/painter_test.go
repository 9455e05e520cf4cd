package paint

import (
	"testing"

	"github.com/charmbracelet/colorprofile"
	"pgregory.net/rapid"

	"moorage/ptyhost/vt"
)

var allCaps = Caps{
	Profile: colorprofile.TrueColor, Sync: true, REP: true, ECH: true, BCE: true, Hyperlinks: true, CursorShapes: true,
	CursorColor: true, StyledUnderlines: true, UnicodeCore: true, TitleStack: true, Kitty: true, ModifyOtherKeys: true,
}

func genCaps() *rapid.Generator[Caps] {
	return rapid.Custom(func(t *rapid.T) Caps {
		b := func(name string) bool { return rapid.Bool().Draw(t, name) }
		return Caps{
			Profile: rapid.SampledFrom([]colorprofile.Profile{
				colorprofile.ASCII, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor,
			}).Draw(t, "profile"),
			Sync: b("sync"), REP: b("rep"), ECH: b("ech"), BCE: b("bce"), Hyperlinks: b("links"), CursorShapes: b("shapes"),
			StyledUnderlines: b("underlines"), UnicodeCore: b("core"),
		}
	})
}

var texts = []string{
	"a", "b", "hello", " ", "     ", "                       ", "xxxxxxxxxxxxxx", "─────────────", "é", "e\u0301", "中", "中文字",
	"👍", "👨‍👩‍👧", "❤️", "🇩🇪", "🧩", "✓", "नि", "|", "\u0bc1", "\u1100", "\u1161",
}

func genStyle() *rapid.Generator[Style] {
	colors := rapid.SampledFrom([]vt.Color{0, 0, 0, vt.Indexed(1), vt.Indexed(9), vt.Indexed(200), vt.RGB(1, 2, 3), vt.RGB(250, 128, 0)})
	return rapid.Custom(func(t *rapid.T) Style {
		st := Style{FG: colors.Draw(t, "fg"), BG: colors.Draw(t, "bg")}
		if rapid.Bool().Draw(t, "plain") {
			return st
		}
		st.Attr = uint32(rapid.Byte().Draw(t, "attr"))
		st.Underline = vt.Underline(rapid.IntRange(0, 5).Draw(t, "underline"))
		if st.Underline != 0 {
			st.UnderlineColor = colors.Draw(t, "underline colour")
		}
		st.Link = rapid.SampledFrom([]string{"", "", "", "http://a", "http://b"}).Draw(t, "link")
		return st
	})
}

// scribble draws something random.
func scribble(t *rapid.T, f *Frame) {
	cols, rows := f.Size()
	x, y := rapid.IntRange(-2, cols).Draw(t, "x"), rapid.IntRange(0, rows-1).Draw(t, "y")
	st := genStyle().Draw(t, "style")
	switch rapid.IntRange(0, 5).Draw(t, "op") {
	case 0:
		f.Fill(Rect{x, y, rapid.IntRange(0, cols).Draw(t, "w"), rapid.IntRange(0, rows).Draw(t, "h")}, st.cell(f.table))
	case 1: // scroll some rows by some
		n := rapid.IntRange(1, 3).Draw(t, "n")
		top, bottom := rapid.IntRange(0, rows-1).Draw(t, "top"), rapid.IntRange(0, rows-1).Draw(t, "bottom")
		if rapid.Bool().Draw(t, "up") {
			for y := top; y+n <= bottom; y++ {
				f.CopyRow(0, y, append([]vt.Cell(nil), f.Row(y+n)...), f.table)
			}
		} else {
			for y := bottom; y-n >= top; y-- {
				f.CopyRow(0, y, append([]vt.Cell(nil), f.Row(y-n)...), f.table)
			}
		}
	case 2:
		f.CopyRow(x, y, append([]vt.Cell(nil), f.Row(rapid.IntRange(0, rows-1).Draw(t, "from"))...), f.table)
	default:
		for range rapid.IntRange(1, 4).Draw(t, "texts") {
			x += f.Text(x, y, cols, rapid.SampledFrom(texts).Draw(t, "text"), st)
		}
	}
}

func scribbles(t *rapid.T, f *Frame, n int) {
	for range rapid.IntRange(0, n).Draw(t, "ops") {
		scribble(t, f)
	}
	cols, rows := f.Size()
	f.SetCursor(vt.Cursor{
		X: rapid.IntRange(0, cols-1).Draw(t, "cx"), Y: rapid.IntRange(0, rows-1).Draw(t, "cy"),
		Visible: rapid.Bool().Draw(t, "visible"), Shape: vt.CursorShape(rapid.IntRange(0, 6).Draw(t, "shape")),
	})
}

// The terminal shows each frame, whatever was shown before.
func TestOutputReadBackIsTheFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		caps := genCaps().Draw(t, "caps")
		f := NewFrame(rapid.IntRange(1, 30).Draw(t, "cols"), rapid.IntRange(1, 10).Draw(t, "rows"))
		p := NewPainter(caps)
		term := newTerminal(f.Size())
		term.plainErase = !caps.BCE
		term.write(p.Enter(nil))
		for i := range rapid.IntRange(1, 5).Draw(t, "frames") {
			scribbles(t, f, 12)
			out := p.Paint(nil, f)
			term.write(out)
			if diff := term.compare(f, caps); diff != "" {
				t.Fatalf("frame %d: %s\n%q", i, diff, out)
			}
			if again := p.Paint(nil, f); len(again) != 0 {
				t.Fatalf("frame %d, again: %q", i, again)
			}
		}
	})
}

// What a small change costs, and that frames in steady state cost no memory.
func TestSmallChangesAreSmall(t *testing.T) {
	const cols, rows = 200, 50
	f, p := NewFrame(cols, rows), NewPainter(allCaps)
	for y := range rows {
		f.Text(0, y, cols, logLine(y, cols), Style{FG: vt.Indexed(uint8(y))})
	}
	f.SetCursor(vt.Cursor{X: 3, Y: 49, Visible: true})
	out := p.Paint(nil, f)
	for _, tt := range []struct {
		name string
		draw func(i int)
		most int
	}{
		{"nothing", func(int) {}, 0},
		{"the cursor", func(i int) { f.SetCursor(vt.Cursor{X: i * 10 % cols, Y: i % rows, Visible: true}) }, 9},
		{"a key's echo", func(i int) {
			f.SetCell(10+i, 20, vt.Cell{Ch: '#'})
			f.SetCursor(vt.Cursor{X: 11 + i, Y: 20, Visible: true})
		}, 18},
		{"one cell elsewhere", func(i int) { f.SetCell(150-i, 40, vt.Cell{Ch: 'x', FG: vt.Indexed(3)}) }, 30},
	} {
		i := 0
		most := 0
		allocs := testing.AllocsPerRun(20, func() {
			i++
			tt.draw(i)
			out = p.Paint(out[:0], f)
			most = max(most, len(out))
		})
		if most > tt.most {
			t.Errorf("%s: up to %d bytes, such as %q", tt.name, most, out)
		}
		if allocs != 0 {
			t.Errorf("%s: %v allocations", tt.name, allocs)
		}
	}
}

// Nothing that a string holds leaves its rectangle or becomes a control.
func FuzzANSI(f *testing.F) {
	f.Add("\x1b[1;31mred\x1b[m\n中\x1b]8;;x\x1b\\y", 3)
	f.Add("\x1b[38;2;1;2m\x1b[38:5m\x1b[4:9m\u009b\r\t", 9)
	f.Fuzz(func(t *testing.T, s string, w int) {
		frame, p := NewFrame(12, 4), NewPainter(allCaps)
		frame.ANSI(Rect{1, 1, w % 16, 2}, s)
		term := newTerminal(12, 4)
		term.write(p.Enter(nil))
		term.write(p.Paint(nil, frame))
		if diff := term.compare(frame, allCaps); diff != "" {
			t.Fatalf("%q: %s", s, diff)
		}
		for y := range 4 {
			for x, c := range frame.Row(y) {
				if !(Rect{1, 1, w % 16, 2}).Contains(x, y) && c != (vt.Cell{}) {
					t.Fatalf("%q: drawn at %d,%d", s, x, y)
				}
			}
		}
	})
}
