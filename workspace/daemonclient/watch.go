package daemonclient

import (
	"context"
	"time"

	"moorage/workspace"
)

// The pause before the daemon is dialled again doubles from the first to the last of these.
const (
	firstRetry = 50 * time.Millisecond
	lastRetry  = 5 * time.Second
)

// Picture is the workspace as a watcher knows it.
type Picture struct {
	// Client talks to the daemon that the snapshot came from; nil while the daemon is away.
	Client *Client
	// Snapshot is the latest that is known, the last one from before while the daemon is away.
	Snapshot workspace.Snapshot
	// Away is when the daemon went away, zero while it is there, and Cause why it cannot be reached.
	Away  time.Time
	Cause error
}

// Watch keeps a picture of the workspace and calls show with each new one, from its own goroutine, one at a time: while show is busy
// changes gather into one. It dials the daemon, starts it when it is absent and cfg can, and does both again, less and less
// often, when it is lost. It returns ctx's error when ctx ends, the connection then being closed; nothing else ends it.
func Watch(ctx context.Context, cfg Config, show func(Picture)) error {
	var picture Picture
	retry := firstRetry
	for {
		c, err := Ensure(ctx, cfg)
		if err == nil {
			if err = follow(ctx, c, &picture, show); picture.Away.IsZero() {
				retry = firstRetry
			}
			c.Close()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		picture.Client, picture.Cause = nil, err
		if picture.Away.IsZero() {
			picture.Away = time.Now()
		}
		show(picture)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(retry):
		}
		retry = min(2*retry, lastRetry)
	}
}

// follow shows what the daemon says until it is lost.
func follow(ctx context.Context, c *Client, picture *Picture, show func(Picture)) error {
	snapshot, err := c.Subscribe(ctx)
	if err != nil {
		return err
	}
	*picture = Picture{Client: c, Snapshot: snapshot}
	for {
		show(*picture)
		delta, err := c.Next(ctx)
		if err != nil {
			return err
		}
		picture.Snapshot = picture.Snapshot.Apply(delta)
	}
}
