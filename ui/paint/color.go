package paint

import (
	"fmt"

	"github.com/charmbracelet/colorprofile"
	"github.com/muesli/termenv"

	"moorage/ptyhost/vt"
)

// palette maps colours to what a client's terminal can show. Each colour is
// converted once; the cache is direct-mapped, so that it is bounded.
type palette struct {
	profile colorprofile.Profile
	cache   [paletteSize]struct{ from, to vt.Color }
}

const paletteSize = 1 << 12

// fit is the nearest colour that the profile has.
func (p *palette) fit(c vt.Color) vt.Color {
	if p.profile >= colorprofile.TrueColor || c.IsDefault() {
		return c
	}
	if p.profile < colorprofile.ANSI {
		return vt.ColorDefault
	}
	slot := &p.cache[uint32(c)*2654435761>>20]
	if slot.from != c {
		slot.from, slot.to = c, convert(c, p.profile)
	}
	return slot.to
}

// convert maps to the 256 or the 16 colours, by termenv.
func convert(c vt.Color, profile colorprofile.Profile) vt.Color {
	to := termenv.ANSI256
	if profile == colorprofile.ANSI {
		to = termenv.ANSI
	}
	var from termenv.Color
	if i, ok := c.Index(); ok {
		if to == termenv.ANSI256 || i < 16 {
			return c
		}
		from = termenv.ANSI256Color(i)
	} else {
		r, g, b, _ := c.RGB()
		from = termenv.RGBColor(fmt.Sprintf("#%02x%02x%02x", r, g, b))
	}
	switch nearest := to.Convert(from).(type) {
	case termenv.ANSI256Color:
		return vt.Indexed(uint8(nearest))
	case termenv.ANSIColor:
		return vt.Indexed(uint8(nearest))
	}
	return vt.ColorDefault
}
