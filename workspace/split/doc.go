// Package split is the tree behind a tab: leaves are panes, inner nodes divide an area to the right or downwards by a
// ratio. It knows panes by their ids only, and areas in terminal cells.
//
// It is pure: trees are values that no function changes, so that one may be published, stored and laid out by several
// goroutines at once. It has no clock, no I/O, no goroutine, and imports nothing of moorage's.
//
// Failure: an operation on a pane or path that the tree lacks returns the tree as it was and false. A layout exists for every
// area, also for one that is too small for its panes; some rectangles are then empty.
package split
