package vt

// Limits of a terminal's size.
const (
	MaxCols       = 1000
	MaxRows       = 500
	MaxScrollback = 100_000
)

// Options say how a Terminal starts. The zero value is a terminal of one cell
// without scrollback.
type Options struct {
	Cols, Rows int // clamped to 1..MaxCols and 1..MaxRows
	Scrollback int // rows above the screen, clamped to 0..MaxScrollback

	Defaults Defaults
	Version  string // what XTVERSION answers, such as "moorage(1.0)"

	// CellWidth and CellHeight are the size of a cell in pixels, for the
	// queries that ask for it. With zeros those stay unanswered.
	CellWidth, CellHeight int
}

// Defaults are the colours that queries are answered with while the program
// has not set its own: those of the client that is looking, or a configured
// theme.
type Defaults struct {
	FG, BG, Cursor RGBColor
	Palette        [256]RGBColor
	Dark           bool // which of the two mode 2031 reports
}

// RGBColor is a colour in 8 bits a channel.
type RGBColor struct{ R, G, B uint8 }

// Color is the colour as a cell holds it.
func (c RGBColor) Color() Color { return RGB(c.R, c.G, c.B) }

// xtermANSI are xterm's first sixteen colours.
var xtermANSI = [16]RGBColor{
	{0, 0, 0},
	{205, 0, 0},
	{0, 205, 0},
	{205, 205, 0},
	{0, 0, 238},
	{205, 0, 205},
	{0, 205, 205},
	{229, 229, 229},
	{127, 127, 127},
	{255, 0, 0},
	{0, 255, 0},
	{255, 255, 0},
	{92, 92, 255},
	{255, 0, 255},
	{0, 255, 255},
	{255, 255, 255},
}

// XtermPalette is xterm's palette: sixteen colours, a 6x6x6 cube, 24 greys.
func XtermPalette() [256]RGBColor {
	var p [256]RGBColor
	copy(p[:], xtermANSI[:])
	level := [6]uint8{0, 95, 135, 175, 215, 255}
	for i := range 216 {
		p[16+i] = RGBColor{level[i/36], level[i/6%6], level[i%6]}
	}
	for i := range 24 {
		v := uint8(8 + 10*i)
		p[232+i] = RGBColor{v, v, v}
	}
	return p
}

// DarkDefaults are light grey on black with xterm's palette.
func DarkDefaults() Defaults {
	return Defaults{
		FG:      RGBColor{229, 229, 229},
		Cursor:  RGBColor{229, 229, 229},
		Palette: XtermPalette(),
		Dark:    true,
	}
}

func (o Options) clamped() Options {
	o.Cols = min(max(o.Cols, 1), MaxCols)
	o.Rows = min(max(o.Rows, 1), MaxRows)
	o.Scrollback = min(max(o.Scrollback, 0), MaxScrollback)
	if o.Defaults == (Defaults{}) {
		o.Defaults = DarkDefaults()
	}
	return o
}
