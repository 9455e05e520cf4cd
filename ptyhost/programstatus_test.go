//go:build unix

package ptyhost

import (
	"strings"
	"testing"

	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/wire"
)

// statuses follows the states that a session's program is said to be in, until one of them is last.
func statuses(t *testing.T, c *hostclient.Client, key, script, last string) (states []string, end wire.Session) {
	t.Helper()
	events := make(chan wire.SessionEvent, 1000)
	if _, err := c.Subscribe(t.Context(), func(ev wire.SessionEvent) { events <- ev }); err != nil {
		t.Fatal(err)
	}
	open(t, c, key, script)
	for ev := range events {
		state := ""
		if ev.Session.Status != nil {
			state = ev.Session.Status.State
		}
		if len(states) == 0 && state != "" || len(states) > 0 && states[len(states)-1] != state {
			states = append(states, state)
		}
		if ev.Kind == wire.SessionEnded {
			if len(states) == 0 || states[len(states)-1] != last {
				t.Errorf("the states were %q, the last is to be %q", states, last)
			}
			return states, ev.Session
		}
	}
	return states, end
}

func TestAProgramSaysWhatItDoes(t *testing.T) {
	c, _ := serve(t, nil)
	// In two pieces, with a flood of records below, and with one that breaks the protocol.
	script := `printf '\033]7501;state=working:app=x'; sleep 0.2; printf ':msg=aGk=\a'; i=0
		while [ $i -lt 300 ]; do printf '\033]7501;state=working:id=job/%d\a' $i; i=$((i+1)); done
		sleep 0.5; printf '\033]7501;state=blocked:kind=nap\a\033]7501;state=blocked:kind=permission:msg=b2s=\033\\'
		sleep 0.3; printf '\033]7501;state=done:app=x\a'`
	states, end := statuses(t, c, "t/tab-1/pane-1", script, "done")
	if strings.Join(states, " ") != "working blocked done" {
		t.Errorf("the states were %q", states)
	}
	if end.Status == nil || end.Status.App != "x" || end.Status.Below != 0 {
		t.Errorf("after its end: %+v", end.Status)
	}
}

func TestAProgramThatOnlyBlinksIsNotSaidToWork(t *testing.T) {
	c, _ := serve(t, nil)
	script := `printf '\033]7501;state=idle\a'; sleep 0.2; printf '\033]7501;state=working\a'; sleep 0.05; printf '\033]7501;state=idle\a'; sleep 0.4`
	if states, _ := statuses(t, c, "t/tab-1/pane-1", script, "idle"); len(states) != 1 {
		t.Errorf("the states were %q", states)
	}
}

func TestNothingWorksOrWaitsAfterItsEndOrAReset(t *testing.T) {
	c, _ := serve(t, nil)
	statuses(t, c, "t/tab-1/pane-1", `printf '\033]7501;state=blocked:kind=auth\a'; sleep 0.2`, "")
	statuses(t, c, "t/tab-2/pane-1", `printf '\033]7501;state=error\a'; sleep 0.2; printf '\033c'; sleep 0.2`, "")
	statuses(t, c, "t/tab-3/pane-1", `printf '\033]7501;state=error\a'; sleep 0.2; printf '\033]7501;state=clear\a'; sleep 0.2`, "")
}

func TestTheQueryForStatusIsAnsweredOnce(t *testing.T) {
	c, _ := serve(t, nil)
	s := open(t, c, "t/tab-1/pane-1", `stty raw -echo; printf '\033]7501;?\a'; dd bs=1 count=9 2>/dev/null | od -c; sleep 0.2`)
	text := ""
	for range 500 {
		r, err := c.ReadScreen(t.Context(), s.Key)
		if err != nil {
			t.Fatal(err)
		}
		if text = strings.Join(r.Lines, "\n"); strings.Contains(text, `7   5   0   1   ;   ?  \a`) {
			return
		}
	}
	t.Errorf("the screen is\n%s", text)
}
