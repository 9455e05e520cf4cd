//go:build unix && engines

package e2e

import (
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moorage/cmd/internal/fakeapi"
)

// realEngine is an engine as its makers ship it, and what it takes to run it against a server of our own in a home that is thrown away.
type realEngine struct {
	name    string
	command []string
	// seed puts into the home what a user has answered before: who it is, where the model is, that the project is trusted.
	seed func(in *instance, project, url string)
	// ready is on its screen when it takes a prompt.
	ready string
	// asks is on its screen when it asks for a permission, yes gives it.
	asks, yes string
	// says tells that it starts a conversation, or is back in one, at its start; the others do at the next prompt.
	says bool
	// forks tells that it can begin with a copy of a conversation.
	forks bool
}

var realEngines = []realEngine{
	{
		name: "claude", command: []string{"claude", "--permission-mode", "manual"}, seed: seedClaude, ready: "? for shortcuts", asks: "Do you want to proceed?", yes: "\r",
		says: true, forks: true,
	},
	{name: "codex", command: []string{"codex"}, seed: seedCodex, ready: "Ask Codex", asks: "Yes, proceed (y)", yes: "y", forks: true},
	{name: "kimi", command: []string{"kimi"}, seed: seedKimi, ready: "context:", asks: "Run this command?", yes: "\r", says: true},
}

// exports adds to the environment of the user's login shell.
func (in *instance) exports(vars ...string) {
	in.t.Helper()
	profile := in.file(".bash_profile")
	for _, v := range vars {
		profile += "export " + v + "\n"
	}
	in.write(in.user, ".bash_profile", profile)
}

