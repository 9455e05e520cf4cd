package ui

import (
	"context"
	"strings"
	"testing"

	"moorage/workspace"
)

func TestADaemonThatTakesItsTimeIsNamed(t *testing.T) {
	b := newBench(t, 100, 12)
	run, _ := b.m.request("new tab", func(context.Context) (outcome, error) { return outcome{}, nil })
	b.send(ScreenMsg{})
	if strings.Contains(b.screen(), "new tab…") {
		t.Fatalf("named at once:\n%s", b.screen())
	}
	b.send(slowMsg(b.m.asked.seq))
	if !strings.Contains(b.screen(), "new tab…") {
		t.Fatalf("not named after %v:\n%s", slowAfter, b.screen())
	}
	b.send(run())
	if strings.Contains(b.screen(), "new tab…") {
		t.Fatalf("still named when it is answered:\n%s", b.screen())
	}
	b.send(slowMsg(b.m.asked.seq)) // the clock of a request that is answered
	if len(b.m.asked.open) != 0 {
		t.Fatalf("remembered: %+v", b.m.asked)
	}
}

func TestAnAnswerThatNeverComesSaysThatTheWorkMayStillBeDone(t *testing.T) {
	run := call(1, "close tab", 1, func(ctx context.Context) (outcome, error) {
		<-ctx.Done()
		return outcome{}, ctx.Err()
	})
	if got := workspace.AsError(run().err).Message; !strings.Contains(got, "may still do it") {
		t.Fatalf("said: %s", got)
	}
}
