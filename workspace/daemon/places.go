package daemon

import (
	"context"
	"time"

	"moorage/workspace"
)

// maxPlaces bounds how many clients' places are kept; who was away longest is forgotten first.
const maxPlaces = 100

// clientPlace is where a client was last.
type clientPlace struct {
	workspace.TabRef
	Seen time.Time `json:"seen"`
}

// notePlace remembers where a client is. The index has it soon, with the titles.
func (s *state) notePlace(client string, at workspace.TabRef) {
	s.places[client] = clientPlace{at, s.now()}
	s.placesNew = true
	for len(s.places) > maxPlaces {
		oldest := client
		for c, p := range s.places {
			if p.Seen.Before(s.places[oldest].Seen) {
				oldest = c
			}
		}
		delete(s.places, oldest)
	}
}

// place answers where a client was last, if that is still there.
func (d *daemon) place(ctx context.Context, p workspace.PlaceOf) (any, error) {
	var at workspace.TabRef
	err := d.do(ctx, func(s *state) error {
		known := s.places[p.Client].TabRef
		task, ok := s.tasks[known.Task]
		if !ok {
			return nil
		}
		at.Task = known.Task
		if _, ok := task.Tab(known.Tab); ok {
			at.Tab = known.Tab
		}
		return nil
	})
	return at, err
}