func seedClaude(in *instance, project, url string) {
	const key = "sk-ant-this-is-no-key-of-anybody-00000000"
	in.exports("ANTHROPIC_BASE_URL="+url, "ANTHROPIC_API_KEY="+key, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1")
	in.write(in.user, ".claude.json", fmt.Sprintf(
		`{"hasCompletedOnboarding":true,"theme":"dark","customApiKeyResponses":{"approved":[%q],"rejected":[]},"projects":{%q:{"hasTrustDialogAccepted":true}}}`,
		key[len(key)-20:], project))
}

func seedCodex(in *instance, project, url string) {
	in.write(in.user, ".codex/config.toml", fmt.Sprintf(`model = "none"
model_provider = "test"
check_for_update_on_startup = false

[model_providers.test]
name = "test"
base_url = "%s/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
requires_openai_auth = false

[projects.%q]
trust_level = "trusted"
`, url, project))
}

func seedKimi(in *instance, _, url string) {
	in.exports("KIMI_MODEL_NAME=none", "KIMI_MODEL_API_KEY=none", "KIMI_MODEL_PROVIDER_TYPE=openai", "KIMI_MODEL_BASE_URL="+url+"/v1",
		"KIMI_DISABLE_TELEMETRY=1", "KIMI_CODE_NO_AUTO_UPDATE=1", "KIMI_LOOP_MAX_ATTEMPTS_PER_STEP=1")
	if out, err := in.cli("hooks", "install", "kimi"); err != nil {
		in.t.Fatalf("hooks install: %v\n%s", err, out)
	}
}

// stage is a moorage with a project in whose main task an engine runs: two tabs of one directory, and a client over SSH that looks at the first.
type stage struct {
	*instance
	engine  realEngine
	api     *fakeapi.Server
	project string
	task    string
	other   string // the second tab
	client  *client
}

func (e realEngine) stage(t *testing.T) *stage {
	t.Helper()
	s := e.empty(t)
	if first := s.addTab(s.task, append([]string{"--"}, e.command...)...); first != "tab-1" {
		t.Fatalf("the first tab is %s", first)
	}
	s.client = s.attach(120, 40, "-o", "SetEnv=MOORAGE_OPEN="+s.task)
	s.starts("tab-1")
	s.other = s.addTab(s.task, append([]string{"--"}, e.command...)...)
	s.starts(s.other)
	return s
}

// empty is a stage without tabs, on which nobody looks.
func (e realEngine) empty(t *testing.T) *stage {
	t.Helper()
	bin := os.Getenv("MOORAGE_ENGINES")
	if bin == "" {
		t.Fatal("run `make engines`: it installs them, and says where they are in MOORAGE_ENGINES")
	}
	s := &stage{engine: e, api: fakeapi.New(), instance: start(t, "[hooks]", "codex_trust = true")}
	server := httptest.NewServer(s.api)
	t.Cleanup(server.Close)
	t.Cleanup(s.api.Release) // so that it can close
	s.project = s.repository("project", "main")
	s.exports("PATH=" + bin + ":$PATH")
	e.seed(s.instance, s.project, server.URL)
	s.allowHooks()
	if out, err := s.cli("add", s.project); err != nil {
		t.Fatalf("add: %v\n%s", err, out)
	}
	s.task = s.addTask(s.project)
	return s
}

// starts waits until the engine of a tab takes a prompt. It answers what one asks before.
func (s *stage) starts(tab string) {
	s.t.Helper()
	eventually(s.t, tab+" takes a prompt", func() bool {
		screen := s.tabScreen(tab)
		if strings.Contains(screen, "Trust this folder") {
			s.instance.api(nil, "send-keys", s.task+"/"+tab, "Enter")
		}
		return strings.Contains(screen, s.engine.ready)
	}, func() string { return s.tabScreen(tab) })
	if got := s.engineRuns(s.task, tab); got.LiveEngine != s.engine.name {
		s.t.Fatalf("what runs is %+v", got)
	}
}

func (s *stage) tabScreen(tab string) string {
	s.t.Helper()
	var r struct{ Lines []string }
	s.instance.api(&r, "read-screen", s.task+"/"+tab)
	return strings.Join(r.Lines, "\n")
}

// says types a prompt into the tab that the client looks at.
func (s *stage) says(text string) {
	s.t.Helper()
	s.client.send("\x1b[200~" + text + "\x1b[201~") // some take an Enter so soon behind typed text for a part of it
	s.client.sees(text)
	s.client.send("\r")
}

// tab is what is known of a tab's engine.
func (s *stage) tab(id string) engineTab { s.t.Helper(); return s.engineTab(s.task, id) }

func (s *stage) is(tab, activity string) engineTab {
	s.t.Helper()
	return s.becomes(s.task, tab, activity)
}

// held waits until an answer is held, and the first tab shows how it begins. One that is interrupted before is taken back.
func (s *stage) held() {
	s.t.Helper()
	eventually(s.t, "an answer is held", func() bool {
		begun := false
		for line := range strings.Lines(s.tabScreen("tab-1")) {
			words := strings.Contains(line, strings.TrimSpace(fakeapi.Begins)) && !strings.Contains(line, fakeapi.Answer)
			begun = begun || words || strings.TrimSpace(line) == "●" // Claude Code shows whole lines only
		}
		return begun && s.api.Held() == 1
	}, func() string { return s.tabScreen("tab-1") })
}

// allows gives the permission that the first tab asks for, and waits for the turn's end. An engine may overlook a key that comes too soon
// behind its question.
func (s *stage) allows() {
	s.t.Helper()
	s.client.sees(s.engine.asks)
	var tried time.Time
	eventually(s.t, "the turn ends after its question", func() bool {
		if time.Since(tried) > time.Second && strings.Contains(s.tabScreen("tab-1"), s.engine.asks) {
			s.client.send(s.engine.yes)
			tried = time.Now()
		}
		return s.tab("tab-1").Activity == "finished"
	}, func() string { return s.tabScreen("tab-1") })
}

// keeps waits until the engine has written a prompt and its answer to the disk: some do so a while after they have told of the turn's end.
func (s *stage) keeps(prompt string) {
	s.t.Helper()
	s.eventually("the transcript has the answer to "+prompt, func() (kept bool) {
		_ = filepath.WalkDir(s.user, func(path string, d fs.DirEntry, err error) error { // what cannot be read has none
			if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") {
				data, _ := os.ReadFile(path)
				_, rest, asked := strings.Cut(string(data), prompt)
				kept = kept || asked && strings.Contains(rest, fakeapi.Answer)
			}
			return nil
		})
		return kept
	})
}

