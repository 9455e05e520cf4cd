package split

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var sides = []Side{ToLeft, ToRight, ToUp, ToDown}

// drawTree makes any tree that a user could.
func drawTree(t *rapid.T) Tree {
	tree := Leaf("pane-1")
	for n := range rapid.IntRange(0, 12).Draw(t, "splits") {
		at := rapid.SampledFrom(tree.Panes()).Draw(t, "at")
		d := rapid.SampledFrom([]Direction{Right, Down}).Draw(t, "direction")
		tree, _ = tree.Split(at, fmt.Sprintf("pane-%d", n+2), d)
		for _, border := range tree.Layout(Rect{0, 0, 500, 500}).Borders {
			if rapid.Bool().Draw(t, "move") {
				tree, _ = tree.SetRatio(border.Path, rapid.Float64Range(-1, 2).Draw(t, "ratio"))
			}
		}
	}
	return tree
}

func drawArea(t *rapid.T) Rect {
	size := rapid.OneOf(rapid.IntRange(-1, 12), rapid.IntRange(1, 300))
	return Rect{
		X: rapid.IntRange(0, 50).Draw(t, "x"), Y: rapid.IntRange(0, 50).Draw(t, "y"),
		W: size.Draw(t, "w"), H: size.Draw(t, "h"),
	}
}

func equal(a, b Tree) bool { return reflect.DeepEqual(a.root, b.root) }

func TestALayoutCoversEachCellExactlyOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, area := drawTree(t), drawArea(t)
		l := tree.Layout(area)
		seen := map[[2]int]int{}
		count := func(r Rect) {
			for y := r.Y; y < r.Y+r.H; y++ {
				for x := r.X; x < r.X+r.W; x++ {
					seen[[2]int{x, y}]++
				}
			}
		}
		for _, p := range l.Panes {
			count(p.Rect)
		}
		for _, b := range l.Borders {
			count(b.Rect)
		}
		for cell, n := range seen {
			if n != 1 || !area.Contains(cell[0], cell[1]) {
				t.Fatalf("cell %v is covered %d times in %+v", cell, n, area)
			}
		}
		if want := max(area.W, 0) * max(area.H, 0); len(seen) != want {
			t.Fatalf("%d cells of %d are covered", len(seen), want)
		}
		if len(l.Panes) != len(tree.Panes()) {
			t.Fatalf("%d of %d panes are laid out", len(l.Panes), len(tree.Panes()))
		}
	})
}

func TestRemovingWhatWasSplitOffRestoresTheTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t)
		at := rapid.SampledFrom(tree.Panes()).Draw(t, "at")
		split, ok := tree.Split(at, "fresh", rapid.SampledFrom([]Direction{Right, Down}).Draw(t, "direction"))
		if !ok {
			t.Fatal("not split")
		}
		back, ok := split.Remove("fresh")
		if !ok || !equal(back, tree) {
			t.Fatalf("got %v", back)
		}
	})
}

func TestPanesLeaveInAnyOrderUntilNoneIsLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t)
		for panes := tree.Panes(); len(panes) > 0; panes = tree.Panes() {
			gone := rapid.SampledFrom(panes).Draw(t, "gone")
			tree, _ = tree.Remove(gone)
			want := slices.DeleteFunc(panes, func(p string) bool { return p == gone })
			if got := tree.Panes(); !slices.Equal(got, want) {
				t.Fatalf("left %v, want %v", got, want)
			}
			if err := check(tree); err != nil {
				t.Fatal(err)
			}
		}
		if !tree.Empty() {
			t.Fatal("not empty")
		}
	})
}

func check(t Tree) error {
	if t.root == nil {
		return nil
	}
	return t.root.check(map[string]bool{}, maxDepth)
}

func TestATreeSurvivesItsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t)
		data, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		var back Tree
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		if !equal(back, tree) {
			t.Fatalf("%s came back as another tree", data)
		}
	})
}

func TestTheJSONIsStable(t *testing.T) {
	tree, _ := Leaf("pane-1").Split("pane-1", "pane-2", Right)
	tree, _ = tree.Split("pane-2", "pane-3", Down)
	tree, _ = tree.SetRatio("1", 0.25)
	const want = `{"direction":"right","ratio":0.5,"first":{"pane":"pane-1"},` +
		`"second":{"direction":"down","ratio":0.25,"first":{"pane":"pane-2"},"second":{"pane":"pane-3"}}}`
	got, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	if got, _ := json.Marshal(Tree{}); string(got) != "null" {
		t.Errorf("the empty tree is %s", got)
	}
}

