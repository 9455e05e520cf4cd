package input

import (
	"strconv"
	"unicode/utf8"

	"moorage/ptyhost/vt"
)

// wheelLines is how many arrow keys a step of the wheel is, on an alternate
// screen whose program did not ask for the pointer (mode 1007).
const wheelLines = 3

// AppendMouse appends the event as a program with modes m asked for it, and
// nothing if it did not. The coordinates are the pane's own. On the alternate
// screen the wheel becomes arrow keys, if mode 1007 is on and the program
// wants no pointer; in all other cases without tracking the event is the
// caller's to use.
func AppendMouse(dst []byte, ev Mouse, m vt.Modes) []byte {
	if m.Mouse == vt.MouseOff {
		return appendWheel(dst, ev, m)
	}
	if !wanted(ev, m.Mouse) {
		return dst
	}
	if m.Mouse == vt.MouseX10 {
		ev.Mods = 0
	}
	x, y := ev.cell()
	cb := ev.code()
	switch m.MouseEncoding {
	case vt.MouseEncodingSGRPixel:
		x, y = ev.pixel()
		return appendSGR(dst, cb, x, y, ev.Action)
	case vt.MouseEncodingSGR:
		return appendSGR(dst, cb, x, y, ev.Action)
	}
	if ev.Action == MouseRelease {
		cb = cb&^(3|mouseWheel|mouseExtra) | 3 // of which button is not told
	}
	switch m.MouseEncoding {
	case vt.MouseEncodingURXVT:
		dst = append(dst, 0x1b, '[')
		dst = appendNumbers(dst, cb+32, x+1, y+1)
		return append(dst, 'M')
	case vt.MouseEncodingUTF8:
		if x > maxUTF8Cell || y > maxUTF8Cell {
			return dst
		}
		dst = append(dst, "\x1b[M"...)
		for _, v := range [...]int{cb, x + 1, y + 1} {
			dst = utf8.AppendRune(dst, rune(v+32))
		}
		return dst
	}
	if x > maxX10Cell || y > maxX10Cell {
		return dst
	}
	return append(dst, 0x1b, '[', 'M', byte(cb+32), byte(x+1+32), byte(y+1+32))
}

// The last column that a byte, and two of UTF-8, can name.
const (
	maxX10Cell  = 255 - 32 - 1
	maxUTF8Cell = 2047 - 32 - 1
)

// wanted reports whether a program that tracks the pointer this far gets ev.
func wanted(ev Mouse, tracking vt.MouseTracking) bool {
	switch tracking {
	case vt.MouseX10:
		return ev.Action == MousePress && ev.Button >= ButtonLeft && ev.Button <= ButtonRight
	case vt.MouseNormal:
		return ev.Action != MouseMotion
	case vt.MouseButton:
		return ev.Action != MouseMotion || ev.Button != ButtonNone
	}
	return true
}

func appendSGR(dst []byte, cb, x, y int, action Action) []byte {
	dst = append(dst, "\x1b[<"...)
	dst = appendNumbers(dst, cb, x+1, y+1)
	if action == MouseRelease {
		return append(dst, 'm')
	}
	return append(dst, 'M')
}

func appendNumbers(dst []byte, a, b, c int) []byte {
	dst = strconv.AppendInt(dst, int64(a), 10)
	dst = append(dst, ';')
	dst = strconv.AppendInt(dst, int64(b), 10)
	dst = append(dst, ';')
	return strconv.AppendInt(dst, int64(c), 10)
}

func appendWheel(dst []byte, ev Mouse, m vt.Modes) []byte {
	if !m.AltScreen || !m.AltScroll {
		return dst
	}
	k := Key{Event: Press}
	switch ev.Button {
	case WheelUp:
		k.Code = Up
	case WheelDown:
		k.Code = Down
	default:
		return dst
	}
	for range wheelLines {
		dst = AppendKey(dst, k, m)
	}
	return dst
}

func (m Mouse) cellSize() (w, h int) {
	w, h = m.CellW, m.CellH
	if w <= 0 || h <= 0 {
		return 10, 20
	}
	return w, h
}

// cell is the event's position in cells from 0; never negative.
func (m Mouse) cell() (x, y int) {
	x, y = m.X, m.Y
	if m.Pixel {
		w, h := m.cellSize()
		x, y = x/w, y/h
	}
	return max(x, 0), max(y, 0)
}

// pixel is the event's position in pixels: a cell's middle, if that is all
// that is known.
func (m Mouse) pixel() (x, y int) {
	x, y = m.X, m.Y
	if !m.Pixel {
		w, h := m.cellSize()
		x, y = x*w+w/2, y*h+h/2
	}
	return max(x, 0), max(y, 0)
}
