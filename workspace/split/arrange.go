package split

import "slices"

// Preset is an arrangement that does not look at what was there before, only at the order of the panes.
type Preset string

// The presets.
const (
	EvenHorizontal Preset = "even-horizontal" // all side by side
	EvenVertical   Preset = "even-vertical"   // all below each other
	MainLeft       Preset = "main-left"       // the first left, the others below each other beside it
	MainTop        Preset = "main-top"        // the first above, the others side by side below it
	Tiled          Preset = "tiled"           // rows and columns, as equal as it goes
)

// Presets lists them in the order in which a key steps through them.
var Presets = []Preset{EvenHorizontal, EvenVertical, MainLeft, MainTop, Tiled}

// mainShare is the main pane's share of the area.
const mainShare = 0.6

// Arrange lays the panes out anew, in their order. False for a preset that is none.
func (t Tree) Arrange(p Preset) (Tree, bool) {
	panes := t.Panes()
	leaves := make([]*Node, len(panes))
	for i, pane := range panes {
		leaves[i] = &Node{Pane: pane}
	}
	if !slices.Contains(Presets, p) {
		return t, false
	}
	if len(leaves) < 2 {
		return t, true
	}
	switch p {
	case EvenHorizontal:
		return Tree{line(Right, leaves)}, true
	case EvenVertical:
		return Tree{line(Down, leaves)}, true
	case MainLeft:
		return Tree{&Node{Direction: Right, Ratio: mainShare, First: leaves[0], Second: line(Down, leaves[1:])}}, true
	case MainTop:
		return Tree{&Node{Direction: Down, Ratio: mainShare, First: leaves[0], Second: line(Right, leaves[1:])}}, true
	}
	columns := 1
	for columns*columns < len(leaves) {
		columns++
	}
	rows := (len(leaves) + columns - 1) / columns
	var lines []*Node
	for i := range rows { // the first rows get one pane more where they cannot all have as many
		n := (len(leaves) + rows - i - 1) / (rows - i)
		lines = append(lines, line(Right, leaves[:n]))
		leaves = leaves[n:]
	}
	return Tree{line(Down, lines)}, true
}

// line puts nodes one after the other, each with the same share.
func line(d Direction, nodes []*Node) *Node {
	if len(nodes) == 1 {
		return nodes[0]
	}
	return &Node{Direction: d, Ratio: 1 / float64(len(nodes)), First: nodes[0], Second: line(d, nodes[1:])}
}

// Even gives the panes of each row and each column equal shares. The arrangement stays.
func (t Tree) Even() Tree {
	if t.root == nil {
		return t
	}
	return Tree{t.root.even()}
}

func (n *Node) even() *Node {
	if n.leaf() {
		return n
	}
	first, second := n.First.along(n.Direction), n.Second.along(n.Direction)
	return &Node{Direction: n.Direction, Ratio: float64(first) / float64(first+second), First: n.First.even(), Second: n.Second.even()}
}

// along counts the panes, or groups of the other direction, that lie one after the other in n.
func (n *Node) along(d Direction) int {
	if n.leaf() || n.Direction != d {
		return 1
	}
	return n.First.along(d) + n.Second.along(d)
}

// Swap exchanges two panes. False when one of them is not in the tree.
func (t Tree) Swap(a, b string) (Tree, bool) {
	if !t.Has(a) || !t.Has(b) {
		return t, false
	}
	return t.renamed(func(pane string) string {
		switch pane {
		case a:
			return b
		case b:
			return a
		}
		return pane
	}), true
}

// Rotate moves every pane to the place of the next one, and the last to the first; backwards when by is negative.
func (t Tree) Rotate(by int) Tree {
	panes := t.Panes()
	if len(panes) == 0 {
		return t
	}
	return t.renamed(func(pane string) string {
		n := len(panes)
		return panes[((slices.Index(panes, pane)-by)%n+n)%n]
	})
}

// renamed is the tree with another pane in each place.
func (t Tree) renamed(f func(string) string) Tree {
	if t.root == nil {
		return t
	}
	return Tree{t.root.renamed(f)}
}

func (n *Node) renamed(f func(string) string) *Node {
	if n.leaf() {
		return &Node{Pane: f(n.Pane)}
	}
	return &Node{Direction: n.Direction, Ratio: n.Ratio, First: n.First.renamed(f), Second: n.Second.renamed(f)}
}
