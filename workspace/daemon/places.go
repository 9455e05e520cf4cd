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
	workspace.Place
	Seen time.Time `json:"seen"`
}

// notePlace remembers what is new of a client. The index has it soon, with the titles.
func (s *state) notePlace(client string, at workspace.Place) {
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

// notify remembers how a client wants to be told.
func (d *daemon) notify(ctx context.Context, p workspace.NotifySet) (any, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	return done{}, d.do(ctx, func(s *state) error {
		place := s.places[p.Client].Place
		place.Notify = p.Notify
		s.notePlace(p.Client, place)
		return nil
	})
}

// place answers what is remembered of a client; where it was last only if that is still there.
func (d *daemon) place(ctx context.Context, p workspace.PlaceOf) (any, error) {
	var at workspace.Place
	err := d.do(ctx, func(s *state) error {
		known := s.places[p.Client].Place
		at.Notify = known.Notify
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