// asked waits until the model was asked about a thing by somebody who had said another thing before, and nothing else.
func (s *stage) asked(last, before string) {
	s.t.Helper()
	eventually(s.t, "the model is asked about the "+last+" thing after the "+before, func() bool {
		return slices.ContainsFunc(s.api.Calls(), func(c fakeapi.Call) bool {
			all := strings.Join(c.Said, "\n")
			return strings.HasSuffix(all, "say the "+last+" thing") && strings.Contains(all, "say the "+before+" thing") && strings.Count(all, "say the") == 2
		})
	}, func() string { return fmt.Sprintf("%+v", s.api.Calls()) })
}

func TestRealEnginesTellWhatTheyDo(t *testing.T) {
	for _, e := range realEngines {
		t.Run(e.name, func(t *testing.T) {
			s := e.stage(t)
			s.says("model:hold a while")
			s.is("tab-1", "working")
			s.held()
			s.api.Release()
			first := s.is("tab-1", "finished")
			if first.Conversation == "" {
				t.Errorf("its conversation is not known: %+v", first)
			}

			s.says("model:run touch it-ran")
			if asks := s.is("tab-1", "needs_input"); !strings.Contains(asks.Why, "touch it-ran") && e.name != "codex" {
				t.Errorf("why: %q", asks.Why)
			}
			s.allows()
			if _, err := os.Stat(filepath.Join(s.project, "it-ran")); err != nil {
				t.Error(err)
			}

			s.says("model:hold until it is stopped")
			s.is("tab-1", "working")
			s.held()
			s.client.send("\x1b")
			s.is("tab-1", "idle")

			s.says("model:limit now")
			s.is("tab-1", "rate_limited")
			s.says("model:fail now")
			s.is("tab-1", "error")
			if got := s.tab("tab-1"); got.Conversation != first.Conversation {
				t.Errorf("the conversation was %q and is %q", first.Conversation, got.Conversation)
			}

			// The other tab, in the same directory: what it does is its own.
			before := s.tab("tab-1")
			s.instance.api(nil, "send", "--task-id", s.task, "--tab", s.other, "--prompt", "say hello")
			second := s.is(s.other, "finished")
			reason := func(tab engineTab) string { // its hook may say the same a moment after its status
				what, _, _ := strings.Cut(tab.Why, " (")
				return what
			}
			if now := s.tab("tab-1"); now.Activity != before.Activity || reason(now) != reason(before) || now.Conversation == second.Conversation {
				t.Errorf("the first tab was %+v and is %+v; the other is %+v", before, now, second)
			}

			s.says("/clear")
			s.client.losesSight("model:fail now")
			s.says("say something else")
			cleared := s.is("tab-1", "finished")
			if cleared.Conversation == first.Conversation || cleared.Conversation == "" || cleared.Conversation == second.Conversation {
				t.Errorf("after /clear the conversation is %q, before it was %q, the other's is %q", cleared.Conversation, first.Conversation, second.Conversation)
			}
			if now := s.tab(s.other); now.Conversation != second.Conversation || now.Activity != "finished" {
				t.Errorf("the other tab was %+v and is %+v", second, now)
			}
		})
	}
}

