//go:build unix

package e2e

import (
	"strings"
	"testing"
)

// conversation is one as `moorage api conversations` lists it.
type conversation struct {
	Engine string `json:"engine"`
	ID     string `json:"session_id"`
	First  string `json:"first_prompt"`
	Path   string `json:"transcript_path"`
	Tab    struct {
		Tab string `json:"tab"`
	} `json:"tab"`
}

func (in *instance) conversations(task string) []conversation {
	in.t.Helper()
	var list struct {
		Conversations []conversation `json:"conversations"`
	}
	in.api(&list, "conversations", task)
	return list.Conversations
}

func TestACodexWithoutHooksIsTakenUpAgainButNotCalledResumed(t *testing.T) {
	in := start(t)
	in.engines()
	task := in.addTask(in.project("p"), "--", "codex")
	in.engineRuns(task, "tab-1")
	in.types(task, "tab-1", "say one")
	in.becomes(task, "tab-1", "finished")
	list := in.conversations(task)
	if len(list) != 1 || list[0].First != "say one" || list[0].Tab.Tab != "" {
		t.Fatalf("listed: %+v", list)
	}
	in.reboot()
	report := in.restore("--all")
	if len(report.Lines) != 1 || report.Lines[0].Outcome != "relaunched" || !strings.Contains(report.Lines[0].Reason, list[0].ID) {
		t.Errorf("restored: %+v", report.Lines)
	}
	if got := in.engineRuns(task, "tab-1").Conversation; got != list[0].ID {
		t.Errorf("it is in %q, and was in %q", got, list[0].ID)
	}
}

func TestAConversationThatNoTabHasIsTakenUpOverSSH(t *testing.T) {
	in := start(t)
	in.engines()
	in.allowHooks()
	task := in.addTask(in.project("p"), "--", "claude")
	in.engineRuns(task, "tab-1")
	in.types(task, "tab-1", "say one")
	first := in.becomes(task, "tab-1", "finished")
	in.addTab(task, "--", "sleep", "1000")
	in.api(nil, "tab-close", task+"/tab-1")

	c := in.attach(120, 40, "-o", "SetEnv=MOORAGE_OPEN="+task)
	c.sees("sleep")
	c.send("\x01y")
	c.sees("say one")
	c.send("\r")
	c.sees("resumed " + first.Conversation)
	if got := in.engineRuns(task, "tab-3").Conversation; got != first.Conversation {
		t.Errorf("it goes on with %q, not with %q", got, first.Conversation)
	}
	// A copy of it is another conversation, and has its tab.
	c.send("\x01y")
	c.sees("has the tab")
	c.send("f")
	eventually(t, "the fork runs", func() bool { return in.engineTab(task, "tab-4").running() }, nil)
	if fork := in.engineTab(task, "tab-4").Conversation; fork == "" || fork == first.Conversation {
		t.Errorf("the fork is %q, it was forked from %q", fork, first.Conversation)
	}
	// Another engine is told where it lies, once.
	in.api(nil, "take-up", task, "--engine", "claude", "--session-id", first.Conversation, "--how", "handover", "--to", "codex")
	in.eventually("it was told", func() bool {
		return strings.Count(in.file("prompts"), "transcript of that conversation is") == 1 && strings.Contains(in.file("prompts"), first.Conversation)
	})
	in.reboot()
	in.restore("--all")
	in.engineRuns(task, "tab-5")
	if n := strings.Count(in.file("prompts"), "transcript of that conversation is"); n != 1 {
		t.Errorf("it was told %d times", n)
	}
}
