package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moorage/workspace"
	"moorage/workspace/activity"
)

const id = "4b8d9d7e-f21e-4476-8427-0740d1f34fd1"

func TestAConversationIsPinnedOrResumedByTheEnginesOwnVerb(t *testing.T) {
	r := New(Custom{Name: "mine", Command: []string{"/opt/mine", "--x"}, Like: "claude"})
	for _, tc := range []struct{ engine, argv, state, want string }{
		{"claude", "claude", "new", "claude --session-id ID"},
		{"claude", "claude --model x", "kept", "claude --resume ID --model x"},
		{"claude", "claude --resume other", "kept", "claude --resume other"},
		{"claude", "claude --session-id=other", "kept", "claude --session-id=other"},
		{"claude", "claude -c", "new", "claude -c"},
		{"claude", "claude -p hello", "new", "claude -p hello"},
		{"codex", "codex", "new", "codex"},
		{"codex", "codex --model x", "kept", "codex resume ID --model x"},
		{"codex", "codex resume --last", "kept", "codex resume --last"},
		{"codex", "codex exec x", "kept", "codex exec x"},
		{"copilot", "copilot", "new", "copilot --session-id ID"},
		{"copilot", "copilot", "kept", "copilot --session-id ID"},
		{"gemini", "gemini", "new", "gemini --session-id ID"},
		{"gemini", "gemini", "kept", "gemini --resume ID"},
		{"kimi", "kimi", "new", "kimi"},
		{"kimi", "kimi", "kept", "kimi --session ID"},
		{"opencode", "opencode /src", "kept", "opencode /src --session ID"},
		{"mine", "/opt/mine --x", "kept", "/opt/mine --resume ID --x"},
	} {
		argv := strings.Fields(tc.argv)
		e, ok := r.OfCommand(argv)
		if !ok || e.Name != tc.engine {
			t.Fatalf("%s starts %q", tc.argv, e.Name)
		}
		got := strings.Join(e.Start(argv, Conversation{ID: id, Exists: tc.state == "kept"}), " ")
		if want := strings.ReplaceAll(tc.want, "ID", id); got != want {
			t.Errorf("%s, %s: %q, want %q", tc.argv, tc.state, got, want)
		}
		if strings.Join(argv, " ") != tc.argv {
			t.Errorf("the command was changed to %q", argv)
		}
	}
}

func TestAnEngineIsRecognisedByItsProcess(t *testing.T) {
	r := New()
	for argv, want := range map[string]string{
		"claude":                               "claude",
		"/usr/local/bin/claude --x":            "claude",
		"node /usr/lib/bin/gemini":             "gemini",
		"node --max-old-space /x/gemini.js -y": "gemini",
		"bun /x/opencode":                      "opencode",
		"python3 /x/bin/kimi":                  "kimi",
		"vim claude":                           "",
		"grep codex x":                         "",
		"-bash":                                "",
		"node /x/server.js claude":             "",
		`C:\bin\codex.exe resume`:              "codex",
		"":                                     "",
	} {
		e, _ := r.OfProcess(strings.Fields(argv))
		if e.Name != want {
			t.Errorf("%q is %q, want %q", argv, e.Name, want)
		}
	}
	if e, ok := r.OfApp("claude-code"); !ok || e.Name != "claude" {
		t.Errorf("the app is %q", e.Name)
	}
	if _, ok := r.OfApp(""); ok {
		t.Error("no app is one")
	}
}

func TestATitleSaysWhatItsEngineDoes(t *testing.T) {
	r := New()
	for _, tc := range []struct {
		engine, title string
		want          activity.Title
	}{
		{"claude", "✳ Claude Code", activity.TitleResting},
		{"claude", "◐ Claude Code", activity.TitleWorking},
		{"claude", "⠂ Fixing tests", activity.TitleWorking},
		{"claude", "Claude Code", activity.TitleSilent},
		{"claude", "", activity.TitleSilent},
		{"codex", "⠸ Working | 01a22b43", activity.TitleWorking},
		{"codex", "[ ! ] Action Required | x", activity.TitleAsking},
		{"codex", "[ . ] Action Required", activity.TitleAsking},
		{"codex", "Ready | 01a22b43", activity.TitleResting},
		{"gemini", "◇  Ready (proj)      ", activity.TitleResting},
		{"gemini", "✦  Working… (proj)   ", activity.TitleWorking},
		{"gemini", "✋  Action Required (proj)", activity.TitleAsking},
		{"copilot", "hello - GitHub Copilot", activity.TitleSilent},
		{"kimi", "⠸ not its own", activity.TitleSilent},
	} {
		e, _ := r.Named(tc.engine)
		if got := e.ReadTitle(tc.title); got != tc.want {
			t.Errorf("%s: %q is %v, want %v", tc.engine, tc.title, got, tc.want)
		}
	}
}

