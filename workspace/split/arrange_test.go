package split

import (
	"fmt"
	"slices"
	"testing"
)

// row is a tree of n panes side by side, made by splitting the last one.
func row(t *testing.T, n int) Tree {
	t.Helper()
	tree, ok := Leaf("pane-1"), true
	for i := 2; i <= n; i++ {
		if tree, ok = tree.Split(fmt.Sprintf("pane-%d", i-1), fmt.Sprintf("pane-%d", i), Right); !ok {
			t.Fatal("split")
		}
	}
	return tree
}

func rects(t Tree, area Rect) []Rect {
	l := t.Layout(area)
	var list []Rect
	for _, pane := range t.Panes() {
		r, _ := l.Pane(pane)
		list = append(list, r)
	}
	return list
}

func TestEveryPresetKeepsEveryPaneInOrder(t *testing.T) {
	for n := 1; n <= 12; n++ {
		tree := row(t, n)
		for _, p := range Presets {
			got, ok := tree.Arrange(p)
			if !ok || !slices.Equal(got.Panes(), tree.Panes()) {
				t.Errorf("%s of %d: %v", p, n, got.Panes())
			}
		}
	}
	if _, ok := row(t, 3).Arrange("spiral"); ok {
		t.Error("a preset that is none")
	}
}

func TestPresetsShareTheAreaAsTheyAreNamed(t *testing.T) {
	area := Rect{W: 101, H: 41}
	even, _ := row(t, 3).Arrange(EvenHorizontal)
	for _, r := range rects(even, area) {
		if r.W != 33 || r.H != 41 {
			t.Errorf("even-horizontal: %v", r)
		}
	}
	column, _ := row(t, 4).Arrange(EvenVertical)
	for _, r := range rects(column, area) {
		if r.W != 101 || r.H < 9 || r.H > 10 {
			t.Errorf("even-vertical: %v", r)
		}
	}
	left, _ := row(t, 3).Arrange(MainLeft)
	if r := rects(left, area); r[0].W != 60 || r[0].H != 41 || r[1].X != r[2].X || r[1].H != 20 {
		t.Errorf("main-left: %v", r)
	}
	top, _ := row(t, 3).Arrange(MainTop)
	if r := rects(top, area); r[0].W != 101 || r[0].H != 24 || r[1].Y != r[2].Y || r[1].W != 50 {
		t.Errorf("main-top: %v", r)
	}
	tiled, _ := row(t, 5).Arrange(Tiled)
	if r := rects(tiled, area); r[0].Y != 0 || r[2].Y != 0 || r[3].Y == 0 || r[3].Y != r[4].Y {
		t.Errorf("tiled: %v", r)
	}
}

func TestEvenKeepsTheArrangement(t *testing.T) {
	tree := row(t, 4) // halves of halves
	for _, r := range rects(tree.Even(), Rect{W: 103, H: 10}) {
		if r.W < 24 || r.W > 26 { // the borders count in the shares
			t.Errorf("%v", r)
		}
	}
}

func TestSwapAndRotateMovePanesNotPlaces(t *testing.T) {
	tree, _ := row(t, 3).Split("pane-1", "pane-4", Down)
	area := Rect{W: 120, H: 40}
	places := rects(tree, area)
	swapped, ok := tree.Swap("pane-4", "pane-3")
	if !ok || !slices.Equal(swapped.Panes(), []string{"pane-1", "pane-3", "pane-2", "pane-4"}) || !slices.Equal(rects(swapped, area), places) {
		t.Errorf("swapped: %v", swapped.Panes())
	}
	if _, ok := tree.Swap("pane-4", "pane-9"); ok {
		t.Error("swapped with a pane that is not there")
	}
	rotated := tree.Rotate(1)
	if !slices.Equal(rotated.Panes(), []string{"pane-3", "pane-1", "pane-4", "pane-2"}) || !slices.Equal(rects(rotated, area), places) {
		t.Errorf("rotated: %v", rotated.Panes())
	}
	if back := rotated.Rotate(-1); !slices.Equal(back.Panes(), tree.Panes()) {
		t.Errorf("and back: %v", back.Panes())
	}
}
