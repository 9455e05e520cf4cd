package vt

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// colors are those that the program set over the client's own. It is a value:
// the palette is replaced, never written to.
type colors struct {
	fg, bg, cursor Color
	palette        *[256]Color
}

// at returns palette entry i, ColorDefault if the program did not set it.
func (c *colors) at(i uint8) Color {
	if c.palette == nil {
		return ColorDefault
	}
	return c.palette[i]
}

func (c *colors) set(i uint8, v Color) {
	var p [256]Color
	if c.palette != nil {
		p = *c.palette
	}
	p[i] = v
	c.palette = &p
	if p == ([256]Color{}) {
		c.palette = nil
	}
}

func (c *colors) appendTo(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(c.fg))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(c.bg))
	if c.palette == nil {
		return append(dst, 0)
	}
	n := 0
	for _, v := range c.palette {
		if v != 0 {
			n++
		}
	}
	dst = appendInt(dst, n)
	for i, v := range c.palette {
		if v != 0 {
			dst = append(dst, byte(i))
			dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
		}
	}
	return dst
}

func (d *decoder) colors() colors {
	c := colors{fg: d.storedColor(), bg: d.storedColor()}
	n := d.int(256)
	if n == 0 || d.err != nil {
		return c
	}
	c.palette = new([256]Color)
	for ; n > 0; n-- {
		i := d.u8()
		c.palette[i] = d.storedColor()
	}
	return c
}

// dynamicColor is one of the colours of OSC 10 to 19.
func (t *Terminal) dynamicColor(n int) (set *Color, def RGBColor) {
	d := &t.opts.Defaults
	switch n {
	case 10:
		return &t.colors.fg, d.FG
	case 11:
		return &t.colors.bg, d.BG
	case 12:
		return &t.colors.cursor, d.Cursor
	}
	return nil, RGBColor{}
}

// oscDynamic is OSC 10 to 19: each further value belongs to the next number.
func (t *Terminal) oscDynamic(n int, rest string) {
	for ; n <= 19; n++ {
		spec, more, found := strings.Cut(rest, ";")
		if set, def := t.dynamicColor(n); set == nil {
			// Pointer, Tektronix and highlight colours: not ours.
		} else if spec == "?" {
			c := def
			if r, g, b, ok := set.RGB(); ok {
				c = RGBColor{r, g, b}
			}
			t.replyOSC(itoa(n) + ";" + c.spec())
		} else if c, ok := parseColor(spec); ok {
			*set = c.Color()
			t.touchMeta()
		}
		if !found {
			return
		}
		rest = more
	}
}

// oscResetDynamic is OSC 110 to 119.
func (t *Terminal) oscResetDynamic(n int, _ string) {
	if set, _ := t.dynamicColor(n - 100); set != nil {
		*set = ColorDefault
		t.touchMeta()
	}
}

// oscPalette is OSC 4: pairs of index and colour or question mark.
func (t *Terminal) oscPalette(_ int, rest string) {
	for rest != "" {
		var index, spec string
		index, rest, _ = strings.Cut(rest, ";")
		spec, rest, _ = strings.Cut(rest, ";")
		i, err := strconv.Atoi(index)
		if err != nil || i < 0 || i > 255 {
			continue
		}
		if spec == "?" {
			c := t.opts.Defaults.Palette[i]
			if r, g, b, ok := t.colors.palette256(i).RGB(); ok {
				c = RGBColor{r, g, b}
			}
			t.replyOSC("4;" + itoa(i) + ";" + c.spec())
		} else if c, ok := parseColor(spec); ok {
			t.colors.set(uint8(i), c.Color())
			t.touchMeta()
		}
	}
}

func (c *colors) palette256(i int) Color { return c.at(uint8(i)) }

// oscResetPalette is OSC 104: the entries named, or all.
func (t *Terminal) oscResetPalette(_ int, rest string) {
	t.touchMeta()
	if rest == "" {
		t.colors.palette = nil
		return
	}
	for index := range strings.SplitSeq(rest, ";") {
		if i, err := strconv.Atoi(index); err == nil && i >= 0 && i <= 255 {
			t.colors.set(uint8(i), ColorDefault)
		}
	}
}

