package ui

import (
	"errors"
	"testing"
	"time"

	"moorage/workspace"
)

func someConversations() workspace.Conversations {
	ago := func(d time.Duration) time.Time { return time.Now().Add(-d) }
	return workspace.Conversations{
		List: []workspace.Conversation{
			{
				Engine: "claude", ID: "4b8d9d7e-f21e-4476-8427-0740d1f34fd1", Dir: "/w/login", First: "make the login form remember who was here last, please", Forks: true,
				Changed: ago(90 * time.Second), Size: 182_300, Tab: workspace.TabRef{Task: "L", Tab: "tab-1"}, Label: "agent",
			},
			{Engine: "codex", ID: "01a22b43-8e72-7443-b183-c06c9d0e", Dir: "/w/login", First: "why is \x1b[31mit\x1b[0m red?", Forks: true, Changed: ago(3 * time.Hour), Size: 4200},
			{Engine: "copilot", ID: "3c68ef75-b71b", Dir: "/w/login/web", First: "hello", Changed: ago(400 * 24 * time.Hour), Size: 900},
		},
		Engines: []string{"claude", "codex", "gemini"},
	}
}

func TestAConversationIsTakenUp(t *testing.T) {
	for _, size := range sizes {
		b := inWorld(t, size, twoProjects(), "L")
		b.git.conversations = someConversations()
		b.keys("\x01y")
		b.golden("conversations")
		b.keys("\r")
		b.keys("\x01y")
		b.keys("jf")
		b.keys("\x01y")
		b.keys("jjf") // it cannot
		b.shows("copilot cannot fork")
		b.keys("h")
		b.golden("handover")
		b.keys("2")
		want := []workspace.ConversationOpen{
			{Task: "L", Engine: "claude", ID: "4b8d9d7e-f21e-4476-8427-0740d1f34fd1", How: workspace.Continue},
			{Task: "L", Engine: "codex", ID: "01a22b43-8e72-7443-b183-c06c9d0e", How: workspace.ForkOff},
			{Task: "L", Engine: "copilot", ID: "3c68ef75-b71b", How: workspace.HandOver, To: "codex"},
		}
		if len(b.git.taken) != len(want) {
			t.Fatalf("taken up: %+v", b.git.taken)
		}
		for i, got := range b.git.taken {
			if want[i].Size = b.m.paneSize(); got != want[i] {
				t.Errorf("taken up: %+v, want %+v", got, want[i])
			}
		}
		if b.m.dialog != nil {
			t.Error("the page stays")
		}
	}
}

func TestThePageOfConversationsSaysWhyItIsEmpty(t *testing.T) {
	b := inWorld(t, Size{80, 24}, twoProjects(), "L")
	b.keys("\x01y")
	b.shows("no engine has had a conversation here")
	b.keys("\rfhjk") // there is nothing to do it to
	b.keys("q")
	b.git.conversations.Unread = []string{"codex"}
	b.keys("\x01y")
	b.shows("nobody could look into the stores of [codex]")
	b.escape()
	b.git.err = errors.New("the daemon is away")
	b.keys("\x01y")
	b.shows("the daemon is away")
	if len(b.git.taken) != 0 {
		t.Errorf("taken up: %+v", b.git.taken)
	}
}
