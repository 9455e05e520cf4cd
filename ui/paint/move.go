package paint

import "strconv"

// unknown is a column or row that the terminal may be at, or not: in a pending
// wrap, or after a cluster whose width is disputed.
const unknown = -1

// moveTo puts the terminal's cursor at a cell by the fewest bytes (ECMA-48
// 8.3: CUU, CUD, CUF, CUB, CHA, VPA, CUP). From an unknown column only
// absolute moves will do.
func (p *Painter) moveTo(dst []byte, x, y int) []byte {
	if p.x == x && p.y == y {
		return dst
	}
	px, py := p.x, p.y
	p.x, p.y = x, y
	if py == unknown {
		return appendCUP(dst, x, y)
	}
	if py == y {
		return appendColumn(dst, px, x)
	}
	if x == 0 && y == py+1 {
		return append(dst, '\r', '\n')
	}
	cup := cupLen(x, y)
	if px == x {
		if n := rowLen(py, y); n < cup {
			return appendRow(dst, py, y)
		}
		return appendCUP(dst, x, y)
	}
	if x == 0 {
		if n := 1 + rowLen(py, y); n < cup {
			return appendRow(append(dst, '\r'), py, y)
		}
	}
	return appendCUP(dst, x, y)
}

// appendColumn moves within a row.
func appendColumn(dst []byte, from, x int) []byte {
	if x == 0 {
		return append(dst, '\r')
	}
	cha := 3 + digits(x+1)
	if from == unknown {
		return appendCSI(dst, x+1, 'G')
	}
	n, final := x-from, byte('C')
	if n < 0 {
		n, final = -n, 'D'
		if n <= cha && n <= 4 {
			for range n {
				dst = append(dst, '\b')
			}
			return dst
		}
	}
	if stepLen(n) <= cha {
		return appendCSI(dst, n, final)
	}
	return appendCSI(dst, x+1, 'G')
}

// rowLen is the length of what appendRow writes.
func rowLen(from, y int) int {
	n := y - from
	if n < 0 {
		n = -n
	}
	return min(stepLen(n), stepLen(y+1))
}

// appendRow moves within a column: relative or by VPA.
func appendRow(dst []byte, from, y int) []byte {
	n, final := y-from, byte('B')
	if n < 0 {
		n, final = -n, 'A'
	}
	if stepLen(n) <= stepLen(y+1) {
		return appendCSI(dst, n, final)
	}
	return appendCSI(dst, y+1, 'd')
}

func appendCUP(dst []byte, x, y int) []byte {
	dst = append(dst, 0x1b, '[')
	if y > 0 || x > 0 {
		if y > 0 {
			dst = appendInt(dst, y+1)
		}
		if x > 0 {
			dst = append(dst, ';')
			dst = appendInt(dst, x+1)
		}
	}
	return append(dst, 'H')
}

func cupLen(x, y int) int {
	n := 3
	if y > 0 {
		n += digits(y + 1)
	}
	if x > 0 {
		n += 1 + digits(x+1)
	}
	return n
}

// appendCSI writes CSI n final, without n if it is the default 1.
func appendCSI(dst []byte, n int, final byte) []byte {
	dst = append(dst, 0x1b, '[')
	if n != 1 {
		dst = appendInt(dst, n)
	}
	return append(dst, final)
}

func stepLen(n int) int {
	if n == 1 {
		return 3
	}
	return 3 + digits(n)
}

func digits(n int) int {
	d := 1
	for ; n >= 10; n /= 10 {
		d++
	}
	return d
}

// appendInt writes n, which is not negative, in decimal.
func appendInt(dst []byte, n int) []byte {
	if n < 100 {
		return appendByte(dst, byte(n))
	}
	return strconv.AppendInt(dst, int64(n), 10)
}
