package paint

import (
	"testing"

	"github.com/charmbracelet/colorprofile"
	"pgregory.net/rapid"

	"moorage/ptyhost/vt"
)

func TestColorsAreFittedToTheProfile(t *testing.T) {
	red := vt.RGB(255, 0, 0)
	for _, tt := range []struct {
		profile colorprofile.Profile
		from    vt.Color
		want    vt.Color
	}{
		{colorprofile.TrueColor, red, red},
		{colorprofile.TrueColor, vt.Indexed(196), vt.Indexed(196)},
		{colorprofile.ANSI256, red, vt.Indexed(196)},
		{colorprofile.ANSI256, vt.RGB(8, 8, 8), vt.Indexed(232)},
		{colorprofile.ANSI256, vt.Indexed(3), vt.Indexed(3)},
		{colorprofile.ANSI, red, vt.Indexed(9)},
		{colorprofile.ANSI, vt.Indexed(196), vt.Indexed(9)},
		{colorprofile.ANSI, vt.Indexed(3), vt.Indexed(3)},
		{colorprofile.ASCII, red, vt.ColorDefault},
		{colorprofile.ASCII, vt.Indexed(3), vt.ColorDefault},
		{colorprofile.ANSI, vt.ColorDefault, vt.ColorDefault},
	} {
		p := palette{profile: tt.profile}
		for range 2 { // the second from the cache
			if got := p.fit(tt.from); got != tt.want {
				t.Errorf("%v: %#x became %#x, want %#x", tt.profile, tt.from, got, tt.want)
			}
		}
	}
}

func TestNoProfileGetsAColorItLacks(t *testing.T) {
	p256, p16 := palette{profile: colorprofile.ANSI256}, palette{profile: colorprofile.ANSI}
	rapid.Check(t, func(t *rapid.T) {
		c := vt.RGB(rapid.Byte().Draw(t, "r"), rapid.Byte().Draw(t, "g"), rapid.Byte().Draw(t, "b"))
		if i, ok := p256.fit(c).Index(); !ok {
			t.Fatalf("%#x became %d %v", c, i, ok)
		}
		if i, ok := p16.fit(c).Index(); !ok || i > 15 {
			t.Fatalf("%#x became %d %v", c, i, ok)
		}
	})
}
