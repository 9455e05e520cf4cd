package engine

import (
	"slices"
	"strings"
	"testing"
)

func TestHooksAreInstalledBesideTheUsersOwnAndTakenOutAgain(t *testing.T) {
	r := New()
	setup := HookSetup{Program: "/opt/moorage"}
	for _, tc := range []struct{ engine, text, keeps string }{
		{"gemini", "", ""},
		{"gemini", `{"theme":"x","big":12345678901234567890,"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"mine <a>"}]}]}}`, `"mine <a>"`},
		{"kimi", "", ""},
		{"kimi", "# mine\ntheme = \"x\"\n\n[[hooks]]\nevent = \"Stop\"\ncommand = \"mine\"\n", "command = \"mine\""},
		{"kimi", "theme = \"x\"", "theme"},
	} {
		e, _ := r.Named(tc.engine)
		in, err := e.Install([]byte(tc.text), setup)
		if err != nil || !strings.Contains(string(in), "/opt/moorage hook "+tc.engine) || !strings.Contains(string(in), tc.keeps) {
			t.Errorf("%s %q: %v\n%s", tc.engine, tc.text, err, in)
		}
		again, err := e.Install(in, setup)
		if err != nil || string(again) != string(in) {
			t.Errorf("%s: twice is not once: %v\n%s", tc.engine, err, again)
		}
		out, err := e.Uninstall(in)
		if err != nil || strings.Contains(string(out), "moorage") || !strings.Contains(string(out), tc.keeps) {
			t.Errorf("%s: %v\n%s", tc.engine, err, out)
		}
		if tc.engine == "kimi" && strings.TrimSuffix(string(out), "\n") != strings.TrimSuffix(tc.text, "\n") {
			t.Errorf("what is left is %q", out)
		}
	}
	for name, text := range map[string]string{"gemini": "// mine\n{}", "kimi": "hooks = [\n"} {
		e, _ := r.Named(name)
		if out, err := e.Install([]byte(text), setup); err == nil {
			t.Errorf("%s: %q became %q", name, text, out)
		}
	}
	claude, _ := r.Named("claude")
	if _, err := claude.Install(nil, setup); err == nil {
		t.Error("claude's hooks were installed")
	}
}

// An event that an engine does not know costs it its settings (Kimi Code) or the user a warning (Gemini CLI). The names are those that the
// versions in the package's comment accept.
func TestEnginesAreGivenOnlyHooksThatTheyKnow(t *testing.T) {
	knows := map[string]string{
		"claude": `PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion SessionStart SessionEnd
			Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PermissionRequest PermissionDenied Elicitation ElicitationResult`,
		"codex": `SessionStart SessionEnd UserPromptSubmit PreToolUse PermissionRequest PostToolUse PreCompact PostCompact SubagentStart
			SubagentStop Stop Interrupt`,
		"copilot": `sessionStart sessionEnd userPromptSubmitted preToolUse postToolUse agentStop subagentStop errorOccurred notification
			permissionRequest preCompact`,
		"gemini": `AfterAgent AfterModel AfterTool BeforeAgent BeforeModel BeforeTool BeforeToolSelection Notification PreCompress SessionEnd
			SessionStart`,
		"kimi": `PreToolUse PostToolUse PostToolUseFailure PermissionRequest PermissionResult UserPromptSubmit Stop StopFailure Interrupt
			SessionStart SessionEnd SubagentStart SubagentStop PreCompact PostCompact Notification`,
		"opencode": `session.created session.status session.idle session.error permission.asked permission.replied`,
	}
	for _, e := range New().All() {
		for _, event := range e.eventNames() {
			if !slices.Contains(strings.Fields(knows[e.Name]), event) {
				t.Errorf("%s does not know %s", e.Name, event)
			}
		}
	}
	for _, event := range codexEvents {
		if !slices.Contains(strings.Fields(knows["codex"]), event[0]) {
			t.Errorf("codex does not know %s", event[0])
		}
	}
}
