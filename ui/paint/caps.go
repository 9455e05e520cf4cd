package paint

import "github.com/charmbracelet/colorprofile"

// Caps is what a client's terminal can do. The zero Caps is a terminal without
// colours, of which nothing but ECMA-48's basics is assumed.
type Caps struct {
	Profile colorprofile.Profile

	Sync             bool // mode 2026
	REP              bool // CSI b repeats the last character
	ECH              bool // CSI X erases without moving
	BCE              bool // erasing takes the current background
	Hyperlinks       bool // OSC 8
	CursorShapes     bool // DECSCUSR
	CursorColor      bool // OSC 12 and 112
	StyledUnderlines bool // SGR 4:n, 58 and 59
	UnicodeCore      bool // mode 2027: it measures clusters as we do
	TitleStack       bool // CSI 22 t and 23 t
	Kitty            bool // the kitty keyboard protocol
	ModifyOtherKeys  bool // XTMODKEYS
}
