package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moorage/ptyhost/wire"
)

// Of each engine the rows of a conversation's beginning, as the versions in the package's comment write them.
func TestConversationsAreListedByWhatWasSaidFirst(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	ago := time.Duration(0)
	write := func(name string, rows ...string) {
		t.Helper()
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Join(rows, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		ago += time.Minute
		when := time.Now().Add(-ago)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	folder, _ := claudeFolder(dir)
	claude := func(cwd, prompt string) []string {
		return []string{
			`{"type":"mode","mode":"normal"}`,
			fmt.Sprintf(`{"type":"user","isMeta":true,"cwd":%q,"message":{"content":"Caveat: not the user's"}}`, cwd),
			`{"type":"user","message":{"content":"<command-name>/clear</command-name>"}}`,
			`{"type":"user","isSidechain":true,"message":{"content":"a subagent's"}}`,
			fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"text","text":%q}]}}`, prompt),
			`{"type":"user","message":{"content":"and then"}}`,
		}
	}
	write(".claude/projects/"+folder+"/c1.jsonl", claude(dir, "first\nof c1")...)
	write(".claude/projects/"+folder+"/c2.jsonl", claude(dir, "<tag> only")[:3]...)
	write(".claude/projects/"+folder+"-web/c3.jsonl", claude(filepath.Join(dir, "web"), "below")...)
	write(".claude/projects/"+folder+"-app/c4.jsonl", claude(dir+"-app", "a folder of another directory")...)
	write(".claude/projects/"+folder+"/c1/subagents/agent-1.jsonl", claude(dir, "a subagent's")...)
	codex := func(id, cwd, prompt string) []string {
		return []string{
			fmt.Sprintf(`{"type":"session_meta","payload":{"id":%q,"cwd":%q,"base_instructions":%q}}`, id, cwd, strings.Repeat("x", 90_000)),
			`{"type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"skills"}]}}`,
			`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>"}]}}`,
			fmt.Sprintf(`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}}`, prompt),
		}
	}
	write(".codex/sessions/2026/11/30/rollout-2026-11-30T10-00-00-x1.jsonl", codex("x1", dir, "first of x1")...)
	write(".codex/sessions/2026/11/29/rollout-2026-11-29T10-00-00-x2.jsonl", codex("x2", home, "elsewhere")...)
	write(".codex/sessions/2026/11/29/rollout-2026-11-29T11-00-00-x3.jsonl", `{"type":"session_`)
	write(".copilot/session-state/p1/events.jsonl", `{"type":"session.start","data":{}}`, `{"type":"user.message","data":{"content":"first of p1"}}`)
	write(".copilot/session-state/p1/workspace.yaml", "id: p1", "cwd: "+dir, "name: x")
	write(".copilot/session-state/p2/events.jsonl", `{"type":"user.message","data":{"content":"of an unknown directory"}}`)
	write(".gemini/projects.json", fmt.Sprintf(`{"projects":{%q:"slug"}}`, dir))
	write(".gemini/tmp/slug/chats/session-2026-11-30T10-00-g1.jsonl", `{"sessionId":"g1","kind":"main"}`, `{"type":"user","content":[{"text":"first of g1"}]}`)
	write(".kimi-code/session_index.jsonl", fmt.Sprintf(`{"sessionId":"session_k1","sessionDir":%q,"workDir":%q}`, filepath.Join(home, "k1"), dir),
		fmt.Sprintf(`{"sessionId":"session_k2","sessionDir":%q,"workDir":%q}`, filepath.Join(home, "gone"), dir))
	write("k1/agents/main/wire.jsonl", `{"type":"metadata"}`, `{"type":"turn.prompt","input":[{"type":"text","text":"first of k1"}]}`)

	at := Place{Dir: dir, Env: []string{"HOME=" + home}}
	within := func(d string) bool { return wire.SamePath(d, dir) || strings.HasPrefix(d, dir+"/") }
	for name, want := range map[string][]string{
		"claude": {"c1: first of c1", "c3: below"}, "codex": {"x1: first of x1"}, "copilot": {"p1: first of p1"}, "gemini": {"g1: first of g1"},
		"kimi": {"session_k1: first of k1"},
	} {
		e, _ := New().Named(name)
		all, err := e.Conversations(t.Context(), at, within)
		var got []string
		for _, s := range all {
			got = append(got, s.ID+": "+s.First)
			if s.Size == 0 || s.Changed.IsZero() || !within(s.Dir) || !filepath.IsAbs(s.Transcript) {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
		if all, err := e.Conversations(t.Context(), Place{Dir: dir, Env: []string{"HOME=" + t.TempDir()}}, within); len(all) != 0 || err != nil {
			t.Errorf("%s: without a store: %v, %v", name, all, err)
		}
	}
}

func TestAListOfConversationsIsBounded(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	folder, _ := claudeFolder(dir)
	store := filepath.Join(home, ".claude/projects", folder)
	if err := os.MkdirAll(store, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range maxListed + 5 {
		row := fmt.Sprintf(`{"type":"user","cwd":%q,"message":{"content":"%d"}}`+"\n", dir, i)
		path := filepath.Join(store, fmt.Sprintf("c%d.jsonl", i))
		if err := os.WriteFile(path, []byte(row), 0o600); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(time.Duration(i) * time.Second)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	e, _ := New().Named("claude")
	all, err := e.Conversations(t.Context(), Place{Dir: dir, Env: []string{"HOME=" + home}}, func(string) bool { return true })
	if err != nil || len(all) != maxListed || all[0].First != fmt.Sprint(maxListed+4) {
		t.Errorf("%d conversations, the first %+v, %v", len(all), all[0], err)
	}
}
