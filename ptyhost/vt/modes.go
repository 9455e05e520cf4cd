package vt

// MouseTracking says which pointer events a program asked for.
type MouseTracking uint8

// The tracking modes, by DECSET number (xterm ctlseqs, "Mouse Tracking").
const (
	MouseOff    MouseTracking = iota
	MouseX10                  // 9: presses only
	MouseNormal               // 1000: presses and releases
	MouseButton               // 1002: and motion with a button held
	MouseAny                  // 1003: and all motion
)

// MouseEncoding says how a pointer event is written.
type MouseEncoding uint8

// The encodings, by DECSET number (xterm ctlseqs, "Extended coordinates").
const (
	MouseEncodingX10      MouseEncoding = iota // CSI M Cb Cx Cy
	MouseEncodingUTF8                          // 1005
	MouseEncodingSGR                           // 1006
	MouseEncodingURXVT                         // 1015
	MouseEncodingSGRPixel                      // 1016
)

// KittyFlags are the progressive enhancements of the kitty keyboard protocol.
type KittyFlags uint8

// The flags, with the protocol's own values.
const (
	KittyDisambiguate  KittyFlags = 1 << iota // escape codes for ambiguous keys
	KittyEventTypes                           // press, repeat, release
	KittyAlternateKeys                        // shifted and base-layout key
	KittyAllAsEscape                          // also text keys as CSI u
	KittyText                                 // associated text
)

// Modes is what an attached client must know of a program's modes: how to
// write keys, pointer events, pastes and focus for it.
type Modes struct {
	AppCursor       bool // DECCKM, 1
	AppKeypad       bool // DECNKM, 66, or DECKPAM
	BackarrowBS     bool // DECBKM, 67: Backspace sends BS
	NewLine         bool // LNM, 20: Return sends CR LF
	BracketedPaste  bool // 2004
	FocusEvents     bool // 1004
	AltScreen       bool // 47, 1047 or 1049
	AltScroll       bool // 1007: on the alternate screen the wheel sends arrows
	ReverseVideo    bool // DECSCNM, 5
	SyncOutput      bool // 2026: an update is in progress
	ColorReports    bool // 2031: tell of dark and light changes
	ResizeReports   bool // 2048: in-band size reports (answered by the host)
	Mouse           MouseTracking
	MouseEncoding   MouseEncoding
	ModifyOtherKeys uint8 // XTMODKEYS resource 4: 0, 1 or 2
	Kitty           KittyFlags
}

// CursorShape is DECSCUSR's parameter: 0 the user's own, 1 and 2 block, 3 and
// 4 underline, 5 and 6 bar; odd blinks.
type CursorShape uint8

// Cursor is where the next character goes, and how that is shown. X and Y
// count from 0; with a wrap pending X is the last column.
type Cursor struct {
	X, Y    int
	Visible bool // DECTCEM
	Shape   CursorShape
	Color   Color // OSC 12; the default is the user's own
}
