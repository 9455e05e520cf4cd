package engine

import (
	"slices"

	"moorage/workspace/activity"
)

// hooksLikeClaude are the events that several engines took over by name.
var hooksLikeClaude = map[string]activity.Kind{
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
		Name: "claude", Title: "Claude Code", Programs: []string{"claude"}, App: "claude-code", Confirms: true, Hooks: HooksPerLaunch, Fork: "--fork-session",
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
		path: claudePath, end: claudeEnd, events: hooksLikeClaude,
		titles: []titleRule{{"✳", activity.TitleResting}, {"◐", activity.TitleWorking}, {"◑", activity.TitleWorking}, {braille, activity.TitleWorking}},
	},
	{
		Name: "codex", Title: "Codex", Programs: []string{"codex"}, App: "codex", Mints: true, Hooks: HooksPerLaunch, Fork: "fork",
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
		path: codexPath, end: codexEnd,
		events: with(hooksLikeClaude, map[string]activity.Kind{"Interrupt": activity.Interrupted}),
		titles: []titleRule{
			{braille, activity.TitleWorking}, {"[ ! ]", activity.TitleAsking}, {"[ . ]", activity.TitleAsking}, {"Ready", activity.TitleResting},
		},
		clean: []int{130}, // ctrl+c twice at its prompt
	},
	{
		Name: "copilot", Title: "GitHub Copilot", Programs: []string{"copilot"}, Hooks: HooksPerLaunch, PromptFlag: "-i",
		chosen: []string{"--session-id", "--resume", "--continue", "-p", "--prompt", "--version", "-v", "--help", "-h", "help", "login", "update"},
		started: func(_ Engine, args []string, c Conversation) []string { // it creates or resumes
			return append([]string{"--session-id", c.ID}, args...)
		},
		path: copilotPath, end: copilotEnd,
		events: map[string]activity.Kind{
			"sessionStart": activity.SessionStarted, "sessionEnd": activity.SessionEnded, "userPromptSubmitted": activity.PromptSubmitted,
			"preToolUse": activity.ToolUsed, "postToolUse": activity.ToolUsed, "permissionRequest": activity.PermissionAsked,
			"notification": activity.PermissionAsked, "agentStop": activity.TurnEnded, "errorOccurred": activity.TurnFailed,
		},
	},
	{
		Name: "gemini", Title: "Gemini CLI", Programs: []string{"gemini"}, Confirms: true, Hooks: HooksInstalled, PromptFlag: "-i",
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
		path: geminiPath,
		events: with(hooksLikeClaude, map[string]activity.Kind{
			"BeforeAgent": activity.PromptSubmitted, "AfterAgent": activity.TurnEnded, "BeforeTool": activity.ToolUsed, "AfterTool": activity.ToolUsed,
		}),
		titles: []titleRule{{"◇", activity.TitleResting}, {"✦", activity.TitleWorking}, {"✋", activity.TitleAsking}},
	},
	{
		Name: "kimi", Title: "Kimi Code", Programs: []string{"kimi"}, Mints: true, Confirms: true, Hooks: HooksInstalled, Fork: "fork",
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
		path: kimiPath, end: kimiEnd,
		events: with(hooksLikeClaude, map[string]activity.Kind{
			"Interrupt": activity.Interrupted, "PermissionResult": activity.PermissionAnswered, "TurnStarted": activity.ToolUsed,
		}),
	},
	{
		Name: "opencode", Title: "opencode", Programs: []string{"opencode"}, Mints: true, Hooks: HooksPerLaunch, Fork: "--fork", PromptFlag: "--prompt",
		chosen: []string{
			"-s", "--session", "-c", "--continue", "--fork", "run", "serve", "web", "attach", "auth", "agent", "mcp", "models", "upgrade", "session",
			"export", "import", "stats", "github", "--version", "-v", "--help", "-h",
		},
		started: func(_ Engine, args []string, c Conversation) []string {
			return append(slices.Clone(args), "--session", c.ID) // its first argument may be a directory
		},
		events: map[string]activity.Kind{
			"session.created": activity.SessionStarted, "session.status": activity.ToolUsed, "session.idle": activity.TurnEnded,
			"session.error": activity.TurnFailed, "permission.asked": activity.PermissionAsked, "permission.replied": activity.PermissionAnswered,
		},
	},
}

func with(base, more map[string]activity.Kind) map[string]activity.Kind {
	all := make(map[string]activity.Kind, len(base)+len(more))
	for k, v := range base {
		all[k] = v
	}
	for k, v := range more {
		all[k] = v
	}
	return all
}
