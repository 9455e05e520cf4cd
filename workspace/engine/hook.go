package engine

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"moorage/workspace"
	"moorage/workspace/activity"
)

// payload is what hooks are given on their standard input, of all engines.
type payload struct {
	Session     string            `json:"session_id"`
	SessionC    string            `json:"sessionId"`
	SessionO    string            `json:"sessionID"`
	Transcript  string            `json:"transcript_path"`
	TranscriptC string            `json:"transcriptPath"`
	Dir         string            `json:"cwd"`
	Event       string            `json:"hook_event_name"`
	Agent       string            `json:"agent_id"`
	Source      string            `json:"source"`
	Reason      string            `json:"reason"`
	Tool        string            `json:"tool_name"`
	ToolC       string            `json:"toolName"`
	Input       json.RawMessage   `json:"tool_input"`
	InputC      json.RawMessage   `json:"toolInput"`
	Notice      string            `json:"notification_type"`
	Message     string            `json:"message"`
	Error       json.RawMessage   `json:"error"`
	Details     string            `json:"error_details"`
	ErrorType   string            `json:"error_type"`
	ErrorText   string            `json:"error_message"`
	Last        string            `json:"last_assistant_message"`
	Response    string            `json:"prompt_response"`
	Background  []json.RawMessage `json:"background_tasks"`
	Status      struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	} `json:"status"`
	Permission string          `json:"permission"`
	Metadata   json.RawMessage `json:"metadata"`
	Info       struct {
		ID     string `json:"id"`
		Parent string `json:"parentID"`
	} `json:"info"`
}

// limits are the words for a rate limit.
var limits = map[string]bool{"rate_limit": true, "overloaded": true}

// Read turns a hook's call into an event. ok is false for what says nothing about the tab: a subagent's, an event of no use, or something that
// is not understood. name is the event where the payload has none.
func (e Engine) Read(name string, raw []byte, now time.Time) (ev activity.Event, dir string, ok bool) {
	var p payload
	if err := json.Unmarshal(raw, &p); err != nil {
		return ev, "", false
	}
	name = cmp.Or(name, p.Event)
	kind, known := e.events[name]
	subagent := p.Agent != "" && p.Agent != "main" || p.Info.Parent != ""
	if !known || subagent {
		return ev, p.Dir, false
	}
	ev = activity.Event{
		Kind: kind, Time: now,
		Conversation: cmp.Or(p.Session, p.SessionC, p.SessionO), Transcript: cmp.Or(p.Transcript, p.TranscriptC),
	}
	text := ""
	switch kind {
	case activity.SessionStarted:
		text = p.Source
	case activity.SessionEnded:
		text = p.Reason
	case activity.PromptSubmitted:
		switch { // of opencode no other event tells that a turn begins, and one of its own that it has ended
		case name != "session.status" || p.Status.Type == "busy":
		case p.Status.Type == "retry":
			ev.Kind, text = activity.ToolUsed, cmp.Or(p.Status.Message, "tries again")
		default:
			return ev, p.Dir, false
		}
	case activity.ToolUsed:
		text = cmp.Or(p.Tool, p.ToolC, "works")
	case activity.PermissionAsked:
		if text, ok = asks(p, name); !ok {
			return ev, p.Dir, false
		}
	case activity.TurnEnded:
		text = p.Last
		ev.Background = len(p.Background) > 0
		if strings.Contains(p.Response, "[no response text]") {
			ev.Kind = activity.Interrupted
		}
	case activity.TurnFailed:
		text, ev.Limited = failure(p)
		if strings.Contains(string(p.Error), "Aborted") {
			ev.Kind = activity.Interrupted
		}
		if ev.Limited {
			ev.Resets = ResetTime(text+" "+p.Details, now)
		}
	}
	ev.Text = workspace.Clean(text, workspace.MaxTitle)
	return ev, p.Dir, true
}

// notices are the notifications that ask for the user. That an engine waits for its next prompt is none of them.
var notices = map[string]bool{
	"permission_prompt": true, "worker_permission_prompt": true, "elicitation_dialog": true, "elicitation_url_dialog": true,
	"agent_needs_input": true, "ToolPermission": true,
}

// asks says for what a permission is asked; ok is false when none is.
func asks(p payload, name string) (text string, ok bool) {
	if strings.EqualFold(name, "notification") && !notices[p.Notice] {
		return "", false
	}
	tool := cmp.Or(p.Tool, p.ToolC, p.Permission)
	if tool == "" {
		return cmp.Or(p.Message, "it needs you"), true
	}
	var input struct {
		Command string `json:"command"`
		Path    string `json:"file_path"`
	}
	for _, raw := range []json.RawMessage{p.Input, p.InputC, p.Metadata} {
		_ = json.Unmarshal(raw, &input) // the tool's name is enough
	}
	if what := cmp.Or(input.Command, input.Path); what != "" {
		return "approve " + tool + ": " + what, true
	}
	return "approve " + tool, true
}

// failure says what a turn failed with, and whether that is a rate limit.
func failure(p payload) (text string, limited bool) {
	if p.ErrorType != "" {
		return cmp.Or(p.ErrorText, p.ErrorType), limitText(p.ErrorType + " " + p.ErrorText)
	}
	var word string
	if json.Unmarshal(p.Error, &word) == nil {
		return cmp.Or(p.Last, p.Details, p.Message, word), limits[word]
	}
	var object struct {
		Name    string `json:"name"`
		Message string `json:"message"`
		Data    struct {
			Message string `json:"message"`
			Status  int    `json:"statusCode"`
		} `json:"data"`
	}
	_ = json.Unmarshal(p.Error, &object) // then it says nothing
	text = cmp.Or(object.Message, object.Data.Message, object.Name, p.Message, "turn failed")
	return text, object.Data.Status == 429 || limitText(text)
}

// limitWords are what engines call a limit in their texts and the names of their errors.
var limitWords = []string{"rate limit", "rate_limit", "ratelimit", "429", "usage limit"}

func limitText(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(limitWords, func(word string) bool { return strings.Contains(text, word) })
}
