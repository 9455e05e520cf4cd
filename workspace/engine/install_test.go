package engine

import (
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
