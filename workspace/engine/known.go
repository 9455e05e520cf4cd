package engine

import (
	"slices"

	"moorage/workspace/activity"
)

// claudeEvents are those of Claude Code. Others took over names of them, none took over all.
var claudeEvents = map[string]activity.Kind{
	"SessionStart":       activity.SessionStarted,
	"SessionEnd":         activity.SessionEnded,
	"UserPromptSubmit":   activity.PromptSubmitted,
	"PreToolUse":         activity.ToolUsed,
	"PostToolUse":        activity.ToolUsed,
	"PostToolUseFailure": activity.ToolUsed,
	"PermissionRequest":  activity.PermissionAsked,
	"PermissionDenied":   activity.PermissionAnswered,
	"Notification":       activity.PermissionAsked,
	"Elicitation":        activity.PermissionAsked,
	"ElicitationResult":  activity.PermissionAnswered,
	"Stop":               activity.TurnEnded,
	"StopFailure":        activity.TurnFailed,
}

// known are the engines that moorage knows by itself.
var known = []Engine{
	{
		Name: "claude", Title: "Claude Code", Programs: []string{"claude"}, App: "claude-code", Confirms: true, Hooks: HooksPerLaunch,
		chosen: []string{
			"--session-id", "--resume", "-r", "--continue", "-c", "--fork-session", "-p", "--print", "--version", "-v", "--help", "-h",
			"mcp", "config", "doctor", "update", "install", "plugin", "setup-token",
		},
		// A conversation that had no prompt yet has no transcript, and cannot be resumed; one that has cannot be pinned again.
		started: func(_ Engine, args []string, c Conversation) []string {
			if c.Exists {
				return append([]string{"--resume", c.ID}, args...)
			}
			return append([]string{"--session-id", c.ID}, args...)
		},
		forked: func(args []string, from, id string) []string {
			return append([]string{"--resume", from, "--fork-session", "--session-id", id}, args...)
		},
		prompt: []string{},
		list:   claudeList, begins: claudeBegins, path: claudePath, end: claudeEnd, events: claudeEvents,
		titles: []titleRule{{"✳", activity.TitleResting}, {"◐", activity.TitleWorking}, {"◑", activity.TitleWorking}, {braille, activity.TitleWorking}},
	},
	{
		Name: "codex", Title: "Codex", Programs: []string{"codex"}, App: "codex", Mints: true, Hooks: HooksPerLaunch,
		chosen: []string{
			"resume", "fork", "exec", "e", "review", "login", "logout", "mcp", "mcp-server", "app-server", "completion", "sandbox", "apply",
			"cloud", "features", "debug", "--version", "-V", "--help", "-h",
		},
		started: func(_ Engine, args []string, c Conversation) []string {
			if !c.Exists {
				return args
			}
			return append([]string{"resume", c.ID}, args...)
		},
		forked: func(args []string, from, _ string) []string {
			return append([]string{"fork", from, "--cd", "."}, args...) // else it asks in which directory
		},
		prompt: []string{},
		list:   codexList, begins: codexBegins, path: codexPath, end: codexEnd,
		events: map[string]activity.Kind{
			"SessionStart": activity.SessionStarted, "SessionEnd": activity.SessionEnded, "UserPromptSubmit": activity.PromptSubmitted,
			"PreToolUse": activity.ToolUsed, "PostToolUse": activity.ToolUsed, "PermissionRequest": activity.PermissionAsked,
			"Stop": activity.TurnEnded, "Interrupt": activity.Interrupted,
		},
		titles: []titleRule{
			{braille, activity.TitleWorking}, {"[ ! ]", activity.TitleAsking}, {"[ . ]", activity.TitleAsking}, {"Ready", activity.TitleResting},
		},
		clean: []int{130}, // ctrl+c twice at its prompt
	},
	{
		Name: "copilot", Title: "GitHub Copilot", Programs: []string{"copilot"}, Hooks: HooksPerLaunch, Untold: true,
		chosen: []string{"--session-id", "--resume", "--continue", "-p", "--prompt", "--version", "-v", "--help", "-h", "help", "login", "update"},
		started: func(_ Engine, args []string, c Conversation) []string { // it creates or resumes
			return append([]string{"--session-id", c.ID}, args...)
		},
		prompt: []string{"-i"},
		list:   copilotList, begins: copilotBegins, path: copilotPath, end: copilotEnd,
		events: map[string]activity.Kind{
			"sessionStart": activity.SessionStarted, "sessionEnd": activity.SessionEnded, "userPromptSubmitted": activity.PromptSubmitted,
			"preToolUse": activity.ToolUsed, "postToolUse": activity.ToolUsed, "permissionRequest": activity.PermissionAsked,
			"notification": activity.PermissionAsked, "agentStop": activity.TurnEnded, "errorOccurred": activity.TurnFailed,
		},
	},
	{
		Name: "gemini", Title: "Gemini CLI", Programs: []string{"gemini"}, Confirms: true, Hooks: HooksInstalled,
		chosen: []string{
			"--session-id", "--resume", "-r", "--list-sessions", "--delete-session", "-p", "--prompt", "--version", "-v", "--help", "-h",
			"mcp", "extensions", "skills", "hooks",
		},
		started: func(_ Engine, args []string, c Conversation) []string {
			if c.Exists {
				return append([]string{"--resume", c.ID}, args...)
			}
			return append([]string{"--session-id", c.ID}, args...)
		},
		prompt: []string{"-i"},
		list:   geminiList, begins: geminiBegins, path: geminiPath,
		events: map[string]activity.Kind{
			"SessionStart": activity.SessionStarted, "SessionEnd": activity.SessionEnded, "BeforeAgent": activity.PromptSubmitted,
			"AfterAgent": activity.TurnEnded, "BeforeTool": activity.ToolUsed, "AfterTool": activity.ToolUsed, "Notification": activity.PermissionAsked,
		},
		titles: []titleRule{{"◇", activity.TitleResting}, {"✦", activity.TitleWorking}, {"✋", activity.TitleAsking}},
	},
	{
		Name: "kimi", Title: "Kimi Code", Programs: []string{"kimi", "kimi-code"}, Mints: true, Confirms: true, Hooks: HooksInstalled,
		chosen: []string{
			"-S", "--session", "-r", "--resume", "-c", "-C", "--continue", "fork", "login", "logout", "mcp", "web", "-p", "--print", "--version", "-V",
			"--help", "-h",
		},
		started: func(_ Engine, args []string, c Conversation) []string {
			if !c.Exists {
				return args
			}
			return append([]string{"--session", c.ID}, args...)
		},
		list: kimiList, begins: kimiBegins, path: kimiPath, end: kimiEnd,
		// An event that it does not know would make it read none of its settings.
		events: map[string]activity.Kind{
			"SessionStart": activity.SessionStarted, "SessionEnd": activity.SessionEnded, "UserPromptSubmit": activity.PromptSubmitted,
			"PreToolUse": activity.ToolUsed, "PostToolUse": activity.ToolUsed, "PostToolUseFailure": activity.ToolUsed,
			"PermissionRequest": activity.PermissionAsked, "PermissionResult": activity.PermissionAnswered,
			"Stop": activity.TurnEnded, "StopFailure": activity.TurnFailed, "Interrupt": activity.Interrupted,
		},
	},
	{
		Name: "opencode", Title: "opencode", Programs: []string{"opencode"}, Mints: true, Hooks: HooksPerLaunch,
		chosen: []string{
			"-s", "--session", "-c", "--continue", "--fork", "run", "serve", "web", "attach", "auth", "agent", "mcp", "models", "upgrade", "session",
			"export", "import", "stats", "github", "--version", "-v", "--help", "-h",
		},
		started: func(_ Engine, args []string, c Conversation) []string {
			return append(slices.Clone(args), "--session", c.ID) // its first argument may be a directory
		},
		forked: func(args []string, from, _ string) []string {
			return append(slices.Clone(args), "--session", from, "--fork")
		},
		prompt: []string{"--prompt"},
		list:   opencodeList, export: []string{"export"},
		events: map[string]activity.Kind{
			"session.created": activity.SessionStarted, "session.status": activity.PromptSubmitted, "session.idle": activity.TurnEnded,
			"session.error": activity.TurnFailed, "permission.asked": activity.PermissionAsked, "permission.replied": activity.PermissionAnswered,
		},
	},
}