func TestAHooksPayloadBecomesAnEvent(t *testing.T) {
	r := New()
	now := time.Unix(1000, 0)
	for _, tc := range []struct {
		engine, event, payload string
		want                   activity.Event
		ok                     bool
	}{
		{
			"claude", "", `{"session_id":"a","transcript_path":"/t/a.jsonl","hook_event_name":"SessionStart","source":"resume"}`,
			activity.Event{Kind: activity.SessionStarted, Conversation: "a", Transcript: "/t/a.jsonl", Text: "resume"},
			true,
		},
		{"claude", "", `{"session_id":"a","hook_event_name":"UserPromptSubmit","prompt":"secret"}`, activity.Event{Kind: activity.PromptSubmitted, Conversation: "a"}, true},
		{
			"claude", "", `{"session_id":"a","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"rm\u001b x"}}`,
			activity.Event{Kind: activity.PermissionAsked, Conversation: "a", Text: "approve Bash: rm x"},
			true,
		},
		{
			"claude", "", `{"session_id":"a","hook_event_name":"Notification","notification_type":"permission_prompt","message":"Claude needs your permission"}`,
			activity.Event{Kind: activity.PermissionAsked, Conversation: "a", Text: "Claude needs your permission"},
			true,
		},
		{"claude", "", `{"session_id":"a","hook_event_name":"Notification","notification_type":"idle_prompt","message":"waits"}`, activity.Event{}, false},
		{"claude", "", `{"session_id":"a","hook_event_name":"PreToolUse","tool_name":"Bash","agent_id":"sub"}`, activity.Event{}, false},
		{"claude", "", `{"session_id":"a","hook_event_name":"SubagentStop"}`, activity.Event{}, false},
		{
			"claude", "", `{"session_id":"a","hook_event_name":"Stop","last_assistant_message":"done\nnow","background_tasks":[{"id":1}]}`,
			activity.Event{Kind: activity.TurnEnded, Conversation: "a", Text: "done now", Background: true},
			true,
		},
		{
			"claude", "", `{"session_id":"a","hook_event_name":"StopFailure","error":"rate_limit","last_assistant_message":"limit reached|1700000000"}`,
			activity.Event{Kind: activity.TurnFailed, Conversation: "a", Text: "limit reached|1700000000", Limited: true, Resets: time.Unix(1700000000, 0)},
			true,
		},
		{
			"claude", "", `{"session_id":"a","hook_event_name":"StopFailure","error":"server_error"}`,
			activity.Event{Kind: activity.TurnFailed, Conversation: "a", Text: "server_error"},
			true,
		},
		{"codex", "", `{"session_id":"a","turn_id":"t","transcript_path":null,"hook_event_name":"Interrupt"}`, activity.Event{Kind: activity.Interrupted, Conversation: "a"}, true},
		{"copilot", "agentStop", `{"sessionId":"c","stopReason":"end_turn"}`, activity.Event{Kind: activity.TurnEnded, Conversation: "c"}, true},
		{
			"copilot", "permissionRequest", `{"sessionId":"c","toolName":"bash","toolInput":{"command":"rm x"}}`,
			activity.Event{Kind: activity.PermissionAsked, Conversation: "c", Text: "approve bash: rm x"},
			true,
		},
		{"gemini", "", `{"session_id":"g","hook_event_name":"AfterAgent","prompt_response":"[no response text]"}`, activity.Event{Kind: activity.Interrupted, Conversation: "g"}, true},
		{
			"kimi", "", `{"session_id":"k","hook_event_name":"PermissionRequest","agent_id":"main","tool_name":"Bash","tool_input":{"command":"rm x"}}`,
			activity.Event{Kind: activity.PermissionAsked, Conversation: "k", Text: "approve Bash: rm x"},
			true,
		},
		{
			"kimi", "", `{"session_id":"k","hook_event_name":"StopFailure","agent_id":"main","error_type":"APIProviderRateLimitError","error_message":"too many"}`,
			activity.Event{Kind: activity.TurnFailed, Conversation: "k", Text: "too many", Limited: true},
			true,
		},
		{
			"kimi", "", `{"session_id":"k","hook_event_name":"StopFailure","agent_id":"main","error_type":"APIStatusError","error_message":"bad request"}`,
			activity.Event{Kind: activity.TurnFailed, Conversation: "k", Text: "bad request"},
			true,
		},
		{"kimi", "", `{"session_id":"k","hook_event_name":"PreToolUse","agent_id":"agent-1","tool_name":"Bash"}`, activity.Event{}, false},
		{"kimi", "", `{"session_id":"k","hook_event_name":"PermissionResult"}`, activity.Event{Kind: activity.PermissionAnswered, Conversation: "k"}, true},
		{"opencode", "session.status", `{"sessionID":"o","status":{"type":"busy"}}`, activity.Event{Kind: activity.PromptSubmitted, Conversation: "o"}, true},
		{
			"opencode", "session.status", `{"sessionID":"o","status":{"type":"retry","attempt":1,"message":"overloaded"}}`,
			activity.Event{Kind: activity.ToolUsed, Conversation: "o", Text: "overloaded"},
			true,
		},
		{
			"opencode", "permission.asked", `{"sessionID":"o","permission":"bash","patterns":["rm x"],"metadata":{"command":"rm x"}}`,
			activity.Event{Kind: activity.PermissionAsked, Conversation: "o", Text: "approve bash: rm x"},
			true,
		},
		{"opencode", "session.status", `{"sessionID":"o","status":{"type":"idle"}}`, activity.Event{}, false},
		{
			"opencode", "session.error", `{"sessionID":"o","error":{"name":"MessageAbortedError","data":{"message":"x"}}}`,
			activity.Event{Kind: activity.Interrupted, Conversation: "o", Text: "x"},
			true,
		},
		{
			"opencode", "session.error", `{"sessionID":"o","error":{"name":"APIError","data":{"message":"slow down","statusCode":429}}}`,
			activity.Event{Kind: activity.TurnFailed, Conversation: "o", Text: "slow down", Limited: true},
			true,
		},
		{"opencode", "session.created", `{"sessionID":"child","info":{"id":"child","parentID":"o"}}`, activity.Event{}, false},
		{"claude", "", `not json`, activity.Event{}, false},
		{"claude", "", `{"hook_event_name":"Unheard"}`, activity.Event{}, false},
	} {
		e, _ := r.Named(tc.engine)
		got, _, ok := e.Read(tc.event, []byte(tc.payload), now)
		if tc.ok {
			tc.want.Time = now
		}
		if ok != tc.ok || ok && got != tc.want {
			t.Errorf("%s %s %s:\n%+v, %v, want\n%+v", tc.engine, tc.event, tc.payload, got, ok, tc.want)
		}
	}
}

