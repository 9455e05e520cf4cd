package split

import (
	"encoding/json"
	"errors"
	"fmt"
)

// maxDepth bounds what is read from disk or from a client, so that no document can exhaust the stack.
const maxDepth = 64

// MarshalJSON writes the root node, null for the empty tree.
func (t Tree) MarshalJSON() ([]byte, error) { return json.Marshal(t.root) }

// UnmarshalJSON reads what MarshalJSON wrote. It refuses a tree that no sequence of splits could have made.
func (t *Tree) UnmarshalJSON(data []byte) error {
	var root *Node
	if err := json.Unmarshal(data, &root); err != nil {
		return fmt.Errorf("read split tree: %w", err)
	}
	if root != nil {
		if err := root.check(map[string]bool{}, maxDepth); err != nil {
			return fmt.Errorf("read split tree: %w", err)
		}
	}
	t.root = root
	return nil
}

func (n *Node) check(seen map[string]bool, depth int) error {
	switch {
	case depth == 0:
		return errors.New("too deep")
	case n.First == nil && n.Second == nil:
		if n.Pane == "" || n.Direction != "" || seen[n.Pane] {
			return fmt.Errorf("bad or repeated leaf %q", n.Pane)
		}
		seen[n.Pane] = true
		return nil
	case n.First == nil || n.Second == nil || n.Pane != "" || !n.Direction.Valid():
		return errors.New("a group needs a direction and two children, and no pane")
	case n.Ratio < minRatio || n.Ratio > maxRatio:
		return fmt.Errorf("ratio %v is not between %v and %v", n.Ratio, minRatio, maxRatio)
	}
	if err := n.First.check(seen, depth-1); err != nil {
		return err
	}
	return n.Second.check(seen, depth-1)
}
