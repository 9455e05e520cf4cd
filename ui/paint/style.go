package paint

import "moorage/ptyhost/vt"

// Style is how text looks. The zero Style is the terminal's default.
type Style struct {
	FG, BG         vt.Color
	Attr           uint32 // vt.AttrBold and the like
	Underline      vt.Underline
	UnderlineColor vt.Color
	Link           string // a URI; "" is none
}

// cell is a blank cell of this style, its link in table.
func (s Style) cell(table *vt.Table) vt.Cell {
	c := vt.Cell{FG: s.FG, BG: s.BG, At: s.Attr & vt.AttrMask}
	if s.Underline != vt.UnderlineNone {
		c.SetUnderline(s.Underline)
	}
	if s.UnderlineColor != vt.ColorDefault || s.Link != "" {
		// A full table costs a link, not the text.
		i, _ := table.InternExt(vt.Ext{Underline: s.UnderlineColor, LinkURI: s.Link})
		c.SetExt(i)
	}
	return c
}
