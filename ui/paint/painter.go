package paint

import (
	"moorage/ptyhost/vt"
	"moorage/ui/input"
)

// Painter makes one client's terminal show frames. It assumes that it alone
// writes to it; bytes of others (a notification) may go between two calls, if
// they leave the cursor and its rendition alone.
type Painter struct {
	caps    Caps
	palette palette

	// What the terminal shows, as far as we wrote it.
	shown      [][]vt.Cell
	cols, rows int
	valid      bool
	pen        pen
	x, y       int // the cursor; unknown is possible
	visible    bool
	cursor     vt.Cursor // shape and colour that were set
	linkOpen   bool
	linkURI    string
	linkID     string
	title      string

	outer input.OuterModes
	in    bool // between Enter and Leave

	active Caps // what Enter, or Paint since, made use of

	frame   *Frame
	seen    uint64 // the frame's clock when it was painted last
	epoch   uint64
	scratch []byte
	cluster []byte // of the cell before, to see whether the next joins it
	compare []bool // rows to look at beyond those that changed
}

// NewPainter returns a painter for a terminal of which nothing is known yet:
// the first frame is drawn whole.
func NewPainter(caps Caps) *Painter {
	p := &Painter{x: unknown, y: unknown, visible: true}
	p.SetCaps(caps)
	return p
}

// Caps is what was set last.
func (p *Painter) Caps() Caps { return p.caps }

// SetCaps says what the terminal can do, and draws the next frame whole if
// that changes how it looks.
func (p *Painter) SetCaps(caps Caps) {
	if caps == p.caps {
		return
	}
	look := func(c Caps) Caps {
		c.Sync, c.REP, c.ECH, c.BCE, c.CursorShapes, c.CursorColor = false, false, false, false, false, false
		c.TitleStack, c.Kitty, c.ModifyOtherKeys = false, false, false
		return c
	}
	if look(caps) != look(p.caps) {
		p.Invalidate()
	}
	p.caps = caps
	p.palette = palette{profile: caps.Profile}
}

// Invalidate makes the next Paint draw everything: the terminal shows
// something else than what was written to it.
func (p *Painter) Invalidate() { p.valid = false }

// wrapFrom is the length from which a frame is worth the bytes of
// synchronised output, or of a hidden cursor.
const wrapFrom = 64

// Paint appends what makes the terminal show f.
func (p *Painter) Paint(dst []byte, f *Frame) []byte {
	start := len(dst)
	p.frame = f
	dst = p.activate(dst)
	if !p.valid || f.cols != p.cols || f.rows != p.rows {
		dst = p.restart(dst)
	} else if f.epoch != p.epoch {
		dst = p.retable(dst)
	}
	if f.clock != p.seen {
		if p.changedRows() > 1 {
			dst = p.scroll(dst)
			dst = p.eraseBelow(dst)
		}
		for y := range f.rows {
			if f.rev[y] > p.seen || p.compare[y] {
				dst = p.paintRow(dst, y)
			}
		}
		clear(p.compare)
		p.seen = f.clock
	}
	drawn := len(dst) - start
	wasVisible := p.visible
	dst = p.placeCursor(dst, drawn > 0)
	if len(dst)-start < wrapFrom {
		return dst
	}
	if p.caps.Sync {
		dst = insert(dst, start, "\x1b[?2026h")
		return append(dst, "\x1b[?2026l"...)
	}
	if drawn > wrapFrom && wasVisible {
		dst = insert(dst, start, "\x1b[?25l")
		if p.visible {
			dst = append(dst, "\x1b[?25h"...)
		}
	}
	return dst
}

// changedRows is how many rows may differ from what is shown.
func (p *Painter) changedRows() (n int) {
	for y, rev := range p.frame.rev {
		if rev > p.seen || p.compare[y] {
			n++
		}
	}
	return n
}

func insert(dst []byte, at int, s string) []byte {
	dst = append(dst, s...)
	copy(dst[at+len(s):], dst[at:])
	copy(dst[at:], s)
	return dst
}

// restart clears the terminal, so that all of it is known.
func (p *Painter) restart(dst []byte) []byte {
	f := p.frame
	if f.cols != p.cols || f.rows != p.rows {
		p.cols, p.rows = f.cols, f.rows
		p.shown = make([][]vt.Cell, f.rows)
		for y := range p.shown {
			p.shown[y] = make([]vt.Cell, f.cols)
		}
		p.compare = make([]bool, f.rows)
	}
	for y := range p.shown {
		clear(p.shown[y])
		p.compare[y] = true
	}
	dst = p.forgetPen(dst)
	dst = append(dst, "\x1b[r\x1b[H\x1b[2J"...)
	p.x, p.y = 0, 0
	p.valid = true
	p.epoch = f.epoch
	p.seen = f.clock - 1 // whatever changed: compare says all
	return dst
}

// forgetPen resets the terminal's rendition.
func (p *Painter) forgetPen(dst []byte) []byte {
	if p.caps.Hyperlinks || p.linkOpen {
		dst = append(dst, "\x1b]8;;\x1b\\"...)
	}
	p.linkOpen, p.linkURI, p.linkID = false, "", ""
	p.pen = pen{}
	return append(dst, "\x1b[m"...)
}

// void is a cell that no frame has.
var void = vt.Cell{Ch: ^uint32(0), At: ^uint32(0)}

// retable is for a frame that has a new table: what was shown by indices into
// the old one is drawn again.
func (p *Painter) retable(dst []byte) []byte {
	for y, row := range p.shown {
		for x, c := range row {
			if resolves(c) {
				row[x] = void
				p.compare[y] = true
			}
		}
	}
	p.epoch = p.frame.epoch
	if p.pen.at>>16 != 0 {
		dst = p.forgetPen(dst)
	}
	return dst
}

// placeCursor shows the cursor where the frame has it. Nobody can see where a
// hidden one is, but after drawing it must not stay in a pending wrap.
func (p *Painter) placeCursor(dst []byte, drawn bool) []byte {
	c := p.frame.cursor
	if !c.Visible || c.X < 0 || c.Y < 0 || c.X >= p.cols || c.Y >= p.rows {
		if drawn && p.x == unknown {
			dst = append(dst, '\r')
			p.x = 0
		}
		if p.visible {
			p.visible = false
			dst = append(dst, "\x1b[?25l"...)
		}
		return dst
	}
	dst = p.moveTo(dst, c.X, c.Y)
	if p.caps.CursorShapes && c.Shape != p.cursor.Shape {
		p.cursor.Shape = c.Shape
		dst = append(dst, 0x1b, '[', '0'+byte(c.Shape)%10, ' ', 'q')
	}
	if p.caps.CursorColor && c.Color != p.cursor.Color {
		p.cursor.Color = c.Color
		dst = appendCursorColor(dst, c.Color)
	}
	if !p.visible {
		p.visible = true
		dst = append(dst, "\x1b[?25h"...)
	}
	return dst
}

// appendCursorColor writes OSC 12, or 112 for the user's own.
func appendCursorColor(dst []byte, c vt.Color) []byte {
	r, g, b, ok := c.RGB()
	if !ok {
		return append(dst, "\x1b]112\x1b\\"...)
	}
	const hex = "0123456789abcdef"
	dst = append(dst, "\x1b]12;#"...)
	for _, v := range [...]byte{r, g, b} {
		dst = append(dst, hex[v>>4], hex[v&15])
	}
	return append(dst, "\x1b\\"...)
}
