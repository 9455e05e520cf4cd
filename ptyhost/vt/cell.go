package vt

// Cell is one column of one row: 16 bytes, no pointers. The zero Cell is a
// blank in default colours, so clear() erases.
//
//	Ch  31      30    29       20..0
//	    spacer  wide  cluster  rune, or index into Table's clusters
//	At  31..16                 15..12  11         10..8            7..0
//	    index of an Ext        unused  protected  underline style  attributes
//
// A wide character takes two cells: the first carries CellWide, the second is
// CellSpacer with the same colours and no character of its own.
type Cell struct {
	Ch uint32
	FG Color
	BG Color
	At uint32
}

// Flags and mask of Cell.Ch.
const (
	CellSpacer  uint32 = 1 << 31
	CellWide    uint32 = 1 << 30
	CellCluster uint32 = 1 << 29
	CellRune    uint32 = 1<<21 - 1
)

// Attribute bits of Cell.At, named as in ECMA-48 8.3.117 (SGR).
const (
	AttrBold uint32 = 1 << iota
	AttrFaint
	AttrItalic
	AttrBlink
	AttrInverse
	AttrInvisible
	AttrStrike
	AttrOverline

	// AttrProtected is DECSCA's bit: DECSED and DECSEL leave the cell alone.
	AttrProtected uint32 = 1 << 11

	// AttrMask covers the eight SGR attributes and the underline style.
	AttrMask uint32 = 0x7ff
)

// Underline is the style that SGR 4:n selects (kitty's underline extension).
type Underline uint32

// Underline styles, with the numbers of SGR 4:n.
const (
	UnderlineNone Underline = iota
	UnderlineSingle
	UnderlineDouble
	UnderlineCurly
	UnderlineDotted
	UnderlineDashed
)

const (
	underlineShift = 8
	underlineMask  = uint32(7) << underlineShift
	extShift       = 16
)

// Underline returns the cell's underline style.
func (c Cell) Underline() Underline { return Underline(c.At & underlineMask >> underlineShift) }

// SetUnderline replaces the cell's underline style.
func (c *Cell) SetUnderline(u Underline) {
	c.At = c.At&^underlineMask | uint32(u)<<underlineShift&underlineMask
}

// Ext returns the index of the cell's extended record; 0 is none.
func (c Cell) Ext() uint16 { return uint16(c.At >> extShift) }

// SetExt replaces the index of the cell's extended record.
func (c *Cell) SetExt(i uint16) { c.At = c.At&0xffff | uint32(i)<<extShift }

// Width is 2 for the first half of a wide character, 0 for its second half,
// and 1 for everything else.
func (c Cell) Width() int {
	switch {
	case c.Ch&CellWide != 0:
		return 2
	case c.Ch&CellSpacer != 0:
		return 0
	}
	return 1
}

// Color is a colour as the program named it: the default, one of the 256
// palette entries, or red, green and blue.
//
//	31..24                            23..0
//	0 default, 1 indexed, 2 RGB       index, or 0xRRGGBB
type Color uint32

const (
	colorIndexed Color = 1 << 24
	colorRGB     Color = 2 << 24
	colorKind    Color = 0xff << 24
)

// ColorDefault is the terminal's own foreground or background.
const ColorDefault Color = 0

// Indexed is entry i of the 256-colour palette.
func Indexed(i uint8) Color { return colorIndexed | Color(i) }

// RGB is a direct colour.
func RGB(r, g, b uint8) Color { return colorRGB | Color(r)<<16 | Color(g)<<8 | Color(b) }

// IsDefault reports whether c is the terminal's own colour.
func (c Color) IsDefault() bool { return c&colorKind == 0 }

// Index returns the palette index, if c is one.
func (c Color) Index() (i uint8, ok bool) { return uint8(c), c&colorKind == colorIndexed }

// RGB returns the three channels, if c is a direct colour.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&colorKind == colorRGB
}

// Ext is what a few cells have and a Cell has no room for: an underline
// colour (SGR 58) and a hyperlink (OSC 8). The zero Ext is none of both.
type Ext struct {
	Underline Color
	LinkID    string // the id= parameter, "" when the program gave none
	LinkURI   string // "" is no link
}

// maxExts is bounded by the 16 bits that a Cell has for the index.
const (
	maxExts     = 1 << 16
	maxClusters = 1 << 16
)

