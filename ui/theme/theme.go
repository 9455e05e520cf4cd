// Package theme names the styles of what moorage itself draws. It uses the 16
// palette colours, so the user's own scheme decides how they look, and
// attributes where a terminal has no colours at all.
//
// Pure; floor 3.
package theme

import (
	"moorage/ptyhost/vt"
	"moorage/ui/paint"
)

// The styles of the chrome.
var (
	Text     = paint.Style{}
	Faint    = paint.Style{Attr: vt.AttrFaint}
	Bold     = paint.Style{Attr: vt.AttrBold}
	Title    = paint.Style{FG: vt.Indexed(6), Attr: vt.AttrBold}
	Selected = paint.Style{Attr: vt.AttrInverse}
	Current  = paint.Style{FG: vt.Indexed(2), Attr: vt.AttrBold}
	Border   = paint.Style{FG: vt.Indexed(8)}
	Active   = paint.Style{FG: vt.Indexed(6)}
	Key      = paint.Style{FG: vt.Indexed(3)}
	Warn     = paint.Style{FG: vt.Indexed(3), Attr: vt.AttrBold}
	Error    = paint.Style{FG: vt.Indexed(1), Attr: vt.AttrBold}
	Banner   = paint.Style{FG: vt.Indexed(0), BG: vt.Indexed(3)}
	Toast    = paint.Style{FG: vt.Indexed(0), BG: vt.Indexed(6)}
	Dead     = paint.Style{FG: vt.Indexed(15), BG: vt.Indexed(1)}
	Tab      = paint.Style{Attr: vt.AttrFaint}
	TabShown = paint.Style{Attr: vt.AttrBold | vt.AttrInverse}
	Added    = paint.Style{FG: vt.Indexed(2)}
	Removed  = paint.Style{FG: vt.Indexed(1)}
	Attended = paint.Style{FG: vt.Indexed(5), Attr: vt.AttrBold}
)
