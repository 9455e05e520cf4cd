package split

import "math"

// The smallest pane that a split may make.
const (
	MinCols = 20
	MinRows = 6
)

// Rect is an area in cells, its top left corner at X, Y.
type Rect struct {
	X, Y, W, H int
}

// Empty reports whether no cell is in r.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether the cell at x, y is in r.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// CanSplit reports whether both halves of r would be at least MinCols x MinRows. Where they would not, the caller makes a
// new tab instead.
func CanSplit(r Rect, d Direction) bool {
	first, _, second := divide(r, d, 0.5)
	for _, part := range []Rect{first, second} {
		if part.W < MinCols || part.H < MinRows {
			return false
		}
	}
	return d.Valid()
}

// PaneRect is where a pane lies. It is empty when the area was too small for all.
type PaneRect struct {
	Pane string
	Rect Rect
}

// Border is the line of one cell's width between the children of the node at Path: upright for Right, level for Down.
type Border struct {
	Path      Path
	Direction Direction
	Rect      Rect
}

// Layout is a tree laid into an area: its panes and borders cover every cell of the area exactly once.
type Layout struct {
	Area    Rect
	Panes   []PaneRect // in the tree's order
	Borders []Border   // outer before inner
}

// Layout lays the tree into area. It never fails: an area narrower than three cells has no border, and below that the
// second child is empty. An empty tree has an empty layout.
func (t Tree) Layout(area Rect) Layout {
	area.W, area.H = max(area.W, 0), max(area.H, 0)
	l := Layout{Area: area}
	if t.root != nil {
		l.place(t.root, "", area)
	}
	return l
}

// Pane is where that pane lies.
func (l Layout) Pane(pane string) (Rect, bool) {
	for _, p := range l.Panes {
		if p.Pane == pane {
			return p.Rect, true
		}
	}
	return Rect{}, false
}

// At is the pane that has the cell at x, y; false on a border or outside.
func (l Layout) At(x, y int) (string, bool) {
	for _, p := range l.Panes {
		if p.Rect.Contains(x, y) {
			return p.Pane, true
		}
	}
	return "", false
}

// BorderAt is the border that has the cell at x, y.
func (l Layout) BorderAt(x, y int) (Border, bool) {
	for _, b := range l.Borders {
		if b.Rect.Contains(x, y) {
			return b, true
		}
	}
	return Border{}, false
}

func (l *Layout) place(n *Node, path Path, area Rect) {
	if n.leaf() {
		l.Panes = append(l.Panes, PaneRect{n.Pane, area})
		return
	}
	first, border, second := divide(area, n.Direction, n.Ratio)
	if !border.Empty() {
		l.Borders = append(l.Borders, Border{path, n.Direction, border})
	}
	l.place(n.First, path+"0", first)
	l.place(n.Second, path+"1", second)
}

// divide cuts r into two parts and the border between them.
func divide(r Rect, d Direction, ratio float64) (first, border, second Rect) {
	length := r.W
	if d == Down {
		length = r.H
	}
	a, line, b := divideLength(length, ratio)
	first, border, second = r, r, r
	if d == Down {
		first.H, border.H, second.H = a, line, b
		border.Y += a
		second.Y += a + line
	} else {
		first.W, border.W, second.W = a, line, b
		border.X += a
		second.X += a + line
	}
	return first, border, second
}

// divideLength gives each side at least one cell while there are two, and the border one while there are three.
func divideLength(length int, ratio float64) (first, border, second int) {
	switch {
	case length <= 1:
		return length, 0, 0
	case length == 2:
		return 1, 0, 1
	}
	first = int(math.Round(float64(length-1) * ratio))
	first = min(max(first, 1), length-2)
	return first, 1, length - 1 - first
}
