package sshd

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"moorage/workspace"
)

func TestTheFloorIsOneClients(t *testing.T) {
	var f floor
	freed := 0
	a := &floorPlace{floor: &f, freed: func() { freed++ }}
	b := &floorPlace{floor: &f, freed: func() { freed++ }}
	if !a.Take() || b.Take() || !a.Take() {
		t.Error("both have it, or neither")
	}
	b.Leave() // it has nothing
	if freed != 0 || b.Take() {
		t.Error("another one's floor was given up")
	}
	a.Leave()
	a.Leave()
	if freed != 1 || !b.Take() {
		t.Errorf("freed %d times", freed)
	}
}

func TestTheDaemonIsToldOnceWhoWasTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var got []workspace.Told
		ta := newTally(func(_ context.Context, told workspace.Told) error {
			got = append(got, told)
			return nil
		})
		done := make(chan struct{})
		go func() {
			defer close(done)
			ta.run(ctx)
		}()
		ta.add("1", "me", false)
		ta.add("1", "you", true)
		synctest.Wait()
		ta.add("1", "them", false)
		for i := range 2 * maxTallied {
			ta.add(string(rune('a'+i)), "me", false)
		}
		time.Sleep(2 * tallyFor) // of the bubble
		cancel()
		<-done
		i := slices.IndexFunc(got, func(told workspace.Told) bool { return told.ID == "1" })
		if len(got) != maxTallied || i < 0 || got[i].Told != 2 || got[i].Looking != 1 || !slices.Equal(got[i].Lookers, []string{"you"}) {
			t.Errorf("told of %d items: %+v", len(got), got[:min(len(got), 3)])
		}
	})
}
