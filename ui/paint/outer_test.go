package paint

import (
	"testing"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
)

// Every mode that was touched is as it was before.
func TestLeaveRestoresTheTerminal(t *testing.T) {
	for _, caps := range []Caps{{}, allCaps} {
		f, p := NewFrame(20, 5), NewPainter(caps)
		term := newTerminal(20, 5)
		term.write(p.Enter(nil))
		term.write(p.SetOuter(nil, input.OuterModes{
			AppCursor: true, AppKeypad: true, Kitty: 31, ModifyOtherKeys: 2, Mouse: vt.MouseAny,
			MouseEncoding: vt.MouseEncodingSGRPixel, FocusEvents: true, BracketedPaste: true,
		}))
		f.Text(0, 0, 20, "linked", Style{Attr: vt.AttrBold, Link: "http://a"})
		f.SetCursor(vt.Cursor{Visible: true, Shape: 6, Color: vt.RGB(1, 2, 3)})
		term.write(p.Paint(nil, f))
		term.write([]byte("\x1b[?2026h")) // a frame that was cut off
		term.write(p.Leave(nil))
		if term.err != nil {
			t.Fatal(term.err)
		}
		for mode, on := range term.modes {
			if want := mode == "25" || mode == "7"; on != want {
				t.Errorf("mode %s is left %v", mode, on)
			}
		}
		if len(term.kitty) != 0 || term.shape != 0 || term.sync || term.top != 0 || term.bottom != 4 || term.pen != (glyph{}) {
			t.Errorf("left: kitty %v shape %d sync %v margins %d..%d pen %+v",
				term.kitty, term.shape, term.sync, term.top, term.bottom, term.pen)
		}
	}
}

func TestSetOuterWritesOnlyWhatChanges(t *testing.T) {
	p := NewPainter(allCaps)
	p.Enter(nil)
	base := p.Outer()
	for _, tt := range []struct {
		name   string
		change func(*input.OuterModes)
		want   string
	}{
		{"nothing", func(*input.OuterModes) {}, ""},
		{"application cursor keys", func(o *input.OuterModes) { o.AppCursor = true }, "\x1b[?1h"},
		{"keypad", func(o *input.OuterModes) { o.AppKeypad = true }, "\x1b="},
		{"all motion", func(o *input.OuterModes) { o.Mouse = vt.MouseAny }, "\x1b[?1002l\x1b[?1003h"},
		{"no pointer", func(o *input.OuterModes) { o.Mouse = vt.MouseOff }, "\x1b[?1002l"},
		{"kitty flags", func(o *input.OuterModes) { o.Kitty = 5 }, "\x1b[=5u"},
		{"modifyOtherKeys", func(o *input.OuterModes) { o.ModifyOtherKeys = 2 }, "\x1b[>4;2m"},
	} {
		want := base
		tt.change(&want)
		if got := string(p.SetOuter(nil, want)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if p.Outer() != want {
			t.Errorf("%s: outer is %+v", tt.name, p.Outer())
		}
		p.SetOuter(nil, base)
	}
}

// A terminal that turns out to know more is made use of from the next frame on.
func TestCapsLearntLaterAreActivatedOnce(t *testing.T) {
	p, f := NewPainter(Caps{}), NewFrame(5, 2)
	p.Enter(nil)
	p.Paint(nil, f)
	p.SetOuter(nil, input.OuterModes{Kitty: 1})
	if p.Outer().Kitty != 0 {
		t.Errorf("flags %d for a terminal without the protocol", p.Outer().Kitty)
	}
	p.SetCaps(Caps{Kitty: true})
	if got := string(p.SetOuter(nil, input.OuterModes{Kitty: 1})); got != "\x1b[>0u\x1b[=1u" {
		t.Errorf("%q", got)
	}
	if got := string(p.Paint(nil, f)); got != "" {
		t.Errorf("then %q", got)
	}
}

func TestTitleIsWrittenWhenItChanges(t *testing.T) {
	p := NewPainter(Caps{})
	p.Enter(nil)
	for _, tt := range []struct{ title, want string }{
		{"", ""}, {"a", "\x1b]2;a\x1b\\"}, {"a", ""}, {"a\x1b", ""}, {"b", "\x1b]2;b\x1b\\"},
	} {
		if got := string(p.SetTitle(nil, tt.title)); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.title, got, tt.want)
		}
	}
}
