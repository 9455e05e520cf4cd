package freeze

import (
	"slices"
	"time"
)

const (
	// ThawBudget is how many bytes of rings a host restores at its start; the
	// rest stays on disk until it is asked for.
	ThawBudget = 64 << 20
	// Keep is how long a record may lie untouched.
	Keep = 14 * 24 * time.Hour
)

// Plan says what a starting host does with the records.
type Plan struct {
	Thaw  []Record // newest first, within the budget
	Defer []Record // left on disk untouched
	Old   []Record // untouched for too long: to be dropped
}

// MakePlan sorts records by what is to become of them.
func MakePlan(records []Record, now time.Time, budget int, keep time.Duration) Plan {
	var p Plan
	records = slices.Clone(records)
	slices.SortFunc(records, func(a, b Record) int { return b.Frozen.Compare(a.Frozen) })
	used := 0
	for _, r := range records {
		switch {
		case now.Sub(r.Frozen) > keep:
			p.Old = append(p.Old, r)
		case len(p.Defer) > 0 || used+r.Size() > budget:
			p.Defer = append(p.Defer, r)
		default:
			used += r.Size()
			p.Thaw = append(p.Thaw, r)
		}
	}
	return p
}
