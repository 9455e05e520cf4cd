package split

// Side is a direction on the screen.
type Side string

// The four sides.
const (
	ToLeft  Side = "left"
	ToRight Side = "right"
	ToUp    Side = "up"
	ToDown  Side = "down"
)

// Neighbour is the pane that lies next to pane on that side in area: of those that touch its border there, the one with
// the longest common edge, the first in order of equal ones. False at the area's edge.
func (t Tree) Neighbour(pane string, side Side, area Rect) (string, bool) {
	l := t.Layout(area)
	from, ok := l.Pane(pane)
	if !ok {
		return "", false
	}
	best, longest := "", 0
	for _, p := range l.Panes {
		if p.Pane == pane || p.Rect.Empty() {
			continue
		}
		if edge := commonEdge(from, p.Rect, side); edge > longest {
			best, longest = p.Pane, edge
		}
	}
	return best, longest > 0
}

// commonEdge is how many cells of from's side lie against to, 0 when to is not next to it. The gap is the border, which a
// small layout lacks.
func commonEdge(from, to Rect, side Side) int {
	var gap, edge int
	switch side {
	case ToLeft:
		gap = from.X - (to.X + to.W)
	case ToRight:
		gap = to.X - (from.X + from.W)
	case ToUp:
		gap = from.Y - (to.Y + to.H)
	case ToDown:
		gap = to.Y - (from.Y + from.H)
	default:
		return 0
	}
	if gap < 0 || gap > 1 {
		return 0
	}
	if side == ToLeft || side == ToRight {
		edge = min(from.Y+from.H, to.Y+to.H) - max(from.Y, to.Y)
	} else {
		edge = min(from.X+from.W, to.X+to.W) - max(from.X, to.X)
	}
	return max(edge, 0)
}

// MoveBorder moves the border at path by cells, to the right or downwards when positive, in that area. It stops where a pane
// on either side would become smaller than MinCols x MinRows, unless it already is.
func (t Tree) MoveBorder(path Path, cells int, area Rect) (Tree, bool) {
	node, rect, ok := t.find(path, area)
	if !ok {
		return t, false
	}
	length, smallest := rect.W, (*Node).minCols
	if node.Direction == Down {
		length, smallest = rect.H, (*Node).minRows
	}
	first, border, second := divideLength(length, node.Ratio)
	if border == 0 {
		return t, false
	}
	least, most := smallest(node.First), length-1-smallest(node.Second)
	least, most = min(least, first), max(most, first)
	to := min(max(first+cells, least), most)
	if to == first || second == 0 {
		return t, false
	}
	return t.SetRatio(path, float64(to)/float64(length-1))
}

// ResizePane moves the border on that side of pane by cells, outwards when positive. False when the pane has no border on that
// side or it cannot move.
func (t Tree) ResizePane(pane string, side Side, cells int, area Rect) (Tree, bool) {
	want := Right
	if side == ToUp || side == ToDown {
		want = Down
	}
	far := side == ToRight || side == ToDown // the border lies behind the pane: the pane is in the first child
	path, ok := t.pathTo(pane)
	if !ok {
		return t, false
	}
	for len(path) > 0 {
		step := path[len(path)-1]
		path = path[:len(path)-1]
		node, _, _ := t.find(path, area)
		if node.Direction != want || far != (step == '0') {
			continue
		}
		if !far {
			cells = -cells
		}
		return t.MoveBorder(path, cells, area)
	}
	return t, false
}

// find is the inner node at path and its area.
func (t Tree) find(path Path, area Rect) (*Node, Rect, bool) {
	n := t.root
	for _, step := range path {
		if n == nil || n.leaf() {
			return nil, Rect{}, false
		}
		first, _, second := divide(area, n.Direction, n.Ratio)
		switch step {
		case '0':
			n, area = n.First, first
		case '1':
			n, area = n.Second, second
		default:
			return nil, Rect{}, false
		}
	}
	if n == nil || n.leaf() {
		return nil, Rect{}, false
	}
	return n, area, true
}

func (t Tree) pathTo(pane string) (Path, bool) {
	if t.root == nil {
		return "", false
	}
	return t.root.pathTo(pane, "")
}

func (n *Node) pathTo(pane string, path Path) (Path, bool) {
	if n.leaf() {
		return path, n.Pane == pane
	}
	if p, ok := n.First.pathTo(pane, path+"0"); ok {
		return p, true
	}
	return n.Second.pathTo(pane, path+"1")
}

func (n *Node) minCols() int { return n.smallest(Right, MinCols) }
func (n *Node) minRows() int { return n.smallest(Down, MinRows) }

// smallest is the least length along d in which every pane below n has at least unit cells.
func (n *Node) smallest(d Direction, unit int) int {
	switch {
	case n.leaf():
		return unit
	case n.Direction == d:
		return n.First.smallest(d, unit) + 1 + n.Second.smallest(d, unit)
	}
	return max(n.First.smallest(d, unit), n.Second.smallest(d, unit))
}
