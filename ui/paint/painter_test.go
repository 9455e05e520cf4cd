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
	"👍", "👨‍👩‍👧", "❤️", "🇩🇪", "🧩", "✓", "नि", "|",
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