func TestATreeThatNoSplitsCouldMakeIsNotRead(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"direction":"right","ratio":0.5,"first":{"pane":"a"}}`, `{"pane":"a","direction":"right"}`,
		`{"direction":"up","ratio":0.5,"first":{"pane":"a"},"second":{"pane":"b"}}`,
		`{"direction":"right","ratio":0.5,"first":{"pane":"a"},"second":{"pane":"a"}}`,
		`{"direction":"right","ratio":7,"first":{"pane":"a"},"second":{"pane":"b"}}`, `[]`,
	} {
		var tree Tree
		if err := json.Unmarshal([]byte(text), &tree); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

func TestANeighbourTouchesAndIsOnThatSide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, area := drawTree(t), Rect{0, 0, rapid.IntRange(1, 200).Draw(t, "w"), rapid.IntRange(1, 100).Draw(t, "h")}
		l := tree.Layout(area)
		pane := rapid.SampledFrom(tree.Panes()).Draw(t, "pane")
		from, _ := l.Pane(pane)
		for _, side := range sides {
			other, ok := tree.Neighbour(pane, side, area)
			if !ok {
				continue
			}
			to, _ := l.Pane(other)
			if to.Empty() || commonEdge(from, to, side) == 0 {
				t.Fatalf("%s of %+v is %+v", side, from, to)
			}
		}
	})
}

func TestTheNeighbourHasTheLongestCommonEdge(t *testing.T) {
	// 1 | 2
	//   |---
	//   | 3   (taller)
	tree, _ := Leaf("1").Split("1", "2", Right)
	tree, _ = tree.Split("2", "3", Down)
	tree, _ = tree.SetRatio("1", 0.3)
	area := Rect{0, 0, 81, 41}
	for _, c := range []struct {
		from string
		side Side
		want string
	}{{"1", ToRight, "3"}, {"2", ToLeft, "1"}, {"3", ToUp, "2"}, {"2", ToDown, "3"}, {"1", ToLeft, ""}, {"3", ToDown, ""}, {"nope", ToUp, ""}} {
		if got, _ := tree.Neighbour(c.from, c.side, area); got != c.want {
			t.Errorf("%s of %s is %q, want %q", c.side, c.from, got, c.want)
		}
	}
}

func TestMovingABorderMovesItByThatManyCells(t *testing.T) {
	tree, _ := Leaf("1").Split("1", "2", Right)
	area := Rect{0, 0, 101, 30}
	moved, ok := tree.MoveBorder("", 7, area)
	if got, _ := moved.Layout(area).Pane("1"); !ok || got.W != 57 {
		t.Errorf("the first pane is %d wide", got.W)
	}
	stopped, _ := tree.MoveBorder("", 1000, area)
	if got, _ := stopped.Layout(area).Pane("2"); got.W != MinCols {
		t.Errorf("the second pane is %d wide, want %d", got.W, MinCols)
	}
	if _, ok := stopped.MoveBorder("", 1, area); ok {
		t.Error("the border moved beyond the smallest pane")
	}
}

func TestAnyBorderMovesInAnyAreaWithoutLosingAPane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, area := drawTree(t), drawArea(t)
		for range 4 {
			pane := rapid.SampledFrom(tree.Panes()).Draw(t, "pane")
			side := rapid.SampledFrom(sides).Draw(t, "side")
			next, ok := tree.ResizePane(pane, side, rapid.IntRange(-300, 300).Draw(t, "cells"), area)
			if !ok && !equal(next, tree) {
				t.Fatal("changed though it said no")
			}
			if !slices.Equal(next.Panes(), tree.Panes()) {
				t.Fatal("panes changed")
			}
			if err := check(next); err != nil {
				t.Fatal(err)
			}
			tree = next
		}
	})
}

func TestAPaneGrowsOutwardsOnTheSideThatIsNamed(t *testing.T) {
	tree, _ := Leaf("1").Split("1", "2", Right)
	area := Rect{0, 0, 101, 30}
	for _, c := range []struct {
		pane string
		side Side
		want int // width of pane 1
	}{{"1", ToRight, 53}, {"2", ToLeft, 47}, {"1", ToLeft, 50}, {"1", ToDown, 50}} {
		next, _ := tree.ResizePane(c.pane, c.side, 3, area)
		if got, _ := next.Layout(area).Pane("1"); got.W != c.want {
			t.Errorf("%s to the %s: pane 1 is %d wide, want %d", c.pane, c.side, got.W, c.want)
		}
	}
}

func TestASplitNeedsRoomForTwoSmallestPanes(t *testing.T) {
	for _, c := range []struct {
		w, h int
		d    Direction
		want bool
	}{{41, 6, Right, true}, {40, 6, Right, false}, {41, 5, Right, false}, {20, 13, Down, true}, {20, 12, Down, false}, {19, 13, Down, false}, {1, 1, Down, false}, {80, 24, "up", false}} {
		if got := CanSplit(Rect{0, 0, c.w, c.h}, c.d); got != c.want {
			t.Errorf("%dx%d %s: %v", c.w, c.h, c.d, got)
		}
	}
}

func TestGoingRoundThePanesComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t)
		start := rapid.SampledFrom(tree.Panes()).Draw(t, "start")
		at := start
		for range tree.Panes() {
			next, ok := tree.Next(at)
			back, _ := tree.Prev(next)
			if !ok || back != at {
				t.Fatalf("after %s comes %s, before that %s", at, next, back)
			}
			at = next
		}
		if at != start {
			t.Fatalf("ended at %s, not %s", at, start)
		}
	})
}
