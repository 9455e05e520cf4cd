package bus

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
)

type change = Change[string, int]

func TestASubscriberGetsTheSnapshotAndThenOnlyWhatChanged(t *testing.T) {
	var b Bus[string, int]
	b.Publish(change{Key: "a", Value: 1}, change{Key: "b", Value: 2})
	snapshot, sub := b.Subscribe()
	defer sub.Close()
	if len(snapshot) != 2 || snapshot["a"] != 1 {
		t.Errorf("snapshot %v", snapshot)
	}
	b.Publish(change{Key: "b", Value: 3})
	batch, err := sub.Next(t.Context())
	if err != nil || batch.Fresh || len(batch.Changes) != 1 || batch.Changes[0] != (change{Key: "b", Value: 3}) {
		t.Errorf("got %+v, %v", batch, err)
	}
}

func TestASlowSubscriberGetsTheLatestOfEachKeyOnce(t *testing.T) {
	var b Bus[string, int]
	_, sub := b.Subscribe()
	defer sub.Close()
	for n := range 1000 {
		b.Publish(change{Key: "a", Value: n})
	}
	b.Publish(change{Key: "b", Value: 1}, change{Key: "c", Value: 1})
	b.Publish(change{Key: "c", Gone: true})
	batch, err := sub.Next(t.Context())
	if err != nil || len(batch.Changes) != 3 {
		t.Fatalf("got %+v, %v", batch, err)
	}
	for _, c := range batch.Changes {
		want := map[string]change{"a": {Key: "a", Value: 999}, "b": {Key: "b", Value: 1}, "c": {Key: "c", Gone: true}}[c.Key]
		if c != want {
			t.Errorf("got %+v, want %+v", c, want)
		}
	}
}

func TestASubscriberThatMissedTooMuchStartsOver(t *testing.T) {
	var b Bus[string, int]
	_, sub := b.Subscribe()
	defer sub.Close()
	for n := range maxPending + 10 {
		b.Publish(change{Key: strconv.Itoa(n), Value: n})
		b.Publish(change{Key: strconv.Itoa(n), Gone: true})
	}
	b.Publish(change{Key: "kept", Value: 1})
	batch, err := sub.Next(t.Context())
	if err != nil || !batch.Fresh || len(batch.Changes) != 1 || batch.Changes[0].Key != "kept" {
		t.Errorf("got fresh %v, %d changes, %v", batch.Fresh, len(batch.Changes), err)
	}
}

func TestNothingIsLostBetweenSnapshotAndDeltas(t *testing.T) {
	var b Bus[int, int]
	const keys = 200
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := range keys {
			b.Publish(Change[int, int]{Key: n, Value: n})
		}
	})
	for range 8 {
		wg.Go(func() {
			have, sub := b.Subscribe()
			defer sub.Close()
			for len(have) < keys {
				batch, err := sub.Next(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				for _, c := range batch.Changes {
					have[c.Key] = c.Value
				}
			}
		})
	}
	wg.Wait()
}

func TestAWaitingNextEndsWithItsContextAndWithClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b Bus[string, int]
		for name, end := range map[string]func(context.CancelFunc, *Subscription[string, int]){
			"context": func(cancel context.CancelFunc, _ *Subscription[string, int]) { cancel() },
			"close":   func(_ context.CancelFunc, sub *Subscription[string, int]) { sub.Close(); sub.Close() },
		} {
			ctx, cancel := context.WithCancel(t.Context())
			_, sub := b.Subscribe()
			got := make(chan error, 1)
			go func() {
				_, err := sub.Next(ctx)
				got <- err
			}()
			synctest.Wait()
			end(cancel, sub)
			if err := <-got; !errors.Is(err, context.Canceled) && !errors.Is(err, ErrClosed) {
				t.Errorf("%s: %v", name, err)
			}
			sub.Close()
			cancel()
		}
	})
}
