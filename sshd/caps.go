package sshd

import (
	"strings"

	"moorage/ui/paint"

	"github.com/charmbracelet/colorprofile"
)

// capsOf is what a terminal of that name can do, as far as its name tells;
// what it answers to our questions raises it. Of a name that nobody has heard
// of only the basics are assumed, and colours none.
func capsOf(term string, env []string) paint.Caps {
	c := paint.Caps{Profile: max(colorprofile.Env(env), colorprofile.ASCII), ECH: true}
	for _, family := range families {
		if strings.HasPrefix(term, family.prefix) {
			profile := max(c.Profile, family.caps.Profile)
			c = family.caps
			c.Profile = profile
			break
		}
	}
	for _, kv := range env {
		if strings.HasPrefix(kv, "NO_COLOR=") && kv != "NO_COLOR=" {
			c.Profile = colorprofile.ASCII
		}
	}
	return c
}

// modern is what every terminal emulator of today has that calls itself after
// xterm or has a name of its own.
var modern = paint.Caps{
	Profile: colorprofile.ANSI256, ECH: true, BCE: true,
	Hyperlinks: true, CursorShapes: true, TitleStack: true, StyledUnderlines: false,
}

// families are terminals by the start of their TERM, the longest first.
var families = []struct {
	prefix string
	caps   paint.Caps
}{
	{"xterm-kitty", with(modern, func(c *paint.Caps) { c.Profile, c.REP, c.StyledUnderlines = colorprofile.TrueColor, true, true })},
	{"xterm-ghostty", with(modern, func(c *paint.Caps) { c.Profile, c.REP, c.StyledUnderlines = colorprofile.TrueColor, true, true })},
	{"alacritty", with(modern, func(c *paint.Caps) { c.Profile, c.REP, c.StyledUnderlines = colorprofile.TrueColor, true, true })},
	{"foot", with(modern, func(c *paint.Caps) { c.Profile, c.REP, c.StyledUnderlines = colorprofile.TrueColor, true, true })},
	{"wezterm", with(modern, func(c *paint.Caps) { c.Profile, c.REP, c.StyledUnderlines = colorprofile.TrueColor, true, true })},
	{"contour", with(modern, func(c *paint.Caps) { c.Profile, c.StyledUnderlines = colorprofile.TrueColor, true })},
	{"xterm", modern},
	{"tmux", with(modern, func(c *paint.Caps) { c.BCE, c.TitleStack = false, false })},
	// screen(1) has no BCE, and neither its titles nor its shapes are ours.
	{"screen", paint.Caps{Profile: colorprofile.ANSI256}},
	{"rxvt", paint.Caps{Profile: colorprofile.ANSI256, ECH: true, BCE: true, CursorShapes: true}},
	{"linux", paint.Caps{Profile: colorprofile.ANSI, ECH: true, BCE: true}},
	{"vt", paint.Caps{Profile: colorprofile.ASCII}},
}

func with(c paint.Caps, f func(*paint.Caps)) paint.Caps {
	f(&c)
	return c
}
