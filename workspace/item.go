package workspace

import (
	"cmp"
	"slices"
	"time"
)

// ItemKind says why an inbox item is there.
type ItemKind string

// The kinds, in the order in which they are shown.
const (
	ItemNeedsInput  ItemKind = "needs_input"
	ItemFailed      ItemKind = "failed"
	ItemDied        ItemKind = "engine_died"
	ItemRateLimited ItemKind = "rate_limited"
	ItemFinished    ItemKind = "finished"
	ItemCalled      ItemKind = "called" // a program has called by itself: OSC 9, 777 or 99
	ItemBell        ItemKind = "bell"   // a program has rung
)

// Called reports whether a program has called by itself, rather than an engine having come to something.
func (k ItemKind) Called() bool { return k == ItemCalled || k == ItemBell }

// rank is the place of a kind in the list of what wants attention.
func (k ItemKind) rank() int {
	switch k {
	case ItemNeedsInput:
		return 0
	case ItemFailed, ItemDied, ItemRateLimited:
		return 1
	case ItemFinished:
		return 2
	}
	return 3
}

// Item is one thing that wants the user: at most one is pending for a tab, and one for a task as such.
type Item struct {
	ID     string    `json:"id"` // a ULID: a newer event makes a new item
	Task   string    `json:"task"`
	Tab    string    `json:"tab,omitempty"` // empty: of the task, no tab is known
	Kind   ItemKind  `json:"kind"`
	Engine string    `json:"engine,omitempty"`
	Title  string    `json:"title"` // what to show first: the task and tab, clean
	Text   string    `json:"text"`  // what happened, one clean line
	Time   time.Time `json:"time"`
	Resets time.Time `json:"resets,omitzero"` // of a rate limit, if it is known
	Late   bool      `json:"late,omitempty"`  // a program called while no daemon heard it: no terminal is told of that afterwards
	// Done is when it stopped being pending, and Cause why: "opened", "new turn", "replaced", "gone".
	Done  time.Time `json:"done,omitzero"`
	Cause string    `json:"cause,omitempty"`
	// Told is to how many clients' terminals it was written when it came, Looking how many of the clients were looking at the tab, and
	// Lookers who those were, by the fingerprints of their keys.
	Told    int      `json:"told,omitempty"`
	Looking int      `json:"looking,omitempty"`
	Lookers []string `json:"lookers,omitempty"`
}

// Inbox is what wants attention and what did of late. It must not be changed.
type Inbox struct {
	Pending []Item `json:"pending"` // needs input, then failed, died and limited, then finished, then called; the oldest first
	Recent  []Item `json:"recent"`  // the newest first, at most MaxRecent
}

// MaxRecent is how many items are kept that are no longer pending.
const MaxRecent = 50

// SortPending puts items into the order of Inbox.Pending.
func SortPending(items []Item) {
	slices.SortFunc(items, func(a, b Item) int {
		return cmp.Or(cmp.Compare(a.Kind.rank(), b.Kind.rank()), a.Time.Compare(b.Time), cmp.Compare(a.ID, b.ID))
	})
}

// CauseOpened is why an item is over whose target a client has opened.
const CauseOpened = "opened"

// Risen lists what is pending now and was not at before: what a client that saw before is to be told of. An item that it has seen
// does not rise again; one that another client has opened meanwhile still does.
func (in Inbox) Risen(before Inbox) []Item {
	known := make(map[string]bool)
	for _, i := range before.Pending {
		known[i.ID] = true
	}
	for _, i := range before.Recent {
		known[i.ID] = true
	}
	var risen []Item
	for _, i := range slices.Backward(in.Recent) {
		if !known[i.ID] && i.Cause == CauseOpened {
			risen = append(risen, i)
		}
	}
	for _, i := range in.Pending {
		if !known[i.ID] {
			risen = append(risen, i)
		}
	}
	return risen
}

// Count is how many items of a task are pending; of all tasks when task is "".
func (in Inbox) Count(task string) int {
	n := 0
	for _, i := range in.Pending {
		if task == "" || i.Task == task {
			n++
		}
	}
	return n
}
