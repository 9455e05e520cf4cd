package input

// Mouse is one pointer event.
type Mouse struct {
	// X and Y count from 0, in cells; in pixels if Pixel is set.
	X, Y  int
	Pixel bool

	Button Button
	Action Action
	Mods   Mods // Shift, Alt and Ctrl

	// CellW and CellH are a cell's size in pixels, for a program that asked
	// for pixels (mode 1016); 0 is taken as 10 by 20.
	CellW, CellH int
}

// Button is a mouse button; the wheel's four directions count as buttons that
// are only ever pressed.
type Button uint8

// The buttons, with X11's numbers.
const (
	ButtonNone Button = iota
	ButtonLeft
	ButtonMiddle
	ButtonRight
	WheelUp
	WheelDown
	WheelLeft
	WheelRight
	ButtonBack
	ButtonForward
	Button10
	Button11
)

// IsWheel reports whether b is a direction of the wheel.
func (b Button) IsWheel() bool { return b >= WheelUp && b <= WheelRight }

// Action says what the pointer did.
type Action uint8

// The actions.
const (
	MousePress Action = iota
	MouseRelease
	MouseMotion // with Button held; none held is ButtonNone
)

// Bits of the button code Cb (xterm ctlseqs, "Mouse Tracking").
const (
	mouseShift  = 4
	mouseAlt    = 8
	mouseCtrl   = 16
	mouseMotion = 32
	mouseWheel  = 64
	mouseExtra  = 128
)

// decodeMouse reads a button code. released is SGR's final "m"; the older
// encodings say release by button 3, and not of which button.
func decodeMouse(cb int, released bool) Mouse {
	var m Mouse
	for _, mod := range []struct {
		bit int
		mod Mods
	}{{mouseShift, Shift}, {mouseAlt, Alt}, {mouseCtrl, Ctrl}} {
		if cb&mod.bit != 0 {
			m.Mods |= mod.mod
		}
	}
	low := Button(cb & 3)
	switch {
	case cb&mouseExtra != 0:
		m.Button = ButtonBack + low
	case cb&mouseWheel != 0:
		m.Button = WheelUp + low
	case low != 3:
		m.Button = ButtonLeft + low
	}
	switch {
	case cb&mouseMotion != 0:
		m.Action = MouseMotion
	case released, cb&(mouseWheel|mouseExtra) == 0 && low == 3:
		m.Action = MouseRelease
	}
	return m
}

// code is decodeMouse the other way round. Whether a release says its button
// is up to the encoding.
func (m Mouse) code() int {
	cb := 0
	switch {
	case m.Button == ButtonNone:
		cb = 3
	case m.Button >= ButtonBack:
		cb = mouseExtra | int(m.Button-ButtonBack)
	case m.Button.IsWheel():
		cb = mouseWheel | int(m.Button-WheelUp)
	default:
		cb = int(m.Button - ButtonLeft)
	}
	if m.Mods&Shift != 0 {
		cb |= mouseShift
	}
	if m.Mods&(Alt|Meta) != 0 {
		cb |= mouseAlt
	}
	if m.Mods&Ctrl != 0 {
		cb |= mouseCtrl
	}
	if m.Action == MouseMotion {
		cb |= mouseMotion
	}
	return cb
}