func TestRealEnginesComeBackIntoTheirConversations(t *testing.T) {
	for _, e := range realEngines {
		t.Run(e.name, func(t *testing.T) {
			s := e.stage(t)
			s.says("say the first thing")
			first := s.is("tab-1", "finished")
			s.instance.api(nil, "send", "--task-id", s.task, "--tab", s.other, "--prompt", "say the second thing")
			second := s.is(s.other, "finished")
			s.keeps("say the first thing")
			s.keeps("say the second thing")
			s.reboot()
			report := s.restore("--all")
			want := "unconfirmed"
			if e.says {
				want = "resumed"
			}
			if got := report.totals(); len(report.Lines) != 2 || got[want] != 2 {
				t.Errorf("restored: %+v", report.Lines)
			}
			s.client = s.attach(120, 40, "-o", "SetEnv=MOORAGE_OPEN="+s.task)
			s.starts("tab-1")
			s.starts(s.other)
			s.client.sees("say the first thing") // it shows the conversation
			s.says("say the third thing")
			s.instance.api(nil, "send", "--task-id", s.task, "--tab", s.other, "--prompt", "say the fourth thing")
			// The model is told what was said before, each of its own conversation.
			s.asked("third", "first")
			s.asked("fourth", "second")
			for tab, was := range map[string]engineTab{"tab-1": first, s.other: second} {
				if now := s.tab(tab); now.Conversation != was.Conversation {
					t.Errorf("%s was %+v and is %+v", tab, was, now)
				}
			}
			s.eventually("the report says so", func() bool {
				out, err := s.cli("report", "--json")
				return err == nil && strings.Count(out, `"resumed"`) == 2
			})
		})
	}
}

func TestRealEnginesForkAndTakeOverConversations(t *testing.T) {
	for _, e := range realEngines {
		t.Run(e.name, func(t *testing.T) {
			s := e.stage(t)
			s.says("say the first thing")
			first := s.is("tab-1", "finished")
			s.keeps("say the first thing")
			list := s.conversations(s.task)
			if len(list) != 1 || list[0].Engine != e.name || list[0].ID != first.Conversation || list[0].First != "say the first thing" || list[0].Tab.Tab != "tab-1" {
				t.Fatalf("listed: %+v, want %s", list, first.Conversation)
			}
			takeUp := func(more ...string) (task, tab string) {
				t.Helper()
				var added struct {
					Task struct{ ID string }
					Tab  string
				}
				s.instance.api(&added, append([]string{"take-up", s.task, "--engine", e.name, "--session-id", first.Conversation}, more...)...)
				return added.Task.ID, added.Tab
			}
			if task, tab := takeUp(); task != s.task || tab != "tab-1" {
				t.Errorf("it goes on in %s of %s", tab, task)
			}
			if !e.forks {
				if code := s.refused("take-up", s.task, "--engine", e.name, "--session-id", first.Conversation, "--how", "fork"); code != "invalid" {
					t.Errorf("a fork: %s", code)
				}
				return
			}
			// A fork knows what was said, in a directory of its own, and is a conversation of its own.
			child, tab := takeUp("--how", "fork")
			if child == s.task {
				t.Error("the fork is no task of its own")
			}
			s.task = child
			s.starts(tab)
			s.instance.api(nil, "send", "--task-id", child, "--tab", tab, "--prompt", "say the second thing")
			s.asked("second", "first")
			if forked := s.is(tab, "finished"); forked.Conversation == "" || forked.Conversation == first.Conversation {
				t.Errorf("the fork's conversation is %q, it was forked from %q", forked.Conversation, first.Conversation)
			}
		})
	}
}

// Before there is any conversation.
func TestARealEngineThatAsksWhetherToTrustAFolderNeedsYou(t *testing.T) {
	e := realEngines[0]
	e.seed = func(in *instance, _, url string) { seedClaude(in, "/elsewhere", url) }
	s := e.empty(t)
	s.addTab(s.task, append([]string{"--"}, e.command...)...)
	s.is("tab-1", "needs_input")
	if got := s.pendingOf(s.task, "tab-1"); got != "needs_input" {
		t.Errorf("pending: %q", got)
	}
	if code := s.refused("send", "--task-id", s.task, "--prompt", "hello"); code != "refused" {
		t.Errorf("a prompt is sent into the question: %s", code)
	}
}