// spec is the form that xterm answers with: 16 bits a channel.
func (c RGBColor) spec() string {
	const hex = "0123456789abcdef"
	b := []byte("rgb:0000/0000/0000")
	for i, v := range [...]uint8{c.R, c.G, c.B} {
		at := 4 + 5*i
		b[at], b[at+1] = hex[v>>4], hex[v&15]
		b[at+2], b[at+3] = b[at], b[at+1]
	}
	return string(b)
}

// parseColor reads what XParseColor reads, but for the device-independent
// spaces and all but a handful of names: #rgb to #rrrrggggbbbb, rgb:r/g/b with
// one to four digits each, rgbi: with fractions, and the ANSI names.
func parseColor(s string) (RGBColor, bool) {
	if h, ok := strings.CutPrefix(s, "#"); ok {
		n := len(h) / 3
		if len(h)%3 != 0 || n < 1 || n > 4 {
			return RGBColor{}, false
		}
		return parseChannels(h[:n], h[n:2*n], h[2*n:], hashChannel)
	}
	kind, rest, ok := strings.Cut(s, ":")
	if !ok {
		c, ok := colorNames[strings.ToLower(s)]
		return c, ok
	}
	p := strings.Split(rest, "/")
	switch {
	case kind == "rgba" && len(p) == 4:
		p, kind = p[:3], "rgb"
	case len(p) != 3:
		return RGBColor{}, false
	}
	switch kind {
	case "rgb":
		return parseChannels(p[0], p[1], p[2], scaledChannel)
	case "rgbi":
		return parseChannels(p[0], p[1], p[2], fractionChannel)
	}
	return RGBColor{}, false
}

func parseChannels(r, g, b string, f func(string) (uint8, bool)) (c RGBColor, ok bool) {
	var ok1, ok2, ok3 bool
	c.R, ok1 = f(r)
	c.G, ok2 = f(g)
	c.B, ok3 = f(b)
	return c, ok1 && ok2 && ok3
}

// hashChannel takes the most significant bits: #f is 0xf0.
func hashChannel(s string) (uint8, bool) {
	v, err := strconv.ParseUint(s, 16, 16)
	return uint8(v << 12 >> (4 * (len(s) - 1)) >> 8), err == nil
}

// scaledChannel scales to the full range: rgb:f is 0xff.
func scaledChannel(s string) (uint8, bool) {
	if len(s) < 1 || len(s) > 4 {
		return 0, false
	}
	v, err := strconv.ParseUint(s, 16, 16)
	return uint8(v * 255 / (1<<(4*len(s)) - 1)), err == nil
}

func fractionChannel(s string) (uint8, bool) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, false
	}
	return uint8(v*255 + 0.5), true
}

// colorNames are the names of X11 that programs use.
var colorNames = map[string]RGBColor{
	"black": {0, 0, 0}, "white": {255, 255, 255}, "red": {255, 0, 0},
	"green": {0, 255, 0}, "blue": {0, 0, 255}, "yellow": {255, 255, 0},
	"cyan": {0, 255, 255}, "magenta": {255, 0, 255}, "gray": {190, 190, 190},
	"grey": {190, 190, 190}, "orange": {255, 165, 0}, "purple": {160, 32, 240},
	"brown": {165, 42, 42}, "pink": {255, 192, 203},
}

const maxColorStack = 10 // as in xterm

// pushColors is XTPUSHCOLORS: 0 is onto the stack, else into that place.
func (t *Terminal) pushColors(n int) {
	if n == 0 {
		n = t.colorAt + 1
	}
	if n > maxColorStack {
		return
	}
	for len(t.colorStack) < n {
		t.colorStack = append(t.colorStack, colors{})
	}
	t.colorStack[n-1] = t.colors
	t.colorAt = n
}

// popColors is XTPOPCOLORS.
func (t *Terminal) popColors(n int) {
	if n == 0 {
		n = t.colorAt
		t.colorAt = max(0, n-1)
	}
	if n >= 1 && n <= len(t.colorStack) {
		t.colors = t.colorStack[n-1]
		t.touchMeta()
	}
}

// reportColors is XTREPORTCOLORS: where the stack is, and its depth.
func (t *Terminal) reportColors() {
	t.reply("\x1b[?", itoa(t.colorAt), ";", itoa(len(t.colorStack)), "#Q")
}