// Table resolves the indices that cells carry: grapheme clusters of more than
// one rune, and Ext records. A Cell means something only together with the
// table it was made for; copying between tables goes through Import. The zero
// Table is ready to use. Index 0 is never handed out for an Ext: it is none.
// A Table is not safe for concurrent use.
type Table struct {
	clusters  []string
	clusterAt map[string]uint32
	exts      []Ext
	extAt     map[Ext]uint16
	linkBytes int // of the links in exts
}

// Cluster returns the text behind cluster index i, "\uFFFD" if there is none.
func (t *Table) Cluster(i uint32) string {
	if int(i) >= len(t.clusters) {
		return "\uFFFD"
	}
	return t.clusters[i]
}

// Ext returns the record behind index i, the zero Ext if there is none.
func (t *Table) Ext(i uint16) Ext {
	if i == 0 || int(i) > len(t.exts) {
		return Ext{}
	}
	return t.exts[i-1]
}

// Text returns what the cell shows: " " for a blank, "" for a spacer.
func (t *Table) Text(c Cell) string {
	switch {
	case c.Ch&CellSpacer != 0:
		return ""
	case c.Ch&CellCluster != 0:
		return t.Cluster(c.Ch & CellRune)
	case c.Ch&CellRune == 0:
		return " "
	}
	return string(rune(c.Ch & CellRune))
}

// AppendText appends what Text returns.
func (t *Table) AppendText(dst []byte, c Cell) []byte {
	switch {
	case c.Ch&CellSpacer != 0:
		return dst
	case c.Ch&CellCluster != 0:
		return append(dst, t.Cluster(c.Ch&CellRune)...)
	case c.Ch&CellRune == 0:
		return append(dst, ' ')
	}
	return appendRune(dst, rune(c.Ch&CellRune))
}

// InternCluster returns the index of a cluster. It is false when the table is
// full: the owner sweeps, or shows the first rune alone.
func (t *Table) InternCluster(s string) (uint32, bool) {
	if i, ok := t.clusterAt[s]; ok {
		return i, true
	}
	if len(t.clusters) >= maxClusters {
		return 0, false
	}
	if t.clusterAt == nil {
		t.clusterAt = make(map[string]uint32)
	}
	i := uint32(len(t.clusters))
	t.clusters = append(t.clusters, s)
	t.clusterAt[s] = i
	return i, true
}

// internBytes is InternCluster without an allocation for what is known.
func (t *Table) internBytes(b []byte) (uint32, bool) {
	if i, ok := t.clusterAt[string(b)]; ok {
		return i, true
	}
	return t.InternCluster(string(b))
}

// InternExt returns the index of a record; the zero Ext is 0. It is false when
// the table is full.
func (t *Table) InternExt(e Ext) (uint16, bool) {
	if e == (Ext{}) {
		return 0, true
	}
	if i, ok := t.extAt[e]; ok {
		return i, true
	}
	if len(t.exts) >= maxExts-1 {
		return 0, false
	}
	if t.extAt == nil {
		t.extAt = make(map[Ext]uint16)
	}
	t.exts = append(t.exts, e)
	t.linkBytes += e.linkBytes()
	i := uint16(len(t.exts))
	t.extAt[e] = i
	return i, true
}

func (e *Ext) linkBytes() int { return len(e.LinkID) + len(e.LinkURI) }

// Import returns c, made for table from, as a cell for t. What does not fit
// any more loses its link or becomes its cluster's first rune.
func (t *Table) Import(from *Table, c Cell) Cell {
	if t == from {
		return c
	}
	if c.Ch&CellCluster != 0 {
		s := from.Cluster(c.Ch & CellRune)
		if i, ok := t.InternCluster(s); ok {
			c.Ch = c.Ch&^CellRune | i
		} else {
			c.Ch = c.Ch&^(CellCluster|CellRune) | firstRune(s)
		}
	}
	if c.Ext() != 0 {
		i, _ := t.InternExt(from.Ext(c.Ext()))
		c.SetExt(i)
	}
	return c
}

// Len returns how many clusters and records the table holds, for its owner to
// decide when to sweep.
func (t *Table) Len() (clusters, exts int) { return len(t.clusters), len(t.exts) }

// Reset forgets everything. Cells made for the table are void.
func (t *Table) Reset() { *t = Table{} }