func TestATranscriptTellsItsLastTurnsEnd(t *testing.T) {
	dir := t.TempDir()
	r := New()
	user := `{"type":"user","timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"hello"}}`
	for i, tc := range []struct {
		engine, rows string
		want         activity.Outcome
	}{
		{"claude", user, activity.OutcomeOpen},
		{"claude", user + "\n" + `{"type":"assistant","timestamp":"2026-01-01T00:00:02.000Z","message":{"stop_reason":"tool_use"}}`, activity.OutcomeOpen},
		{"claude", user + "\n" + `{"type":"assistant","timestamp":"2026-01-01T00:00:02.000Z","message":{"stop_reason":"end_turn"}}`, activity.OutcomeDone},
		{"claude", user + "\n" + `{"type":"system","subtype":"turn_duration","timestamp":"2026-01-01T00:00:02.000Z"}` + "\n" + `{"type":"last-prompt","x":1}`, activity.OutcomeDone},
		{"claude", user + "\n" + `{"type":"assistant","isSidechain":true,"timestamp":"2026-01-01T00:00:02.000Z","message":{"stop_reason":"end_turn"}}`, activity.OutcomeOpen},
		{"claude", user + "\n" + `{"type":"assistant","timestamp":"2026-01-01T00:00:02.000Z","isApiErrorMessage":true,"error":"rate_limit","message":{"content":[{"text":"429"}]}}`, activity.OutcomeLimited},
		{"claude", user + "\n" + `{"type":"assistant","timestamp":"2026-01-01T00:00:02.000Z","isApiErrorMessage":true,"error":"server_error","message":{"content":"x"}}`, activity.OutcomeFailed},
		{"claude", user + "\n" + `{"type":"user","timestamp":"2026-01-01T00:00:02.000Z","message":{"content":[{"text":"[Request interrupted by user]"}]}}`, activity.OutcomeInterrupted},
		{"claude", "half a ro", activity.OutcomeUnreadable},
		{"codex", `{"timestamp":"2026-01-01T00:00:01Z","type":"event_msg","payload":{"type":"task_started"}}`, activity.OutcomeOpen},
		{"codex", `{"timestamp":"2026-01-01T00:00:01Z","type":"event_msg","payload":{"type":"task_complete"}}`, activity.OutcomeDone},
		{"codex", `{"timestamp":"2026-01-01T00:00:01Z","type":"event_msg","payload":{"type":"task_complete","error":{"message":"x","codex_error_info":"usage_limit_exceeded"}}}`, activity.OutcomeLimited},
		{"codex", `{"timestamp":"2026-01-01T00:00:01Z","type":"event_msg","payload":{"type":"turn_aborted","reason":"interrupted"}}`, activity.OutcomeInterrupted},
		{"kimi", `{"type":"turn.ended","reason":"completed","timestamp":1767225601.5}`, activity.OutcomeDone},
		{"copilot", `{"type":"assistant.turn_end","timestamp":"2026-01-01T00:00:01Z"}`, activity.OutcomeDone},
		{"copilot", `{"type":"abort","timestamp":"2026-01-01T00:00:01Z","data":{"reason":"user_initiated"}}` + "\n" + `{"type":"assistant.turn_end","timestamp":"2026-01-01T00:00:01Z"}`, activity.OutcomeInterrupted},
		{"gemini", `{}`, activity.OutcomeUnreadable},
	} {
		path := filepath.Join(dir, "t"+string(rune('a'+i)))
		if err := os.WriteFile(path, []byte(tc.rows+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		e, _ := r.Named(tc.engine)
		if ev := e.LastTurn(path, 7, time.Unix(1, 0)); ev.Outcome != tc.want || ev.Token != 7 || tc.want != activity.OutcomeUnreadable && ev.At.Year() != 2026 {
			t.Errorf("%s: %s\ngives %v at %v, want %v", tc.engine, tc.rows, ev.Outcome, ev.At, tc.want)
		}
	}
	claude, _ := r.Named("claude")
	if ev := claude.LastTurn(filepath.Join(dir, "none"), 1, time.Unix(1, 0)); ev.Outcome != activity.OutcomeUnreadable {
		t.Error("a file that is not there was read")
	}
}

func TestOnlyTheConversationsOwnTranscriptIsItsTranscript(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "src", "my app")
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	folder, _ := claudeFolder(dir)
	write(".claude/projects/"+folder+"/"+id+".jsonl", "{}\n")
	write(".claude/projects/"+folder+"/other.jsonl", "{}\n")
	write(".codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-"+id+".jsonl", "{}\n")
	write(".copilot/session-state/"+id+"/events.jsonl", "{}\n")
	write(".gemini/tmp/app/chats/session-2026-01-02T03-04-"+id[:8]+".jsonl", `{"sessionId":"`+id+`"}`+"\n")
	write(".kimi-code/session_index.jsonl", `{"sessionId":"session_1","sessionDir":"`+home+`/k1"}`+"\n"+`{"sessionId":"`+id+`","sessionDir":"`+home+`/k2"}`+"\n")
	write("k2/agents/main/wire.jsonl", "")
	at := Place{Dir: dir, Env: []string{"HOME=" + home}}
	r := New()
	for _, name := range []string{"claude", "codex", "copilot", "gemini", "kimi"} {
		e, _ := r.Named(name)
		path, err := e.Transcript(at, id)
		if err != nil || !strings.HasPrefix(path, home) || e.Exists(at, id) != workspace.AnswerYes {
			t.Errorf("%s: %q, %v", name, path, err)
		}
		for _, wrong := range []string{"4b8d9d7e-f21e-4476-8427-000000000000", "../other", "*", ""} {
			if got := e.Exists(at, wrong); got != workspace.AnswerNo {
				t.Errorf("%s has %q: %s", name, wrong, got)
			}
		}
	}
	if e, _ := r.Named("opencode"); e.Exists(at, id) != workspace.AnswerUnknown {
		t.Error("opencode's store was looked into")
	}
}

func TestHooksAreGivenPerLaunch(t *testing.T) {
	r := New()
	setup := HookSetup{Program: "/opt/my moorage", Folder: "/run/m"}
	claude, _ := r.Named("claude")
	in, ok := claude.Inject(setup, []string{"claude"}, Place{})
	if !ok || strings.Join(in.Args, " ") != "--settings /run/m/claude-settings.json" || !strings.Contains(in.Files["claude-settings.json"], `"'/opt/my moorage' hook claude"`) {
		t.Errorf("claude: %+v", in)
	}
	if _, ok := claude.Inject(setup, []string{"claude", "--settings", "mine.json"}, Place{}); ok {
		t.Error("the user's settings are replaced")
	}
	codex, _ := r.Named("codex")
	if in, _ = codex.Inject(setup, []string{"codex"}, Place{}); strings.Contains(strings.Join(in.Args, " "), "hooks.state") {
		t.Error("codex is told to trust though nobody said so")
	}
	setup.TrustCodex = true
	if in, _ = codex.Inject(setup, []string{"codex"}, Place{}); !strings.Contains(strings.Join(in.Args, " "), `"/<session-flags>/config.toml:stop:0:0"={trusted_hash="sha256:`) {
		t.Errorf("codex: %q", in.Args)
	}
	copilot, _ := r.Named("copilot")
	if in, ok = copilot.Inject(setup, []string{"copilot"}, Place{}); !ok || !strings.Contains(in.Files["copilot/hooks.json"], "hook copilot agentStop") {
		t.Errorf("copilot: %+v", in)
	}
	opencode, _ := r.Named("opencode")
	in, ok = opencode.Inject(setup, []string{"opencode"}, Place{Env: []string{`OPENCODE_CONFIG_CONTENT={"theme":"x","plugin":["file:///mine"]}`}})
	if !ok || in.Env[0] != `OPENCODE_CONFIG_CONTENT={"plugin":["file:///mine","file:///run/m/opencode.mjs"],"theme":"x"}` {
		t.Errorf("opencode: %q", in.Env)
	}
	if _, ok = opencode.Inject(setup, []string{"opencode"}, Place{Env: []string{"OPENCODE_CONFIG_CONTENT=// mine"}}); ok {
		t.Error("what is not understood was replaced")
	}
	for _, name := range []string{"gemini", "kimi"} {
		e, _ := r.Named(name)
		if _, ok := e.Inject(setup, []string{name}, Place{}); ok {
			t.Errorf("%s takes hooks at its launch", name)
		}
	}
}

func TestTheBannerTellsTheCode(t *testing.T) {
	for text, want := range map[string]int{
		"Engine exited (code 7). To start":                    7,
		"x\nEngine exited (code 1)\nEngine exited (code 137)": 137,
		"Engine exited (code )":                               -1, "Engine exited (code 12": -1, "": -1,
	} {
		code, ok := BannerCode(strings.Split(text, "\n"))
		if !ok {
			code = -1
		}
		if code != want {
			t.Errorf("%q: %d", text, code)
		}
	}
}

func TestALimitsEndIsReadWhereItIsTold(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"usage limit reached|1767330000":                time.Unix(1767330000, 0),
		"resets at 2026-01-02T05:00:00Z":                now.Add(2 * time.Hour),
		"Please try again in 1 hour and 5 minutes.":     now.Add(65 * time.Minute),
		"try again in 90s":                              now.Add(90 * time.Second),
		"your limit resets when it resets":              {},
		"try again in 99999999999999999999 hours, dear": {},
	} {
		if got := ResetTime(text, now); !got.Equal(want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
