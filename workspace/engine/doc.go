// Package engine knows the AI command lines that run in panes, as declared facts: how each is recognised and started, how a conversation
// is pinned or taken up again, where its transcript lies and which records end a turn, what its titles and hooks say.
//
// It imports workspace's nouns and activity. It runs nothing and changes no file of the user's; it reads transcripts and stores that it is
// pointed at, in bounded pieces. Its functions may be called by any goroutine.
//
// Versions that the facts are of: claude-code 2.1, codex 0.171, copilot 1.0, gemini-cli 0.61, kimi-code 2.1, opencode 1.18.
package engine
