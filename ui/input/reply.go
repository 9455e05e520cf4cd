package input

import "moorage/ptyhost/vt"

// ReplyKind says which question of ours a Reply answers.
type ReplyKind uint8

// The answers, with the question and the form they take.
const (
	ReplyOther        ReplyKind = iota // a report that is none of the below
	ReplyDA1                           // CSI c: CSI ? Args c
	ReplyDA2                           // CSI > c: CSI > Args c
	ReplyDA3                           // CSI = c: DCS ! | Text ST
	ReplyStatus                        // CSI 5 n: CSI Args n
	ReplyCursor                        // CSI 6 n: CSI Row ; Col R
	ReplyMode                          // DECRQM: CSI ? Number ; Value $ y (Private says whether "?")
	ReplySetting                       // DECRQSS: DCS OK $ r Text ST
	ReplyVersion                       // XTVERSION: DCS > | Text ST
	ReplyCapability                    // XTGETTCAP: DCS OK + r Name = Text ST
	ReplyPalette                       // OSC 4 ; Number ; colour
	ReplyForeground                    // OSC 10 ; colour
	ReplyBackground                    // OSC 11 ; colour
	ReplyCursorColor                   // OSC 12 ; colour
	ReplyClipboard                     // OSC 52 ; Name ; Text (base64, as it came)
	ReplyKitty                         // CSI ? u: CSI ? Flags u
	ReplyModifyKeys                    // XTQMODKEYS: CSI > Number ; Value m
	ReplyGraphics                      // kitty graphics: APC G Name ; Text ST
	ReplyNotification                  // OSC 99 ; Name ; Text
	ReplyColorScheme                   // CSI ? 997 ; Value n: 1 dark, 2 light
	ReplyResize                        // in-band (mode 2048): CSI 48 ; Rows ; Cols ; Height ; Width t
	ReplyCells                         // CSI 18 t: CSI 8 ; Rows ; Cols t
	ReplyPixels                        // CSI 14 t: CSI 4 ; Height ; Width t
	ReplyCellPixels                    // CSI 16 t: CSI 6 ; Height ; Width t
)

// Reply is a terminal's answer. Which fields are set is said at its kind.
type Reply struct {
	Kind    ReplyKind
	Args    []int
	Private bool
	OK      bool // the terminal knows what was asked for
	Number  int
	Value   int
	Name    string
	Text    string
	Color   vt.Color
	Flags   vt.KittyFlags

	Row, Col      int // from 1
	Rows, Cols    int // cells
	Height, Width int // pixels
}

// Reports are those answers that a key or a stranger's bytes could be taken
// for. The owner says which it asked for; others are not believed.
type Reports uint8

// The reports that must be expected.
const (
	// ExpectCursor takes one CSI r ; c R as a cursor position. Without it
	// CSI 1 ; m R is F3 with modifiers.
	ExpectCursor Reports = 1 << iota

	// ExpectResize takes CSI 48 t, from now on (mode 2048).
	ExpectResize

	// ExpectSize takes CSI 4, 6 and 8 t, from now on.
	ExpectSize
)
