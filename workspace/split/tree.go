package split

import "slices"

// Direction says where the second child of a node lies, seen from the first.
type Direction string

// The two directions.
const (
	Right Direction = "right"
	Down  Direction = "down"
)

// Valid reports whether d is one of the two.
func (d Direction) Valid() bool { return d == Right || d == Down }

// Tree is a tab's arrangement of panes. The zero Tree has none. Its JSON is null, or a Node:
//
//	{"pane":"pane-1"}
//	{"direction":"right","ratio":0.5,"first":{...},"second":{...}}
type Tree struct {
	root *Node
}

// Node is a leaf, which has only Pane, or an inner node, which has everything else. Nodes are never changed once made.
type Node struct {
	Pane      string    `json:"pane,omitempty"`
	Direction Direction `json:"direction,omitempty"`
	Ratio     float64   `json:"ratio,omitempty"` // the first child's share, between minRatio and maxRatio
	First     *Node     `json:"first,omitempty"`
	Second    *Node     `json:"second,omitempty"`
}

const (
	minRatio = 0.01
	maxRatio = 0.99
)

func (n *Node) leaf() bool { return n.First == nil }

// Path names a node by the way to it from the root: one character a step, '0' to the first child, '1' to the second. The root
// is "". A border has the path of the node that it divides.
type Path string

// Leaf is a tree of one pane.
func Leaf(pane string) Tree { return Tree{&Node{Pane: pane}} }

// Empty reports whether the tree has no pane.
func (t Tree) Empty() bool { return t.root == nil }

// Root is the top node, nil in an empty tree, for those who walk the tree themselves. They must not change it.
func (t Tree) Root() *Node { return t.root }

// Panes lists the panes in order: a first child's before the second's, which reads left to right and top to bottom.
func (t Tree) Panes() []string {
	var panes []string
	t.root.visit(func(n *Node) { panes = append(panes, n.Pane) })
	return panes
}

func (n *Node) visit(leaf func(*Node)) {
	switch {
	case n == nil:
	case n.leaf():
		leaf(n)
	default:
		n.First.visit(leaf)
		n.Second.visit(leaf)
	}
}

// Has reports whether pane is in the tree.
func (t Tree) Has(pane string) bool { return slices.Contains(t.Panes(), pane) }

// Split divides pane in two equal parts; it keeps the first, fresh gets the second. False when pane is not in the tree or
// fresh is.
func (t Tree) Split(pane, fresh string, d Direction) (Tree, bool) {
	if !d.Valid() || fresh == "" || !t.Has(pane) || t.Has(fresh) {
		return t, false
	}
	return Tree{t.root.replace(pane, func(n *Node) *Node {
		return &Node{Direction: d, Ratio: 0.5, First: n, Second: &Node{Pane: fresh}}
	})}, true
}

// Remove takes pane out; its sibling gets the area of both, so that no group is left with one child. Removing the last
// pane leaves the empty tree.
func (t Tree) Remove(pane string) (Tree, bool) {
	if !t.Has(pane) {
		return t, false
	}
	return Tree{t.root.remove(pane)}, true
}

// Replace puts fresh in the place of pane.
func (t Tree) Replace(pane, fresh string) (Tree, bool) {
	if fresh == "" || !t.Has(pane) || t.Has(fresh) {
		return t, false
	}
	return Tree{t.root.replace(pane, func(*Node) *Node { return &Node{Pane: fresh} })}, true
}

// SetRatio gives the first child of the node at path that share of the area. It is kept within 0.01 and 0.99.
func (t Tree) SetRatio(path Path, ratio float64) (Tree, bool) {
	if ratio != ratio || t.root == nil { // NaN
		return t, false
	}
	root, ok := t.root.setRatio(path, min(max(ratio, minRatio), maxRatio))
	return Tree{root}, ok
}

// Next is the pane after pane, and the first one after the last. False when pane is not in the tree.
func (t Tree) Next(pane string) (string, bool) { return t.step(pane, 1) }

// Prev is the pane before pane, and the last one before the first.
func (t Tree) Prev(pane string) (string, bool) { return t.step(pane, -1) }

func (t Tree) step(pane string, by int) (string, bool) {
	panes := t.Panes()
	at := slices.Index(panes, pane)
	if at < 0 {
		return "", false
	}
	return panes[(at+by+len(panes))%len(panes)], true
}

// replace copies the way to the leaf of pane and puts what build returns in its place.
func (n *Node) replace(pane string, build func(*Node) *Node) *Node {
	if n.leaf() {
		if n.Pane == pane {
			return build(n)
		}
		return n
	}
	first, second := n.First.replace(pane, build), n.Second.replace(pane, build)
	if first == n.First && second == n.Second {
		return n
	}
	return &Node{Direction: n.Direction, Ratio: n.Ratio, First: first, Second: second}
}

// remove returns the node without pane, nil when nothing is left of it.
func (n *Node) remove(pane string) *Node {
	if n.leaf() {
		if n.Pane == pane {
			return nil
		}
		return n
	}
	first, second := n.First.remove(pane), n.Second.remove(pane)
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	case first == n.First && second == n.Second:
		return n
	}
	return &Node{Direction: n.Direction, Ratio: n.Ratio, First: first, Second: second}
}

func (n *Node) setRatio(path Path, ratio float64) (*Node, bool) {
	if n.leaf() {
		return n, false
	}
	fresh := *n
	if path == "" {
		fresh.Ratio = ratio
		return &fresh, true
	}
	ok := false
	switch path[0] {
	case '0':
		fresh.First, ok = n.First.setRatio(path[1:], ratio)
	case '1':
		fresh.Second, ok = n.Second.setRatio(path[1:], ratio)
	}
	if !ok {
		return n, false
	}
	return &fresh, true
}
